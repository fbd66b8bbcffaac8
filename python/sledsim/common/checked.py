"""Checks of JSON from files; an error names the key, the expected and the found value.

A check is a function of a key and its value; it returns the value, or raises `WrongError`.
"""

import json
import math
import re
from collections.abc import Callable
from typing import Any

#: Largest number of characters that an error message shows of a wrong value.
_SHOWN = 60
#: Pattern of a JSON escape for half of a surrogate pair, such as ``\ud800``, which alone is no character.
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")

Check = Callable[[str, Any], Any]


class WrongError(ValueError):
    """A wrong value; the message names the key, the expected and the found value."""

    def __init__(self, key: str, expected: str, found: str) -> None:
        where = f"{key}: " if key else ""
        super().__init__(f"{where}expected {expected}, found {found}")


def load(key: str, text: bytes) -> Any:
    """Return the value of a JSON text; error messages name `key`, the place of the text.

    Raises:
        WrongError: The text is no JSON, is nested too deeply, or escapes half of a surrogate pair, which is
            no character.
    """
    try:
        value = json.loads(text)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except (ValueError, RecursionError):  # Also raised by wrong UTF-8 and by numbers of too many digits.
        raise WrongError(key, "JSON of moderate depth", shown(text)) from None


def finite(value: Any) -> Any:
    """Return a copy of a value for JSON, in which None replaces NaN and infinities."""
    if isinstance(value, dict):
        return {key: finite(within) for key, within in value.items()}
    if isinstance(value, list | tuple):
        return [finite(within) for within in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _of(kind: type, expected: str) -> Check:
    """Make a check that accepts only values of the Python type `kind`; errors call this type `expected`."""

    def check(key: str, value: Any) -> Any:
        if not isinstance(value, kind):
            raise WrongError(key, expected, shown(value))
        return value

    return check


text = _of(str, "a text")
truth = _of(bool, "true or false")
#: Check that a value is a table, with any content.
table = _of(dict, "a table")


def whole(least: int = 0, most: int = 2**63 - 1) -> Check:
    """Make a check for a whole number in a range."""

    def check(key: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise WrongError(key, f"a whole number from {least} to {most}", shown(value))
        return value

    return check


def number(key: str, value: Any) -> float | int:
    """Check that the value of a key is a number from -1e300 to 1e300."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1e300:
        raise WrongError(key, "a number", shown(value))
    return value


def optional(check: Check) -> Check:
    """Make a check that also accepts null."""
    return lambda key, value: None if value is None else check(key, value)


def mapping(check: Check) -> Check:
    """Make a check for a dictionary (a JSON object) whose values all pass `check`."""
    return lambda key, value: {
        name: check(_below(key, name), within) for name, within in table(key, value).items()
    }


def array(check: Check, least: int = 0) -> Check:
    """Make a check for a list of at least `least` values that pass `check`."""

    def checked(key: str, value: Any) -> list[Any]:
        if not isinstance(value, list) or len(value) < least:
            raise WrongError(key, f"a list of {least} or more values" if least else "a list", shown(value))
        return [check(f"{key}[{at}]", within) for at, within in enumerate(value)]

    return checked


def pair(first: Check, second: Check) -> Check:
    """Make a check for a list of two values: the first passes the check `first`, the second `second`."""

    def checked(key: str, value: Any) -> tuple[Any, Any]:
        if not isinstance(value, list) or len(value) != 2:
            raise WrongError(key, "a list of two values", shown(value))
        return first(f"{key}[0]", value[0]), second(f"{key}[1]", value[1])

    return checked


def record(**checks: Check) -> Check:
    """Make a check for a dictionary with these keys; a key may be missing only if its check is `optional`."""

    def checked(key: str, value: Any) -> dict[str, Any]:
        there = table(key, value)
        return {name: check(_below(key, name), there.get(name)) for name, check in checks.items()}

    return checked


def made(kind: Callable[..., Any], **checks: Check) -> Check:
    """Make a check like `record`, whose result is `kind` called with the checked values by key."""
    keys = record(**checks)
    return lambda key, value: kind(**keys(key, value))


def _below(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def shown(value: object) -> str:
    """Return a wrong value as text for an error message, at most about 60 characters long."""
    if value is None:
        return "nothing"
    if isinstance(value, dict | list):
        return f"a {'table' if isinstance(value, dict) else 'list'} with {len(value)} entries"
    if isinstance(value, int) and not -(2**200) < value < 2**200:
        return "a number of more than 60 digits"
    found = repr(value[: 2 * _SHOWN] if isinstance(value, str | bytes) else value)
    return found if len(found) <= _SHOWN else f"{found[:_SHOWN]}..."
