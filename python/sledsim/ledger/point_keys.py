"""Keys of points: digests of all inputs that determine the figures of a point."""

import hashlib
import json
from typing import Any

from .. import _native


def canonical(value: Any) -> bytes:
    """Return the canonical JSON of a value: sorted keys, no spaces, numbers as Python prints them.

    Raises:
        ValueError: A number is infinite or NaN.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


def key_of(content: Any) -> str:
    """Return the SHA-256 of the canonical JSON of a value, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical(content)).hexdigest()


def point_key(**content: Any) -> str:
    """Return the key of a point from its inputs; each version of sledsim has different keys."""
    return key_of({"model": _native.__version__, **content})
