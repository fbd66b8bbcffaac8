"""Writing compressed files."""

import gzip
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

#: Quick, and nearly as small as it gets.
_GZIP_LEVEL = 6


@contextmanager
def compressing(part: Path, name: str) -> Iterator[Any]:
    """Open `part` for writing bytes, compressed as the ending of `name` says: gz, zst, xz or not."""
    with part.open("wb") as raw, _compressor(raw, Path(name).suffix) as file:
        yield file


def _compressor(raw: Any, ending: str) -> Any:
    if ending == ".zst":
        import pyarrow

        return pyarrow.CompressedOutputStream(raw, "zstd")
    if ending == ".gz":
        # Without a name and the time of day the same trace gives the same bytes.
        return gzip.GzipFile("", "wb", _GZIP_LEVEL, raw, mtime=0)
    return lzma.LZMAFile(raw, "wb") if ending == ".xz" else raw
