"""Choice among the best designs of a search, which are run again under the same requests for all of them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ...common.ranking import ALIKE, best_of
from ...runs import intervals
from ...runs.intervals import Estimate
from ...uncertainty.distributions import student_quantile
from ...uncertainty.selection import KimNelson, Replication
from ..evaluation import Row
from .archive import Archive
from .goals import Numbers, scores

#: Number of replications that each design runs before the comparison may drop a design.
_FIRST = 10

#: A function that takes the number of a replication and the changes of each design, runs the designs under
#: this replication, and returns their rows.
RunLook: TypeAlias = Callable[[int, Sequence[dict[str, Any]]], Sequence[Row]]


@dataclass(frozen=True)
class Selected:
    """The result of the second comparison, in which the best designs of a search run under more requests.

    Attributes:
        best: Number, in the archive, of the best design of the comparison.
        second: Number, in the archive, of the design that is second best; None if only one design has
            figures.
        candidates: Numbers of the compared designs, in the order of the search.
        dropped: Numbers of the candidates without figures in a replication, such as saturated designs.
        left: Numbers of the candidates that may be the best, because no other candidate is clearly better. If
            the procedure ends undecided, paired tests against the best design exclude the clearly worse ones.
        confidence: Probability that the best design is the best of the candidates, or at most `indifference`
            worse; valid if `is_decided` is true.
        indifference: Largest relative difference in costs at which two designs count as equally good, such as
            0.01.
        is_decided: True if the replications were enough to decide which design is best.
        replications: Number of replications that the best design ran; no more than `most`.
        most: Number of replications that were available for the comparison.
        runs: Number of runs in all, each of one design under one replication.
        figures: Mean of the figure of each goal over the replications of the best design, with its interval.
        distance: Mean relative difference by which the second design is worse than the best, from runs of
            both under the same replications (paired), with its interval; None without a second design.
    """

    best: int
    second: int | None
    candidates: Sequence[int]
    dropped: Sequence[int]
    left: Sequence[int]
    confidence: float
    indifference: float
    is_decided: bool
    replications: int
    most: int
    runs: int
    figures: Sequence[Estimate]
    distance: Estimate | None


def select(
    archive: Archive,
    candidates: Sequence[int],
    run: RunLook,
    most: int,
    *,
    indifference: float,
    confidence: float,
    whole_counts: bool,
    progress: Callable[[int], object] | None = None,
) -> Selected | None:
    """Run the best designs of a search under further replications until the best one is known.

    Args:
        archive: Archive of the designs.
        candidates: Numbers of the designs to compare, the best first.
        run: Function that runs designs under one replication.
        most: Number of replications that are available for the comparison.
        indifference: Largest relative difference at which two designs count as equally good. It is a share of
            the first candidate's mean figures under the first replications of this comparison, not of its
            figures in the search: windows of a trace have shorter responses than the whole trace.
        confidence: Least probability that the chosen design is the best one.
        whole_counts: True if the best design of the search wins when the comparison ends undecided, which
            suits replications that are parts of the search's requests. False if the best over the
            replications wins.
        progress: Function that is called with the number of runs done.

    Returns:
        The result; None if there are too few replications, or no candidate has figures under all of them.
    """
    seen = _Seen(archive, run, progress)
    going = list(candidates)
    first = min(_FIRST, most)
    while going and first >= 2:
        found = _compared(seen, going, most, first, indifference, confidence)
        if isinstance(found, KimNelson):
            return _selected(seen, found, candidates, going, most, whole_counts)
        going = [one for one in going if one not in found]
    return None


class _Seen:
    """The costs of each design under each replication; a design runs at most once under a replication."""

    def __init__(
        self, archive: Archive, run: RunLook, progress: Callable[[int], object] | None = None
    ) -> None:
        self.archive, self._run, self._progress = archive, run, progress
        self.costs: dict[tuple[int, int], Numbers] = {}

    def fetch(self, look: int, numbers: Sequence[int]) -> None:
        """Run those of the given designs that lack costs under replication `look`, and store their costs."""
        todo = [number for number in numbers if (number, look) not in self.costs]
        if not todo:
            return
        archive = self.archive
        rows = self._run(look, [archive.changes[number] for number in todo])
        costs = archive.aims.judged(rows, [archive.values[number] for number in todo]).costs
        self.costs.update({(number, look): own for number, own in zip(todo, costs, strict=True)})
        if self._progress:
            self._progress(len(self.costs))

    def of(self, number: int) -> Numbers:
        """Return the costs of a design: one row per replication, one column per goal."""
        looks = sorted(look for one, look in self.costs if one == number)
        return np.array([self.costs[number, look] for look in looks])


def _compared(
    seen: _Seen, going: Sequence[int], most: int, first: int, indifference: float, confidence: float
) -> KimNelson | list[int]:
    """Compare the designs `going` until the best is known or no replication is left; return the comparison.

    If designs turn out to have no figures, the function returns their numbers instead.
    """
    procedure = KimNelson(
        len(going), indifference, max(confidence, 1 / len(going)) if len(going) > 1 else confidence, first
    )
    for look in range(first):
        seen.fetch(look, going)
    without = [one for one in going if not np.isfinite(seen.of(one)).all()]
    if without:
        return without
    reference = seen.of(going[0])[:first].mean(axis=0)
    while not procedure.is_done:
        asked = [one for one in procedure.ask() if one.seed < most]
        if not asked:
            break
        told: dict[Replication, float] = {}
        for look in sorted({one.seed for one in asked}):
            systems = [one.system for one in asked if one.seed == look]
            seen.fetch(look, [going[system] for system in systems])
            for system in systems:
                costs = seen.costs[going[system], look]
                told[Replication(system, look)] = float(scores(costs[None], reference)[0])
        broken = {going[one.system] for one, value in told.items() if not math.isfinite(value)}
        if broken:
            return sorted(broken)
        procedure.tell(told)
    return procedure


def _selected(
    seen: _Seen,
    procedure: KimNelson,
    candidates: Sequence[int],
    going: Sequence[int],
    most: int,
    whole_counts: bool,
) -> Selected | None:
    left = [going[system] for system in procedure.left]
    assert procedure.best is not None
    best = going[procedure.best]
    if not procedure.is_done:
        left = _not_told_apart(seen, left, best, procedure.confidence)
        best = left[0] if whole_counts else best  # In the ranking of the search.
    own = seen.of(best)
    if not np.isfinite(own).all():
        return None
    goals = seen.archive.aims.goals
    figures = [intervals.mean(goal.sign * own[:, at]) for at, goal in enumerate(goals)]
    others = {one: seen.of(one) for one in going if one != best}
    apart = {one: _behind(costs, own[: len(costs)]) for one, costs in others.items()}
    second = best_of(apart, lambda one: float(apart[one].mean()), size=1) if apart else None
    return Selected(
        best=best,
        second=second,
        candidates=list(candidates),
        dropped=[one for one in candidates if one not in going],
        left=left,
        confidence=procedure.confidence,
        indifference=procedure.indifference,
        is_decided=procedure.is_done,
        replications=len(own),
        most=most,
        runs=len(seen.costs),
        figures=figures,
        distance=None if second is None else intervals.mean(apart[second]),
    )


def _not_told_apart(seen: _Seen, left: Sequence[int], best: int, confidence: float) -> list[int]:
    """Return those designs of `left` that are not clearly worse than the best, by paired t tests.

    The tests use all replications and Bonferroni's correction. The comparison itself may keep designs that
    are far worse, if their variance is large.
    """
    own = seen.of(best)
    rare = (1 - confidence) / max(len(left) - 1, 1)
    quantile = student_quantile(1 - rare, len(own) - 1)

    def is_worse(one: int) -> bool:
        behind = _behind(seen.of(one), own)
        return bool(behind.mean() > max(quantile * behind.std(ddof=1) / math.sqrt(len(behind)), ALIKE))

    return [one for one in left if one == best or not is_worse(one)]


def _behind(costs: Numbers, best: Numbers) -> Numbers:
    """Return, per replication, how much more a design costs than the best, as a share of its mean."""
    reference = best.mean(axis=0)
    return scores(costs, reference) - scores(best, reference)
