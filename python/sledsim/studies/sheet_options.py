"""Checks of the options of studies, with their error messages."""

import inspect
import json
import math
import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias, TypeGuard, TypeVar

from .._native import ParameterError
from ..common.error_places import unknown as unknown
from ..common.shown import clipped

_T = TypeVar("_T")
#: An option that is a list of values: a single value or several values.
Several: TypeAlias = Sequence[_T] | _T
#: A function that a study calls several times with the percentage done; None if the caller needs no progress.
Progress: TypeAlias = Callable[[int], object] | None

#: Parameters of a study's function that are not options of the study.
_NOT_OPTIONS = ("device", "progress")


def refuse(key: str, value: object, expected: str) -> NoReturn:
    """Raise the error "KEY = VALUE: expected EXPECTED" for a wrong value of the option `key`.

    Raises:
        ParameterError: Always.
    """
    raise ParameterError(f"{key} = {value!r}: expected {expected}")


def whole_number(key: str, value: object, low: int, high: int | None = None) -> int:
    """Return the value of an option if it is a whole number from `low` to `high`; else raise an error."""
    expected = f"a whole number from {low}" + (f" to {high}" if high is not None else "")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        refuse(key, value, expected)
    if isinstance(value, bool) or number < low or (high is not None and number > high):
        refuse(key, value, expected)
    return number


def whole_numbers(key: str, values: object, low: int, high: int | None = None) -> list[int]:
    """Return the values of an option if all are whole numbers from `low` to `high`; else raise an error."""
    return [whole_number(key, value, low, high) for value in several(key, values, "whole numbers")]


def number(key: str, value: object, low: float = 0.0, above: bool = False) -> float:
    """Return the value of an option if it is a finite number from `low`, or above; else raise an error."""
    expected = f"a number {'above' if above else 'from'} {low:g}"
    if isinstance(value, bool):
        refuse(key, value, expected)
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        refuse(key, value, expected)
    if not math.isfinite(found) or found < low or (above and found == low):
        refuse(key, value, expected)
    return found


def numbers(key: str, values: object, low: float = 0.0, above: bool = False) -> list[float]:
    """Return the values of an option if all are finite numbers from `low`, or above; else raise an error."""
    return [number(key, value, low, above) for value in several(key, values, "numbers")]


def pairs(key: str, values: object, lows: tuple[int, int], highs: tuple[int, int]) -> list[tuple[int, int]]:
    """Check the pairs (x, y) of whole numbers that an option has, and return them.

    `lows` and `highs` are pairs, too: the limits of x and of y.
    """
    given = several(key, values, "pairs of whole numbers")
    found = []
    for pair in given if any(map(_is_list, given)) else [given]:
        both = several(key, pair, "pairs of whole numbers")
        if len(both) != 2:
            refuse(key, pair, "two whole numbers, x and y")
        x, y = (whole_number(key, *each) for each in zip(both, lows, highs, strict=True))
        found.append((x, y))
    return found


def choice(key: str, value: object, names: Sequence[str]) -> str:
    """Return the value of an option if it is one of some names; else raise an error."""
    if not isinstance(value, str) or value not in names:
        refuse(key, value, f"one of {', '.join(names)}")
    return value


def option_names(function: Callable[..., Any]) -> list[str]:
    """Return the names of the options that a study's function takes."""
    return [name for name in inspect.signature(function).parameters if name not in _NOT_OPTIONS]


@dataclass(frozen=True, repr=False)
class Option:
    """An option of a study, as a parameter of the study's function describes it.

    Attributes:
        name: Name of the option, as ``-O`` takes it.
        default: Default in the form that ``-O`` takes; empty if the meaning describes it.
        unit: Unit of the value or values; empty for names and counts.
        range: Range of the value or of each value: ``from 1``, ``above 0``; empty for a name.
        meaning: Meaning of the option, from the docstring of the function.
    """

    name: str
    default: str
    unit: str
    range: str
    meaning: str

    def __repr__(self) -> str:
        return f"<sledsim.studies.Option {clipped(self.given)}>"

    @property
    def given(self) -> str:
        """The option as users type it with its default, such as ``count=1000``."""
        return f"{self.name}={self.default}" if self.default else self.name


#: Units of options, by the suffix of the option's name.
_UNITS = {
    **{"_s": "s", "_ms": "ms", "_per_s": "1/s", "_hours": "h"},
    **{f"_{name}": name for name in ("bits", "bytes", "blocks", "cylinders")},
}


#: Text in parentheses after an option in a docstring: a unit, a range, or both.
_SAID = re.compile(r"(.*?)(?:(?:^|, )((?:from|above) .+))?")


def described(function: Callable[..., Any]) -> list[Option]:
    """Return the options of a study's function, with meanings from ``Args`` of its docstring.

    An item such as ``values (mm/s, above 0): ...`` adds a unit that the name of the option lacks, and a
    range.
    """
    text = inspect.getdoc(function) or ""
    args = re.findall(r"^    (\w+)(?: \((.+?)\))?: (.+(?:\n {8}.+)*)", text, re.MULTILINE)
    about = {name: (said, _in_words(meaning)) for name, said, meaning in args}
    parameters = inspect.signature(function).parameters
    found = []
    for name in option_names(function):
        said, meaning = about[name]
        unit, limits = _SAID.fullmatch(said).groups()  # type: ignore[union-attr]
        default = _as_toml(parameters[name].default)
        found.append(Option(name, default, unit or _unit(name), limits or "", meaning))
    return found


def returned(function: Callable[..., Any]) -> str:
    """Return the text on the columns of a study's table: ``Returns`` of the function's docstring."""
    said = re.search(r"^Returns:\n((?:    .*\n?)+)", inspect.getdoc(function) or "", re.MULTILINE)
    return " ".join(said[1].split()).replace("``", "`") if said else ""


def _in_words(meaning: str) -> str:
    """Return a sentence of a docstring for the command line, where "None takes" becomes "By default"."""
    text = re.sub(r"\s+", " ", meaning).replace("``", "")
    text = re.sub(r"\bNone (?:is|takes) ", "By default ", text).replace("None ", "By default it ")
    return text.replace("; By default", "; by default")


def _unit(name: str) -> str:
    """Return the unit that the end of an option's name tells, such as ms for ``rise_ms``; else empty."""
    ends = [end for end in _UNITS if name.endswith(end)]
    return _UNITS[max(ends, key=len)] if ends else ""


def _as_toml(value: Any) -> str:
    """Return a default as TOML; words have no quotes."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def effective(function: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    """Return the values of all options of a study: given values, and defaults of the other options.

    Raises:
        ParameterError: An option is unknown.
    """
    parameters = inspect.signature(function).parameters
    known = option_names(function)
    for name in given:
        if name not in known:
            takes = f"expected {' or '.join(known)}" if known else "this study has no options"
            raise ParameterError(f"unknown option `{name}`: {takes}")
    return {name: given.get(name, parameters[name].default) for name in known}


def several(key: str, values: object, what: str) -> list[Any]:
    """Return the items of a list, tuple or array, at least one; a single value becomes a list."""
    items = list(values) if _is_list(values) else [values]
    if not items:
        refuse(key, items, f"a list of at least one value: {what}")
    return items


def _is_list(value: object) -> TypeGuard[Iterable[Any]]:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | dict)
