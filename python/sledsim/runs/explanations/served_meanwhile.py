"""Requests served while a request waited, and the time that the waiting request would have taken."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .parts import Parts
from .segments import Way, due_to

#: Relation of the served request to the waiting request in a few words, by key of `DUE`.
WHICH: Mapping[str, str] = {
    "earlier": "arrived earlier",
    "overtaking": "arrived later",
    "background": "background",
    "own_parts": "another part",
}


@dataclass(frozen=True)
class Served:
    """A service of another request for which a request waited.

    When the policy chose, the device reported two times for each waiting request: the time until the first
    row could be accessed (``positioning``) and until the medium would be done (``access``). They are None if
    the waiting request could not be chosen yet: it had not arrived, or its command was being processed.

    Attributes:
        row: Number of the served request; None for a background service.
        due: Relation of the served request to the waiting request, a key of `DUE`.
        device: Name of the device.
        start_ns: Start of the service, in nanoseconds since the start of the run.
        waited_ns: Time for which the request waited for this service, in nanoseconds.
        service_ns: Duration of the service in nanoseconds.
        waiting: Number of requests among which the policy chose, including the served and the waiting
            request.
        positioning_ns: Reported positioning time of the served request, in nanoseconds.
        access_ns: Reported access time of the served request, in nanoseconds.
        instead_positioning_ns: Reported positioning time of the waiting request, in nanoseconds.
        instead_access_ns: Reported access time of the waiting request, in nanoseconds.
    """

    row: int | None
    due: str
    device: str
    start_ns: int
    waited_ns: int
    service_ns: int
    waiting: int | None = None
    positioning_ns: int | None = None
    access_ns: int | None = None
    instead_positioning_ns: int | None = None
    instead_access_ns: int | None = None

    @property
    def more_ns(self) -> int | None:
        """Access time of the waiting request minus that of the served request; None if not reported."""
        if self.access_ns is None or self.instead_access_ns is None:
            return None
        return self.instead_access_ns - self.access_ns


def served_before(parts: Parts, way: Way, row: int, arrival_ns: int) -> Iterator[Served]:
    """Yield the services for which the parts of a request waited, in the order of time."""
    for part in way.parts:
        for other in parts.services(part.device, max(part.crossed_ns, arrival_ns), part.start_ns):
            # While the device processes earlier commands and this command, the request waits for no service.
            waits = ((part.crossed_ns, part.entered_ns), (part.ready_ns, part.start_ns))
            met = (
                min(other.end_ns, until_ns) - max(other.start_ns, from_ns, arrival_ns)
                for from_ns, until_ns in waits
            )
            waited_ns = sum(max(0, ns) for ns in met)
            if not waited_ns:
                continue
            told = parts.decision(part, other)
            costs = (
                (None, None, None, None, None)
                if told is None
                else (*(told.waiting, *told.chosen_ns, *told.instead_ns),)
            )
            whose = parts.row_for(other, row)
            yield Served(
                whose,
                due_to(whose, row),
                parts.devices[other.device],
                other.start_ns,
                waited_ns,
                other.end_ns - other.start_ns,
                *costs,
            )
