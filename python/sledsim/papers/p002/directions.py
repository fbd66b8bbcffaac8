"""Direction rule of a reading of paper 002: access in +Y, unless access in -Y can start sooner."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sledsim import Device
from sledsim.studies import bare

from ..shared import random_workload
from ..shared.random_requests import Costs

#: Directions of access in the order in which the rule prefers them: +Y, then -Y.
_WAYS = (1, -1)
#: Largest rounding error of equal times in s.
_ALIKE = 1e-12
_Floats = NDArray[np.float64]


def prefer_up(model: Device, costs: Costs, seed: int = 1, *, chained: bool = True) -> Costs:
    """Compute costs of random requests, each accessed in +Y unless access in -Y can start sooner.

    Args:
        model: Device that serves the requests.
        costs: Costs of the same requests under another direction rule; their transfers and numbers of rows
            are used again.
        seed: Seed of the requests.
        chained: True if each request starts in the direction in which the previous one ended; False if it
            starts in a random direction, which is +Y as often as the requests themselves use +Y.
    """
    x_m, enter_m, leave_m, ends = _places(model, costs, seed)
    # Positioning times of each request, by the direction of the previous request and its own direction.
    times, turns = np.empty((2, 2, len(x_m))), np.empty((2, 2, len(x_m)), int)
    x_s = np.append(0.0, np.asarray(model.seek_x_s(x_m[:-1], x_m[1:])))
    y_s = np.empty_like(times)
    for before in range(2):
        d0 = np.append(_WAYS[before], ends[before][:-1])
        from_m = np.append(0.0, leave_m[before][:-1])
        for way, d1 in enumerate(_WAYS):
            y_s[before, way] = model.seek_y_s(from_m, d0, enter_m[way], np.full(len(x_m), d1))
            times[before, way] = np.maximum(x_s, y_s[before, way])
            ahead = np.sign(
                np.where(np.isclose(from_m, enter_m[way], rtol=0, atol=1e-12), 0, enter_m[way] - from_m)
            )
            turns[before, way] = np.where(ahead == 0, d0 != d1, (d0 != ahead).astype(int) + (d1 != ahead))
    is_down = times[:, 1] < times[:, 0] - _ALIKE
    last = _chain(is_down) if chained else _drawn(is_down, seed)
    at = np.arange(len(x_m))
    own = is_down[last, at].astype(int)
    turnarounds = turns[last, own, at]
    return replace(
        costs,
        positioning_s=times[last, own, at],
        x_s=x_s,
        y_s=y_s[last, own, at],
        turnarounds=turnarounds,
        turnaround_s=turnarounds * float(model.characteristics()["turnaround_s"]),
    )


def _places(
    model: Device, costs: Costs, seed: int
) -> tuple[_Floats, list[_Floats], list[_Floats], list[NDArray[np.int64]]]:
    """Return x of each request in m, and by direction of access: y of entry, y of exit, direction at exit.

    The requests are those of the random workload with `seed`, as many as `costs` has.
    """
    requests = random_workload(bare(model), rate_per_s=1.0, count=len(costs.rows), seed=seed)
    first, last = model.locate(requests.lbn), model.locate(requests.lbn + requests.blocks - 1)
    found = model.characteristics()
    height_m = float(model.parameters["access_velocity_mm_per_s"]) * 1e-3 * float(found["row_s"])
    goes_on = (first["track"] != last["track"]) | (first["cylinder"] != last["cylinder"])
    low_m = np.where(goes_on, first["y_m"], np.minimum(first["y_m"], last["y_m"]))
    high_m = np.where(goes_on, first["y_m"], np.maximum(first["y_m"], last["y_m"])) + height_m
    # All rows of a track are passed in one direction, and the rows of the next track in the other.
    up_end_m = np.where(goes_on, last["y_m"], high_m)
    down_end_m = np.where(goes_on, last["y_m"] + height_m, low_m)
    ends = [np.where(goes_on, -way, way) for way in _WAYS]
    return first["x_m"], [low_m, high_m], [up_end_m, down_end_m], ends


def _chain(is_down: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each request the direction of access of the previous request: 0 for +Y, 1 for -Y.

    `is_down` is True for a request in -Y, by the direction of the previous request (first axis) and request.
    """
    before = np.zeros(is_down.shape[1], int)
    way = 0
    for at, ways in enumerate(is_down.T.tolist()):
        before[at] = way
        way = int(ways[way])
    return before


def _drawn(is_down: NDArray[np.bool_], seed: int) -> NDArray[np.int64]:
    """Draw for each request a random direction of the previous request: 0 for +Y, 1 for -Y.

    The share of -Y is that of the requests themselves; 8 rounds find it.
    """
    draws = np.random.default_rng([seed, 2]).random(is_down.shape[1])
    before = np.zeros(is_down.shape[1], int)
    for _ in range(8):
        down = is_down[before, np.arange(len(before))].mean()
        before = (draws < down).astype(int)
    return before
