"""Positioning times from each request to each other one, computed independently of the Rust core.

The device gives the times of seeks, settling and turnarounds. This module computes a second time how they
combine into the positioning for a request, and in which direction the device sweeps over the request.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...model.devices import Device
from .rows import DOWN, UP, Boundary, Medium, Run

_Int = NDArray[np.int64]
_SIGN = {UP: 1, DOWN: -1}


@dataclass(frozen=True, eq=False)
class HopCosts:
    """Positioning time from every state of the sled to every one of n requests.

    State 2i: the sled has left request i upwards; 2i + 1: downwards; 2n: the start.

    Attributes:
        cost_ns: Positioning time from each state to each request in nanoseconds, shape (2n + 1, n).
        after: State of the sled after the request was served from each state, shape (2n + 1, n).
        possible: True if the motion can occur, shape (2n + 1, n): not from a request to itself, and not from
            a state that no other motion reaches.
    """

    cost_ns: _Int
    after: _Int
    possible: NDArray[np.bool_]

    def total_ns(self, order: Sequence[int] | NDArray[np.int64]) -> int:
        """Return the total positioning time of an order in nanoseconds, added request by request."""
        state, total_ns = len(self.cost_ns) - 1, 0
        for request in order:
            total_ns += int(self.cost_ns[state, request])
            state = self.after[state, request]
        return total_ns


@dataclass(frozen=True)
class _Way:
    """A way to serve a request: first direction, start, time between its rows, last direction."""

    first: int
    begin: Boundary
    switching_ns: int
    last: int


class _Times:
    """Seek times between all places that a batch of requests needs, computed together."""

    def __init__(self, medium: Medium, x_bits: set[int], boundaries: set[Boundary]) -> None:
        self._x = {bits: at for at, bits in enumerate(sorted(x_bits))}
        self._y = {boundary: at for at, boundary in enumerate(sorted(boundaries))}
        x_m = medium.metres(list(self._x))
        y_m = medium.metres([bits for bits, _ in self._y])
        d = np.array([_SIGN[direction] for _, direction in self._y])
        device, write_settle_ms = medium.device, medium.parameters.get("write_settle_ms")
        writing = device if write_settle_ms is None else device.with_parameters(settle_ms=write_settle_ms)
        self.x_ns = [_ns(one.seek_x_s(x_m[:, None], x_m)) for one in (device, writing)]
        self.y_ns = _ns(device.seek_y_s(y_m[:, None], d[:, None], y_m, d))

    def x_at(self, bits: Sequence[int]) -> _Int:
        return np.array([self._x[one] for one in bits])

    def y_at(self, boundaries: Sequence[Boundary]) -> _Int:
        return np.array([self._y[one] for one in boundaries])

    def x(self, start: int, end: int, write: bool) -> int:
        return int(self.x_ns[write][self._x[start], self._x[end]])

    def y(self, start: Boundary, end: Boundary) -> int:
        return int(self.y_ns[self._y[start], self._y[end]])


def hop_costs(
    device: Device, lbn: NDArray[np.int64], blocks: NDArray[np.int32], write: NDArray[np.bool_]
) -> HopCosts:
    """Compute positioning times between all requests of a batch; writes do not wait for their data."""
    medium = Medium(device)
    batch = zip(lbn.tolist(), blocks.tolist(), write.tolist(), strict=True)
    requests = [medium.runs(*one) for one in batch]
    start_x, start_y = medium.centre()
    runs = [run for request in requests for run in request]
    ends = [
        end for run in runs for way in (UP, DOWN) for end in (medium.begin(run, way), medium.end(run, way))
    ]
    times = _Times(medium, {start_x, *(medium.x_bits(run.cylinder) for run in runs)}, {start_y, *ends})
    lasts = [request[-1] for request in requests]
    from_x = times.x_at([bits for run in lasts for bits in [medium.x_bits(run.cylinder)] * 2] + [start_x])
    from_y = times.y_at([medium.end(run, way) for run in lasts for way in (UP, DOWN)] + [start_y])
    shape = (2 * len(requests) + 1, len(requests))
    cost_ns, after = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for at, request in enumerate(requests):
        x_ns = times.x_ns[request[0].write][from_x, times.x_at([medium.x_bits(request[0].cylinder)])]
        ways = _ways(medium, times, request)
        y_ns = [times.y_ns[from_y, times.y_at([way.begin])] for way in ways]
        greedy = medium.parameters["row_order"] == "lbn" and len(request) > 1
        cost_ns[:, at], last = _choose(x_ns, y_ns, ways, greedy)
        after[:, at] = 2 * at + last
    return HopCosts(cost_ns, after, _possible(after))


def _choose(x_ns: _Int, y_ns: list[_Int], ways: list[_Way], greedy: bool) -> tuple[_Int, _Int]:
    """Return, per state, the positioning time and last direction of the way that the device chooses.

    The device takes the fastest way. Among equally fast ways, it takes the one with less motion in y, then
    the one that ends upwards. If `greedy`, only the time to the first row counts, and of equally fast ways
    the device takes the one that starts upwards.
    """
    best: _Int = np.full((2, len(x_ns)), np.iinfo(np.int64).max)
    positioning_ns, last = np.zeros_like(x_ns), np.zeros_like(x_ns)
    preferred = sorted(range(len(ways)), key=lambda at: ways[at].first if greedy else ways[at].last)
    for way, y_one_ns in [(ways[at], y_ns[at]) for at in preferred]:
        arrives_ns = np.maximum(x_ns, y_one_ns)
        total_ns = arrives_ns + (0 if greedy else way.switching_ns)
        second_ns = np.zeros_like(y_one_ns) if greedy else y_one_ns
        better = (total_ns < best[0]) | ((total_ns == best[0]) & (second_ns < best[1]))
        best[0, better], best[1, better] = total_ns[better], second_ns[better]
        positioning_ns[better], last[better] = arrives_ns[better], way.last
    return positioning_ns, last


def _single_row(request: list[Run]) -> bool:
    places = {(run.cylinder, run.sled, run.track, run.lowest, run.highest) for run in request}
    return len(places) == 1 and request[0].lowest == request[0].highest


def _ways(medium: Medium, times: _Times, request: list[Run]) -> list[_Way]:
    """Return the ways to serve a request that can be fastest: one per pair of first and last direction."""
    found = []
    single_row = _single_row(request)
    for first in medium.allowed(request[0], single_row):
        switching_ns = {first: 0}
        for before, run in pairwise(request):
            onward = _onward(medium, times, before, (run, single_row), switching_ns)
            if medium.parameters["row_order"] == "lbn":
                quickest = min(onward, key=lambda way: (onward[way], way))
                onward = {quickest: onward[quickest]}
            switching_ns = onward
        begin = medium.begin(request[0], first)
        found += [_Way(first, begin, total_ns, last) for last, total_ns in switching_ns.items()]
    return found


def _onward(
    medium: Medium, times: _Times, before: Run, onto: tuple[Run, bool], switching_ns: dict[int, int]
) -> dict[int, int]:
    """Return the least time until the next rows of a request, per direction in which these are swept."""
    run, single_row = onto
    beside = before.sled == run.sled and abs(before.cylinder - run.cylinder) == 1
    deflects = beside and medium.parameters["cylinder_switch"] == "tip-deflection"
    start, end = medium.x_bits(before.cylinder), medium.x_bits(run.cylinder)
    x_ns = 0 if deflects else times.x(start, end, run.write)
    return {
        way: min(
            so_far_ns + max(x_ns, times.y(medium.end(before, ended), medium.begin(run, way)))
            for ended, so_far_ns in switching_ns.items()
        )
        for way in medium.allowed(run, single_row)
    }


def _possible(after: _Int) -> NDArray[np.bool_]:
    """Return True for each motion that can occur; `after` has the state in which each motion ends."""
    states, count = after.shape
    others = np.arange(states)[:, None] // 2 != np.arange(count)
    entered = np.zeros(states, bool)
    entered[after[others]] = True
    entered[-1] = True
    possible: NDArray[np.bool_] = others & entered[:, None]
    return possible


def _ns(times_s: Any) -> _Int:
    """Convert seconds to whole nanoseconds, rounded half up, which is the rounding of the core."""
    return np.floor(np.asarray(times_s) * 1e9 + 0.5).astype(np.int64)
