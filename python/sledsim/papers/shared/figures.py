"""Numbers that a paper prints: beside the same number computed here, or beside what is possible at all."""

import math
from dataclasses import dataclass
from decimal import Decimal

from sledsim.estimates import Estimate

from .findings import Finding
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


def _verdict(is_same: bool, is_near: bool) -> Verdict:
    return Verdict.REPRODUCED if is_same else Verdict.SHAPE if is_near else Verdict.CONTRADICTS


@dataclass(frozen=True)
class Figure(Finding):
    """A number that the paper prints: reproduced within `allowed`, right in shape within `SHAPE`.

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

    def __post_init__(self) -> None:
        last, distance = last_digit(self.printed), abs(self.ours - self.value)
        decimals = 0 if float(self.ours).is_integer() and last == 0 else 2 - last
        near = "equal" if self.exact else f"±{self.allowed:.3g} {self.unit}".rstrip()
        is_near = distance <= abs(self.value) * SHAPE * (1 + _ROUNDING)
        is_same = distance <= self.allowed * (1 + _ROUNDING)
        self._tell(
            paper=f"{self.printed} {self.unit}".rstrip(),
            found=f"{self.ours:,.{decimals}f} {self.unit}".rstrip(),
            difference=float(self.ours / self.value - 1),
            tolerance=f"{near}; shape ±{100 * SHAPE:g} %",
            verdict=_verdict(is_same, is_near),
        )

    @property
    def value(self) -> float:
        """The paper's number."""
        return float(self.printed)

    @property
    def allowed(self) -> float:
        """How far ours may be from the printed number to be the same, in its unit."""
        return 0.0 if self.exact else max(half_digit(self.printed), abs(self.value) * NEAR)


@dataclass(frozen=True)
class Range(Finding):
    """A range of numbers that the paper prints, and one computed here: outside, it is as the nearest end.

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

    def __post_init__(self) -> None:
        low, high = float(self.low), float(self.high)
        nearest = Figure(self.quantity, self.low if self.ours < (low + high) / 2 else self.high, self.ours)
        is_within = low <= self.ours <= high
        self._tell(
            paper=f"{self.low} to {self.high}",
            found=nearest.found,
            difference=0.0 if is_within else nearest.difference,
            tolerance=nearest.tolerance,
            verdict=Verdict.REPRODUCED if is_within else nearest.verdict,
        )


@dataclass(frozen=True)
class Effect(Finding):
    """How much more or less there is of something: a gain of 12 % is compared as 12 %, not as 0.88.

    Contradicted unless its whole interval is on the paper's side of none. Then reproduced within half a digit
    or `NEAR` of the nearest that the paper prints, right in shape from half to twice as much.

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

    def __post_init__(self) -> None:
        low, high = sorted((float(self.printed), float(self.to or self.printed)))
        value, nearest = self.ours.value, min(max(self.ours.value, low), high)
        decimals = 2 - last_digit(self.printed)
        interval = f" ± {self.ours.half_width:,.{decimals}f}" if self.ours.half_width > 0 else ""
        allowed = max(half_digit(self.printed), abs(nearest) * NEAR)
        is_told = self.ours.low > 0 if nearest > 0 else self.ours.high < 0
        is_same = abs(value - nearest) <= allowed * (1 + _ROUNDING)
        self._tell(
            paper=f"{self.printed} to {self.to} %" if self.to else f"{self.printed} %",
            found=f"{value:,.{decimals}f}{interval} %",
            difference=value / nearest - 1,
            tolerance=f"±{allowed:.3g} %; shape: told from none, half to twice as much",
            verdict=_verdict(is_told and is_same, is_told and 0.5 <= value / nearest <= 2),
        )


def exactly(value: float) -> Estimate:
    """What nothing was drawn for."""
    return Estimate(value, 0.0, 1)


def less_by(ratio: Estimate) -> Estimate:
    """By how many per cent the first of two is less than the second, from its ratio to it."""
    return Estimate(100 * (1 - ratio.value), 100 * ratio.half_width, ratio.count)


@dataclass(frozen=True)
class Bound(Finding):
    """A number that the paper prints, and the range in which the stated parameters allow it, rounding aside.

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

    def __post_init__(self) -> None:
        value, rounding = float(self.printed), half_digit(self.printed)
        decimals = 1 - last_digit(self.printed)
        ends = {"at least": self.low, "at most": self.high}
        words = [f"{word} {end:,.{decimals}f}" for word, end in ends.items() if math.isfinite(end)]
        is_possible = self.low <= value + rounding and value - rounding <= self.high
        self._tell(
            paper=f"{self.printed} {self.unit}".rstrip(),
            found=f"{' and '.join(words)} {self.unit}".rstrip(),
            difference=min(max(value, self.low), self.high) / value - 1,
            tolerance=f"possible, ±{rounding:.3g} {self.unit}".rstrip(),
            verdict=_verdict(is_possible, is_near=False),
        )
