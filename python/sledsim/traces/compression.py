"""Compressed files: what writes and what reads them."""

import gzip
import io
import lzma
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, Any

from ..common.arrow import pyarrow

#: The endings of compressed files, each with what they begin with.
COMPRESSED = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd", ".xz": b"\xfd7zXZ\x00"}
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


def decompressing(raw: IO[bytes]) -> Any:
    """Content of an open file, decompressed as its first bytes say."""
    file: Any = raw if isinstance(raw, io.BufferedReader) else io.BufferedReader(raw)
    first = file.peek(max(map(len, COMPRESSED.values())))
    ending = next((ending for ending, magic in COMPRESSED.items() if first.startswith(magic)), None)
    if ending == ".gz":
        return gzip.GzipFile(fileobj=file)
    if ending == ".xz":
        return lzma.LZMAFile(file)
    if ending == ".zst":
        return io.BufferedReader(pyarrow.CompressedInputStream(file, "zstd"))
    return file
