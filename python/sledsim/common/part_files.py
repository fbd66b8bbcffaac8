"""Part files: temporary files, ending in ``.part``, that become the output files when they are complete.

A part file is locked (``flock``) while it is written. The kernel releases the lock when the process ends, so
that a part file that another process can lock is a leftover of a killed process and may be removed.
"""

import fcntl
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from .. import _native


@contextmanager
def unfinished(part: Path) -> Iterator[None]:
    """Remove a part file at the end of the block, if it still exists, or if a signal ends the program."""
    # Registered before the file exists, so that an interruption always removes it.
    _native.begin_part(part)
    try:
        yield
    finally:
        with suppress(OSError):
            part.unlink()
        _native.end_part(part)


@contextmanager
def made_for(path: Path | None) -> Iterator[None]:
    """Remove the file at `path`, if the block has created it, when the block raises an error."""
    was_there = path is None or os.path.lexists(path)
    try:
        yield
    except BaseException:
        if path is not None and not was_there:
            path.unlink(missing_ok=True)
        raise


@contextmanager
def part_file(target: Path) -> Iterator[IO[bytes]]:
    """Yield a new part file, open for writing; it is renamed to `target` if the block ends without error.

    After an error the part file is removed. Leftovers of killed processes for this target are removed first.

    Raises:
        OSError: The file cannot be written or renamed.
    """
    _clear(target)
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    with unfinished(part):
        lock = _create(part)
        # The lock lasts until both descriptors are closed, after the file is renamed.
        try:
            with os.fdopen(os.dup(lock), "wb") as file:
                yield file
            part.replace(target)
        finally:
            os.close(lock)


def _create(part: Path) -> int:
    """Create a part file and lock it; return its file descriptor, which holds the lock."""
    while True:
        descriptor = os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        # If the file system has no locks, the file is written unlocked, and leftovers stay.
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        # Before the lock, another process may have removed the file as a leftover.
        if _is_there(part, descriptor):
            return descriptor
        os.close(descriptor)


def _is_there(part: Path, descriptor: int) -> bool:
    with suppress(FileNotFoundError):
        return os.path.samestat(part.lstat(), os.fstat(descriptor))
    return False


def belongs_to(target: Path, path: Path) -> bool:
    """Return True if a path is `target` itself or one of its part files."""
    return path == target or (path.parent == target.parent and _is_part(target.name, path.name))


def _is_part(target: str, name: str) -> bool:
    return re.fullmatch(rf"\.{re.escape(target)}\.[0-9a-f]+\.part", name) is not None


def _clear(target: Path) -> None:
    """Remove part files of a target that killed processes left: those that no process has locked."""
    with suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if _is_part(target.name, entry.name) and entry.is_file(follow_symlinks=False):
                _remove_unheld(Path(entry.path))


def _remove_unheld(part: Path) -> None:
    with suppress(OSError):
        descriptor = os.open(part, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if stat.S_ISREG(os.fstat(descriptor).st_mode):
                part.unlink()
        finally:
            os.close(descriptor)
