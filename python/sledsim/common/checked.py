"""What a file says of itself in JSON, read strictly: what is wrong is named by its key, expected and found.

A check takes the key under which a value stands and the value, and returns the value or raises `WrongError`.
"""

import json
import math
import re
from collections.abc import Callable
from typing import Any

#: So much of a wrong value is shown.
_SHOWN = 60
#: An escape that is half a character.
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")

Check = Callable[[str, Any], Any]


class WrongError(ValueError):
    """A value is not what was expected; the message says where, what was expected and what was found."""

    def __init__(self, key: str, expected: str, found: str) -> None:
        where = f"{key}: " if key else ""
        super().__init__(f"{where}expected {expected}, found {found}")


def load(key: str, text: bytes) -> Any:
    """JSON of any content.

    Raises:
        WrongError: It is none, nested too deeply, or has texts that are half a pair of surrogates.
    """
    try:
        value = json.loads(text)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except (ValueError, RecursionError):  # What is no UTF-8, and a number of too many digits, too.
        raise WrongError(key, "JSON of moderate depth", shown(text)) from None


def finite(value: Any) -> Any:
    """A value for JSON, with None in place of numbers that it has not."""
    if isinstance(value, dict):
        return {key: finite(within) for key, within in value.items()}
    if isinstance(value, list | tuple):
        return [finite(within) for within in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _of(kind: type, expected: str) -> Check:
    """A value of one type."""

    def check(key: str, value: Any) -> Any:
        if not isinstance(value, kind):
            raise WrongError(key, expected, shown(value))
        return value

    return check


text = _of(str, "a text")
truth = _of(bool, "true or false")
#: Of anything.
table = _of(dict, "a table")


def whole(least: int = 0, most: int = 2**63 - 1) -> Check:
    """A whole number in a range."""

    def check(key: str, value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise WrongError(key, f"a whole number from {least} to {most}", shown(value))
        return value

    return check


def number(key: str, value: Any) -> float | int:
    """A number that is neither infinite nor NaN."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1e300:
        raise WrongError(key, "a number", shown(value))
    return value


def optional(check: Check) -> Check:
    """Nothing, or what another check wants."""
    return lambda key, value: None if value is None else check(key, value)


def mapping(check: Check) -> Check:
    """A table whose values are all of one kind."""
    return lambda key, value: {
        name: check(_below(key, name), within) for name, within in table(key, value).items()
    }


def array(check: Check, least: int = 0) -> Check:
    """A list of values of one kind, `least` of them or more."""

    def checked(key: str, value: Any) -> list[Any]:
        if not isinstance(value, list) or len(value) < least:
            raise WrongError(key, f"a list of {least} or more" if least else "a list", shown(value))
        return [check(f"{key}[{at}]", within) for at, within in enumerate(value)]

    return checked


def pair(first: Check, second: Check) -> Check:
    """A list of two values."""

    def checked(key: str, value: Any) -> tuple[Any, Any]:
        if not isinstance(value, list) or len(value) != 2:
            raise WrongError(key, "a list of two", shown(value))
        return first(f"{key}[0]", value[0]), second(f"{key}[1]", value[1])

    return checked


def record(**checks: Check) -> Check:
    """A table with these keys; others are left out, and what may be missing is `optional`."""

    def checked(key: str, value: Any) -> dict[str, Any]:
        there = table(key, value)
        return {name: check(_below(key, name), there.get(name)) for name, check in checks.items()}

    return checked


def made(kind: Callable[..., Any], **checks: Check) -> Check:
    """A table with these keys, as an object of a class with such attributes."""
    keys = record(**checks)
    return lambda key, value: kind(**keys(key, value))


def _below(key: str, name: str) -> str:
    return f"{key}.{name}" if key else name


def shown(value: object) -> str:
    """A wrong value as an error shows it: not all of what is long."""
    if value is None:
        return "nothing"
    if isinstance(value, dict | list):
        return f"a {'table' if isinstance(value, dict) else 'list'} of {len(value)}"
    if isinstance(value, int) and not -(2**200) < value < 2**200:
        return "a number of more than 60 digits"
    found = repr(value[: 2 * _SHOWN] if isinstance(value, str | bytes) else value)
    return found if len(found) <= _SHOWN else f"{found[:_SHOWN]}..."
