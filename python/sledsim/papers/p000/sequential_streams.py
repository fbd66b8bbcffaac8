"""Synthetic streams of a published sequentiality, for where 000's traces are not at hand."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sledsim import Device, Trace

from ..shared import random_workload, workload

#: Beside the seed: these choices must not repeat those of the Random workload's generator.
_STREAM = 0


def sequential_workload(
    device: Device, *, rate_per_s: float, sequentiality: float, count: int = 20_000, seed: int = 1
) -> Trace:
    """The Random workload of 001 where a request often starts at the block after the one before it.

    Arrivals, sizes, reads and random starts are those of `random_workload`. With probability `sequentiality`
    a request follows the one before it instead; not where it would go past the end of the device.

    Args:
        device: The device whose blocks are asked for.
        rate_per_s: Mean arrival rate in requests a second; times between arrivals are exponential.
        sequentiality: The part of the requests that follow, from 0 to 1 (000-F24).
        count: Number of requests.
        seed: Same seed, same requests.

    Raises:
        ParameterError: A value is out of range.
    """
    trace = random_workload(device, rate_per_s=rate_per_s, count=count, seed=seed)
    follows = np.random.Generator(np.random.PCG64([seed, _STREAM])).random(count) < sequentiality
    follows[0] = False
    blocks = trace.blocks.astype(np.int64)
    before = np.cumsum(blocks) - blocks
    run = np.flatnonzero(~follows)[np.cumsum(~follows) - 1]
    lbn = trace.lbn[run] + before - before[run]
    fits = lbn + blocks <= device.characteristics()["blocks"]
    source = f"sequential:p={sequentiality:g},rate={rate_per_s:g},count={count},seed={seed}"
    return replace(trace, lbn=np.where(fits, lbn, trace.lbn), source=source)


def stream(sequentiality: float, count: int) -> Callable[[Device, float, int], Trace]:
    """Draws such requests for `response_curves`, whose tables name them after their sequentiality."""

    def workload(device: Device, rate_per_s: float, seed: int) -> Trace:
        return sequential_workload(
            device, rate_per_s=rate_per_s, sequentiality=sequentiality, count=count, seed=seed
        )

    workload.__name__ = f"{100 * sequentiality:g} % sequential"
    return workload


def bursty_stream(
    sequentiality: float, count: int, interleave_blocks: int = 0
) -> Callable[[Device, float, int], Trace]:
    """A stream with arrivals in sessions: 75.3 % of the times between them below 0.1045 of the mean one.

    These are 5 ms at the 20.9 requests a second of 000's user trace. At another rate the same requests come
    that many times as fast, as a trace does at a scale factor. What follows does so after a gap, if there is
    an interleave (000-F24).
    """

    def drawn(device: Device, rate_per_s: float, seed: int) -> Trace:
        options: dict[str, str | float] = {"sequentiality": sequentiality, "count": count, "seed": seed}
        name = f"stream:arrivals=sessions,interleave_blocks={interleave_blocks}"
        return workload(name, device, rate=rate_per_s, **options)

    drawn.__name__ = f"bursty, {100 * sequentiality:g} % sequential"
    return drawn
