"""Outputs that are being written: where they do not become whole, they vanish."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .. import _native


@contextmanager
def unfinished(part: Path) -> Iterator[None]:
    """When the block ends, or the program is interrupted in it, a file is there no longer under this name."""
    # Before it is there, so that there is no moment in which it would stay.
    _native.begin_part(part)
    try:
        yield
    finally:
        with suppress(OSError):
            part.unlink()
        _native.end_part(part)
