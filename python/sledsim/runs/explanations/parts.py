"""Services and waits that the core recorded in a repeated run, of requests and of their parts on members."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Phases of a service, in the order of time.
PHASES = ("command", "wait", "positioning", "hold", "switch", "transfer", "bus")
#: Motions during positioning; those in x happen at the same time as those in y.
MOTIONS = ("seek_x", "settle", "seek_y", "turnaround", "rotation")


class Kind(IntEnum):
    """Kinds of events for which a request or part waited, with the numbers that the core gives them."""

    CLOCK = 0
    ARRIVAL = 1
    PART = 2


class Cause(NamedTuple):
    """Event for which a part of a request, or the completion of a request, waited last.

    Attributes:
        kind: Kind of the event.
        of: Number of the request that arrived, or of the part that completed, in this event.
        at_ns: Time of the event in nanoseconds.
    """

    kind: Kind
    of: int
    at_ns: int


@dataclass(frozen=True)
class Part:
    """A request as a device serves it: on a volume, a request that the volume sends to a member.

    Attributes:
        number: Number of the part in the order of sending; on a device, the number of the request.
        device: Number of the device, from 0.
        row: Number of the request that the part serves, or the first of several; None for background work of
            a volume.
        lbn: First sector on the device.
        blocks: Number of sectors.
        write: True if the part writes.
        cause: Event for which the volume waited last before it sent the part.
        sent_ns: Time in nanoseconds at which the part was sent to the device.
        crossing_ns: Time at which the data of a write began to cross a bus that members share; without such a
            bus, `sent_ns`.
        crossed_ns: Time at which the data of a write had crossed this bus; without such a bus, `sent_ns`.
        entered_ns: Time at which the device accepted the part, as it had room.
        ready_ns: Time at which the device had processed the command.
        start_ns: Start of the service.
        end_ns: Time at which the device was free for the next service.
        bus_wait_ns: Time after `end_ns` during which the data of this part waited for a bus in use by other
            data.
        left_ns: Time at which the volume or host received the completion.
        phases_ns: Nanoseconds of each phase of the service, by name in `PHASES`.
        motions_ns: Nanoseconds of each motion during positioning, by name in `MOTIONS`.
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
    """A choice of the policy to serve another part while the explained one waits.

    Attributes:
        waiting: Number of parts to choose from, including the chosen one and the explained one.
        chosen_ns: Positioning time and access time of the chosen part, as the policy knew them.
        instead_ns: Positioning time and access time of the explained part, as the policy knew them.
    """

    waiting: int
    chosen_ns: tuple[int, int]
    instead_ns: tuple[int, int]


class Parts:
    """All parts, services and choices of a repeated run that the core recorded (`Simulation.watched`)."""

    def __init__(self, noted: Mapping[str, Any]) -> None:
        self._columns: Mapping[str, NDArray[np.int64]] = noted["parts"]
        self.devices: Sequence[str] = noted["devices"]
        self._shared = {(int(row), int(number)) for row, number in noted["shared"]}
        # First request that each shared part serves, by number of the part.
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
        """Return the event for which the completion of request `row` waited last."""
        return self._ends[row]

    def part(self, number: int) -> Part:
        """Return the part with this number."""
        return self._at(int(np.searchsorted(self._columns["number"], number)))

    def is_of(self, part: Part, row: int) -> bool:
        """Return True if the part serves request `row`, alone or together with other requests."""
        return part.row == row or (row, part.number) in self._shared

    def row_for(self, part: Part, row: int) -> int | None:
        """Return the number of a request that the part serves: `row` if it is one of them."""
        return row if self.is_of(part, row) else part.row

    def services(self, device: int, from_ns: int, until_ns: int) -> Iterator[Part]:
        """Yield the parts in service at a device between `from_ns` and `until_ns`, in the order of time."""
        places = self._served[device]
        first = int(np.searchsorted(self._columns["end_ns"][places], from_ns, side="right"))
        for place in places[first:]:
            if self._columns["start_ns"][place] >= until_ns:
                return
            yield self._at(int(place))

    def command_from_ns(self, part: Part) -> int:
        """Return when the device begins to process a part's command, which waits for earlier commands."""
        places = self._entered[part.device]
        number, entered = self._columns["number"][places], self._columns["entered_ns"][places]
        before = (entered < part.entered_ns) | ((entered == part.entered_ns) & (number < part.number))
        ready = self._columns["ready_ns"][places][before]
        return min(part.ready_ns, max(part.entered_ns, int(ready.max(initial=0))))

    def decision(self, part: Part, chosen: Part) -> Decision | None:
        """Return the choice of `chosen` at which `part` could have been chosen; None if it could not."""
        return self._decisions.get((part.device, part.number, chosen.number))

    def _at(self, place: int) -> Part:
        row = {name: int(column[place]) for name, column in self._columns.items()}
        if row["entered_ns"] < 0:  # A flush has no command that the device processes before.
            row["entered_ns"] = row["ready_ns"] = row["crossed_ns"]
        times = ("sent", "crossing", "crossed", "entered", "ready", "start", "end", "bus_wait", "left")
        return Part(
            **{name: row[name] for name in ("number", "device", "lbn", "blocks")},
            **{f"{name}_ns": row[f"{name}_ns"] for name in times},
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
    """Yield each choice of a policy, by number of the device, of the waiting and of the chosen part."""
    names = ("chosen_positioning_ns", "chosen_access_ns", "positioning_ns", "access_ns")
    keys = zip(*(columns[name].tolist() for name in ("device", "watched", "chosen")), strict=True)
    costs = zip(columns["waiting"].tolist(), *(columns[name].tolist() for name in names), strict=True)
    for key, (waiting, *ns) in zip(keys, costs, strict=True):
        yield key, Decision(waiting, (ns[0], ns[1]), (ns[2], ns[3]))
