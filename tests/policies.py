"""Every policy again in NumPy: its decisions from its definition, without the code of the core."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sledsim
from sledsim.model.scheduling import Taken, Waiting

Places = NDArray[np.int64]
#: Function that makes an oracle for a device.
Oracle = Callable[[sledsim.Device], Any]


def least(cost: NDArray[Any], among: NDArray[np.bool_] | None = None) -> int:
    """Return the index of the least cost; of several, the first, which is the earliest."""
    if among is None:
        return int(np.argmin(cost))
    indices = np.flatnonzero(among)
    return int(indices[np.argmin(cost[indices])])


def by(cost: Callable[[Waiting], NDArray[Any]]) -> Oracle:
    """Return the policy that serves the request of least cost."""
    return lambda device: lambda now_s, waiting: least(cost(waiting))


@cache
def figure(device: sledsim.Device, name: str) -> int:
    """Return a characteristic of a device that is a whole number; each call computes it anew."""
    return int(device.characteristics()[name])


class Line:
    """A policy along a line of LBNs, cylinders or tracks, which starts at the lower end and goes up."""

    def __init__(self, device: sledsim.Device, line: str) -> None:
        self.device, self.line = device, line
        self.head, self.up = 0, True

    def take(self, request: Taken) -> None:
        place = request[self.line]
        if place != self.head:
            self.up = place > self.head
        self.head = place

    def length(self) -> int:
        return figure(self.device, "blocks" if self.line == "lbn" else "cylinders")


class Sstf(Line):
    """Serve the nearest to the end of the last request: behind its last block, or on that block's track."""

    def choose(self, now_s: float, waiting: Waiting) -> int:
        return least(np.abs(waiting[self.line] - self.head))

    def take(self, request: Taken) -> None:
        end = request["lbn"] + request["blocks"]
        at = self.device.locate(end - 1)
        cylinder, track = int(at["cylinder"]), int(at["track"])
        track += cylinder * figure(self.device, "tracks_per_cylinder")
        self.head = {"lbn": end, "cylinder": cylinder, "track": track}[self.line]


class Look(Line):
    """Serve the nearest ahead; if no request is ahead, turn."""

    def choose(self, now_s: float, waiting: Waiting) -> int:
        ahead = (waiting[self.line] - self.head) * (1 if self.up else -1)
        return least(ahead, ahead >= 0) if np.any(ahead >= 0) else least(-ahead)


class Clook(Line):
    """Serve the nearest above; if no request is above, the lowest."""

    def choose(self, now_s: float, waiting: Waiting) -> int:
        above = waiting[self.line] >= self.head
        return least(waiting[self.line], above if above.any() else None)


class Vscan(Line):
    """Serve the nearest; a turn adds a fraction of the whole line to the distance."""

    def __init__(self, device: sledsim.Device, line: str, reversal: float) -> None:
        super().__init__(device, line)
        self.turn = reversal * self.length()

    def choose(self, now_s: float, waiting: Waiting) -> int:
        way = waiting[self.line] - self.head
        turns = (way != 0) & ((way > 0) != self.up)
        return least(np.abs(way) + self.turn * turns)


class NearestFirstBlock(Line):
    """SSTF between the first blocks of requests, regardless of the end of the last request."""

    def choose(self, now_s: float, waiting: Waiting) -> int:
        return least(np.abs(waiting[self.line] - self.head))


