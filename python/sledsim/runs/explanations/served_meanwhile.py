"""Who was served while a request waited, and what serving it first would have cost."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .parts import Parts
from .segments import Way, due_to

#: What a service is to a request that waits for it, in few words, by the keys of `DUE`.
WHICH: Mapping[str, str] = {
    "earlier": "came earlier",
    "overtaking": "came later",
    "background": "for no request",
    "own_parts": "another part of it",
}


@dataclass(frozen=True)
class Served:
    """A service that a request waited for.

    The costs are what the device told policies when it chose: until the first row could be accessed
    (``positioning``), and until the medium would be done (``access``). They are None of what was in service
    when the request came, or chosen while its command was still being processed: nobody could choose it then.

    Attributes:
        row: The request that was served; None for what the system does by itself.
        due: What that is to this request, a key of `DUE`.
        device: The device.
        start_ns: When the service began, in nanoseconds since the start of the run.
        waited_ns: How long this request waited for it.
        service_ns: How long it took.
        waiting: How many waited when it was chosen, both included.
        positioning_ns: Of the one that was served, as the device told.
        access_ns: So.
        instead_positioning_ns: Of this request, had it been served in its place.
        instead_access_ns: So.
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
        """How much longer the access of this request would have taken; negative if less long."""
        if self.access_ns is None or self.instead_access_ns is None:
            return None
        return self.instead_access_ns - self.access_ns


def served_before(parts: Parts, way: Way, row: int, arrival_ns: int) -> Iterator[Served]:
    """What the parts of a way waited for at their devices, in order."""
    for part in way.parts:
        for other in parts.services(part.device, max(part.crossed_ns, arrival_ns), part.start_ns):
            # While its command is processed, and commands before it, it does not wait for services.
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
