"""One thing that a paper says beside what is computed here, and the verdict that follows from the two.

No verdict is ever typed in: it is a property of what was found.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from .verdicts import Verdict


class Finding:
    """One thing that the paper says and what is found of it here; each kind tells the rest from what it has.

    Attributes:
        quantity: The quantity that is compared.
        paper: The value that the paper prints, with its unit.
        found: The value that was computed in this run, with its unit.
        difference: Ours over the paper's, less one; None where there is no number to compare.
        tolerance: The distance from the paper that is allowed.
        is_matched: Whether it is of the paper's parameters, or of an input with all the statistics that it
            prints.
        verdict: The verdict that follows.
    """

    quantity: str
    paper: str
    found: str
    difference: float | None
    tolerance: str
    is_matched: bool
    verdict: Verdict

    def _tell(self, verdict: Verdict, **derived: Any) -> None:
        usual = {"difference": None, "tolerance": "", "is_matched": True, "verdict": verdict}
        vars(self).update({**usual, **vars(self), **derived})


@dataclass(frozen=True)
class Statement(Finding):
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

    def __post_init__(self) -> None:
        best = Verdict.SHAPE if self.in_shape else Verdict.REPRODUCED
        self._tell(
            tolerance="has to hold; shape at best" if self.in_shape else "has to hold",
            verdict=best if self.holds else Verdict.CONTRADICTS,
        )


@dataclass(frozen=True)
class Calibrated(Finding):
    """A finding that hangs on a parameter which was fitted to what the paper prints.

    It is right in shape at best: a fit cannot confirm what it was made from.

    Attributes:
        finding: What is compared.
        allows: Which values of the parameter the paper's numbers allow.
    """

    finding: Finding
    allows: str

    def __post_init__(self) -> None:
        one = self.finding
        self._tell(
            **{name: getattr(one, name) for name in ("quantity", "paper", "difference", "is_matched")},
            found=f"{one.found}; the paper's numbers allow {self.allows}",
            tolerance=f"calibrated: shape at best ({one.tolerance})",
            verdict=max(one.verdict, Verdict.SHAPE, key=lambda verdict: verdict.severity),
        )


@dataclass(frozen=True)
class Unpublished(Finding):
    """A number that needs what the paper does not print, so that it cannot be known.

    Attributes:
        quantity: What it is.
        paper: The paper's number with its unit.
        missing: What would be needed.
    """

    quantity: str
    paper: str
    missing: str

    def __post_init__(self) -> None:
        self._tell(Verdict.UNPUBLISHED, found=f"needs {self.missing}")


@dataclass(frozen=True)
class OnInput(Finding):
    """A finding on an input that the paper does not publish, beside that on one that stands for it.

    Where such an input does not bear it out, that does not contradict the paper: its own input decides. Of
    several inputs of one axis, one at least has to bear it out, and none the contrary: what an interval
    leaves open tells nothing. Then it is right in shape, else not borne out.

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

    def __post_init__(self) -> None:
        recorded = " (recorded)" if self.is_recorded else ""
        told = {self.told, *self.others}
        self._tell(
            found=f"on {self.input}{recorded}: {self.ours}{_TOLD[self.told]}",
            tolerance="its direction, on another input",
            verdict=Verdict.SHAPE if True in told and False not in told else Verdict.NOT_BORNE_OUT,
        )


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
