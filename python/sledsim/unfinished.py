"""Outputs that are being written, for who has to end this process at once."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_parts: set[Path] = set()


@contextmanager
def unfinished(part: Path) -> Iterator[None]:
    """While the block lasts, a file is of no use to anybody."""
    _parts.add(part)
    try:
        yield
    finally:
        _parts.discard(part)


def remove_unfinished() -> None:
    """Take away what is being written."""
    for part in list(_parts):
        with suppress(OSError):
            part.unlink()
