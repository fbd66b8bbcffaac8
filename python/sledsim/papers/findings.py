"""One thing that a paper says beside what is computed here, and the verdict that follows from the two.

No verdict is ever typed in: it is a property of what was found.
"""

from dataclasses import dataclass
from typing import Protocol

from .verdicts import Verdict


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


@dataclass(frozen=True)
class Elsewhere:
    """What the paper found on an input that it does not publish, and what is found on another one.

    Where the other input does not bear it out, that does not contradict the paper: its own input decides.

    Attributes:
        quantity: What it is about.
        paper: What the paper found.
        input: The input used here instead.
        ours: The figures found on it.
        holds: Whether they bear out the direction of what the paper found.
    """

    quantity: str
    paper: str
    input: str
    ours: str
    holds: bool

    @property
    def found(self) -> str:
        """The input, the figures, and whether they are as the paper's."""
        return f"on {self.input}: {self.ours}" + ("" if self.holds else "; that does not show it")

    @property
    def difference(self) -> None:
        """Figures of two inputs are not compared by a number."""

    @property
    def tolerance(self) -> str:
        """The direction is what can be compared."""
        return "its direction, on another input"

    @property
    def verdict(self) -> Verdict:
        """Right in shape if it holds, else only the paper's input could tell."""
        return Verdict.SHAPE if self.holds else Verdict.UNPUBLISHED
