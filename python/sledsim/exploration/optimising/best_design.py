"""The search for the best design for a workload."""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ... import _native
from ...common.arguments import check_whole
from ...common.declared import default_of, settled
from ...common.deprecation import renamed
from ...common.progress import Progress, Told, told, watched
from ...common.ranking import levels
from ...model.typed import imported, imported_members
from ...model.volumes import Target
from ...runs.intervals import check_confidence
from ...traces.trace import Trace
from ...uncertainty.expressions import Condition
from ..evaluation import Row
from ..question_options import OptimisingOptions
from ..sample import Measuring, Over, factors_from
from ..subjects import Requests, Subject, subject_of
from .archive import Archive
from .descent import Descent
from .final_choice import Selected, select
from .goals import Aims, Numbers, aims_of, alike, front, scores, whole_name
from .judging import HeldOut, judge
from .learning import learnt
from .looks import HELD_SEEDS, SEEDS, Looks, looks_of
from .optimum import Design, Optimum, why_impossible
from .searching import Brief, Sampler, search
from .tpe import Tpe
from .unit_cube import Space

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: Samplers by name; a sampler proposes the designs to run next.
SAMPLERS: Mapping[str, Callable[[Space, int], Sampler]] = {"descent": Descent, "tpe": Tpe}
#: Default number of designs in a search, and default number of its best designs to compare again.
_BUDGET, _COMPARED = (default_of(OptimisingOptions, name) for name in ("budget", "compared"))


def work(is_drawn: bool, replications: int, budget: int = _BUDGET, compared: int = _COMPARED) -> int:
    """Return the largest number of designs that `optimise` runs: in search, comparison and final test."""
    return budget + (
        math.ceil((compared * SEEDS + 2 * HELD_SEEDS) / replications) if is_drawn else compared + 2
    )


class Runner(Protocol):
    """A function that runs designs under the requests of a `Measuring`."""

    def __call__(self, how: Measuring, changes: Sequence[dict[str, Any]]) -> Sequence[Row]:
        """Return one row per design, in the order of the designs; `changes` are the designs to run."""


@renamed
@watched
def optimise(
    workload: Trace | str,
    device: Target | str = "osdi00",
    over: Over = None,
    *,
    minimise: str | Sequence[str] = (),
    maximise: str | Sequence[str] = (),
    subject_to: str | Condition | Sequence[str | Condition] = (),
    scheduler: str = "sptf",
    progress: Progress = None,
    runner: Runner | None = None,
    **options: "Unpack[OptimisingOptions]",
) -> Optimum:
    """Find the best design for a workload.

    The search first runs evenly spread designs, then designs that a sampler proposes. The best designs are
    compared again under replications with the same requests for all, until the best one is known with a
    given probability (Kim and Nelson 2001). Requests that are new to both steps judge the choice.

    Args:
        workload: Trace, or name of a workload such as ``random:rate=900``.
        device: Device, or its name or file.
        over: Factors, as for `sensitivity`: ``{"settle_ms": "0.1..0.4", "scheduler": ["fcfs", "sptf"]}``.
        minimise: Figures to minimise: short names (``mean``), full names (``mean_response_s``), ``energy_j``
            or ``capacity_gib``.
        maximise: Figures to maximise, by the same names; `minimise` and `maximise` name one or two figures in
            all.
        subject_to: Constraints such as ``capacity_gib >= 2`` or ``p99 < 20e-3``, on factors and on figures in
            seconds, joules, watts and bytes.
        scheduler: Policy of all designs, unless the policy is a factor.
        progress: Function that is called with the number of designs done, as for `simulate`: first in the
            search, then in the comparison and in the final test.
        runner: Function that runs designs and returns their rows; None runs them here and keeps the rows in
            the ledger of `folder`.
        options: Options of `OptimisingOptions`. The same call with the same ``folder`` resumes a stopped
            search.

    Raises:
        ParameterError: A name or value is wrong.
        TraceError: No design is possible, no design meets the constraints, or the requests cannot be run, as
            in `sweep`.
        OSError: The ledger of `folder` cannot be read or written.
    """
    given = settled(options, OptimisingOptions, optimise)
    volume = given.pop("volume")
    asked = _Search(**{one.name: given.pop(one.name) for one in fields(_Search)})
    report = told(progress, asked.budget)
    subject = subject_of(imported(device), None if volume is None else imported_members(volume))
    requests = workload if isinstance(workload, Requests) else Requests.of(workload)
    space = Space(factors_from(over, [subject]), subject)
    with ExitStack() as left:
        how = Measuring(requests, **given)
        if how.folder is None:
            how = replace(how, folder=Path(left.enter_context(TemporaryDirectory(prefix="sledsim-"))))
        looks = looks_of(how, asked.held_out)
        names = [*space.factors.names, *space.factors.derived]
        goals = (_listed(minimise), _listed(maximise))
        aims = aims_of(*goals, _listed(subject_to), names, looks.requests)
        work = _Work(
            Archive(space, aims), looks, scheduler, runner or _into_ledger(subject, scheduler), report
        )
        made = SAMPLERS[asked.sampler](space, how.seed)
        # A space that is run completely needs no brief runs.
        brief = work.brief() if space.size > asked.budget else None
        work.screened = search(work.archive, made, work.run, asked.budget, how.seed, report, brief)
        return _found(work, asked)


