"""Random requests to related data: consecutive requests often go to the same group of neighbouring blocks."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sledsim import Device, Trace

from ..shared import random_workload

#: Second part of the seed, which gives these draws another random stream than the Random workload with the
#: same seed.
_STREAM = 1


def grouped_workload(
    device: Device, *, rate_per_s: float, stay: float, group_blocks: int, count: int = 20_000, seed: int = 1
) -> Trace:
    """Draw the Random workload of paper 001, but with requests that often stay in a group of blocks.

    Arrivals, sizes, reads and writes are those of `random_workload`. With probability `stay` a request goes
    to the group of the previous request, otherwise to any group; its position in the group is random.

    Args:
        device: Device that receives the requests; blocks at its end that do not fill a group are not used.
        rate_per_s: Mean arrival rate in requests per second; times between arrivals are exponential.
        stay: Probability, from 0 to 1, that a request goes to the group of the previous request.
        group_blocks: Number of consecutive blocks in a group, more than any request has.
        count: Number of requests.
        seed: Seed of the draws.

    Raises:
        ParameterError: A value is out of range.
    """
    trace = random_workload(device, rate_per_s=rate_per_s, count=count, seed=seed)
    random = np.random.Generator(np.random.PCG64([seed, _STREAM]))
    moves = random.random(count) >= stay
    moves[0] = True
    groups = int(device.characteristics()["blocks"]) // group_blocks
    group = random.integers(0, groups, count)[np.flatnonzero(moves)[np.cumsum(moves) - 1]]
    within = random.random(count) * (group_blocks - trace.blocks.astype(np.int64) + 1)
    source = f"grouped:stay={stay:g},blocks={group_blocks},rate={rate_per_s:g},count={count},seed={seed}"
    return replace(trace, lbn=group * group_blocks + within.astype(np.int64), source=source)


def groups(stay: float, group_blocks: int, count: int) -> Callable[[Device, float, int], Trace]:
    """Return a function for `response_curves` that draws `count` requests of `grouped_workload`."""

    def workload(device: Device, rate_per_s: float, seed: int) -> Trace:
        return grouped_workload(
            device, rate_per_s=rate_per_s, stay=stay, group_blocks=group_blocks, count=count, seed=seed
        )

    workload.__name__ = f"{100 * stay:g} % in the group of the previous request"
    return workload