def zones_by_size(device: sledsim.Device, size: tuple[int, int], split: bool, waiting: Waiting) -> Places:
    """Places of requests in the order of 000, Figure 3, for cells of a size in cylinders and bits."""
    rows = -(-region_bits(device) // size[1])
    cells = waiting["cylinder"] // size[0], waiting["y_bits"] // size[1]
    return figure_3(waiting, *cells, rows, split)


def zones_by_count(device: sledsim.Device, cells: tuple[int, int], split: bool, waiting: Waiting) -> Places:
    """Places of requests in the order of 000, Figure 3, for a number of columns and rows of cells."""
    column = waiting["cylinder"] * cells[0] // figure(device, "cylinders")
    row = waiting["y_bits"] * cells[1] // region_bits(device)
    return figure_3(waiting, column, row, cells[1], split)


def region_bits(device: sledsim.Device) -> int:
    p = device.parameters
    return int(p["stroke_y_nm"] // p["bit_width_nm"])


def figure_3(waiting: Waiting, column: Places, row: Places, rows: int, split: bool) -> Places:
    """Return the order of 000, Figure 3: down over even cylinders of a column of cells, up over odd ones."""
    if not split:
        return column * rows + rows - 1 - row
    odd = waiting["cylinder"] % 2
    return column * 2 * rows + np.where(odd, rows + row, rows - 1 - row)


def numbered(order: Sequence[int], rows: int, size: tuple[int, int], waiting: Waiting) -> Places:
    """Places of requests in a custom order of zones that are not split."""
    cell = waiting["cylinder"] // size[0] * rows + waiting["y_bits"] // size[1]
    return np.array([order.index(zone) for zone in cell.tolist()])


class Zones:
    """Visit the zones with waiting requests in a cyclic order; serve by cost within each zone.

    A closed visit serves only the requests that waited when it began.
    """

    def __init__(
        self,
        places: Callable[[Waiting], Places],
        cost: Callable[[Waiting], NDArray[Any]],
        closed: bool = False,
    ) -> None:
        self.places, self.cost, self.closed = places, cost, closed
        #: Zone of the next visit; the first visit begins before the first zone.
        self.current = -1
        self.members: set[int] = set()

    def choose(self, now_s: float, waiting: Waiting) -> int:
        places = self.places(waiting)
        visited = np.isin(waiting["row"], list(self.members)) if self.closed else places == self.current
        if not visited.any():
            onwards = places > self.current
            visited = places == (places[onwards] if onwards.any() else places).min()
        self.seen = dict(zip(waiting["row"].tolist(), places.tolist(), strict=True))
        return least(self.cost(waiting), visited)

    def take(self, request: Taken) -> None:
        place = self.seen[request["row"]]
        if place != self.current or not self.members:
            self.members = {row for row, its_place in self.seen.items() if its_place == place}
        self.current = place
        self.members.discard(request["row"])


class Pyramid:
    """ZSPTF on one of three grids, by the length of the queue; all three learn each served request."""

    def __init__(self, device: sledsim.Device, lengths: tuple[int, int], split: bool) -> None:
        grids = ((8, 1), (16, 2), (32, 4))
        self.zones = [
            Zones(partial(zones_by_count, device, cells, split), lambda waiting: waiting["positioning_s"])
            for cells in grids
        ]
        self.lengths = lengths

    def choose(self, now_s: float, waiting: Waiting) -> int:
        chosen = [zones.choose(now_s, waiting) for zones in self.zones]
        return chosen[sum(len(waiting["row"]) >= length for length in self.lengths)]

    def take(self, request: Taken) -> None:
        for zones in self.zones:
            zones.take(request)


def late_first(after_s: float) -> Oracle:
    """SPTF with a deadline: the oldest request, once it has waited too long."""
    return lambda device: (
        lambda now_s, waiting: 0 if waiting["wait_s"][0] > after_s else least(waiting["positioning_s"])
    )


def first(kind: Callable[[Waiting], NDArray[np.bool_]]) -> Oracle:
    """SPTF with priority for a kind of request."""
    return lambda device: (
        lambda now_s, waiting: least(waiting["positioning_s"], kind(waiting) if kind(waiting).any() else None)
    )


def line(policy: type[Line], *arguments: Any) -> Oracle:
    return lambda device: policy(device, *arguments)


def zoned(size: tuple[int, int], split: bool, cost: str, closed: bool = False) -> Oracle:
    return lambda device: Zones(
        partial(zones_by_size, device, size, split), lambda waiting: waiting[cost], closed
    )


def in_order(order: Sequence[int], rows: int, size: tuple[int, int]) -> Oracle:
    return lambda device: Zones(
        partial(numbered, order, rows, size), lambda waiting: waiting["positioning_s"]
    )


def oracles() -> Iterator[tuple[str, Oracle]]:
    """Return the names of policies, each with its oracle."""
    yield "fcfs", by(lambda waiting: -waiting["wait_s"])
    for key, column in (("lbn", "lbn"), ("track", "track"), ("cyl", "cylinder")):
        yield f"sstf_{key}", line(Sstf, column)
    for key, column in (("lbn", "lbn"), ("cyl", "cylinder")):
        yield f"look_{key}", line(Look, column)
        yield f"clook_{key}", line(Clook, column)
        yield f"vscan_{key}", line(Vscan, column, 0.2)
        yield f"vscan_{key}:reversal=0.01", line(Vscan, column, 0.01)
        yield f"vscan_{key}:reversal=0", line(NearestFirstBlock, column)
        yield f"vscan_{key}:reversal=1", line(Look, column)
    yield "cscan", line(Clook, "lbn")
    # In whole picometres, so that rounding distinguishes no two requests at the same distance.
    yield "sdf", by(lambda waiting: np.rint(waiting["distance_m"] * 1e12))
    yield "sptf", by(lambda waiting: waiting["positioning_s"])
    # A MEMS device, as here, has no overheads that a driver would neglect.
    yield "sptf_driver", by(lambda waiting: waiting["positioning_s"])
    yield "satf", by(lambda waiting: waiting["access_s"])
    for weight in (0, 5, 60):
        name = f"weight={weight}"
        yield f"asptf:{name}", by(lambda w, by=weight: w["positioning_s"] - by / 1000 * w["wait_s"])
        yield f"asatf:{name}", by(lambda w, by=weight: w["access_s"] - by / 1000 * w["wait_s"])
    for limit_s in (1.0, 0.03):
        yield (
            f"wptf:limit_ms={1000 * limit_s:g}",
            by(lambda w, at=limit_s: w["positioning_s"] * np.maximum(at - w["wait_s"], 0) / at),
        )
    yield "zfcfs", zoned((120, 1200), True, "row")
    yield "zsptf", zoned((120, 1200), True, "positioning_s")
    yield "zsptf:zone=600x700,parity=joined", zoned((600, 700), False, "positioning_s")
    order = [7, 0, 5, 2, 3, 6, 1, 4]
    name = "-".join(map(str, order))
    yield f"zsptf:zone=700x1250,parity=joined,order={name}", in_order(order, 2, (700, 1250))
    yield "ztsptf", zoned((120, 1200), True, "positioning_s", closed=True)
    yield "ztsptf:zone=1250x2500", zoned((1250, 2500), True, "positioning_s", closed=True)
    yield "pyramid", lambda device: Pyramid(device, (400, 1600), False)
    yield (
        "pyramid:medium_from=100,fine_from=400,parity=split",
        lambda device: Pyramid(device, (100, 400), True),
    )
    yield (
        "pyramid:medium_from=10,fine_from=40,parity=joined",
        lambda device: Pyramid(device, (10, 40), False),
    )
    yield "sptf+deadline:after_ms=15", late_first(0.015)
    yield "sptf+priority", first(lambda waiting: ~waiting["write"])
    yield "sptf+priority:first=writes", first(lambda waiting: waiting["write"])
    yield "sptf+priority:first=metadata", first(lambda waiting: waiting["metadata"])
