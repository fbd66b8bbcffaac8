"""Numbers that a paper prints: beside the same number computed here, or beside what is possible at all."""

import math
from dataclasses import dataclass
from decimal import Decimal

from ...runs.intervals import Estimate
from .findings import OfParameters
from .verdicts import Verdict

#: A figure this near is reproduced, even where the paper prints more digits.
NEAR = 0.01
#: A figure this near is right in shape.
SHAPE = 0.15
#: Rounding errors of the subtraction must not decide at a border.
_ROUNDING = 1e-9


def last_digit(printed: str) -> int:
    """The power of ten of the last printed digit after the point; 0 where there is none."""
    return min(0, int(Decimal(printed).as_tuple().exponent))


def half_digit(printed: str) -> float:
    """How far the number may be from what is printed by rounding alone."""
    return 0.5 * 10.0 ** last_digit(printed)


@dataclass(frozen=True)
class Figure(OfParameters):
    """A number that the paper prints.

    Attributes:
        quantity: What it is.
        printed: The paper's number, digit for digit: how many there are says how near ours has to come.
        ours: The number computed in this run, in the same unit.
        unit: The unit of both.
        exact: Whether it is a count, which ours has to equal.
    """

    quantity: str
    printed: str
    ours: float
    unit: str = ""
    exact: bool = False

    @property
    def value(self) -> float:
        """The paper's number."""
        return float(self.printed)

    @property
    def paper(self) -> str:
        """The paper's number as printed, with its unit."""
        return f"{self.printed} {self.unit}".rstrip()

    @property
    def found(self) -> str:
        """Ours with two digits more than the paper prints."""
        last = last_digit(self.printed)
        decimals = 0 if float(self.ours).is_integer() and last == 0 else 2 - last
        return f"{self.ours:,.{decimals}f} {self.unit}".rstrip()

    @property
    def difference(self) -> float:
        """Ours over the paper's, less one."""
        return float(self.ours / self.value - 1)

    @property
    def allowed(self) -> float:
        """How far ours may be from the printed number to be the same, in its unit."""
        return 0.0 if self.exact else max(half_digit(self.printed), abs(self.value) * NEAR)

    @property
    def tolerance(self) -> str:
        """How far it may be off."""
        near = "equal" if self.exact else f"±{self.allowed:.3g} {self.unit}".rstrip()
        return f"{near}; shape ±{100 * SHAPE:g} %"

    @property
    def verdict(self) -> Verdict:
        """Reproduced within `allowed`, right in shape within `SHAPE`, else contradicted."""
        distance = abs(self.ours - self.value)
        if distance <= self.allowed * (1 + _ROUNDING):
            return Verdict.REPRODUCED
        near = distance <= abs(self.value) * SHAPE * (1 + _ROUNDING)
        return Verdict.SHAPE if near else Verdict.CONTRADICTS


@dataclass(frozen=True)
class Range(OfParameters):
    """A range of numbers that the paper prints, and one computed here.

    Attributes:
        quantity: What it is.
        low: The lower end, digit for digit.
        high: The upper end, digit for digit.
        ours: The number computed in this run, in the same unit.
    """

    quantity: str
    low: str
    high: str
    ours: float

    @property
    def _nearest(self) -> Figure:
        """The end that ours is beside."""
        middle = (float(self.low) + float(self.high)) / 2
        return Figure(self.quantity, self.low if self.ours < middle else self.high, self.ours)

    @property
    def _within(self) -> bool:
        return float(self.low) <= self.ours <= float(self.high)

    @property
    def paper(self) -> str:
        """The range as printed."""
        return f"{self.low} to {self.high}"

    @property
    def found(self) -> str:
        """Ours with two digits more than the paper prints."""
        return self._nearest.found

    @property
    def difference(self) -> float:
        """Ours over the nearest number of the range, less one."""
        return 0.0 if self._within else self._nearest.difference

    @property
    def tolerance(self) -> str:
        """How far it may be off the range."""
        return self._nearest.tolerance

    @property
    def verdict(self) -> Verdict:
        """Reproduced within the range, else as the end that is nearest."""
        return Verdict.REPRODUCED if self._within else self._nearest.verdict


