"""Writing and reading of compressed files."""

import gzip
import io
import lzma
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import IO, Any

from ..common.arrow import pyarrow

#: First bytes of a compressed file, by the ending of its name.
COMPRESSED = {".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd", ".xz": b"\xfd7zXZ\x00"}
#: Compression level of gzip: fast, with files nearly as small as at the highest level.
_GZIP_LEVEL = 6


def compressing(raw: IO[bytes], name: str) -> AbstractContextManager[Any]:
    """Return a writer into an open file, which compresses by the ending of `name`: gz, zst, xz or none."""
    ending = Path(name).suffix
    if ending == ".gz":
        # Without file name and time of day, equal traces give equal bytes.
        return gzip.GzipFile("", "wb", _GZIP_LEVEL, raw, mtime=0)
    if ending == ".xz":
        return lzma.LZMAFile(raw, "wb")
    if ending == ".zst":
        compressed: AbstractContextManager[Any] = pyarrow.CompressedOutputStream(raw, "zstd")
        return compressed
    return nullcontext(raw)


def decompressing(raw: IO[bytes]) -> Any:
    """Return a reader of an open file, which decompresses it if it begins like gzip, zstd or xz."""
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
