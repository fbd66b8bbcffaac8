"""Lines of a ledger: JSON behind its checksum, so that damage is seen."""

import json
import re
import zlib
from typing import Any

from .. import _native

#: What may be read as an infinite number, which is never written.
_HUGE = re.compile(rb"[eE]\+?\d{3}|\d{300}")
#: More bytes than any line has: what is longer is no ledger, and is not read into memory.
LINE_BYTES = 256 << 20
#: The first line of every file of a ledger.
HEAD = {"ledger": "sledsim", "format": 1}


def line_of(value: Any) -> bytes:
    """A value as a line.

    Raises:
        ParameterError: It is longer than lines may be.
    """
    text = json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
    if len(text) > LINE_BYTES - 10:
        raise _native.ParameterError(
            f"expected what fits into {LINE_BYTES >> 20} MiB, a line of a ledger, found"
            f" {len(text) >> 20} MiB: ask for fewer points at a time"
        )
    return b"%08x %b\n" % (zlib.crc32(text), text)


def content_of(line: bytes) -> dict[str, Any]:
    """What stands in a line, without its end.

    Raises:
        ValueError: It is not what was written.
    """
    # A copy by way of another system may have other ends of lines.
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
