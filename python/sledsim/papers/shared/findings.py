"""One thing that a paper says beside what is computed here, and the verdict that follows from the two.

No verdict is ever typed in: it is a property of what was found.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Protocol

from .verdicts import Verdict


class Finding(Protocol):
    """One thing that the paper says and what is found of it here."""

    @property
    def quantity(self) -> str:
        """The quantity that is compared."""

    @property
    def paper(self) -> str:
        """The value that the paper prints, with its unit."""

    @property
    def found(self) -> str:
        """The value that was computed in this run, with its unit."""

    @property
    def difference(self) -> float | None:
        """Ours over the paper's, less one; None where there is no number to compare."""

    @property
    def tolerance(self) -> str:
        """The distance from the paper that is allowed."""

    @property
    def is_matched(self) -> bool:
        """Tell whether it is of the paper's parameters, or of an input with all statistics that it prints."""

    @property
    def verdict(self) -> Verdict:
        """The verdict that follows."""


class OfParameters:
    """A finding that follows from the paper's own parameters."""

    @property
    def is_matched(self) -> bool:
        """Always: no other input is in it."""
        return True


class _InWords:
    """A finding without a number that could be compared."""

    @property
    def difference(self) -> None:
        """Words have none."""


@dataclass(frozen=True)
class Statement(OfParameters, _InWords):
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
    def tolerance(self) -> str:
        """Nothing to measure."""
        return "has to hold; shape at best" if self.in_shape else "has to hold"

    @property
    def verdict(self) -> Verdict:
        """Reproduced (or right in shape) if it holds, else contradicted."""
        if not self.holds:
            return Verdict.CONTRADICTS
        return Verdict.SHAPE if self.in_shape else Verdict.REPRODUCED


@dataclass(frozen=True)
class Calibrated:
    """A finding that hangs on a parameter which was fitted to what the paper prints.

    Attributes:
        finding: What is compared.
        allows: Which values of the parameter the paper's numbers allow.
    """

    finding: Finding
    allows: str

    @property
    def quantity(self) -> str:
        """The quantity that is compared."""
        return self.finding.quantity

    @property
    def paper(self) -> str:
        """The value that the paper prints."""
        return self.finding.paper

    @property
    def found(self) -> str:
        """The value that was computed, and what would have done as well."""
        return f"{self.finding.found}; the paper's numbers allow {self.allows}"

    @property
    def difference(self) -> float | None:
        """The same as of the finding."""
        return self.finding.difference

    @property
    def tolerance(self) -> str:
        """Never better than in shape."""
        return f"calibrated: shape at best ({self.finding.tolerance})"

    @property
    def is_matched(self) -> bool:
        """The same as of the finding."""
        return self.finding.is_matched

    @property
    def verdict(self) -> Verdict:
        """The verdict of the finding, right in shape at best: a fit cannot confirm what it was made from."""
        return max(self.finding.verdict, Verdict.SHAPE, key=lambda verdict: verdict.severity)


@dataclass(frozen=True)
class Unpublished(OfParameters, _InWords):
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
    def tolerance(self) -> str:
        """Nothing to compare."""
        return ""

    @property
    def verdict(self) -> Verdict:
        """Always the same: it cannot be known."""
        return Verdict.UNPUBLISHED


@dataclass(frozen=True)
class OnInput(_InWords):
    """A finding on an input that the paper does not publish, beside that on one that stands for it.

    Where such an input does not bear it out, that does not contradict the paper: its own input decides. Of
    several inputs of one axis, one at least has to bear it out, and none the contrary: what an interval
    leaves open tells nothing.

    Attributes:
        quantity: What it is about.
        paper: What the paper found.
        input: The input used here instead.
        ours: The figures found on it.
        told: Whether they bear out the direction of what the paper found; None where that is left open.
        others: The same of all inputs of its axis that were looked at; nothing where there are no others.
        is_recorded: Whether it was found in an earlier run, on a real trace that is not at hand in this one.
        is_matched: Whether the input was drawn from all statistics that the paper prints of its own; others
            are looked at beside it, and count for the second axis of a claim.
    """

    quantity: str
    paper: str
    input: str
    ours: str
    told: bool | None
    others: tuple[bool | None, ...] = ()
    is_recorded: bool = False
    is_matched: bool = False

    @property
    def found(self) -> str:
        """The input, the figures, and whether they are as the paper's."""
        recorded = " (recorded)" if self.is_recorded else ""
        return f"on {self.input}{recorded}: {self.ours}{_TOLD[self.told]}"

    @property
    def tolerance(self) -> str:
        """The direction is what can be compared."""
        return "its direction, on another input"

    @property
    def verdict(self) -> Verdict:
        """Right in shape if one input bears it out and none the contrary, else not borne out."""
        told = {self.told, *self.others}
        return Verdict.SHAPE if True in told and False not in told else Verdict.NOT_BORNE_OUT


#: Adds to the findings on the inputs at hand what is known of the same quantity on others.
Complete = Callable[[Sequence[OnInput]], Sequence[OnInput]]
_COMPLETE: ContextVar[Complete] = ContextVar("complete", default=lambda findings: findings)


@contextmanager
def completing(complete: Complete) -> Iterator[None]:
    """While this lasts, findings that are judged together are completed so."""
    token = _COMPLETE.set(complete)
    try:
        yield
    finally:
        _COMPLETE.reset(token)


def together(findings: Sequence[OnInput]) -> list[OnInput]:
    """One quantity on several inputs, with those recorded of it: those of one axis share a verdict."""
    every = _COMPLETE.get()(findings)
    told = {axis: tuple(one.told for one in every if one.is_matched is axis) for axis in (True, False)}
    return [replace(finding, others=told[finding.is_matched]) for finding in every]


_TOLD = {True: "", False: "; that does not show it", None: "; that leaves it open"}


def is_as_said(finding: Finding) -> bool:
    """Tell whether what is found is as the paper says, if only in shape."""
    return finding.verdict in (Verdict.REPRODUCED, Verdict.SHAPE)


def as_said(finding: Finding) -> str:
    """Say in a word whether it is as the paper says: of another input only the direction can be."""
    if finding.verdict is Verdict.UNPUBLISHED:
        return "not known"
    if not isinstance(finding, OnInput):
        return yes(is_as_said(finding))
    return {True: "yes, in direction", False: "no", None: "open"}[finding.told]


def yes(holds: bool) -> str:
    """Say in a word whether something holds."""
    return "yes" if holds else "no"
