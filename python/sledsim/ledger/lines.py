"""Lines of a ledger: a checksum, which reveals damage, then JSON."""

import json
import re
import zlib
from typing import Any

from .. import _native

#: Form of numbers that could be read as infinite; such numbers are never written.
_HUGE = re.compile(rb"[eE]\+?\d{3}|\d{300}")
#: Longest line in bytes; a file with a longer line is not a ledger and is not read into memory.
LINE_BYTES = 256 << 20
#: The first line of every ledger file.
HEAD = {"ledger": "sledsim", "format": 1}


def line_of(value: Any) -> bytes:
    """Return a value as a line of a ledger.

    Raises:
        ParameterError: The line would be too long.
    """
    text = json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
    if len(text) > LINE_BYTES - 10:
        raise _native.ParameterError(
            f"expected at most {LINE_BYTES >> 20} MiB for a line of a ledger, found"
            f" {len(text) >> 20} MiB: ask for fewer points at a time"
        )
    return b"%08x %b\n" % (zlib.crc32(text), text)


def content_of(line: bytes) -> dict[str, Any]:
    """Return the content of a line, which comes without its line end.

    Raises:
        ValueError: The line differs from the written one.
    """
    # A copy from another system may have other line ends.
    checksum, _, text = line.removesuffix(b"\r").partition(b" ")
    if checksum != b"%08x" % zlib.crc32(text):
        raise ValueError("another checksum")
    try:
        found = json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if _HUGE.search(text):
        json.dumps(found, allow_nan=False)
    if not isinstance(found, dict):
        raise ValueError("no table")
    return found
