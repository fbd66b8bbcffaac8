"""A sample of a trace: some of its requests, of its addresses, or of its time."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...common.arguments import check_whole, chosen
from ..trace import Trace
from .change import AnyTrace, changed, scrambled


@dataclass(frozen=True)
class SampleUnit:
    """Unit of a sample, a row of `SAMPLE_UNITS`."""

    description: str
    #: Function that returns the number of each request's unit, given the number of earlier requests.
    unit: Callable[[Trace, int], NDArray[np.int64]]


#: Sectors of an address range that is sampled as a whole: 1 MiB.
_RANGE_SECTORS = 2048
#: Nanoseconds of an interval that is sampled as a whole: 10 s.
_INTERVAL_NS = 10**10
_DEVICE_SPACING = 2**44

SAMPLE_UNITS = {
    "request": SampleUnit("each separately", lambda trace, before: np.arange(before, before + len(trace))),
    "address": SampleUnit(
        "all requests that start in the same MiB of a device, which keeps reuse",
        lambda trace, _: trace.lbn // _RANGE_SECTORS + trace.device.astype(np.int64) * _DEVICE_SPACING,
    ),
    "time": SampleUnit(
        "all requests that arrive in the same 10 s, which keeps bursts and queues",
        lambda trace, _: trace.arrival_ns // _INTERVAL_NS,
    ),
}


def sample_trace(trace: AnyTrace, share: float, by: str = "request", seed: int = 1) -> AnyTrace:
    """Sample about this share of the requests; arrival times stay unchanged.

    Args:
        trace: Trace or stream to sample.
        share: Share of the requests, above 0 and up to 1.
        by: Unit that is taken or left as a whole, one of `SAMPLE_UNITS`.
        seed: Seed of the sample; another seed takes another sample.

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
        return batch.rows((numbers >> np.uint64(11)) < threshold)

    return changed(trace, sampled)
