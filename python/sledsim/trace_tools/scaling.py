"""A trace faster or slower."""

from dataclasses import replace

import numpy as np

from .. import _native
from ..traces import LATEST_NS, Trace
from .change import AnyTrace, changed


def scale_trace(trace: AnyTrace, factor: float) -> AnyTrace:
    """The same requests with all times between arrivals divided by `factor` (000-F18).

    Above 1 they come faster. Times count from the start of the trace; measured times stay as they are.

    Raises:
        ParameterError: The factor is not a positive number, or the last request would come too late.
    """
    if not (np.isfinite(factor) and factor > 0):
        raise _native.ParameterError(f"scale: expected a positive number, found {factor}")

    def scaled(batch: Trace) -> Trace:
        arrival_ns = np.floor(batch.arrival_ns / factor + 0.5)
        if len(batch) and arrival_ns[-1] >= LATEST_NS:
            raise _native.ParameterError(f"scale = {factor}: the last request would come too late")
        return replace(batch, arrival_ns=arrival_ns.astype(np.int64))

    return trace if factor == 1 else changed(trace, scaled)
