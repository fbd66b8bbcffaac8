"""Requests served while a request waited, and the cost of serving the waiting request first."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .parts import Parts
from .segments import Way, due_to

#: Short forms of the relation of a service to a waiting request, by keys of `DUE`.
WHICH: Mapping[str, str] = {
    "earlier": "arrived earlier",
    "overtaking": "arrived later",
    "background": "background",
    "own_parts": "another part",
}


@dataclass(frozen=True)
class Served:
    """A service that a request waited for.

    Costs are the times that the device reported to the policy at the choice: the time until the first row
    could be accessed (``positioning``), and until the medium would be done (``access``). Costs are None for a
    service that was in progress when the request arrived or was chosen while its command was still being
    processed: the request could not be chosen then.

    Attributes:
        row: Row of the served request; None for a background service.
        due: Relation to the waiting request, a key of `DUE`.
        device: Number of the device.
        start_ns: Start of the service, in nanoseconds since the start of the run.
        waited_ns: Time for which the request waited for this service.
        service_ns: Time of the service.
        waiting: Number of waiting requests at the choice, including the served and the waiting request.
        positioning_ns: Positioning time of the served request, as the device reported it.
        access_ns: Access time of the served request, as the device reported it.
        instead_positioning_ns: Positioning time of the waiting request at the same choice.
        instead_access_ns: Access time of the waiting request at the same choice.
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
        """Extra access time of the waiting request over the served one; negative if shorter."""
        if self.access_ns is None or self.instead_access_ns is None:
            return None
        return self.instead_access_ns - self.access_ns


def served_before(parts: Parts, way: Way, row: int, arrival_ns: int) -> Iterator[Served]:
    """Yield the services at devices that the parts of a path waited for, in order."""
    for part in way.parts:
        for other in parts.services(part.device, max(part.crossed_ns, arrival_ns), part.start_ns):
            # While earlier commands and its own are processed, the request does not wait for services.
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