@dataclass(frozen=True)
class Effect(OfParameters):
    """How much more or less there is of something: a gain of 12 % is compared as 12 %, not as 0.88.

    Attributes:
        quantity: What it is.
        printed: The paper's per cent, digit for digit; below 0 where it is less.
        ours: The per cent computed in this run, with its interval; `exactly` where nothing was drawn.
        to: The other end where the paper prints a range, further from 0.
    """

    quantity: str
    printed: str
    ours: Estimate
    to: str = ""

    @property
    def _nearest(self) -> float:
        """Of what the paper prints, what ours is beside."""
        low, high = sorted((float(self.printed), float(self.to or self.printed)))
        return min(max(self.ours.value, low), high)

    @property
    def paper(self) -> str:
        """The effect as printed."""
        return f"{self.printed} to {self.to} %" if self.to else f"{self.printed} %"

    @property
    def found(self) -> str:
        """Ours, with two digits more than the paper prints, and its interval."""
        decimals = 2 - last_digit(self.printed)
        interval = f" ± {self.ours.half_width:,.{decimals}f}" if self.ours.half_width > 0 else ""
        return f"{self.ours.value:,.{decimals}f}{interval} %"

    @property
    def difference(self) -> float:
        """Ours over the nearest that the paper prints, less one."""
        return self.ours.value / self._nearest - 1

    @property
    def allowed(self) -> float:
        """How far ours may be from what is printed to be the same, in per cent."""
        return max(half_digit(self.printed), abs(self._nearest) * NEAR)

    @property
    def tolerance(self) -> str:
        """How far it may be off."""
        return f"±{self.allowed:.3g} %; shape: told from none, half to twice as much"

    @property
    def verdict(self) -> Verdict:
        """Contradicted unless its whole interval is on the paper's side of none.

        Then reproduced within `allowed`, right in shape from half to twice as much, else contradicted.
        """
        is_told = self.ours.low > 0 if self._nearest > 0 else self.ours.high < 0
        if not is_told:
            return Verdict.CONTRADICTS
        if abs(self.ours.value - self._nearest) <= self.allowed * (1 + _ROUNDING):
            return Verdict.REPRODUCED
        return Verdict.SHAPE if 0.5 <= self.ours.value / self._nearest <= 2 else Verdict.CONTRADICTS


def exactly(value: float) -> Estimate:
    """What nothing was drawn for."""
    return Estimate(value, 0.0, 1)


def less_by(ratio: Estimate) -> Estimate:
    """By how many per cent the first of two is less than the second, from its ratio to it."""
    return Estimate(100 * (1 - ratio.value), 100 * ratio.half_width, ratio.count)


@dataclass(frozen=True)
class Bound(OfParameters):
    """A number that the paper prints, and the range in which the stated parameters allow it.

    Attributes:
        quantity: What it is.
        printed: The paper's number, digit for digit; what was rounded to it may be half a digit away.
        low: The least that is possible, in the same unit.
        high: The most that is possible.
        unit: The unit of all three.
    """

    quantity: str
    printed: str
    low: float = -math.inf
    high: float = math.inf
    unit: str = ""

    @property
    def paper(self) -> str:
        """The paper's number as printed, with its unit."""
        return f"{self.printed} {self.unit}".rstrip()

    @property
    def found(self) -> str:
        """The range, with one digit more than the paper prints."""
        decimals = 1 - last_digit(self.printed)
        ends = {"at least": self.low, "at most": self.high}
        words = [f"{word} {end:,.{decimals}f}" for word, end in ends.items() if math.isfinite(end)]
        return f"{' and '.join(words)} {self.unit}".rstrip()

    @property
    def difference(self) -> float:
        """The end of the range that is nearest to the paper's number over that number, less one."""
        value = float(self.printed)
        return min(max(value, self.low), self.high) / value - 1

    @property
    def tolerance(self) -> str:
        """How far rounding may have moved the printed number."""
        return f"possible, ±{half_digit(self.printed):.3g} {self.unit}".rstrip()

    @property
    def verdict(self) -> Verdict:
        """Reproduced if the number can be had, else contradicted."""
        value, rounding = float(self.printed), half_digit(self.printed)
        possible = self.low <= value + rounding and value - rounding <= self.high
        return Verdict.REPRODUCED if possible else Verdict.CONTRADICTS
