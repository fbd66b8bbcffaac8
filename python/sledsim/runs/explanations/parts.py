"""What devices had while a request was on its way: itself, its parts, those of others, and their services."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: The phases of a service, in their order.
PHASES = ("command", "wait", "positioning", "hold", "switch", "transfer", "bus")
#: What positioning consists of; x and y run at once.
MOTIONS = ("seek_x", "settle", "seek_y", "turnaround", "rotation")


class Kind(IntEnum):
    """What something had waited for, as the core numbers it."""

    CLOCK = 0
    ARRIVAL = 1
    PART = 2


class Cause(NamedTuple):
    """What something waited for last, before it was sent or complete.

    Attributes:
        kind: What kind of thing.
        of: The row of a request, the number of a part.
        at_ns: Since when that is no more to be waited for.
    """

    kind: Kind
    of: int
    at_ns: int


@dataclass(frozen=True)
class Part:
    """A request as a device had it; of a volume, a part of one, or of what the volume does for itself.

    Attributes:
        number: In the order in which parts were sent; without a volume the row of the request.
        device: Number of the device.
        row: The request that it is of; of a part that was sent for nobody and served several, the first of
            them; None for what a volume does for itself.
        lbn: First block on the device.
        blocks: How many.
        write: Whether it writes.
        cause: What it waited for before it was sent.
        sent_ns: When it was sent to the device.
        crossing_ns: When the data of a write began to cross the bus that members share; without one when
            it was sent.
        crossed_ns: When they had crossed it.
        entered_ns: When the device had room for it.
        ready_ns: When its command was processed.
        start_ns: When its service began.
        end_ns: When the device could serve something else.
        bus_wait_ns: How long the bus had data of others after that, before its own had crossed.
        left_ns: When its sender had it back.
        phases_ns: Of its service, by name.
        motions_ns: Of its positioning, by name.
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
    """A device chose another part while one of a request waited.

    Attributes:
        waiting: How many waited, both included.
        chosen_ns: Positioning and access time of the one that it chose, as it tells policies.
        instead_ns: And of the one that waited.
    """

    waiting: int
    chosen_ns: tuple[int, int]
    instead_ns: tuple[int, int]


class Parts:
    """All that was noted of a run, as `Simulation.watched` of the core gives it."""

    def __init__(self, noted: Mapping[str, Any]) -> None:
        self._columns: Mapping[str, NDArray[np.int64]] = noted["parts"]
        self.devices: Sequence[str] = noted["devices"]
        self._shared = {(int(row), int(number)) for row, number in noted["shared"]}
        # The first request that a part served which was not sent for one.
        self._first = {number: row for row, number in sorted(self._shared, reverse=True)}
        ends = noted["ends"]
        causes = map(_cause, *(ends[name].tolist() for name in ("cause", "cause_of", "caused_ns")))
        self._ends: dict[int, Cause] = dict(zip(ends["row"].tolist(), causes, strict=True))
        self._decisions = dict(_decisions(noted["decisions"]))
        # Services of each device in their order; those that did not begin are not among them.
        began = np.flatnonzero(self._columns["start_ns"] >= 0)
        ordered = began[np.argsort(self._columns["start_ns"][began], kind="stable")]
        device = self._columns["device"][ordered]
        self._served = {int(one): ordered[device == one] for one in np.unique(device)}
        entered = np.lexsort((self._columns["number"], self._columns["entered_ns"]))
        self._entered = {one: entered[self._columns["device"][entered] == one] for one in self._served}

    def end_cause(self, row: int) -> Cause:
        """What a request waited for last, before it was complete."""
        return self._ends[row]

    def part(self, number: int) -> Part:
        """The part of a number."""
        return self._at(int(np.searchsorted(self._columns["number"], number)))

    def is_of(self, part: Part, row: int) -> bool:
        """Whether a part served a request, for which it was sent or which shared it."""
        return part.row == row or (row, part.number) in self._shared

    def row_for(self, part: Part, row: int) -> int | None:
        """The request that a part is of, as another sees it: that one itself, if the part served it."""
        return row if self.is_of(part, row) else part.row

    def services(self, device: int, from_ns: int, until_ns: int) -> Iterator[Part]:
        """What a device served in a time, in order."""
        places = self._served[device]
        first = int(np.searchsorted(self._columns["end_ns"][places], from_ns, side="right"))
        for place in places[first:]:
            if self._columns["start_ns"][place] >= until_ns:
                return
            yield self._at(int(place))

    def command_from_ns(self, part: Part) -> int:
        """When the device began to process the command of a part: it takes one after the other."""
        places = self._entered[part.device]
        number, entered = self._columns["number"][places], self._columns["entered_ns"][places]
        before = (entered < part.entered_ns) | ((entered == part.entered_ns) & (number < part.number))
        ready = self._columns["ready_ns"][places][before]
        return min(part.ready_ns, max(part.entered_ns, int(ready.max(initial=0))))

    def decision(self, part: Part, chosen: Part) -> Decision | None:
        """What the device told when it chose another part in place of this one; None if it was not asked."""
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
    """Decisions by device, the part that waited, and the one that was chosen."""
    names = ("chosen_positioning_ns", "chosen_access_ns", "positioning_ns", "access_ns")
    keys = zip(*(columns[name].tolist() for name in ("device", "watched", "chosen")), strict=True)
    costs = zip(columns["waiting"].tolist(), *(columns[name].tolist() for name in names), strict=True)
    for key, (waiting, *ns) in zip(keys, costs, strict=True):
        yield key, Decision(waiting, (ns[0], ns[1]), (ns[2], ns[3]))
