"""Findings: a statement of a paper, the same quantity computed here, and the verdict from the two.

Verdicts are always derived from findings, never typed in.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from .verdicts import Verdict


class Finding:
    """A statement of the paper and our result; each subclass derives the remaining attributes.

    Attributes:
        quantity: The quantity that is compared.
        paper: The value that the paper prints, with its unit.
        found: The value that was computed in this run, with its unit.
        difference: Our value over the paper's, minus one; None for a finding without numbers.
        tolerance: The allowed distance from the paper.
        is_matched: True if the finding uses the paper's parameters, or an input with all statistics that
            the paper prints.
        verdict: The verdict that follows from the comparison.
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
    """A statement of the paper in words, judged by the figures of this run.

    Attributes:
        quantity: Subject of the statement.
        paper: The statement of the paper, in our words.
        found: Figures that decide it.
        holds: True if the figures bear the statement out.
        in_shape: True if the result could at best be right in shape.
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
    """A finding that depends on a parameter fitted to printed numbers.

    It is right in shape at best: a fit cannot confirm the numbers it was made from.

    Attributes:
        finding: The finding under the fitted value.
        allows: Values of the parameter that the paper's numbers allow.
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
    """A number that cannot be computed, because the paper does not print what it needs.

    Attributes:
        quantity: Name of the quantity.
        paper: The paper's number with its unit.
        missing: Missing information.
    """

    quantity: str
    paper: str
    missing: str

    def __post_init__(self) -> None:
        self._tell(Verdict.UNPUBLISHED, found=f"needs {self.missing}")


@dataclass(frozen=True)
class OnInput(Finding):
    """A finding on an input that stands for an unpublished one.

    A failure on such an input does not contradict the paper, whose own input decides. Among several inputs of
    one axis, at least one has to bear the statement out and none may show the contrary; open results do not
    count. Then the statement is right in shape, otherwise it is not borne out.

    Attributes:
        quantity: Subject of the statement.
        paper: The paper's result.
        input: The input used here instead.
        ours: Our figures on this input.
        told: True if `ours` bears out the direction of the paper's result, False for the contrary,
            None if open.
        others: `told` of all inputs tried on the same axis; empty without other inputs.
        is_recorded: True if the finding is from an earlier run, on a real trace that this run does not have.
        is_matched: True if the input was drawn from all statistics that the paper prints of its own. Other
            inputs count for the second verdict of a claim.
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
            tolerance="direction only, on another input",
            verdict=Verdict.SHAPE if True in told and False not in told else Verdict.NOT_BORNE_OUT,
        )


#: Function that adds findings of the same quantity on further inputs, such as recorded ones.
Complete = Callable[[Sequence[OnInput]], Sequence[OnInput]]
_COMPLETE: ContextVar[Complete] = ContextVar("complete", default=lambda findings: findings)


@contextmanager
def completing(complete: Complete) -> Iterator[None]:
    """Complete findings that are judged together, within a context."""
    token = _COMPLETE.set(complete)
    try:
        yield
    finally:
        _COMPLETE.reset(token)


def together(findings: Sequence[OnInput]) -> list[OnInput]:
    """Join findings of one quantity on several inputs, recorded ones included; each axis shares a verdict."""
    every = _COMPLETE.get()(findings)
    told = {axis: tuple(one.told for one in every if one.is_matched is axis) for axis in (True, False)}
    return [replace(finding, others=told[finding.is_matched]) for finding in every]


_TOLD = {True: "", False: "; not borne out", None: "; open"}


def is_as_said(finding: Finding) -> bool:
    """True if the finding agrees with the paper, if only in shape."""
    return finding.verdict in (Verdict.REPRODUCED, Verdict.SHAPE)


def as_said(finding: Finding) -> str:
    """Return in a word if the finding agrees with the paper; on another input only in direction."""
    if finding.verdict is Verdict.UNPUBLISHED:
        return "not known"
    if not isinstance(finding, OnInput):
        return yes(is_as_said(finding))
    return {True: "yes, in direction", False: "no", None: "open"}[finding.told]


def yes(holds: bool) -> str:
    """Return "yes" or "no"."""
    return "yes" if holds else "no"
