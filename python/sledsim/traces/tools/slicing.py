"""Slices of a trace: the requests of a time window, of some devices and of some classes."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ... import _native
from ..streams import TraceStream
from ..trace import LATEST_NS, Trace
from .change import AnyTrace
from .selecting import Choice, DeviceChoice, class_named


def slice_trace(
    trace: AnyTrace,
    *,
    from_s: float = 0.0,
    to_s: float = math.inf,
    devices: str | None = None,
    classes: Sequence[str] = (),
) -> AnyTrace:
    """Select the requests of a trace in a time window, to some devices and of some classes.

    Args:
        trace: Trace or stream to cut.
        from_s: Start of the time window in seconds; it becomes time 0 of the slice.
        to_s: End of the time window in seconds; requests that arrive at this time or later are left out.
        devices: Numbers or names of devices separated by commas; None is all devices.
        classes: Keys of `CLASSES`; a request is kept only if it belongs to every one of these classes.

    Raises:
        ParameterError: A time or class is wrong, or a selected device receives no request before `to_s`. A
            stream raises this second error only at its end.
    """
    if not 0 <= from_s < to_s:
        raise _native.ParameterError(
            f"expected a start at 0 s or later (--from), a later end (--until), found {from_s:g} and {to_s:g}"
        )
    choice = None if devices is None else DeviceChoice(devices)
    cut = _Cut(_ns(from_s), _ns(to_s), choice, [class_named(name) for name in classes])
    if isinstance(trace, TraceStream):
        return TraceStream(trace.source, filter(len, _parts(trace, cut)), lambda: cut.about(trace.about()))
    part = cut.of(trace, trace.device_names)
    cut.check(trace.device_names)
    return replace(part, **cut.about({"origin_unix_ns": trace.origin_unix_ns}))


@dataclass(frozen=True)
class _Cut:
    """Conditions that the requests of a slice fulfil: time window, devices and classes."""

    from_ns: int
    to_ns: int
    devices: DeviceChoice | None
    classes: Sequence[Choice]

    def of(self, batch: Trace, names: Mapping[int, str]) -> Trace:
        """Return those requests of a batch that are in the slice; `names` has the names of devices."""
        end = int(np.searchsorted(batch.arrival_ns, self.to_ns))
        batch = batch.rows(slice(0, end)) if end < len(batch) else batch
        wanted = batch.arrival_ns >= self.from_ns
        if self.devices is not None:
            wanted &= self.devices.rows(batch, names)
        for is_meant in self.classes:
            wanted &= is_meant(batch)
        part = batch.rows(wanted)
        return replace(part, arrival_ns=part.arrival_ns - self.from_ns) if self.from_ns else part

    def check(self, names: Mapping[int, str]) -> None:
        """Check that every selected device received a request before the end of the slice."""
        if self.devices is not None:
            is_whole = self.to_ns == LATEST_NS
            self.devices.check(names, "the trace" + ("" if is_whole else f" before {self.to_ns / 1e9:g} s"))

    def about(self, of_trace: Mapping[str, Any]) -> dict[str, Any]:
        """Return the metadata of the slice, whose time 0 is the start of the time window."""
        origin_ns = of_trace["origin_unix_ns"]
        return {**of_trace, "origin_unix_ns": None if origin_ns is None else origin_ns + self.from_ns}


def _ns(seconds: float) -> int:
    return round(min(seconds * 1e9, LATEST_NS))


def _parts(stream: TraceStream, cut: _Cut) -> Iterator[Trace]:
    """Yield for each batch of a stream its requests in the slice, until the slice ends."""
    for batch in stream:
        if batch.arrival_ns[0] >= cut.to_ns:
            break
        # A stream learns the names of its devices while it is read.
        yield cut.of(batch, stream.about()["device_names"])
    cut.check(stream.about()["device_names"])
