"""Reading of factors (varied parameters), from texts such as ``settle_ms=0.1..0.4`` or from TOML.

A file has a table ``[ranges]`` and may have ``[derived]``::

    [ranges]
    settle_ms = "0.1..0.4"                         # "0.1..0.4:log": equal ratios are equally likely
    acceleration_m_per_s2 = { low = 600, high = 1000, log = false }
    active_tips = "320..3200"                      # whole numbers, as the device has
    scheduler = ["fcfs", "sptf"]
    spread = "0.8..1.25:log"

    [derived]
    seek_power_mw = "50 * acceleration_m_per_s2 / 803.6 * spread"
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from .. import _native
from ..common import toml
from ..common.checked import shown
from ..common.error_places import errors_at
from ..common.output_files import PathLike
from .expressions import parse_arithmetic
from .factors import Choice, Factor, Factors, Range

_DIGITS = r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_RANGE = re.compile(rf"\s*({_DIGITS})\s*\.\.\s*({_DIGITS})\s*(:\s*log)?\s*")
_NUMBER = re.compile(_DIGITS)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
#: Largest number of digits of a whole number in a text; Python refuses longer ones.
_MOST_DIGITS = 300
_EXPECTED = "a range such as 0.1..0.4 or 0.1..0.4:log, or two values or more, separated by commas"


def parse_factor(text: str, what: str = "--over") -> Factor:
    """Read a factor from a text such as ``settle_ms=0.1..0.4`` (range) or ``scheduler=fcfs,sptf`` (values).

    A range between whole numbers has only whole values, unless the value of the nominal device has a
    fraction. A value between commas that has ``=`` before any ``:`` is an option of the policy before it.

    Args:
        text: Name of the factor, an equal sign, and its range or values.
        what: Text with which error messages begin.

    Raises:
        ParameterError: The text is not a factor.
    """
    name, sign, values = text.partition("=")
    if not sign:
        raise _wrong(what, "KEY=LOW..HIGH or KEY=VALUE,VALUE", shown(text))
    with errors_at(what):
        return _of_text(_name(name.strip()), values)


def parse_factors(texts: Iterable[str], what: str = "--over") -> Factors:
    """Read several factors from texts as `parse_factor` does, without parameters computed from them.

    Raises:
        ParameterError: A text is not a factor, or a name is given twice.
    """
    return Factors([parse_factor(text, what) for text in texts])


def read_factors(path: PathLike) -> Factors:
    """Read factors from a TOML file with the tables ``[ranges]`` and ``[derived]``.

    Raises:
        ParameterError: The file does not describe factors; the message names the file and the key.
        OSError: The file cannot be read.
    """
    text = _native.read_text(path)
    try:
        given = toml.loads(text)
    except toml.TOMLDecodeError as error:
        raise _native.ParameterError(f"{path}: {error}") from None
    except (RecursionError, ValueError):  # Thousands of digits are a ValueError.
        raise _wrong(str(path), "TOML", "too deep nesting or a number with too many digits") from None
    return factors_of(given, str(path))


def factors_of(given: Mapping[str, Any], where: str = "factors") -> Factors:
    """Read factors and computed parameters from the tables ``ranges`` and ``derived`` of a TOML file.

    Args:
        given: The two tables by name, as a TOML parser returns them.
        where: Text with which error messages begin, such as the name of the file.

    Raises:
        ParameterError: The tables do not describe factors.
    """
    with errors_at(where):
        for name in given:
            if name not in ("ranges", "derived"):
                raise _native.ParameterError(f"unknown key {shown(name)}: expected [ranges] or [derived]")
        ranges, derived = (_table(name, given.get(name, {})) for name in ("ranges", "derived"))
        with errors_at("[ranges]"):
            varied = [_of_value(_name(name), value) for name, value in ranges.items()]
        expressions = {
            _name(name): parse_arithmetic(text, f"[derived] {name}") for name, text in derived.items()
        }
        return Factors(varied, expressions)


def _of_value(name: str, value: object) -> Factor:
    """Read a factor from its value in TOML: a text, a list, or a table with ``low`` and ``high``."""
    if isinstance(value, str):
        return _of_text(name, value)
    if isinstance(value, list):
        return Choice(name, tuple(value))
    if not isinstance(value, dict):
        raise _wrong(name, _EXPECTED, shown(value))
    for key in value:
        if key not in ("low", "high", "log", "whole"):
            raise _native.ParameterError(f"unknown key {name}.{key}: expected low, high, log or whole")
    for key in ("low", "high"):
        found = value.get(key)
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise _wrong(f"{name}.{key}", "a number", shown(found))
    for key in ("log", "whole"):
        if not isinstance(value.get(key, False), bool):
            raise _wrong(f"{name}.{key}", "true or false", shown(value[key]))
    return Range(name, **value)


def _of_text(name: str, text: str) -> Factor:
    """Read a factor from its name and the text of its range or values, such as ``0.1..0.4``."""
    if found := _RANGE.fullmatch(text):
        low, high, log = found.groups()
        return Range(name, _number(low), _number(high), log is not None)
    options: list[Any] = []
    for part in map(str.strip, text.split(",")):
        if not part or ".." in part:
            raise _wrong(name, _EXPECTED, shown(text))
        if "=" in part.partition(":")[0] and options:
            options[-1] = f"{options[-1]},{part}"
        else:
            options.append(_option(part))
    if len(options) < 2:
        raise _wrong(name, _EXPECTED, shown(text))
    return Choice(name, tuple(options))


def _option(text: str) -> Any:
    """Read one of several values of a factor: a number, a boolean (true or false) or a text."""
    if _NUMBER.fullmatch(text):
        return _number(text)
    return {"true": True, "false": False}.get(text, text)


def _number(text: str) -> float:
    """Read a number: an int if the text has only digits, otherwise a float."""
    if text.lstrip("+-").isdigit() and len(text) < _MOST_DIGITS:
        return int(text)
    return float(text)


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise _wrong(shown(name), "a name of letters, digits, _ and .", "other characters")
    return name


def _table(name: str, value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _wrong(name, f"a table, [{name}]", shown(value))
    return value


def _wrong(where: str, expected: str, found: str) -> _native.ParameterError:
    return _native.ParameterError(f"{where}: expected {expected}, found {found}")
