"""Findings on printed numbers: beside the number computed here, or beside the possible range."""

import math
from dataclasses import dataclass
from decimal import Decimal

from sledsim.estimates import Estimate

from .findings import Finding
from .verdicts import Verdict

#: Relative difference up to which a figure is reproduced, even if the paper prints more digits.
NEAR = 0.01
#: Relative difference up to which a figure is right in shape.
SHAPE = 0.15
#: Slack for rounding errors of the subtraction at a border.
_ROUNDING = 1e-9


def last_digit(printed: str) -> int:
    """Return the power of ten of the last printed digit after the point; 0 without a point."""
    return min(0, int(Decimal(printed).as_tuple().exponent))


def half_digit(printed: str) -> float:
    """Return the largest distance from the printed number that rounding alone explains."""
    return 0.5 * 10.0 ** last_digit(printed)


def _verdict(is_same: bool, is_near: bool) -> Verdict:
    return Verdict.REPRODUCED if is_same else Verdict.SHAPE if is_near else Verdict.CONTRADICTS


@dataclass(frozen=True)
class Figure(Finding):
    """A printed number: reproduced within `allowed`, right in shape within `SHAPE`.

    Attributes:
        quantity: Name of the quantity.
        printed: The paper's number, digit for digit; the number of digits sets the tolerance.
        ours: The number computed in this run, in the same unit.
        unit: Unit of `printed` and `ours`.
        exact: True for a count, which `ours` has to equal.
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
        """The largest distance from the printed number that counts as the same, in its unit."""
        return 0.0 if self.exact else max(half_digit(self.printed), abs(self.value) * NEAR)


@dataclass(frozen=True)
class Range(Finding):
    """A printed range of numbers, and one number computed here; outside, the nearest end is compared.

    Attributes:
        quantity: Name of the quantity.
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
    """A printed gain or loss in per cent: a gain of 12 % is compared as 12 %, not as 0.88.

    The effect is contradicted unless its whole interval has the paper's sign. Otherwise it is reproduced
    within half a digit or `NEAR` of the nearest printed value, and right in shape from half to twice it.

    Attributes:
        quantity: Name of the quantity.
        printed: The paper's per cent, digit for digit; negative for a loss.
        ours: The per cent computed in this run, with its interval; use `exactly` if nothing was drawn.
        to: The end of a printed range that is further from 0, if the paper prints a range.
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
        is_clear = self.ours.low > 0 if nearest > 0 else self.ours.high < 0
        is_same = abs(value - nearest) <= allowed * (1 + _ROUNDING)
        self._tell(
            paper=f"{self.printed} to {self.to} %" if self.to else f"{self.printed} %",
            found=f"{value:,.{decimals}f}{interval} %",
            difference=value / nearest - 1,
            tolerance=f"±{allowed:.3g} %; shape: sign is clear, half to twice as much",
            verdict=_verdict(is_clear and is_same, is_clear and 0.5 <= value / nearest <= 2),
        )


def exactly(value: float) -> Estimate:
    """Return an estimate without an interval, for a value that involves no random draw."""
    return Estimate(value, 0.0, 1)


def less_by(ratio: Estimate) -> Estimate:
    """Return by how many per cent the first of two values is below the second, from their ratio."""
    return Estimate(100 * (1 - ratio.value), 100 * ratio.half_width, ratio.count)


@dataclass(frozen=True)
class Bound(Finding):
    """A printed number, and the range that the stated parameters allow, apart from rounding.

    Attributes:
        quantity: Name of the quantity.
        printed: The paper's number, digit for digit; the unrounded number may be half a digit away.
        low: The smallest possible value, in the same unit.
        high: The largest possible value, in the same unit.
        unit: Unit of `printed`, `low` and `high`.
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
