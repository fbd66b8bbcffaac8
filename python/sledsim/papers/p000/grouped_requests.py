"""Requests to related data: one group of neighbouring blocks is asked for a while, then another."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sledsim import Device, Trace

from ..shared import random_workload

#: Beside the seed: these choices must not repeat those of the Random workload's generator.
_STREAM = 1


def grouped_workload(
    device: Device, *, rate_per_s: float, stay: float, group_blocks: int, count: int = 20_000, seed: int = 1
) -> Trace:
    """The Random workload of 001 where a request often lies in the group of blocks of the one before it.

    Arrivals, sizes, reads and writes are those of `random_workload`. With probability `stay` a request is to
    the same group as the one before it, else to any group; within a group its place is random.

    Args:
        device: The device whose blocks are asked for; what does not fill a group at its end is not.
        rate_per_s: Mean arrival rate in requests a second; times between arrivals are exponential.
        stay: The part of the requests that stay in their group, from 0 to 1.
        group_blocks: Consecutive blocks of a group, more than any request has.
        count: Number of requests.
        seed: Same seed, same requests.

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
    """Draws such requests for `response_curves`, whose tables name them after their groups."""

    def workload(device: Device, rate_per_s: float, seed: int) -> Trace:
        return grouped_workload(
            device, rate_per_s=rate_per_s, stay=stay, group_blocks=group_blocks, count=count, seed=seed
        )

    workload.__name__ = f"{100 * stay:g} % in the group of the one before"
    return workload
