"""Test of the chosen design on new requests: the share of its gain in the search that remains."""

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

#: Smallest relative gain in the search for which the share that remains on new requests is reported.
_LEAST = 0.01

#: A function that runs designs under the requests of a `Measuring`, and returns their rows.
RunUnder: TypeAlias = Callable[[Measuring, Sequence[dict[str, Any]]], Sequence[Row]]


@dataclass(frozen=True)
class Gain:
    """The gain in one figure from the device as given to the chosen design; a gain above 0 is better.

    Attributes:
        figure: Name of the figure.
        given: Figure of the device as given. For a trace, the mean over the windows that the comparison used,
            which are as long as the windows held out; for a random workload, the figure under the requests of
            the search.
        chosen: Figure of the chosen design under the same requests as `given`.
        share: Gain from `given` to `chosen`, as a share of `given`.
        held_given: Mean figure of the device as given over the windows or seeds held out.
        held_chosen: Mean figure of the chosen design over the windows or seeds held out.
        held_share: Gain from `held_given` to `held_chosen` as a share of `held_given`, with its interval
            (paired).
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
        """The share of the gain in the search that remains on new requests; None without a notable gain."""
        return self.held_share.value / self.share if self.share >= _LEAST else None


@dataclass(frozen=True)
class HeldOut:
    """The chosen design and the device as the user gave it, run under requests that the search has not used.

    Attributes:
        gains: Gain of each goal.
        windows: Number of the windows or seeds held out in which both designs have figures: the chosen one
            and the device as given.
        of: Number of windows or seeds held out.
        window_requests: Number of requests of each window or seed.
        seen_windows: Number of windows of the trace over which `Gain.given` is a mean; 0 for drawn requests.
        requests: Number of requests of all windows or seeds.
        is_trace: True if the requests held out are windows of a trace, False for seeds.
        looks: Number of test runs in which the constraints are checked: one over the held-out rest of a
            trace, or one per seed; 0 without constraints.
        met: Number of the `looks` runs in which the constraints hold for the chosen design.
        given_met: Number of the `looks` runs in which the constraints hold for the device as given.
        why_not: Reason why the gain is unknown: the device as given has no figures; None if it has figures.
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
        """True if the chosen design meets the constraints in all runs held out; None without constraints."""
        return self.met == self.looks if self.looks else None


def judge(archive: Archive, best: int, looks: Looks, run: RunUnder) -> HeldOut | None:
    """Compare the chosen design `best` with the device as given, under the requests held out.

    None if no requests are held out.
    """
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
    """Return the costs of both designs in each part in which both have figures.

    The array has the shape (parts, 2 designs, goals).
    """
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
