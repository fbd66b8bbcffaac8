"""Findings on numbers: a number that a paper prints, and our number or a range that we compute."""

import math
from dataclasses import dataclass
from decimal import Decimal

from sledsim.estimates import Estimate

from .findings import Finding
from .verdicts import Verdict

#: Relative difference up to which a number counts as reproduced, even if the paper prints more digits.
NEAR = 0.01
#: Relative difference up to which a number counts as right in shape.
SHAPE = 0.15
#: Relative slack of each bound for rounding errors of floating-point subtraction.
_ROUNDING = 1e-9


def last_digit(printed: str) -> int:
    """Return the exponent (power of ten) of the last digit of a printed number: -2 for ``0.25``."""
    return min(0, int(Decimal(printed).as_tuple().exponent))


def half_digit(printed: str) -> float:
    """Return half a unit of the last digit of a printed number: the largest error that rounding causes."""
    return 0.5 * 10.0 ** last_digit(printed)


def _verdict(is_same: bool, is_near: bool) -> Verdict:
    return Verdict.REPRODUCED if is_same else Verdict.SHAPE if is_near else Verdict.CONTRADICTS


@dataclass(frozen=True)
class Figure(Finding):
    """A printed number and ours: reproduced within `allowed`, right in shape within 15 % (`SHAPE`).

    Attributes:
        quantity: Name of the quantity.
        printed: The paper's number as printed. Its number of digits sets the distance that counts as
            reproduced.
        ours: The number computed in this run, in the same unit.
        unit: Unit of `printed` and `ours`.
        exact: True for a count: `ours` is reproduced only if it equals `printed`.
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
        """The largest distance of `ours` from `printed` that counts as reproduced, in their unit."""
        return 0.0 if self.exact else max(half_digit(self.printed), abs(self.value) * NEAR)


@dataclass(frozen=True)
class Range(Finding):
    """A printed range and our number: reproduced if inside, else compared with the nearer end of the range.

    Attributes:
        quantity: Name of the quantity.
        low: Lower end of the range, as printed.
        high: Upper end of the range, as printed.
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
    """A printed gain or loss in per cent and ours; the gains themselves are compared, not the ratios.

    The verdict is "contradicts" unless the whole interval of our value has the paper's sign. Then our value
    is reproduced within half a printed digit or `NEAR` of the nearest printed value, and right in shape from
    half of that value to twice that value.

    Attributes:
        quantity: Name of the quantity.
        printed: The printed gain in per cent, as printed; negative for a loss. For a range of gains, the end
            that is nearer to 0.
        ours: Our gain in per cent, with its interval; `exactly` makes one for a gain without an interval.
        to: The end of a printed range that is further from 0; empty if the paper prints one number.
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
            tolerance=f"±{allowed:.3g} %; shape: clear sign, half to twice the paper's value",
            verdict=_verdict(is_clear and is_same, is_clear and 0.5 <= value / nearest <= 2),
        )


def exactly(value: float) -> Estimate:
    """Return an estimate whose interval has no width, for a value that depends on no random draw."""
    return Estimate(value, 0.0, 1)


def less_by(ratio: Estimate) -> Estimate:
    """Return by how many per cent a first value is below a second one, from their ratio."""
    return Estimate(100 * (1 - ratio.value), 100 * ratio.half_width, ratio.count)


@dataclass(frozen=True)
class Bound(Finding):
    """A printed number; it counts as reproduced if it lies in the range that the paper's parameters allow.

    Attributes:
        quantity: Name of the quantity that is compared.
        printed: The paper's number as printed. It may be outside the range by up to half of its last digit.
        low: The smallest value that the parameters allow, in the unit of `printed`.
        high: The largest value that the parameters allow, in the unit of `printed`.
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