@dataclass(frozen=True)
class _Search:
    """The options of `OptimisingOptions` that concern the search and the test of the chosen design."""

    budget: int
    sampler: str
    compared: int
    indifference: float
    confidence: float
    held_out: float

    def __post_init__(self) -> None:
        check_whole("budget", self.budget, 1, 10**8)
        check_whole("compared", self.compared, 1, 1000)
        check_confidence(self.confidence)
        if self.sampler not in SAMPLERS:
            raise _native.ParameterError(f"sampler = {self.sampler!r}: expected one of {', '.join(SAMPLERS)}")
        is_number = isinstance(self.indifference, int | float) and not isinstance(self.indifference, bool)
        if not is_number or not 0 < self.indifference < 1:
            raise _native.ParameterError(
                f"indifference = {self.indifference!r}: expected a relative difference above 0 and below 1,"
                " such as 0.01"
            )


def _listed(given: Any) -> list[Any]:
    return [given] if isinstance(given, str | Condition) else list(given)


def _into_ledger(subject: Subject, scheduler: str) -> Runner:
    def run(how: Measuring, changes: Sequence[dict[str, Any]]) -> Sequence[Row]:
        return how.rows(how.study(subject, [scheduler], changes))

    return run


class _Work:
    """The state of a search: the designs run until now, and the functions that run further designs."""

    def __init__(
        self, archive: Archive, looks: Looks, scheduler: str, runner: Runner, progress: Told | None
    ) -> None:
        self.archive, self.looks, self.scheduler = archive, looks, scheduler
        self.run_under, self._progress = runner, progress
        self.screened = (0, 0.0)

    def run(self, changes: Sequence[dict[str, Any]]) -> Sequence[Row]:
        """Run designs under the requests of the search, and return one row per design."""
        return self.run_under(self.looks.search, changes)

    def brief(self) -> Brief | None:
        """Return the settings for brief runs; None if brief runs cannot tell good designs from bad ones."""
        looks = self.looks
        if not looks.can_be_brief:
            return None
        shorter: dict[int, Measuring] = {}

        def run(requests: int, changes: Sequence[dict[str, Any]]) -> Sequence[Row]:
            if requests not in shorter:
                shorter[requests] = looks.brief(requests)
            return self.run_under(shorter[requests], changes)

        return Brief(looks.requests, run)

    def select(self, candidates: Sequence[int], indifference: float, confidence: float) -> Selected | None:
        """Compare the best designs again under replications; None if there are too few requests or seeds."""
        looks, progress = self.looks, self._progress
        before = len(self.archive) + math.ceil(self.screened[1])
        if not looks.compared:
            return None
        return select(
            self.archive,
            candidates,
            lambda look, changes: self.run_under(looks.compared[look], changes),
            len(looks.compared),
            indifference=indifference,
            confidence=confidence,
            whole_counts=looks.is_trace,
            progress=(lambda done: progress(before + int(done * looks.part))) if progress else None,
        )

    def judge(self, best: int) -> HeldOut | None:
        """Test the chosen design on requests that the search did not use; None if all were used."""
        return judge(self.archive, best, self.looks, self.run_under)

    def design(self, number: int) -> Design:
        """Return the design with this number in the archive as a `Design`."""
        archive = self.archive
        row = archive.rows[number]
        return Design(
            number=number,
            values=archive.values[number],
            changes=archive.changes[number],
            status=row["status"],
            figures=_figures(archive, number),
            meets=bool(archive.judged.feasible[number]),
            error=row["error"],
        )


