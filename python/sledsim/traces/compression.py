"""Writing compressed files."""

import gzip
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

#: Quick, and nearly as small as it gets.
_GZIP_LEVEL = 6


@contextmanager
def compressing(raw: IO[bytes], name: str) -> Iterator[Any]:
    """Yield what writes into an open file, compressed as the ending of `name` says: gz, zst, xz or not."""
    ending = Path(name).suffix
    if ending not in _COMPRESSORS:
        yield raw
        return
    with _COMPRESSORS[ending](raw) as file:
        yield file


def _zstandard(raw: IO[bytes]) -> Any:
    import pyarrow

    return pyarrow.CompressedOutputStream(raw, "zstd")


def _gzip(raw: IO[bytes]) -> Any:
    # Without a name and the time of day the same trace gives the same bytes.
    return gzip.GzipFile("", "wb", _GZIP_LEVEL, raw, mtime=0)


def _xz(raw: IO[bytes]) -> Any:
    return lzma.LZMAFile(raw, "wb")


_COMPRESSORS = {".zst": _zstandard, ".gz": _gzip, ".xz": _xz}
