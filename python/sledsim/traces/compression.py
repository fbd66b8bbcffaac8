"""Writing compressed files."""

import gzip
import lzma
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, Any

from ..common.arrow import pyarrow

#: Quick, and nearly as small as it gets.
_GZIP_LEVEL = 6


def compressing(raw: IO[bytes], name: str) -> AbstractContextManager[Any]:
    """What writes into an open file, compressed as the ending of `name` says: gz, zst, xz or not."""
    ending = Path(name).suffix
    if ending == ".gz":
        # Without a name and the time of day the same trace gives the same bytes.
        return gzip.GzipFile("", "wb", _GZIP_LEVEL, raw, mtime=0)
    if ending == ".xz":
        return lzma.LZMAFile(raw, "wb")
    if ending == ".zst":
        compressed: AbstractContextManager[Any] = pyarrow.CompressedOutputStream(raw, "zstd")
        return compressed
    return nullcontext(raw)
