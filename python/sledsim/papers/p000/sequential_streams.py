"""Random streams with the sequentiality that paper 000 prints, which replace its unpublished traces."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sledsim import Device, Trace

from ..shared import random_workload, workload

#: Second part of the seed, which gives these draws another random stream than the Random workload with the
#: same seed.
_STREAM = 0


def sequential_workload(
    device: Device, *, rate_per_s: float, sequentiality: float, count: int = 20_000, seed: int = 1
) -> Trace:
    """Draw the Random workload of paper 001, but with requests that often start where the previous one ends.

    Arrivals, sizes, reads and random starts are those of `random_workload`. With probability `sequentiality`
    a request follows the previous one, unless it would go past the end of the device.

    Args:
        device: Device that receives the requests.
        rate_per_s: Mean arrival rate in requests per second; times between arrivals are exponential.
        sequentiality: Probability that a request follows the previous one, from 0 to 1 (000-F24).
        count: Number of requests.
        seed: Seed of the draws.

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
    """Return a function for `response_curves` that draws `count` requests of `sequential_workload`."""

    def workload(device: Device, rate_per_s: float, seed: int) -> Trace:
        return sequential_workload(
            device, rate_per_s=rate_per_s, sequentiality=sequentiality, count=count, seed=seed
        )

    workload.__name__ = f"{100 * sequentiality:g} % sequential"
    return workload


def bursty_stream(
    sequentiality: float, count: int, interleave_blocks: int = 0
) -> Callable[[Device, float, int], Trace]:
    """Return a function that draws a stream with bursty arrivals, as printed for the user trace of paper 000.

    Arrivals come in sessions: 75.3 % of the times between them are below 0.1045 of their mean, which is 5 ms
    at the 20.9 requests/s of the trace. A higher rate shortens all times, as a scale factor does. If
    `interleave_blocks` is not 0, sequential requests follow after a gap of this length (000-F24).
    """

    def drawn(device: Device, rate_per_s: float, seed: int) -> Trace:
        options: dict[str, str | float] = {"sequentiality": sequentiality, "count": count, "seed": seed}
        name = f"stream:arrivals=sessions,interleave_blocks={interleave_blocks}"
        return workload(name, device, rate=rate_per_s, **options)

    drawn.__name__ = f"bursty, {100 * sequentiality:g} % sequential"
    return drawn
