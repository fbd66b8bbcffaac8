"""A part of a trace: of its time, its devices, its classes of requests."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from .. import _native
from ..trace_files import TraceStream
from ..traces import Trace
from .change import AnyTrace
from .selecting import class_named, device_numbers, to_devices


def slice_trace(
    trace: AnyTrace,
    *,
    from_s: float = 0.0,
    to_s: float = math.inf,
    devices: str | None = None,
    classes: Sequence[str] = (),
) -> AnyTrace:
    """The requests that came in a time, to some devices, of some classes.

    Args:
        trace: From which they are taken.
        from_s: From this time of the trace on, in seconds; it is time 0 of the slice.
        to_s: Before this time.
        devices: Numbers or names with commas between; None is all.
        classes: Of `CLASSES`; a request belongs to the slice if it is of every one of them.

    Raises:
        ParameterError: A time, device or class is wrong.
    """
    if not 0 <= from_s < to_s:
        raise _native.ParameterError(f"expected a time from 0 s on and a later one, found {from_s}, {to_s}")
    chosen = [class_named(name) for name in classes]
    from_ns = round(from_s * 1e9)
    to_ns = math.inf if math.isinf(to_s) else round(to_s * 1e9)
    stream = trace if isinstance(trace, TraceStream) else None

    def taken(batch: Trace) -> Trace:
        wanted = (batch.arrival_ns >= from_ns) & (batch.arrival_ns < to_ns)
        if devices is not None:
            # A stream learns the names of its devices while it is read.
            names = stream.about()["device_names"] if stream else batch.device_names
            wanted &= to_devices(batch, device_numbers(devices, names).values())
        for is_meant in chosen:
            wanted &= is_meant(batch)
        part = batch.rows(wanted)
        return replace(part, arrival_ns=part.arrival_ns - from_ns) if from_ns else part

    if isinstance(trace, TraceStream):
        return TraceStream(trace.source, _until(trace, to_ns), trace.about).changed(taken)
    return taken(trace)


def _until(stream: TraceStream, to_ns: float) -> Iterator[Trace]:
    """The batches that begin before a time."""
    for batch in stream:
        if batch.arrival_ns[0] >= to_ns:
            return
        yield batch
