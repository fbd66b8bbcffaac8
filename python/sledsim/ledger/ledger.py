"""The ledger to which a running study writes."""

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

#: Longest time in seconds until written rows are on the disk and survive a loss of power.
_SYNC_S = 1.0
#: Number that stands for a closed file.
_CLOSED = -1
#: Number of hexadecimal digits of a digest in messages and file names; enough within a folder.
_DIGITS = 16


class Ledger:
    """A folder of rows by key, with one file that this process extends.

    A row is added once it is known, and is in the file before `add` returns, so that a process loses no
    added row, however it ends. Other processes, such as shards, have their own files in the folder. Rows that
    they wrote before this ledger was opened are known, and their points do not run again.

    Attributes:
        study: Digest of the definition of the study.
        contents: Contents of all ledger files in the folder.
        notes: Notes on the files, in sentences.

    Args:
        folder: Folder of the ledger; a missing folder is created. None keeps nothing.
        definition: Definition of the study as JSON; the definition and the number of a point determine the
            point.
        name: Name of this process's file, without ending. The file is locked while it is open.
        is_late: True to create a missing file only when the first row is added.

    Raises:
        ParameterError: A file of the folder is no ledger.
        OSError: A file cannot be read or written, or another process extends the same file.
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
        """Release the file for other processes."""
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
        """Yield the rows of some points; missing rows are computed and added.

        Args:
            numbers: Numbers of the points.
            key: Function that returns the key of a point.
            run: Function that computes rows of some points, without the keys of the rows.
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
        """Return the keys of those points that have a row without an error, from any study.

        Args:
            numbers: Numbers of the points, which are recorded for this study.
            key: Function that returns the key of a point.
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
        """Add rows, each with ``key``, ``number`` (of its point) and ``status``, from any thread.

        If a key already has a row without an error, only the number of the point is added. A row without host
        and version gets those of this process.

        Returns:
            Sentences on rows whose figures differ from the existing row of their key; empty, unless results
            depend on more than their key.

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
                    # If a row fails again, the first one stays.
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
        """Note a row whose figures differ from the figures of the known row with the same key."""
        if "figures" not in row or (known.file == self._number and known.offset >= offset):
            return
        if result_of(self.contents.row_at(known)) != result_of(row):
            self.contents.disagreements.append(
                f"{key.hex()}: {self.contents.files[known.file]} has other figures than a run now"
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
    """Check that the file of a ledger is a regular file before it is written.

    Raises:
        ParameterError: The path is a link, perhaps to the ledger of another folder, or not a regular file.
    """
    check_file(path)
    if path.is_symlink():
        raise _native.ParameterError(
            f"{path}: expected a ledger, found a link to {os.path.realpath(path)}: it may be the ledger of "
            f"another"
            " folder"
        )
