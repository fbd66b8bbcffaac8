"""The ledger that a study writes to while it runs."""

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

#: What has been written is on the disk after so many seconds: a loss of power takes no more.
_SYNC_S = 1.0
#: In the place of a file that is not open.
_CLOSED = -1
#: So many hexadecimal digits tell the studies of a folder apart.
_DIGITS = 16


class Ledger:
    """A folder of rows by key, of which this process adds to one file.

    A row is added as soon as it is known and stands in its file before `add` returns: however a process ends,
    it loses what it has not added. Other processes, such as shards, have files of their own in the folder;
    what they had written when this one began is known, and is not run again.

    Attributes:
        study: The digest of what is asked for.
        contents: What is in the folder.
        notes: What is to be known of the files, in sentences.

    Args:
        folder: It is made if it is not there; None keeps nothing.
        definition: What is asked for, as JSON: from it and the number of a point the point can be made.
        name: Of the own file, without its ending. It is locked while it is open.
        is_late: Whether a file that is not there is made with the first row that is added, not sooner.

    Raises:
        ParameterError: A file of the folder is no ledger.
        OSError: A file cannot be read or written, or another process adds to the same one.
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
        # Half a line, which a process left that was killed, is taken away: what follows must not join it.
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
        """Let others add to the file."""
        if self._file != _CLOSED:
            os.fsync(self._file)
            os.close(self._file)

    def done(self) -> dict[int, dict[str, Any]]:
        """The rows of the points of this study that have one, by number."""
        keys = self.contents.done(self.study)
        return dict(zip(keys, self.contents.rows(keys.values()), strict=True))

    def rows(
        self,
        numbers: Sequence[int],
        key: Callable[[int], str],
        run: Callable[[list[int]], Iterable[dict[str, Any]]],
    ) -> dict[int, dict[str, Any]]:
        """The rows of some points; those that are not there are made and added.

        Args:
            numbers: The points.
            key: Makes the key of a point.
            run: Makes the rows of points that have none: all of a row but its key.
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
        """The keys of those points that have a row without an error, whichever study it was made for.

        Args:
            numbers: The points, which are those of these rows from now on.
            key: Makes the key of a point.
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
        """Add rows, each with ``key``, ``number`` (of its point) and ``status``; any thread may do so.

        Of a key that has a row without an error already, only the number of the point is added. A row that
        names no host and version has those of this process.

        Returns:
            Sentences on rows that say something else than the row that their key has: there are none, unless
            results depend on more than their key.

        Raises:
            OSError: The file cannot be written; no half of a row is left in it.
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
                    # Of a row that failed before, and again, the first stays.
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
        """Note a row that says something else than the one that is known."""
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
        raise OSError(error.errno, "another process adds to it now", os.fspath(path)) from None
    except OSError:  # A file system without locks.
        return


def check_own(path: Path) -> None:
    """Find out whether a ledger to be written is a file of its folder.

    Raises:
        ParameterError: It is a link, perhaps to the ledger of another folder, or no file.
    """
    check_file(path)
    if path.is_symlink():
        raise _native.ParameterError(
            f"{path}: expected a ledger, found a link to {os.path.realpath(path)}: it may be that of another"
            " folder"
        )
