"""Tenants: the traces to merge, each with a label, a delay, and the requests to take next."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

import numpy as np

from ... import _native
from ..streams import TraceStream
from ..trace import Trace


class Tenant:
    """A trace to merge with others, and the requests to take from it next.

    Attributes:
        stream: The trace.
        label: Name of the trace, different for each, in messages and names of devices.
        delay_ns: Time in the merged trace, in nanoseconds, at which this trace begins.
    """

    def __init__(self, stream: TraceStream, label: str) -> None:
        self.stream = stream
        self.label = label
        self.delay_ns = 0
        self._batches = iter(stream)
        self._ahead = next(self._batches, None)

    @property
    def last_ahead_ns(self) -> int | None:
        """Arrival in the merged trace of the last request that was read from this trace; None at its end."""
        return None if self._ahead is None else int(self._ahead.arrival_ns[-1]) + self.delay_ns

    def take_until(self, time_ns: int) -> Trace | None:
        """Return the requests not yet taken that arrive in the merged trace until `time_ns`, inclusive."""
        if self._ahead is None:
            return None
        count = int(np.searchsorted(self._ahead.arrival_ns, time_ns - self.delay_ns, side="right"))
        part, rest = self._ahead.rows(slice(0, count)), self._ahead.rows(slice(count, None))
        self._ahead = rest if len(rest) else next(self._batches, None)
        return replace(part, arrival_ns=part.arrival_ns + self.delay_ns) if self.delay_ns else part

    def name(self, device: int) -> str | None:
        """Return the name of a traced device; None if it has no name."""
        name: str | None = self.stream.about()["device_names"].get(device)
        return name

    def origin_ns(self) -> int | None:
        """Return the time of day of time 0 of the merged trace, by this trace's clock; None without one."""
        origin_ns: int | None = self.stream.about()["origin_unix_ns"]
        return None if origin_ns is None else origin_ns - self.delay_ns


def tenants_of(streams: Sequence[TraceStream]) -> list[Tenant]:
    """Return a tenant for each trace; labels of traces with the same name are numbered."""
    tenants: dict[str, Tenant] = {}
    for stream in streams:
        labels = (f"{stream.source}#{number}" if number > 1 else stream.source for number in count(1))
        label = next(label for label in labels if label not in tenants)
        tenants[label] = Tenant(stream, label)
    return list(tenants.values())


def set_by_clock(tenants: Sequence[Tenant]) -> None:
    """Delay each trace by the time from the start of the earliest trace to its own start.

    Raises:
        ParameterError: A trace does not have the time of day of its start.
    """
    origins = {tenant.label: tenant.origin_ns() for tenant in tenants}
    known = [origin_ns for origin_ns in origins.values() if origin_ns is not None]
    if len(known) < len(tenants):
        silent = ", ".join(label for label, origin_ns in origins.items() if origin_ns is None)
        raise _native.ParameterError(
            f"times = 'clock' needs the time of day of every trace's start, which these do not have: {silent}"
        )
    for tenant, origin_ns in zip(tenants, known, strict=True):
        tenant.delay_ns = origin_ns - min(known)
