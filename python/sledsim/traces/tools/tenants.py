"""The traces that are merged: what each is called, when it begins, and which requests are next."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

import numpy as np

from ... import _native
from ..streams import TraceStream
from ..trace import Trace


class Tenant:
    """A trace that is being merged, and its requests that are next.

    Attributes:
        stream: The trace.
        label: A name that no other tenant has.
        delay_ns: Its time 0 in the merged trace.
    """

    def __init__(self, stream: TraceStream, label: str) -> None:
        self.stream = stream
        self.label = label
        self.delay_ns = 0
        self._batches = iter(stream)
        self._ahead = next(self._batches, None)

    @property
    def last_ahead_ns(self) -> int | None:
        """When the last comes of the requests that are next."""
        return None if self._ahead is None else int(self._ahead.arrival_ns[-1]) + self.delay_ns

    def take_until(self, time_ns: int) -> Trace | None:
        """The requests up to and at that time, of those that are next."""
        if self._ahead is None:
            return None
        count = int(np.searchsorted(self._ahead.arrival_ns, time_ns - self.delay_ns, side="right"))
        part, rest = self._ahead.rows(slice(0, count)), self._ahead.rows(slice(count, None))
        self._ahead = rest if len(rest) else next(self._batches, None)
        return replace(part, arrival_ns=part.arrival_ns + self.delay_ns) if self.delay_ns else part

    def name(self, device: int) -> str | None:
        """What the trace calls a device."""
        name: str | None = self.stream.about()["device_names"].get(device)
        return name

    def origin_ns(self) -> int | None:
        """When time 0 of the merged trace was, as far as this one knows."""
        origin_ns: int | None = self.stream.about()["origin_unix_ns"]
        return None if origin_ns is None else origin_ns - self.delay_ns


def tenants_of(streams: Sequence[TraceStream]) -> list[Tenant]:
    """One a trace, each with a label of its own."""
    tenants: dict[str, Tenant] = {}
    for stream in streams:
        labels = (f"{stream.source}#{number}" if number > 1 else stream.source for number in count(1))
        label = next(label for label in labels if label not in tenants)
        tenants[label] = Tenant(stream, label)
    return list(tenants.values())


def set_by_clock(tenants: Sequence[Tenant]) -> None:
    """Delay each trace by what it began later than the first.

    Raises:
        ParameterError: One does not say when it began.
    """
    origins = {tenant.label: tenant.origin_ns() for tenant in tenants}
    known = [origin_ns for origin_ns in origins.values() if origin_ns is not None]
    if len(known) < len(tenants):
        silent = ", ".join(label for label, origin_ns in origins.items() if origin_ns is None)
        raise _native.ParameterError(
            f"times = 'clock': expected traces that say when their time 0 was by the clock, found {silent}"
        )
    for tenant, origin_ns in zip(tenants, known, strict=True):
        tenant.delay_ns = origin_ns - min(known)
