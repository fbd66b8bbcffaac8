"""Lines of a ledger: JSON behind its checksum, so that damage is seen."""

import json
import zlib
from typing import Any

#: The first line of every file of a ledger.
HEAD = {"ledger": "sledsim", "format": 1}


def line_of(value: Any) -> bytes:
    """A value as a line."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
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
    if not isinstance(found, dict):
        raise ValueError("no table")
    return found