def _figures(archive: Archive, number: int) -> dict[str, float]:
    return {name: archive.aims.figure(archive.rows[number], name) for name in _named(archive.aims)}


def _named(aims: Aims) -> list[str]:
    """Return the distinct names of the figures in goals and constraints."""
    names = [goal.figure for goal in aims.goals]
    constrained = [one.name for condition in aims.constraints for one in condition.figures]
    return list(dict.fromkeys(names + [whole_name(one) for one in constrained if one not in aims.names]))


def _found(work: _Work, asked: _Search) -> Optimum:
    archive, looks = work.archive, work.looks
    judged, aims, space = archive.judged, archive.aims, archive.space
    feasible = np.flatnonzero(judged.feasible).tolist()
    impossible = why_impossible(archive.rows)
    if not feasible:
        raise _native.TraceError(_none(archive, impossible))
    ends = front(judged.costs, feasible)
    reference = judged.costs[ends].min(axis=0)
    # A design that beats all others in both goals is compared with the best of these.
    candidates = _candidates(judged.costs, ends if len(ends) > 1 else feasible, reference, asked.compared)
    selected = work.select(candidates, asked.indifference, asked.confidence)
    best = candidates[0] if selected is None else selected.best
    second = None if selected is None or selected.second is None else selected.second
    same = alike(judged.costs, feasible)
    equal = sum(same[one] == same[best] for one in feasible) - 1
    return Optimum(
        device=space.subject.name,
        workload=looks.search.requests.name,
        scheduler=work.scheduler,
        aims=aims,
        factors=space.factors,
        best=work.design(best),
        selected=selected,
        second=None if second is None else work.design(second),
        front=[work.design(one) for one in ends] if len(aims.goals) > 1 else [],
        designs=[work.design(one) for one in range(len(archive))],
        equal=equal,
        budget=asked.budget,
        size=space.size,
        screened=work.screened[0],
        screening=work.screened[1],
        impossible=impossible,
        values=learnt(archive, reference),
        is_trace=looks.is_trace,
        held_out=work.judge(best),
    )


def _candidates(costs: Numbers, among: Sequence[int], reference: Numbers, count: int) -> list[int]:
    """Return up to `count` designs out of `among` with the least costs; of equal designs, only the first."""
    found = scores(costs[among], reference)
    order = [among[at] for at in np.argsort(levels(found, size=1), kind="stable")]
    same = alike(costs, among)
    distinct = {same[one]: one for one in reversed(order)}
    return [one for one in order if distinct[same[one]] == one][:count]


def _none(archive: Archive, impossible: Mapping[str, int]) -> str:
    missing = sum(impossible.values())
    reasons = "; ".join(f"{count:,}: {reason}" for reason, count in impossible.items())
    if missing == len(archive):
        return f"all {missing:,} designs that were run are impossible or have no figures: {reasons}"
    if not archive.judged.known.any():
        names = ", ".join(goal.figure for goal in archive.aims.goals)
        return f"none of {len(archive):,} designs that were run has the figures of all goals: {names}"
    nearest = archive.ranking()[0]
    figures = ", ".join(f"{name} {value:.6g}" for name, value in _figures(archive, nearest).items())
    if missing:
        reasons = f"; {missing:,} are impossible or have no figures: {reasons}"
    said = ", ".join(f"{name} = {value}" for name, value in archive.values[nearest].items())
    return (
        f"none of {len(archive):,} designs that were run has figures and meets the constraints"
        f" ({'; '.join(map(str, archive.aims.constraints))}); the nearest with figures is {said}:"
        f" {figures}{reasons}"
    )
