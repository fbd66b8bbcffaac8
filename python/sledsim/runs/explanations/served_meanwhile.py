"""Services of other requests while a request waited, and the time that it would have taken instead."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .parts import Parts
from .segments import Way, due_to

#: Words for a served request, by its relation to the explained one, a key of `DUE`.
WHICH: Mapping[str, str] = {
    "earlier": "arrived earlier",
    "overtaking": "arrived later",
    "background": "background",
    "own_parts": "another part",
}


@dataclass(frozen=True)
class Served:
    """A service of another request, for which the explained request waited.

    When the policy chose, the device reported two times for each waiting request: the time until the first
    row could be accessed (``positioning``) and until the medium would be done (``access``). They are None if
    the waiting request could not be chosen yet: it had not arrived, or its command was being processed.

    Attributes:
        row: Number of the served request; None for a background service.
        due: Why the explained request waited for it, a key of `DUE`.
        device: Name of the device.
        start_ns: Start of the service, in nanoseconds since the start of the run.
        waited_ns: Nanoseconds for which the explained request waited for this service.
        service_ns: Duration of the service in nanoseconds.
        waiting: Number of requests from which the policy chose, including this one and the explained one.
        positioning_ns: Positioning time in nanoseconds of the served request, as the policy knew it.
        access_ns: Access time in nanoseconds of the served request, as the policy knew it.
        instead_positioning_ns: Positioning time in nanoseconds that the explained request would have had
            instead.
        instead_access_ns: Access time in nanoseconds that the explained request would have had instead.
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
        """Access time of the explained request minus that of the served one; None if unknown."""
        if self.access_ns is None or self.instead_access_ns is None:
            return None
        return self.instead_access_ns - self.access_ns


def served_before(parts: Parts, way: Way, row: int, arrival_ns: int) -> Iterator[Served]:
    """Yield the services for which request `row`, or its parts on members, waited, in the order of time."""
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
