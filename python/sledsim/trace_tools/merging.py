"""Several traces at once, as several tenants."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from .. import _native
from ..trace_files import TraceStream, stream_of
from ..traces import Trace

#: How tenants share devices.
SHARING = {
    "none": "every device of every trace is a device of its own",
    "devices": "devices of the same number are one device, addresses as they are",
}


def merge_traces(traces: Sequence[Trace | TraceStream], sharing: str = "none") -> TraceStream:
    """Several traces from the same time 0 on, in order of arrival.

    Args:
        traces: In memory or passing by.
        sharing: One of `SHARING`.

    Raises:
        ParameterError: A name is wrong, or there are no traces.
    """
    if sharing not in SHARING:
        raise _native.ParameterError(f"sharing = {sharing!r}: expected one of {', '.join(SHARING)}")
    if not traces:
        raise _native.ParameterError("expected one trace or more to merge, found none")
    streams = [stream_of(trace) if isinstance(trace, Trace) else trace for trace in traces]
    tenants = [_Tenant(number, stream) for number, stream in enumerate(streams)]
    numbers = _Numbers(sharing == "none")
    source = "+".join(stream.source for stream in streams)
    return TraceStream(source, _merged(tenants, numbers), lambda: _about(streams, numbers))


class _Tenant:
    """A trace that is being merged, and its requests that are next."""

    def __init__(self, number: int, stream: TraceStream) -> None:
        self.number = number
        self._stream = stream
        self._batches = iter(stream)
        self.ahead = next(self._batches, None)

    def take_until(self, time_ns: int) -> Trace | None:
        """The requests up to and at that time, of those that are next."""
        if self.ahead is None:
            return None
        count = int(np.searchsorted(self.ahead.arrival_ns, time_ns, side="right"))
        part, rest = self.ahead.rows(slice(0, count)), self.ahead.rows(slice(count, None))
        self.ahead = rest if len(rest) else next(self._batches, None)
        return part


class _Numbers:
    """The numbers of the tenants' devices in the merged trace."""

    def __init__(self, are_own: bool) -> None:
        self._are_own = are_own
        self.known: dict[tuple[int, int], int] = {}

    def renumber(self, tenant: int, part: Trace) -> Trace:
        if not self._are_own:
            return part
        devices, rows = np.unique(part.device, return_inverse=True)
        keys = [(tenant, int(device)) for device in devices]
        numbers = [self.known.setdefault(key, len(self.known)) for key in keys]
        return replace(part, device=np.array(numbers, np.int32)[rows])


def _merged(tenants: Sequence[_Tenant], numbers: _Numbers) -> Iterator[Trace]:
    while ahead := [tenant.ahead for tenant in tenants if tenant.ahead is not None]:
        # Up to here every tenant's requests are known.
        time_ns = min(int(batch.arrival_ns[-1]) for batch in ahead)
        parts = [(tenant.number, tenant.take_until(time_ns)) for tenant in tenants]
        own = [numbers.renumber(number, part) for number, part in parts if part is not None and len(part)]
        joined = {name: np.concatenate([part.columns()[name] for part in own]) for name in own[0].columns()}
        order = np.argsort(joined["arrival_ns"], kind="stable")
        yield Trace.from_columns({name: column[order] for name, column in joined.items()}, source="merged")


def _about(streams: Sequence[TraceStream], numbers: _Numbers) -> Mapping[str, Any]:
    abouts = [stream.about() for stream in streams]
    names = {
        number: f"{streams[tenant].source}:{abouts[tenant]['device_names'].get(device, device)}"
        for (tenant, device), number in numbers.known.items()
    }
    skipped: dict[str, int] = {}
    for about in abouts:
        for kind, count in about["skipped"].items():
            skipped[kind] = skipped.get(kind, 0) + count
    notes = [
        f"{stream.source}: {note}"
        for stream, about in zip(streams, abouts, strict=True)
        for note in about["notes"]
    ]
    return {
        "skipped": skipped,
        "device_names": names,
        "origin_unix_ns": None,
        "notes": tuple(notes),
        "format": "",
    }
