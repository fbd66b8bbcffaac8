"""Speeding up or slowing down a trace."""

from dataclasses import replace

import numpy as np

from ... import _native
from ..trace import LATEST_NS, Trace
from .change import AnyTrace, changed


def scale_trace(trace: AnyTrace, factor: float) -> AnyTrace:
    """Divide all times between the arrivals of a trace by `factor` (000-F18).

    Factors above 1 speed up the trace. The first arrival and measured times stay unchanged.

    Raises:
        ParameterError: The factor is not a positive number, or the last arrival would exceed 4e18 ns.
    """
    if not (np.isfinite(factor) and factor > 0):
        raise _native.ParameterError(f"scale: expected a positive number, found {factor}")
    if factor == 1:
        return trace
    first_ns: int | None = None

    def scaled(batch: Trace) -> Trace:
        nonlocal first_ns
        if not len(batch):
            return batch
        if first_ns is None:
            first_ns = int(batch.arrival_ns[0])
        with np.errstate(over="ignore"):  # Infinite times are refused as too late.
            since_first = np.floor((batch.arrival_ns - first_ns) / factor + 0.5)  # As the core rounds.
        if first_ns + since_first[-1] >= LATEST_NS:
            raise _native.ParameterError(f"scale = {factor}: the last arrival would exceed 4e18 ns")
        return replace(batch, arrival_ns=first_ns + since_first.astype(np.int64))

    return changed(trace, scaled)
