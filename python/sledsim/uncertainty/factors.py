"""Factors: uncertain parameters with a range or several values, and parameters computed from these.

A device is a point of the unit cube; each coordinate is the position of a factor in its range, from 0 to 1.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _native
from ..common.checked import shown
from .expressions import Arithmetic

#: Largest whole number up to which floats represent every whole number.
_MOST_WHOLE = 2**53
#: Largest size of a number that a parameter can have.
_MOST = 1e300
#: Largest relative difference from a whole number that is taken as a rounding error.
_ROUNDING = 1e-9

Column: TypeAlias = NDArray[Any]


@dataclass(frozen=True)
class Range:
    """A factor that takes any value in a range, all of them equally likely.

    Attributes:
        name: Key of a parameter of the device, or a name that derived parameters use.
        low: Least value.
        high: Greatest value.
        log: True if equal ratios within the range are equally likely; False if equal differences are.
        whole: True if only whole numbers are taken. None: only whole numbers if `low`, `high` and the value
            of the nominal device are whole.

    Raises:
        ParameterError: The range is not valid.
    """

    name: str
    low: float
    high: float
    log: bool = False
    whole: bool | None = None

    def __post_init__(self) -> None:
        ends = (self.low, self.high)
        found = " to ".join(map(shown, ends))
        if not (all(map(_is_number, ends)) and self.low < self.high):
            raise _wrong(self.name, "a range from a smaller to a larger number", found)
        if self.log and not (self.low > 0 and math.isfinite(self.high / self.low)):
            raise _wrong(self.name, "a logarithmic range above 0", found)
        if self.whole and not all(end == int(end) and abs(end) <= _MOST_WHOLE for end in ends):
            raise _wrong(self.name, "whole numbers as ends up to 2^53", found)

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g}{', equal ratios as likely' if self.log else ''}"

    def values(self, places: NDArray[np.float64], nominal: object = None) -> Column:
        """Return values of the range for positions in it: 0 is the least value, 1 the greatest.

        Args:
            places: Positions in the range of the parameter: 0 is its low end, 1 its high end; any shape.
            nominal: Value of the parameter in the nominal device.
        """
        whole = self.is_whole(nominal)
        low, high = self._ends(whole)
        found = low * _power(high / low, places) if self.log else low + places * (high - low)
        if whole:
            found = np.rint(found)
        found = np.clip(found, self.low, self.high)
        return found.astype(np.int64) if whole else found

    def place(self, value: object) -> float:
        """Return the position of a value in the range, 0 to 1; 0 or 1 for one outside, 0.5 for no number."""
        number = _number(value)
        if number is None:
            return 0.5
        low, high = self._ends(self.is_whole(value))
        at = min(max(number, low), high)
        if self.log:
            low, high, at = map(math.log, (low, high, at))
        return (at - low) / (high - low)

    def is_whole(self, nominal: object = None) -> bool:
        """Return True if only whole numbers are taken; `nominal` is the value of the nominal device."""
        if self.whole is not None:
            return self.whole
        ends = (self.low, self.high)
        are_whole = all(isinstance(end, int) and abs(end) <= _MOST_WHOLE for end in ends)
        return are_whole and isinstance(nominal, int)

    def _ends(self, whole: bool) -> tuple[float, float]:
        """Return the ends of the range; for whole numbers, half a step beyond, so that all are as likely."""
        return (self.low - 0.5, self.high + 0.5) if whole else (self.low, self.high)


@dataclass(frozen=True)
class Choice:
    """A factor that takes one of several values, all of them equally likely.

    Attributes:
        name: Key of a parameter of the device, ``scheduler``, or a name that derived parameters use.
        options: Two or more values: numbers, texts or booleans.

    Raises:
        ParameterError: Fewer than two values are given, a value is given twice, or a value has another type.
    """

    name: str
    options: Sequence[Any]

    def __post_init__(self) -> None:
        for option in self.options:
            if not (isinstance(option, str | bool) or _is_number(option)):
                raise _wrong(self.name, "numbers, texts or booleans to choose from", shown(option))
        if len(self.options) < 2:
            raise _wrong(self.name, "at least two values to choose from", str(len(self.options)))
        if len(set(map(repr, self.options))) < len(self.options):
            raise _wrong(self.name, "each value once", ", ".join(map(repr, self.options)))

    def __str__(self) -> str:
        return ", ".join(map(str, self.options))

    def values(self, places: NDArray[np.float64], nominal: object = None) -> Column:
        """Return the values for positions from 0 to 1, which is divided equally among the options."""
        del nominal
        kinds = set(map(type, self.options))
        options = np.array(self.options, dtype=object if kinds - {int, float} else None)
        return np.asarray(options[np.minimum((places * len(options)).astype(int), len(options) - 1)])

    def place(self, value: object) -> float:
        """Return the middle of the positions from 0 to 1 that select a value; NaN if no option has it."""
        found = [at for at, option in enumerate(self.options) if option == value]
        return (found[0] + 0.5) / len(self.options) if found else math.nan


Factor: TypeAlias = Range | Choice


@dataclass(frozen=True)
class Factors:
    """All factors of a study, and the parameters computed from them.

    Attributes:
        varied: Factors, in the order of the columns of points.
        derived: Expressions by key of a parameter. They use names of factors, of other such parameters, and
            of parameters of the nominal device. An expression of a key may use the key for the nominal value:
            ``settle_ms = "settle_ms * spread"``.

    Raises:
        ParameterError: A name is given twice, no factor is given, or computed parameters need each other in a
            circle.
    """

    varied: Sequence[Factor]
    derived: Mapping[str, Arithmetic] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.varied:
            raise _native.ParameterError("factors: expected at least one range or choice, found none")
        names = [*self.names, *self.derived]
        for name in names:
            if names.count(name) > 1:
                raise _wrong(name, "one range or one expression", "more than one")
        self._order()

    @property
    def names(self) -> list[str]:
        """Names of the factors, in the order of the columns of points."""
        return [factor.name for factor in self.varied]

    @property
    def levels(self) -> list[int | None]:
        """Number of values of each factor with separate values; None for a range."""
        return [len(one.options) if isinstance(one, Choice) else None for one in self.varied]

    def columns(
        self, points: ArrayLike, nominal: Mapping[str, Any], is_strict: bool = True
    ) -> dict[str, Column]:
        """Return the values of all factors and computed parameters by name, each with a value per point.

        Args:
            points: Position from 0 to 1 of each point in the range of each factor, shape (count, factors).
            nominal: Parameters of the nominal device, by key.
            is_strict: True if a computed value that is infinite, or not whole though the nominal value is, is
                an error. False: such values become NaN or stay fractions, which a device refuses.

        Raises:
            ParameterError: The points have another shape, an expression uses an unknown name, or its value is
                not a number.
        """
        places = np.asarray(points, np.float64)
        if places.ndim != 2 or places.shape[1] != len(self.varied):
            raise _wrong("points", f"an array of the shape (count, {len(self.varied)})", str(places.shape))
        if not ((places >= 0) & (places <= 1)).all():
            raise _wrong("points", "numbers from 0 to 1", f"{places[~((places >= 0) & (places <= 1))][0]:g}")
        found = {
            factor.name: factor.values(places[:, at], nominal.get(factor.name))
            for at, factor in enumerate(self.varied)
        }
        for key in self._order():
            found[key] = self._derive(key, found, nominal, len(places), is_strict)
        return found

    def parameters(
        self, points: ArrayLike, nominal: Mapping[str, Any], others: Collection[str] = ("scheduler",)
    ) -> list[dict[str, Any]]:
        """Return, for each point, the parameters of the device that differ from the nominal device, by key.

        A factor that is only used by expressions is left out.

        Args:
            points: Position from 0 to 1 of each point in the range of each factor, shape (count, factors).
            nominal: Parameters of the nominal device, by key.
            others: Names that factors may have without being parameters of the device, such as ``scheduler``.

        Raises:
            ParameterError: The points have another shape, an expression is wrong, or a factor is no parameter
                of the device, is not in `others`, and is used by no expression.
        """
        used = {name for key, expression in self.derived.items() for name in expression.names if name != key}
        columns = self.columns(points, nominal)
        for name in columns:
            if name not in nominal and name not in others and name not in used:
                expected = f"a parameter of the device, {', '.join(others)}, or a name that [derived] uses"
                raise _wrong(name, expected, "none of these")
        kept = {
            name: column.tolist() for name, column in columns.items() if name in nominal or name in others
        }
        count = len(next(iter(columns.values())))
        return [{name: column[at] for name, column in kept.items()} for at in range(count)]

    def place(self, values: Mapping[str, Any]) -> NDArray[np.float64]:
        """Return the positions from 0 to 1, one per factor, of a device with these parameters.

        A value beyond a range is at its end, a missing value is in the middle, a value that is no option is
        NaN.
        """
        return np.array(
            [factor.place(values[factor.name]) if factor.name in values else 0.5 for factor in self.varied]
        )

    def _order(self) -> list[str]:
        """Return the keys of computed parameters, each after those that its expression uses."""
        needs = {
            key: [name for name in expression.names if name in self.derived and name != key]
            for key, expression in self.derived.items()
        }
        try:
            return list(TopologicalSorter(needs).static_order())
        except CycleError as error:
            circle = " -> ".join(error.args[1])
            raise _wrong("derived", "parameters without circular dependencies", circle) from None

    def _derive(
        self, key: str, found: Mapping[str, Column], nominal: Mapping[str, Any], count: int, is_strict: bool
    ) -> Column:
        needed = {}
        for name in self.derived[key].names:
            values = found[name] if name in found else nominal.get(name)
            if values is None:
                known = "the name of a factor or of a parameter of the device"
                raise _wrong(f"derived.{key}", known, repr(name))
            if not (_is_number(values) or (isinstance(values, np.ndarray) and values.dtype != object)):
                raise _wrong(f"derived.{key}", f"{name} to be a number", shown(nominal.get(name, "others")))
            needed[name] = values
        result = np.broadcast_to(self.derived[key].value(needed), (count,))
        finite = np.isfinite(result)
        if not finite.all() and (is_strict or not finite.any()):
            raise _wrong(f"derived.{key}", "finite numbers at all points", "a division by 0 or an overflow")
        result = np.where(finite, result, np.nan)
        if isinstance(nominal.get(key), int) and (np.abs(result) <= _MOST_WHOLE).all():
            return _whole(key, result, is_strict)
        return result


def _whole(key: str, values: NDArray[np.float64], is_strict: bool) -> Column:
    """Round values of a whole parameter; one that differs by more than rounding is an error."""
    rounded = np.rint(values)
    off = np.abs(values - rounded) > _ROUNDING * np.maximum(1, np.abs(values))
    if off.any() and not is_strict:
        return np.where(off, values, rounded)
    if off.any():
        raise _wrong(f"derived.{key}", "a whole number, like the device's own value", f"{values[off][0]:.6g}")
    return rounded.astype(np.int64)


def _power(base: float, exponents: NDArray[np.float64]) -> NDArray[np.float64]:
    """Raise a number to powers from 0 to 1 by square roots, with results that are equal on all platforms.

    Each binary digit of the exponent has the square root of the factor of the digit before; roots are exact.
    """
    found = np.where(exponents >= 1, base, 1.0)
    rest, root = np.where(exponents >= 1, 0.0, exponents), base
    while rest.any():
        root = math.sqrt(root)
        digit = rest >= 0.5
        found = np.where(digit, found * root, found)
        rest = 2 * rest - digit
        if root == 1:
            break
    return found


def _number(value: object) -> float | None:
    """Return a value as a float; None if it is no number or larger than 1e300."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= _MOST:
        return None
    return float(value)


def _is_number(value: object) -> bool:
    return _number(value) is not None


def _wrong(where: str, expected: str, found: str) -> _native.ParameterError:
    return _native.ParameterError(f"{where}: expected {expected}, found {found}")
