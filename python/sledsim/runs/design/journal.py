"""What has been explored, kept as it comes, so that a long exploration goes on where it stopped."""

import fcntl
import hashlib
import json
import os
import threading
import zlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ... import _native
from ...common.files import PathLike, naming, write_text

#: Figures of a point, what took its energy, or why there are none.
Result = tuple[dict[str, Any] | None, dict[str, float] | None, str | None]


class Journal:
    """Lines of JSON, each behind its checksum: first what the exploration is of, then a batch of points each.

    A batch is written as soon as it is done: however a process ends, it loses no more than was under way.
    A line that does not agree with its checksum is left out, so that its points are explored again.

    Attributes:
        done: The results by the number of the point.
        notes: What is to be known of the file, in sentences.

    Args:
        path: The file; one that is there is read, and added to. It is locked while it is open.
        about: What the exploration is of: a journal of another one is refused.

    Raises:
        ParameterError: The file is no journal, or of another exploration.
        OSError: It cannot be read or written, or another process adds to it.
    """

    def __init__(self, path: PathLike, about: dict[str, Any]) -> None:
        self.path = Path(path)
        self.done: dict[int, Result] = {}
        self.notes: list[str] = []
        self._writing = threading.Lock()
        self._about = hashlib.sha256(json.dumps(about, sort_keys=True, default=str).encode()).hexdigest()
        if not self.path.exists() or not self.path.stat().st_size:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_text(self.path, _line({"exploration": self._about}))
        self._file = self.path.open("r+b", buffering=0)
        try:
            self._lock()
            self._read(self._file.read())
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def add(self, results: Sequence[tuple[int, Result]]) -> None:
        """Some points are done; any thread may say so.

        Raises:
            OSError: The file cannot be written.
        """
        line = memoryview(_line(results).encode())
        with self._writing, naming(self.path):
            end = self._file.seek(0, os.SEEK_END)
            try:
                while line:
                    line = line[self._file.write(line) :]
            except OSError:
                # What follows must not join half a line.
                self._file.truncate(end)
                raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise OSError(error.errno, "another exploration adds to it now", os.fspath(self.path)) from None
        except OSError:  # A file system without locks.
            return

    def _read(self, content: bytes) -> None:
        # What was being written when the exploration was stopped has no end of line.
        whole = content.rfind(b"\n") + 1
        head, *lines = content[:whole].split(b"\n")[:-1] or [content]
        self._check_head(head)
        self._file.truncate(whole)
        damaged = []
        for number, line in enumerate(lines, 2):
            try:
                self.done.update(map(_result, _content(line)))
            except (ValueError, TypeError, RecursionError):
                damaged.append(f"line {number}")
        if damaged:
            self.notes.append(
                f"{self.path}: {', '.join(damaged)}: expected points that agree with their checksum, "
                "found damage: they are explored again"
            )

    def _check_head(self, line: bytes) -> None:
        found = None
        with suppress(ValueError, TypeError, KeyError, RecursionError):
            found = _content(line)["exploration"]
        if found is None:
            raise _native.ParameterError(
                f"{self.path}: line 1: expected the head of a journal of sledsim, found {line[:40]!r}"
            )
        if found != self._about:
            raise _native.ParameterError(
                f"{self.path}: it is of another workload, device, space or policy: remove it, or name another"
            )


def _line(value: Any) -> str:
    text = json.dumps(value)
    return f"{_checksum(text.encode())} {text}\n"


def _content(line: bytes) -> Any:
    """What stands in a line.

    Raises:
        ValueError, RecursionError: It is not what was written.
    """
    checksum, _, text = line.partition(b" ")
    if checksum != _checksum(text).encode():
        raise ValueError("another checksum")
    return json.loads(text)


def _checksum(text: bytes) -> str:
    return f"{zlib.crc32(text):08x}"


def _result(row: Any) -> tuple[int, Result]:
    """The number of a point, and its result.

    Raises:
        ValueError, TypeError: It is no such row.
    """
    number, (figures, energy, why) = row
    kinds = ((number, int), (figures, dict | None), (energy, dict | None), (why, str | None))
    if not all(isinstance(value, kind) for value, kind in kinds):
        raise TypeError("no result")
    return number, (figures, energy, why)
