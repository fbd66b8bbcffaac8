"""Sampling of a trace: a share of its requests, of its addresses or of its time."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...common.arguments import check_whole, chosen
from ..trace import FLUSH, Trace
from .change import AnyTrace, changed, scrambled


@dataclass(frozen=True)
class SampleUnit:
    """Unit of a sample, such as a request: it is kept or dropped as a whole; a value of `SAMPLE_UNITS`."""

    description: str
    #: Function that takes a batch and the number of requests before it, and returns the unit of each request,
    #: as a number.
    unit: Callable[[Trace, int], NDArray[np.int64]]


#: Number of sectors of an address range that is kept or dropped as a whole: 1 MiB.
_RANGE_SECTORS = 2048
#: Length in nanoseconds of a time interval that is kept or dropped as a whole: 10 s.
_INTERVAL_NS = 10**10
_DEVICE_SPACING = 2**44

SAMPLE_UNITS = {
    "request": SampleUnit("each separately", lambda trace, before: np.arange(before, before + len(trace))),
    "address": SampleUnit(
        "all requests that start in the same MiB of a device, which keeps reuse, and all flushes",
        lambda trace, _: trace.lbn // _RANGE_SECTORS + trace.device.astype(np.int64) * _DEVICE_SPACING,
    ),
    "time": SampleUnit(
        "all requests that arrive in the same 10 s, which keeps bursts and queues",
        lambda trace, _: trace.arrival_ns // _INTERVAL_NS,
    ),
}


def sample_trace(trace: AnyTrace, share: float, by: str = "request", seed: int = 1) -> AnyTrace:
    """Keep a random share of the requests of a trace, with unchanged arrival times.

    Args:
        trace: Trace or stream to sample.
        share: Share of the requests, above 0 and up to 1.
        by: Unit that is kept or dropped as a whole, a key of `SAMPLE_UNITS`: request, address or time.
        seed: Seed of the random choice of units.

    Raises:
        ParameterError: A value or name is wrong.
    """
    if not 0 < share <= 1:
        raise _native.ParameterError(f"share: expected a number above 0 and up to 1, found {share}")
    unit = chosen(SAMPLE_UNITS, by, f"by = {by!r}").unit
    check_whole("seed", seed, 0, 2**64 - 1)
    threshold = int(share * 2**53)
    before = 0

    def sampled(batch: Trace) -> Trace:
        nonlocal before
        numbers = scrambled(unit(batch, before), seed)
        before += len(batch)
        # A flush has no address.
        everywhere = (batch.op == FLUSH) & (by == "address")
        return batch.rows(((numbers >> np.uint64(11)) < threshold) | everywhere)

    return changed(trace, sampled)
