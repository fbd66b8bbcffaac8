"""What the response of a request is due to: its time in pieces, each with one cause, which add up to it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .parts import PHASES, Kind, Part, Parts

#: What a time may be due to, in words, in the order in which a request meets it.
DUE: Mapping[str, str] = {
    "volume": "held by the volume, until others are done or a time has come",
    "room": "waits at the host for room in the device",
    "other_commands": "commands that the device processes before its own",
    "command": "its command",
    "earlier": "services of requests that came earlier",
    "overtaking": "services of requests that came later and overtook it",
    "background": "services for no request, which the system does by itself",
    "own_parts": "services of its other parts",
    "pause": "the device begins nothing: a stall, or a policy that chooses none",
    "device": "the device is not ready: it wakes up, cleans, reads ahead or writes from its cache",
    "positioning": "positioning",
    "hold": "held back until its data are there",
    "switch": "switches",
    "transfer": "transfer",
    "bus_wait": "the bus has data of other requests",
    "bus": "rest of the bus transfer, or all of it where a bus is shared",
}
#: The same in fewer words, for what stands beside figures and bars.
IN_SHORT: Mapping[str, str] = {
    **DUE,
    "volume": "held by the volume",
    "room": "waits for room",
    "other_commands": "commands before its own",
    "earlier": "services of earlier requests",
    "overtaking": "services of later requests",
    "background": "services for no request",
    "own_parts": "its other parts",
    "pause": "the device begins nothing",
    "device": "the device is not ready",
    "hold": "its data are not there",
    "bus_wait": "the bus has data of others",
    "bus": "rest of the bus",
}
#: What each phase of a service is due to, where that has another name.
_OF_PHASES = {"wait": "device"}


@dataclass(frozen=True)
class Segment:
    """A piece of the time of a request.

    Attributes:
        due: What it is due to, a key of `DUE`.
        from_ns: When it begins, in nanoseconds since the start of the run.
        until_ns: When it ends.
        device: The device, if it is at one.
        row: The request whose service or part it is waited for, if it is one of the host's.
    """

    due: str
    from_ns: int
    until_ns: int
    device: str | None = None
    row: int | None = None

    @property
    def ns(self) -> int:
        """How long it is."""
        return self.until_ns - self.from_ns


@dataclass(frozen=True)
class Way:
    """The way of a request from its arrival to its completion.

    Attributes:
        segments: Its time in pieces, without gaps.
        parts: The parts of it that were waited for, in order; of a device, the request itself.
    """

    segments: tuple[Segment, ...]
    parts: tuple[Part, ...]


def way(parts: Parts, row: int, arrival_ns: int, completion_ns: int) -> Way:
    """Find what a request waited for, backwards from its completion.

    Of a volume it is the part that came back last, what that had waited for before it was sent, and so on:
    other parts, which ran beside these, are not what made the request late.
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
    """What a service for another request is to a request; None is for no request."""
    if other is None:
        return "background"
    return "own_parts" if other == row else "earlier" if other < row else "overtaking"


def _within(pieces: list[Segment], from_ns: int, until_ns: int) -> Iterator[Segment]:
    """What of the pieces lies in a time."""
    for one in pieces:
        begins, ends = max(one.from_ns, from_ns), min(one.until_ns, until_ns)
        if begins < ends:
            yield Segment(one.due, begins, ends, one.device, one.row)


def _of_part(parts: Parts, part: Part, row: int) -> Iterator[Segment]:
    """The time of a part of a request at its device."""
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
    """A time in which a part waits: what its device serves, and what it is due to where it serves nothing."""
    at_ns, until_ns = between_ns
    device = parts.devices[part.device]
    for other in parts.services(part.device, at_ns, until_ns):
        yield Segment(idle, at_ns, other.start_ns, device)
        begins, ends = max(at_ns, other.start_ns), min(until_ns, other.end_ns)
        whose = parts.row_for(other, row)
        yield Segment(due_to(whose, row), begins, ends, device, whose)
        at_ns = max(at_ns, ends)
    yield Segment(idle, at_ns, until_ns, device)
