"""Merging of several traces into one, as if their users (tenants) shared a storage system."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

import numpy as np

from ... import _native
from ...common.arguments import chosen
from ..streams import TraceStream, stream_of
from ..trace import Trace
from .tenants import Tenant, set_by_clock, tenants_of

#: Rules for devices of different traces with the same name: values of ``sharing``.
SHARING = {
    "none": "every device of every trace stays separate",
    "devices": "devices with equal names, or with equal numbers if they have no names, become one",
}
#: Rules for the start of each trace in the merged trace: values of ``times``.
TIMES = {
    "start": "time 0 of the merged trace: all traces begin together",
    "clock": "time of day of the recording, which every trace must have",
}


def merge_traces(
    traces: Sequence[Trace | TraceStream], sharing: str = "none", times: str = "start"
) -> TraceStream:
    """Merge the requests of several traces in the order of arrival.

    Args:
        traces: Traces or streams to merge.
        sharing: Rule for devices of different traces with the same name, a key of `SHARING`.
        times: Rule for the start of each trace in the merged trace, a key of `TIMES`.

    Raises:
        ParameterError: A name is wrong; no trace is given; or `times` is ``clock``, and a trace lacks the
            time of day of its recording.
    """
    for name, value, table in (("sharing", sharing, SHARING), ("times", times, TIMES)):
        chosen(table, value, f"{name} = {value!r}")
    if not traces:
        raise _native.ParameterError("expected at least one trace to merge, found none")
    tenants = tenants_of([stream_of(trace) if isinstance(trace, Trace) else trace for trace in traces])
    if times == "clock":
        set_by_clock(tenants)
    numbers = _Numbers(sharing)
    source = "+".join(tenant.stream.source for tenant in tenants)
    return TraceStream(source, _merged(tenants, numbers), lambda: _about(tenants, numbers))


class _Numbers:
    """Numbers and names in the merged trace of the devices of all traces."""

    def __init__(self, sharing: str) -> None:
        self.names: dict[int, str] = {}
        self._known: dict[tuple[str, int], int] = {}
        self._new = self._own if sharing == "none" else self._shared

    def renumber(self, tenant: Tenant, part: Trace) -> Trace:
        devices, rows = np.unique(part.device, return_inverse=True)
        for device in devices.tolist():
            if (tenant.label, device) not in self._known:
                self._known[tenant.label, device] = self._new(tenant, device)
        numbers = [self._known[tenant.label, device] for device in devices.tolist()]
        return replace(part, device=np.array(numbers, np.int32)[rows])

    def _own(self, tenant: Tenant, device: int) -> int:
        """Return an unused number for a traced device, which is shared with no other trace."""
        number = len(self.names)
        self.names[number] = f"{tenant.label}:{tenant.name(device) or device}"
        return number

    def _shared(self, tenant: Tenant, device: int) -> int:
        """Return one number for all devices with the same name; a device without name keeps its number."""
        name = tenant.name(device)
        if name is None:
            return device
        by_name = {known: number for number, known in self.names.items()}
        if name in by_name:
            return by_name[name]
        if device in self.names:
            taken = {*self.names, *self._known.values()}
            device = next(number for number in count() if number not in taken)
        self.names[device] = name
        return device


def _merged(tenants: Sequence[Tenant], numbers: _Numbers) -> Iterator[Trace]:
    while ahead := [time_ns for tenant in tenants if (time_ns := tenant.last_ahead_ns) is not None]:
        time_ns = min(ahead)  # Requests of every tenant are known up to this time.
        parts = [(tenant, tenant.take_until(time_ns)) for tenant in tenants]
        own = [numbers.renumber(tenant, part) for tenant, part in parts if part is not None and len(part)]
        joined = {name: np.concatenate([part.columns()[name] for part in own]) for name in own[0].columns()}
        order = np.argsort(joined["arrival_ns"], kind="stable")
        yield Trace.from_columns({name: column[order] for name, column in joined.items()}, source="merged")


def _about(tenants: Sequence[Tenant], numbers: _Numbers) -> Mapping[str, Any]:
    abouts = [tenant.stream.about() for tenant in tenants]
    skipped: Counter[str] = Counter()
    for about in abouts:
        skipped.update(about["skipped"])
    notes = [
        f"{tenant.label}: {note}"
        for tenant, about in zip(tenants, abouts, strict=True)
        for note in about["notes"]
    ]
    origins = {tenant.origin_ns() for tenant in tenants}
    if len(origins) > 1 and None not in origins:
        notes.append("all traces begin together, unlike their recordings: see --times clock")
    known = origins - {None}
    return {
        "skipped": dict(skipped),
        "device_names": dict(numbers.names),
        "origin_unix_ns": known.pop() if len(known) == 1 else None,
        "notes": tuple(notes),
        "evidence": tuple(
            found._replace(text=f"{tenant.label}: {found.text}")
            for tenant, about in zip(tenants, abouts, strict=True)
            for found in about["evidence"]
        ),
        "format": "",
    }
