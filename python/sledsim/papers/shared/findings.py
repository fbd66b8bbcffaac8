"""Findings: a statement of a paper, our result for the same quantity, and the verdict that follows from them.

Every verdict is computed from findings; no file states a verdict by hand.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from .verdicts import Verdict


class Finding:
    """A comparison of a statement of the paper with our result; each kind of statement has a subclass.

    Attributes:
        quantity: The quantity that is compared.
        paper: The value or statement of the paper, as a text with its unit.
        found: The result of this run, as a text with its unit.
        difference: Our value divided by the paper's, minus 1; None for a finding without numbers.
        tolerance: Distance from the paper's value up to which the verdict is good, as a text.
        is_matched: True if the finding uses the paper's parameters, or requests drawn from all statistics
            that the paper prints of its own requests.
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
    """A statement of the paper in words, judged by results of this run.

    Attributes:
        quantity: Subject of the statement.
        paper: The statement of the paper, in our words.
        found: Results that decide if the statement holds, as a text.
        holds: True if the results agree with the statement.
        in_shape: True if the statement, where it holds, counts as right in shape only, not as reproduced.
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
    """A finding that depends on a parameter whose value was fitted to numbers of the paper.

    The finding is right in shape at best, because a fit cannot confirm the numbers from which it was made.

    Attributes:
        finding: The finding with the fitted value of the parameter.
        allows: Values of the fitted parameter that the paper's numbers allow, as a text.
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
    """A number of the paper that cannot be computed, because information for the computation is not printed.

    Attributes:
        quantity: Name of the quantity.
        paper: The paper's number with its unit.
        missing: The missing information, as a text.
    """

    quantity: str
    paper: str
    missing: str

    def __post_init__(self) -> None:
        self._tell(Verdict.UNPUBLISHED, found=f"needs {self.missing}")


@dataclass(frozen=True)
class OnInput(Finding):
    """A finding on an input that is used because the paper's own input was not published.

    A contrary result on such an input does not contradict the paper, as the paper used another input. Inputs
    with equal `is_matched` share a verdict: it is "shape" if one of them or more agrees with the paper and
    none shows the contrary, else "not borne out". Open results do not count.

    Attributes:
        quantity: Subject of the statement.
        paper: The paper's result.
        input: The input used here instead of the paper's.
        ours: Our results on this input, as a text.
        told: True if `ours` has the direction of the paper's result, False for the contrary, None if open.
        others: Values of `told` on all tried inputs with the same `is_matched`; empty if this input is the
            only one.
        is_recorded: True if an earlier run made the finding, on a real trace that this run does not have.
        is_matched: True if the input was drawn from all statistics that the paper prints of its own input.
            Other inputs count for the second verdict of a claim, marked "elsewhere".
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


#: Function that takes findings on one quantity and adds findings on further inputs, such as recorded ones.
Complete = Callable[[Sequence[OnInput]], Sequence[OnInput]]
_COMPLETE: ContextVar[Complete] = ContextVar("complete", default=lambda findings: findings)


@contextmanager
def completing(complete: Complete) -> Iterator[None]:
    """Pass, within this context, all findings that the function `together` receives through `complete`."""
    token = _COMPLETE.set(complete)
    try:
        yield
    finally:
        _COMPLETE.reset(token)


def together(findings: Sequence[OnInput]) -> list[OnInput]:
    """Add recorded findings to those on one quantity, and give those with equal `is_matched` one verdict."""
    every = _COMPLETE.get()(findings)
    told = {axis: tuple(one.told for one in every if one.is_matched is axis) for axis in (True, False)}
    return [replace(finding, others=told[finding.is_matched]) for finding in every]


_TOLD = {True: "", False: "; not borne out", None: "; open"}


def is_as_said(finding: Finding) -> bool:
    """True if the finding agrees with the paper: its verdict is "reproduced" or "shape"."""
    return finding.verdict in (Verdict.REPRODUCED, Verdict.SHAPE)


def as_said(finding: Finding) -> str:
    """Return the agreement of a finding with the paper as text: "yes", "no", "open" or "not known"."""
    if finding.verdict is Verdict.UNPUBLISHED:
        return "not known"
    if not isinstance(finding, OnInput):
        return yes(is_as_said(finding))
    return {True: "yes, in direction", False: "no", None: "open"}[finding.told]


def yes(holds: bool) -> str:
    """Return "yes" for True and "no" for False."""
    return "yes" if holds else "no"
