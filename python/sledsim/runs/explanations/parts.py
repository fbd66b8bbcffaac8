"""Course of a request at the devices: the request, its parts, other parts, and their services."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Phases of a service, in order.
PHASES = ("command", "wait", "positioning", "hold", "switch", "transfer", "bus")
#: Motions that make up positioning; x and y run at once.
MOTIONS = ("seek_x", "settle", "seek_y", "turnaround", "rotation")


class Kind(IntEnum):
    """Kinds of causes of waiting, with the numbers of the core."""

    CLOCK = 0
    ARRIVAL = 1
    PART = 2


class Cause(NamedTuple):
    """Last cause of waiting before a part was sent or a request was complete.

    Attributes:
        kind: Kind of the cause.
        of: Row of a request, or number of a part.
        at_ns: End of the wait for this cause, in nanoseconds.
    """

    kind: Kind
    of: int
    at_ns: int


@dataclass(frozen=True)
class Part:
    """A request at a device; in a volume a part of a request, or of the volume's own work.

    Attributes:
        number: Number of the part in the order of sending; without a volume the row of the request.
        device: Number of the device.
        row: Row of the request; the first row if a part of the volume's own served several requests; None for
            background work of the volume.
        lbn: First block on the device.
        blocks: Number of blocks.
        write: True for a write.
        cause: Cause of waiting before the part was sent.
        sent_ns: Time of sending to the device.
        crossing_ns: Time at which write data started to cross a bus that members share; otherwise `sent_ns`.
        crossed_ns: Time at which the data had crossed the shared bus.
        entered_ns: Time at which the device had room for the part.
        ready_ns: Time at which the command was processed.
        start_ns: Start of the service.
        end_ns: Time at which the device could serve another request.
        bus_wait_ns: Time after `end_ns` for which the bus carried other data before the data of the part.
        left_ns: Time at which the sender had the part back.
        phases_ns: Phases of the service, by name.
        motions_ns: Motions of the positioning, by name.
    """

    number: int
    device: int
    row: int | None
    lbn: int
    blocks: int
    write: bool
    cause: Cause
    sent_ns: int
    crossing_ns: int
    crossed_ns: int
    entered_ns: int
    ready_ns: int
    start_ns: int
    end_ns: int
    bus_wait_ns: int
    left_ns: int
    phases_ns: Mapping[str, int]
    motions_ns: Mapping[str, int]


class Decision(NamedTuple):
    """A device's choice of another part while a part of the request waited.

    Attributes:
        waiting: Number of waiting parts, including the chosen part and the part that waited.
        chosen_ns: Positioning and access time of the chosen part, as the device reports them to policies.
        instead_ns: Positioning and access time of the part that waited.
    """

    waiting: int
    chosen_ns: tuple[int, int]
    instead_ns: tuple[int, int]


class Parts:
    """Notes of a run from the core's `Simulation.watched`."""

    def __init__(self, noted: Mapping[str, Any]) -> None:
        self._columns: Mapping[str, NDArray[np.int64]] = noted["parts"]
        self.devices: Sequence[str] = noted["devices"]
        self._shared = {(int(row), int(number)) for row, number in noted["shared"]}
        # First request of each part that was sent without a request of its own.
        self._first = {number: row for row, number in sorted(self._shared, reverse=True)}
        ends = noted["ends"]
        causes = map(_cause, *(ends[name].tolist() for name in ("cause", "cause_of", "caused_ns")))
        self._ends: dict[int, Cause] = dict(zip(ends["row"].tolist(), causes, strict=True))
        self._decisions = dict(_decisions(noted["decisions"]))
        # Services of each device in order, without those that never started.
        began = np.flatnonzero(self._columns["start_ns"] >= 0)
        ordered = began[np.argsort(self._columns["start_ns"][began], kind="stable")]
        device = self._columns["device"][ordered]
        self._served = {int(one): ordered[device == one] for one in np.unique(device)}
        entered = np.lexsort((self._columns["number"], self._columns["entered_ns"]))
        self._entered = {one: entered[self._columns["device"][entered] == one] for one in self._served}

    def end_cause(self, row: int) -> Cause:
        """Last cause of waiting before the completion of a request."""
        return self._ends[row]

    def part(self, number: int) -> Part:
        """The part with this number."""
        return self._at(int(np.searchsorted(self._columns["number"], number)))

    def is_of(self, part: Part, row: int) -> bool:
        """Return True if the part served the request: it was sent for it, or the request shared it."""
        return part.row == row or (row, part.number) in self._shared

    def row_for(self, part: Part, row: int) -> int | None:
        """Row of the request of a part: `row` itself if the part served that request."""
        return row if self.is_of(part, row) else part.row

    def services(self, device: int, from_ns: int, until_ns: int) -> Iterator[Part]:
        """Yield the services of a device in a window of time, in order."""
        places = self._served[device]
        first = int(np.searchsorted(self._columns["end_ns"][places], from_ns, side="right"))
        for place in places[first:]:
            if self._columns["start_ns"][place] >= until_ns:
                return
            yield self._at(int(place))

    def command_from_ns(self, part: Part) -> int:
        """Time at which the device started to process the command of a part; commands are sequential."""
        places = self._entered[part.device]
        number, entered = self._columns["number"][places], self._columns["entered_ns"][places]
        before = (entered < part.entered_ns) | ((entered == part.entered_ns) & (number < part.number))
        ready = self._columns["ready_ns"][places][before]
        return min(part.ready_ns, max(part.entered_ns, int(ready.max(initial=0))))

    def decision(self, part: Part, chosen: Part) -> Decision | None:
        """The device's choice of another part over this one; None if the policy was not asked."""
        return self._decisions.get((part.device, part.number, chosen.number))

    def _at(self, place: int) -> Part:
        row = {name: int(column[place]) for name, column in self._columns.items()}
        times = (
            "sent_ns",
            "crossing_ns",
            "crossed_ns",
            "entered_ns",
            "ready_ns",
            "start_ns",
            "end_ns",
            "bus_wait_ns",
            "left_ns",
        )
        return Part(
            **{name: row[name] for name in ("number", "device", "lbn", "blocks", *times)},
            row=self._first.get(row["number"]) if row["row"] < 0 else row["row"],
            write=bool(row["write"]),
            cause=_cause(row["cause"], row["cause_of"], row["caused_ns"]),
            phases_ns={name: row[f"{name}_ns"] for name in PHASES},
            motions_ns={name: row[f"{name}_ns"] for name in MOTIONS},
        )


def _cause(kind: int, of: int, at_ns: int) -> Cause:
    return Cause(Kind(kind), of, at_ns)


def _decisions(
    columns: Mapping[str, NDArray[np.int64]],
) -> Iterator[tuple[tuple[int, int, int], Decision]]:
    """Decisions by device, part that waited, and chosen part."""
    names = ("chosen_positioning_ns", "chosen_access_ns", "positioning_ns", "access_ns")
    keys = zip(*(columns[name].tolist() for name in ("device", "watched", "chosen")), strict=True)
    costs = zip(columns["waiting"].tolist(), *(columns[name].tolist() for name in names), strict=True)
    for key, (waiting, *ns) in zip(keys, costs, strict=True):
        yield key, Decision(waiting, (ns[0], ns[1]), (ns[2], ns[3]))
