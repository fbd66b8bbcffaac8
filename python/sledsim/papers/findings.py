"""One thing that a paper says beside what is computed here, and the verdict that follows from the two.

No verdict is ever typed in: it is a property of what was found.
"""

from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from .verdicts import Verdict

#: A figure this near is reproduced, even where the paper prints more digits.
NEAR = 0.01
#: A figure this near is right in shape.
SHAPE = 0.15
#: Rounding errors of the subtraction must not decide at a border.
_ROUNDING = 1e-9


class Finding(Protocol):
    """One thing that the paper says and what is found of it here."""

    @property
    def quantity(self) -> str:
        """What is compared."""

    @property
    def paper(self) -> str:
        """What the paper prints, with its unit."""

    @property
    def found(self) -> str:
        """What was computed in this run, with its unit."""

    @property
    def difference(self) -> float | None:
        """Ours over the paper's, less one; None where there is no number to compare."""

    @property
    def tolerance(self) -> str:
        """How near it has to be."""

    @property
    def verdict(self) -> Verdict:
        """What follows."""


@dataclass(frozen=True)
class Figure:
    """A number that the paper prints.

    Attributes:
        quantity: What it is.
        printed: The paper's number, digit for digit: how many there are says how near ours has to come.
        ours: The number computed in this run, in the same unit.
        unit: The unit of both.
        exact: The relative tolerance in place of the printed digits or 1 %, whichever allows more.
        shape: The relative difference within which it is right in shape; 0 where that would not do.
    """

    quantity: str
    printed: str
    ours: float
    unit: str = ""
    exact: float | None = None
    shape: float = SHAPE

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
        decimals = 0 if float(self.ours).is_integer() and self._last == 0 else 2 - self._last
        return f"{self.ours:,.{decimals}f} {self.unit}".rstrip()

    @property
    def difference(self) -> float:
        """Ours over the paper's, less one."""
        return float(self.ours / self.value - 1)

    @property
    def allowed(self) -> float:
        """How far ours may be from the printed number to be the same, in its unit."""
        if self.exact is not None:
            return abs(self.value) * self.exact
        return max(0.5 * 10.0**self._last, abs(self.value) * NEAR)

    @property
    def tolerance(self) -> str:
        """How far it may be off."""
        near = f"±{self.allowed:.3g} {self.unit}".rstrip()
        return f"{near}; shape ±{100 * self.shape:g} %" if self.shape else near

    @property
    def verdict(self) -> Verdict:
        """Reproduced within `allowed`, right in shape within `shape`, else contradicted."""
        distance = abs(self.ours - self.value)
        if distance <= self.allowed * (1 + _ROUNDING):
            return Verdict.REPRODUCED
        near = distance <= abs(self.value) * self.shape * (1 + _ROUNDING)
        return Verdict.SHAPE if near else Verdict.CONTRADICTS

    @property
    def _last(self) -> int:
        """The power of ten of the last printed digit after the point; 0 where there is none."""
        return min(0, int(Decimal(self.printed).as_tuple().exponent))


@dataclass(frozen=True)
class Statement:
    """Something that the paper says in words, and whether it holds in this run.

    Attributes:
        quantity: What it is about.
        paper: What the paper says, in our words.
        found: The figures that decide it.
        holds: Whether they bear it out.
        in_shape: Whether what is found could at best be called right in shape.
    """

    quantity: str
    paper: str
    found: str
    holds: bool
    in_shape: bool = False

    @property
    def difference(self) -> None:
        """Words have none."""

    @property
    def tolerance(self) -> str:
        """Nothing to measure."""
        return "holds in shape" if self.in_shape else "holds"

    @property
    def verdict(self) -> Verdict:
        """Reproduced (or right in shape) if it holds, else contradicted."""
        if not self.holds:
            return Verdict.CONTRADICTS
        return Verdict.SHAPE if self.in_shape else Verdict.REPRODUCED


@dataclass(frozen=True)
class Unpublished:
    """A number that needs what the paper does not print.

    Attributes:
        quantity: What it is.
        paper: The paper's number with its unit.
        missing: What would be needed.
    """

    quantity: str
    paper: str
    missing: str

    @property
    def found(self) -> str:
        """Why there is nothing."""
        return f"needs {self.missing}"

    @property
    def difference(self) -> None:
        """Nothing to compare."""

    @property
    def tolerance(self) -> str:
        """Nothing to compare."""
        return ""

    @property
    def verdict(self) -> Verdict:
        """Always the same: it cannot be known."""
        return Verdict.UNPUBLISHED
