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
from .goals import Judged
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
        given: Of the device as given: over the windows of a trace that the comparison has seen, in the mean,
            which are as long as those that were held out; under the requests of the search where these are
            drawn.
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
        window_requests: Of each of them.
        seen_windows: How many windows of the trace are those of `Gain.given`; 0 where requests are drawn.
        requests: Of all of them.
        is_trace: Whether these are windows of a trace.
        looks: In how many runs it was seen whether constraints hold: one of the rest of a trace, or one a
            seed; 0 without constraints.
        met: In how many of them they hold for the choice.
        given_met: In how many they hold for the device as given.
        why_not: Why the device as given has no figures to be compared with.
    """

    gains: Sequence[Gain]
    windows: int
    of: int
    window_requests: int
    seen_windows: int
    requests: int
    is_trace: bool
    looks: int
    met: int
    given_met: int
    why_not: str | None = None

    @property
    def meets(self) -> bool | None:
        """Whether the constraints hold for the choice under all these requests; None without constraints."""
        return self.met == self.looks if self.looks else None


def judge(archive: Archive, best: int, looks: Looks, run: RunUnder) -> HeldOut | None:
    """Compare a choice with the device as given; None where nothing was held out."""
    if not looks.held_out:
        return None
    aims, changes = archive.aims, archive.changes[best]
    nominal = {**archive.space.subject.nominal, "scheduler": None}
    values = [archive.values[best], {name: nominal.get(name) for name in aims.names}]

    def paired(parts: Sequence[Measuring]) -> list[Judged]:
        return [aims.judged(run(part, [changes, {}]), values) for part in parts]

    (given,) = run(looks.search, [{}])
    seen = _finite(paired(looks.compared) if looks.is_trace else [])
    held = _finite(paired(looks.held_out))
    wholes = paired(looks.held_whole) if aims.constraints else []
    why_not = given["error"] or (None if len(held) else f"it is {given['status']}")
    gains = []
    if why_not is None:
        for at, goal in enumerate(aims.goals):
            was, now = aims.figure(given, goal.figure), aims.figure(archive.rows[best], goal.figure)
            if len(seen):
                now, was = (goal.sign * seen[:, :, at]).mean(axis=0).tolist()
            gains.append(_gain(goal.figure, goal.sign, was, now, goal.sign * held[:, :, at]))
    return HeldOut(
        gains=gains,
        windows=len(held),
        of=len(looks.held_out),
        window_requests=looks.window_requests,
        seen_windows=len(seen),
        requests=looks.held_requests,
        is_trace=looks.is_trace,
        looks=len(wholes),
        met=sum(bool(one.feasible[0]) for one in wholes),
        given_met=sum(bool(one.feasible[1]) for one in wholes),
        why_not=why_not,
    )


def _finite(found: Sequence[Judged]) -> "np.ndarray[Any, Any]":
    """The costs of both in each part in which both have some: (parts, 2, goals)."""
    costs = np.array([one.costs for one in found])
    return costs[np.isfinite(costs).all(axis=(1, 2))] if len(costs) else costs


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
