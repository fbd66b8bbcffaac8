"""The values that a parameter takes in a study: lists, and ranges with exact decimal steps."""

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from .. import _native
from ..common import toml

#: Pattern of a range without steps, such as 0.1..0.4. Other commands accept it; here it is an error, because
#: a list of values needs steps.
_TWO_DOTS = re.compile(r"[-+.0-9e]+\.\.[-+.0-9e]+")
#: Largest number of values in the range of one parameter.
MOST = 1_000_000


def read_values(key: str, text: str) -> tuple[Any, ...]:
    """Return the values in a text, separated by commas: numbers, words, or ranges ``start:stop:step``.

    A range contains its stop if the steps reach it exactly: steps are decimal numbers, so that
    ``0.1:0.4:0.1`` contains 0.3 and ends with 0.4. A range of whole numbers has whole numbers. A text in
    brackets is a TOML list, whose texts may contain commas.

    Raises:
        ParameterError: No value is given, a value is given twice, or a range has no end.
    """
    if text.startswith("["):
        return checked_values(key, _toml(key, text))
    parts = [part.strip() for part in text.split(",")]
    if not all(parts):
        raise _native.ParameterError(f"{key}: expected comma-separated values, found {text!r}")
    return checked_values(key, [value for part in parts for value in _part(key, part)])


def checked_values(key: str, values: object) -> tuple[Any, ...]:
    """Check a list of values, and return it without numpy types.

    Raises:
        ParameterError: The value is not a list, the list is empty, or a value is given twice.
    """
    if isinstance(values, str):
        return read_values(key, values)
    if not isinstance(values, Iterable):
        raise _native.ParameterError(f"{key}: expected a list of values, found {values!r}")
    found = tuple(value.item() if hasattr(value, "item") else value for value in values)
    if not found:
        raise _native.ParameterError(f"{key}: expected at least one value, found none")
    seen = set()
    for value in found:
        if isinstance(value, float) and not math.isfinite(value):
            raise _native.ParameterError(f"{key}: expected finite numbers, found {value}")
        if repr(value) in seen:
            raise _native.ParameterError(f"{key}: {value} is given twice")
        seen.add(repr(value))
    return found


def read_numbers(key: str, text: str) -> tuple[float, ...]:
    """Return the positive numbers in a text: comma-separated numbers or ranges, as for `read_values`.

    Raises:
        ParameterError: A value is not a positive number or is given twice, or a range is wrong.
    """
    return checked_numbers(key, read_values(key, text))


def checked_numbers(key: str, values: object) -> tuple[float, ...]:
    """Check one positive number or a list of positive numbers, and return them as a tuple.

    Raises:
        ParameterError: A value is not a positive number, or is given twice.
    """
    given = [values] if isinstance(values, int | float) else values
    found = []
    for value in checked_values(key, given):
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
            raise _native.ParameterError(f"{key}: expected positive numbers, found {value!r}")
        found.append(float(value))
    return tuple(found)


def _part(key: str, text: str) -> Sequence[Any]:
    if _TWO_DOTS.fullmatch(text):
        raise _native.ParameterError(f"{key}: expected start:stop:step, such as 0.1:0.4:0.05, found {text!r}")
    if ":" in text:
        try:
            return _range(key, text, *(Decimal(number) for number in text.split(":")))
        except InvalidOperation:
            pass  # The text is a policy with options, such as timeout:ms=1.
    try:
        value = toml.loads(f"value = {text}")["value"]
    except toml.TOMLDecodeError:
        return [text]
    return [value]


def _range(key: str, text: str, *numbers: Decimal) -> list[int] | list[float]:
    expected = f"start:stop:step, upwards, with at most {MOST:,} values"
    if len(numbers) != 3 or not all(number.is_finite() for number in numbers):
        raise _native.ParameterError(f"{key}: expected {expected}; found {text!r}")
    start, stop, step = numbers
    try:
        is_one = step > 0 and stop >= start and (stop - start) / step < MOST
    except ArithmeticError:
        # The range has more values, or a smaller step, than a decimal number can have digits.
        is_one = False
    if not is_one:
        raise _native.ParameterError(f"{key}: expected {expected}; found {text!r}")
    values = [start + at * step for at in range(int((stop - start) / step) + 1)]
    if all(set(number) <= set("+-0123456789") for number in text.split(":")):
        return [int(value) for value in values]
    return [float(value) for value in values]


def _toml(key: str, text: str) -> Any:
    try:
        return toml.loads(f"value = {text}")["value"]
    except toml.TOMLDecodeError:
        raise _native.ParameterError(f"{key}: expected a TOML list, found {text!r}") from None
