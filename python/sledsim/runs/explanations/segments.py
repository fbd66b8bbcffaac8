"""Division of a request's response time into consecutive pieces, each with one cause."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .parts import PHASES, Kind, Part, Parts

#: Words for each cause of a piece, in the order in which causes occur.
DUE: Mapping[str, str] = {
    "volume": "held by the volume until other requests are done or a set time has come",
    "room": "waiting at the host for room in the device",
    "other_commands": "commands of earlier requests that the device processes first",
    "command": "command of the request",
    "earlier": "services of requests that arrived earlier",
    "overtaking": "services of requests that arrived later and overtook the request",
    "background": "background services, without a request",
    "own_parts": "services of other parts of the request",
    "pause": "the device starts no request: a stall, or a policy that chooses no request",
    "device": "the device is not ready: it wakes up, cleans, reads ahead or writes from its cache",
    "positioning": "positioning",
    "hold": "waiting for write data",
    "switch": "switches",
    "transfer": "transfer",
    "bus_wait": "the bus carries data of other requests",
    "bus": "rest of the bus transfer, or all of it on a shared bus",
}
#: Short words for each cause, for labels in charts and bars.
IN_SHORT: Mapping[str, str] = {
    **DUE,
    "volume": "held by the volume",
    "room": "waiting for room",
    "other_commands": "earlier commands",
    "earlier": "services of earlier requests",
    "overtaking": "services of later requests",
    "background": "background services",
    "own_parts": "other parts of the request",
    "pause": "no request started",
    "device": "device not ready",
    "hold": "waiting for write data",
    "bus_wait": "bus busy with others",
    "bus": "rest of the bus",
}
#: Cause (a key of `DUE`) for those phases of a service whose cause has another name.
_OF_PHASES = {"wait": "device"}


@dataclass(frozen=True)
class Segment:
    """A piece of the response time of a request.

    Attributes:
        due: Cause of the piece, a key of `DUE`.
        from_ns: Start in nanoseconds since the start of the run.
        until_ns: End in nanoseconds since the start of the run.
        device: Name of the device at which the request was; None if it was held by the volume.
        row: Number of the other request that was served in this piece; None if none was.
    """

    due: str
    from_ns: int
    until_ns: int
    device: str | None = None
    row: int | None = None

    @property
    def ns(self) -> int:
        """Length of the piece in nanoseconds."""
        return self.until_ns - self.from_ns


@dataclass(frozen=True)
class Way:
    """Response time of a request in pieces, and the parts of the request that determined it.

    Attributes:
        segments: Consecutive pieces of the response time, without gaps.
        parts: Parts of the request that delayed it, in the order of time; on a device, the request itself.
    """

    segments: tuple[Segment, ...]
    parts: tuple[Part, ...]


def way(parts: Parts, row: int, arrival_ns: int, completion_ns: int) -> Way:
    """Divide the response time of request `row` into pieces, going back from its completion.

    In a volume, the function follows the part that completed last, the part for which that part had waited,
    and so on. Other parts were served at the same time and did not delay the request.
    """
    found: list[Segment] = []
    own: list[Part] = []
    until_ns, cause = completion_ns, parts.end_cause(row)
    while until_ns > arrival_ns:
        at_ns = max(cause.at_ns, arrival_ns)
        if at_ns < until_ns:
            found.append(Segment("volume", at_ns, until_ns))
            until_ns = at_ns
        if cause.kind is not Kind.PART or until_ns == arrival_ns:
            break
        part = parts.part(cause.of)
        if parts.is_of(part, row):
            own.append(part)
            pieces = list(_of_part(parts, part, row))
        else:
            device = parts.devices[part.device]
            pieces = [Segment(due_to(part.row, row), part.sent_ns, part.left_ns, device, part.row)]
        found += reversed(list(_within(pieces, arrival_ns, until_ns)))
        until_ns, cause = max(part.sent_ns, arrival_ns), part.cause
    if until_ns > arrival_ns:
        found.append(Segment("volume", arrival_ns, until_ns))
    return Way(tuple(reversed(found)), tuple(reversed(own)))


def due_to(other: int | None, row: int) -> str:
    """Return why a request waited for a service, as a key of `DUE`.

    Args:
        other: Number of the request that was served; None for a background service.
        row: Number of the request that waited.
    """
    if other is None:
        return "background"
    return "own_parts" if other == row else "earlier" if other < row else "overtaking"


def _within(pieces: list[Segment], from_ns: int, until_ns: int) -> Iterator[Segment]:
    """Return pieces cut to the time from `from_ns` to `until_ns`."""
    for one in pieces:
        begins, ends = max(one.from_ns, from_ns), min(one.until_ns, until_ns)
        if begins < ends:
            yield Segment(one.due, begins, ends, one.device, one.row)


def _of_part(parts: Parts, part: Part, row: int) -> Iterator[Segment]:
    """Yield the pieces from the sending of a part to its completion at the volume or host."""
    device = parts.devices[part.device]
    yield Segment("bus_wait", part.sent_ns, part.crossing_ns, device)
    yield Segment("bus", part.crossing_ns, part.crossed_ns, device)
    yield from _waiting(parts, part, row, (part.crossed_ns, part.entered_ns), "room")
    begun_ns = parts.command_from_ns(part)
    yield Segment("other_commands", part.entered_ns, begun_ns, device)
    yield Segment("command", begun_ns, part.ready_ns, device)
    yield from _waiting(parts, part, row, (part.ready_ns, part.start_ns), "pause")
    at_ns = part.start_ns
    for phase in PHASES:
        until_ns = at_ns + part.phases_ns[phase]
        yield Segment(_OF_PHASES.get(phase, phase), at_ns, until_ns, device)
        at_ns = until_ns
    until_ns = at_ns + part.bus_wait_ns
    yield Segment("bus_wait", at_ns, until_ns, device)
    yield Segment("bus", until_ns, part.left_ns, device)


def _waiting(parts: Parts, part: Part, row: int, between_ns: tuple[int, int], idle: str) -> Iterator[Segment]:
    """Yield the pieces of a wait at a device: services of others, and `idle` for the time between them."""
    at_ns, until_ns = between_ns
    device = parts.devices[part.device]
    for other in parts.services(part.device, at_ns, until_ns):
        yield Segment(idle, at_ns, other.start_ns, device)
        begins, ends = max(at_ns, other.start_ns), min(until_ns, other.end_ns)
        whose = parts.row_for(other, row)
        yield Segment(due_to(whose, row), begins, ends, device, whose)
        at_ns = max(at_ns, ends)
    yield Segment(idle, at_ns, until_ns, device)
