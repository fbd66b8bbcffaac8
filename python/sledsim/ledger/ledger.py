"""The ledger to which a running study writes the results of its points."""

import fcntl
import os
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import _native
from ..common.output_files import PathLike, check_file, make_folder, naming
from .contents import ENDING, Contents, Place, result_of
from .lines import HEAD, line_of
from .point_keys import key_of

#: Time in seconds between two calls that force added rows onto the disk; a power failure loses later rows.
_SYNC_S = 1.0
#: Value of the file descriptor when no file is open.
_CLOSED = -1
#: Number of hexadecimal digits to which the digest of a study is shortened.
_DIGITS = 16


class Ledger:
    """Ledger of a study: all ledger files of a folder are read, and this process adds rows to one of them.

    A row is in the file before `add` returns, so that a process that is killed loses no added row. Other
    processes, such as shards, write to their own files in the folder. Points whose rows they wrote before
    this ledger was opened do not run again.

    Attributes:
        study: Digest of the definition of the study.
        contents: Contents of all ledger files in the folder.
        notes: Sentences on damaged files.

    Args:
        folder: Folder of the ledger, which is created if missing. None: no rows are kept.
        definition: Definition of the study for JSON. The definition and the number of a point together state
            all inputs of the point.
        name: Name, without ending, of the file to which this process adds rows; other processes cannot write
            to it meanwhile.
        is_late: True to create the file only when the first row is added.

    Raises:
        ParameterError: A file of the folder is no ledger.
        OSError: A file cannot be read or written, or another process is adding rows to the same file.
    """

    def __init__(
        self,
        folder: PathLike | None,
        definition: Mapping[str, Any],
        name: str = "study",
        *,
        is_late: bool = False,
    ) -> None:
        self.study, self._definition = key_of(definition)[:_DIGITS], definition
        self._lock, self._synced_s = threading.Lock(), time.monotonic()
        self.contents, self.notes = Contents(), tuple[str, ...]()
        self._about = {"host": socket.gethostname(), "version": _native.__version__}
        self._file, self.is_kept = _CLOSED, folder is not None
        if folder is not None:
            self.path = Path(folder) / f"{name}{ENDING}"
            if not is_late or self.path.exists():
                self._open()

    def _open(self) -> None:
        make_folder(self.path.parent)
        check_own(self.path)
        with naming(self.path):
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            self._begin()
        except BaseException:
            os.close(self._file)
            raise

    def _begin(self) -> None:
        _lock(self._file, self.path)
        own = Contents()
        # Remove an incomplete line of a killed process, so that the next line does not join it.
        os.ftruncate(self._file, own.read(self.path))
        if not os.fstat(self._file).st_size:
            self._write(line_of(HEAD))
        if self.study not in own.studies:
            self._write(line_of({"study": self.study, "definition": self._definition}))
        self.contents = Contents.of([self.path.parent])
        self.notes = tuple(self.contents.notes)
        self._number = self.contents.files.index(self.path)

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file and release its lock for other processes."""
        if self._file != _CLOSED:
            os.fsync(self._file)
            os.close(self._file)

    def done(self) -> dict[int, dict[str, Any]]:
        """Return the rows of the finished points of this study, by number of the point."""
        keys = self.contents.done(self.study)
        return dict(zip(keys, self.contents.rows(keys.values()), strict=True))

    def rows(
        self,
        numbers: Sequence[int],
        key: Callable[[int], str],
        run: Callable[[list[int]], Iterable[dict[str, Any]]],
    ) -> dict[int, dict[str, Any]]:
        """Return the rows of some points by number; missing rows are computed and added.

        Args:
            numbers: Numbers of the points in the study.
            key: Function that takes the number of a point, and returns the key of the point.
            run: Function that takes the numbers of points without a row, and computes their rows; ``key`` may
                be missing in these.
        """
        if not self.is_kept:
            return {row["number"]: row for row in run(list(numbers))}
        keys = {number: key(number) for number in numbers}
        known = self.known(numbers, keys.__getitem__)
        left = [number for number in numbers if number not in known]
        new = {row["number"]: {"key": keys[row["number"]], **row} for row in run(left)} if left else {}
        self.add(new.values())
        return {number: self.contents.row(bytes.fromhex(known[number])) for number in known} | new

    def known(self, numbers: Iterable[int], key: Callable[[int], str]) -> dict[int, str]:
        """Return the keys, by number, of points for which a row without error exists in any study.

        Args:
            numbers: Numbers of points of this study; those found in another study are recorded as finished in
                this one.
            key: Function that takes the number of a point, and returns the key of the point.
        """
        keys = {number: key(number) for number in numbers}
        with self._lock:
            places, numbered = self.contents.places, self.contents.numbers.get(self.study, {})
            found = {
                number: key
                for number, key in keys.items()
                if (place := places.get(bytes.fromhex(key))) and not place.failed
            }
            new = [number for number in found if numbered.get(number) != bytes.fromhex(found[number])]
        self.add({"key": found[number], "number": number} for number in new)
        return found

    def add(self, rows: Iterable[Mapping[str, Any]]) -> list[str]:
        """Add rows, which have ``key``, ``number`` (of the point) and ``status``; any thread may call this.

        If a key already has a row without an error, only the number of the point is added. A row without
        ``host`` or ``version`` gets the values of this process.

        Returns:
            Sentences on rows whose figures differ from those of the existing row with the same key; empty if
            all is well.

        Raises:
            OSError: The file cannot be written; no incomplete row is left in it.
        """
        rows = list(rows)
        if not self.is_kept or not rows:
            return []
        with self._lock:
            if self._file == _CLOSED:
                self._open()
            offset = os.lseek(self._file, 0, os.SEEK_END)
            before = len(self.contents.disagreements)
            text = bytearray()
            for given in rows:
                row = {**self._about, **given} if "status" in given else given
                key = bytes.fromhex(row["key"])
                known = self.contents.places.get(key)
                if known is None or known.failed:
                    line = line_of({**row, "study": self.study})
                    # If a point fails again, its first row stays.
                    self.contents.place(key, row, Place(self._number, offset + len(text), len(line), False))
                else:
                    self._compare(key, known, row, text, offset)
                    line = line_of({"key": row["key"], "study": self.study, "number": row["number"]})
                text += line
                self.contents.numbers.setdefault(self.study, {})[row["number"]] = key
            self._write(bytes(text))
            now_s = time.monotonic()
            if now_s - self._synced_s >= _SYNC_S:
                os.fsync(self._file)
                self._synced_s = now_s
            return self.contents.disagreements[before:]

    def _compare(
        self, key: bytes, known: Place, row: Mapping[str, Any], unwritten: bytearray, offset: int
    ) -> None:
        """Add a sentence to `disagreements` if a new row differs from the known row under the same key."""
        if "figures" not in row or (known.file == self._number and known.offset >= offset):
            return
        if result_of(self.contents.row_at(known)) != result_of(row):
            self.contents.disagreements.append(
                f"{key.hex()}: {self.contents.files[known.file]} has other figures than this run"
            )

    def _write(self, text: bytes) -> None:
        left = memoryview(text)
        with naming(self.path):
            end = os.lseek(self._file, 0, os.SEEK_END)
            try:
                while left:
                    left = left[os.write(self._file, left) :]
            except OSError:
                os.ftruncate(self._file, end)
                raise


def _lock(file: int, path: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise OSError(error.errno, "another process is writing to the file", os.fspath(path)) from None
    except OSError:  # The file system has no locks.
        return


def check_own(path: Path) -> None:
    """Check, before rows are added to a ledger file, that its path is a regular file and not a link.

    Raises:
        ParameterError: The path is a link, perhaps to the ledger of another folder, or not a regular file.
    """
    check_file(path)
    if path.is_symlink():
        raise _native.ParameterError(
            f"{path}: expected a file, found a link to {os.path.realpath(path)}, perhaps the ledger of "
            f"another"
            " folder"
        )
