"""The key of a point: the digest of everything that its figures depend on."""

import hashlib
import json
from typing import Any

from .. import _native


def canonical(value: Any) -> bytes:
    """JSON of which a value has one: keys in order, no spaces, numbers as Python prints them.

    Raises:
        ValueError: A number is infinite or NaN.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "backslashreplace")


def key_of(content: Any) -> str:
    """The SHA-256 of the canonical JSON of a value, 64 hexadecimal digits: equal content, equal key."""
    return hashlib.sha256(canonical(content)).hexdigest()


def point_key(**content: Any) -> str:
    """The key of a point under this version of the model, which each version makes others of."""
    return key_of({"model": _native.__version__, **content})
