"""Lines of a ledger file: each is a checksum, which reveals damage, and a JSON object."""

import json
import re
import zlib
from typing import Any

from .. import _native

#: Pattern of a number in JSON so large that it may be read as infinity, which no ledger contains.
_HUGE = re.compile(rb"[eE]\+?\d{3}|\d{300}")
#: Largest length of a line of a ledger file, in bytes.
LINE_BYTES = 256 << 20
#: The first line of every ledger file.
HEAD = {"ledger": "sledsim", "format": 1}


def line_of(value: Any) -> bytes:
    """Return a value as a line of a ledger file: checksum, JSON and line end.

    Raises:
        ParameterError: The line would be longer than `LINE_BYTES`.
    """
    text = json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
    if len(text) > LINE_BYTES - 10:
        raise _native.ParameterError(
            f"a line of a ledger has {len(text) >> 20} MiB, more than {LINE_BYTES >> 20} MiB:"
            " define a study with fewer points"
        )
    return b"%08x %b\n" % (zlib.crc32(text), text)


def content_of(line: bytes) -> dict[str, Any]:
    """Return the JSON object in a line of a ledger, given without its line end, after checking the checksum.

    Raises:
        ValueError: The checksum does not match, or the line is no JSON object.
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
