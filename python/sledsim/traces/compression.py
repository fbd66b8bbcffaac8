"""Compressed files: writers and readers."""

import gzip
import io
import lzma
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, Any

from ..common.arrow import pyarrow

#: Endings of compressed files with the first bytes of their contents.
COMPRESSED = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd", ".xz": b"\xfd7zXZ\x00"}
#: Compression level that is fast and makes files nearly as small as the best level.
_GZIP_LEVEL = 6


def compressing(raw: IO[bytes], name: str) -> AbstractContextManager[Any]:
    """A writer into an open file, compressed by the ending of `name`: gz, zst, xz or no compression."""
    ending = Path(name).suffix
    if ending == ".gz":
        # No name and no time of day: equal traces give equal bytes.
        return gzip.GzipFile("", "wb", _GZIP_LEVEL, raw, mtime=0)
    if ending == ".xz":
        return lzma.LZMAFile(raw, "wb")
    if ending == ".zst":
        compressed: AbstractContextManager[Any] = pyarrow.CompressedOutputStream(raw, "zstd")
        return compressed
    return nullcontext(raw)


def decompressing(raw: IO[bytes]) -> Any:
    """Contents of an open file, decompressed by its first bytes."""
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
