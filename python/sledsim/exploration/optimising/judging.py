"""How much of the gain is left under requests that the search has not seen."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ...runs import intervals
from ...runs.intervals import Estimate
from ..evaluation import Row
from ..sample import Measuring
from .archive import Archive
from .looks import Looks

#: Of a smaller gain nobody asks which part is left.
_LEAST = 0.01

#: Runs designs under requests: their rows.
RunUnder: TypeAlias = Callable[[Measuring, Sequence[dict[str, Any]]], Sequence[Row]]


@dataclass(frozen=True)
class Gain:
    """What a figure gains over the device as given; shares are above 0 where the choice is better.

    Attributes:
        figure: Its name.
        given: Of the device as given, under the requests of the search.
        chosen: Of the choice.
        share: The gain as a part of the former.
        held_given: Of the device as given, over the windows or seeds that were held out, in the mean.
        held_chosen: Of the choice.
        held_share: The gain there, with its interval: paired.
    """

    figure: str
    given: float
    chosen: float
    share: float
    held_given: float
    held_chosen: float
    held_share: Estimate

    @property
    def survives(self) -> float | None:
        """The part of the gain that is left; None where there was none to speak of."""
        return self.held_share.value / self.share if self.share >= _LEAST else None


@dataclass(frozen=True)
class HeldOut:
    """The choice against the device as given, under requests that the search has not seen.

    Attributes:
        gains: One a goal.
        windows: How many windows or seeds both had figures in.
        of: How many there were.
        requests: Of all of them.
        is_trace: Whether these are windows of a trace.
        meets: Whether the constraints hold for the choice under all these requests; None without constraints.
        given_meets: Whether they hold for the device as given.
        why_not: Why the device as given has no figures to be compared with.
    """

    gains: Sequence[Gain]
    windows: int
    of: int
    requests: int
    is_trace: bool
    meets: bool | None
    given_meets: bool | None
    why_not: str | None = None


def judge(archive: Archive, best: int, looks: Looks, run: RunUnder) -> HeldOut | None:
    """Compare a choice with the device as given; None where nothing was held out."""
    if not looks.held_out or looks.held_whole is None:
        return None
    aims, changes = archive.aims, archive.changes[best]
    nominal = {**archive.space.subject.nominal, "scheduler": None}
    values = [archive.values[best], {name: nominal.get(name) for name in aims.names}]
    (given,) = run(looks.search, [{}])
    pairs = [run(window, [changes, {}]) for window in looks.held_out]
    costs = np.array([aims.judged(rows, values).costs for rows in pairs])
    both = np.isfinite(costs).all(axis=(1, 2))
    whole = aims.judged(run(looks.held_whole, [changes, {}]), values)
    meets, given_meets = (bool(one) for one in whole.feasible) if aims.constraints else (None, None)
    why_not = given["error"] or (None if both.any() else f"it is {given['status']}")
    gains = []
    if both.any() and why_not is None:
        for at, goal in enumerate(aims.goals):
            figures = goal.sign * costs[both, :, at]
            was = aims.figure(given, goal.figure)
            now = aims.figure(archive.rows[best], goal.figure)
            gains.append(_gain(goal.figure, goal.sign, was, now, figures))
    return HeldOut(
        gains, int(both.sum()), len(pairs), looks.held_requests, looks.is_trace, meets, given_meets, why_not
    )


def _gain(figure: str, sign: float, was: float, now: float, held: "np.ndarray[Any, Any]") -> Gain:
    mean_was = float(held[:, 1].mean())
    paired = intervals.mean(sign * (held[:, 1] - held[:, 0]))
    size = abs(mean_was) or 1.0
    return Gain(
        figure=figure,
        given=was,
        chosen=now,
        share=sign * (was - now) / (abs(was) or 1.0),
        held_given=mean_was,
        held_chosen=float(held[:, 0].mean()),
        held_share=Estimate(paired.value / size, paired.half_width / size, paired.count),
    )
