"""ZSPTF with zones of any sizes, and with several requests per decision (000, sections 6 and 7.2).

The policy is written in Python, like a user's own scheduler, for experiments that change it, not for speed.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sledsim import Device
from sledsim.extend import Taken, Waiting, register_scheduler
from sledsim.studies import Region

#: Number of halvings that determine a width to less than a bit.
_HALVINGS = 20
#: Function from the ends of a cell in metres to the seconds from its middle to the farther end.
_Reach = Callable[[float, float], float]


@dataclass(frozen=True)
class Cells:
    """Cells of the medium, given by their ends; even and odd columns of a cell are separate zones.

    Attributes:
        x: Ends of the cells along x in cylinders, beginning with 0.
        y: Ends of the cells along y in bits, beginning with 0.
    """

    x: tuple[int, ...]
    y: tuple[int, ...]

    def places(self, cylinder: NDArray[np.int64], y_bits: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return places in the order of Figure 3: down a column over even cylinders, up over odd ones."""
        column = np.searchsorted(self.x, cylinder, side="right") - 1
        row = np.searchsorted(self.y, y_bits, side="right") - 1
        rows = len(self.y) - 1
        return 2 * rows * column + np.where(cylinder % 2, rows + row, rows - 1 - row)

    def place(self, cylinder: int, y_bits: int) -> int:
        """Return the place of one request, without the cost of arrays."""
        column, row = bisect_right(self.x, cylinder) - 1, bisect_right(self.y, y_bits) - 1
        rows = len(self.y) - 1
        return 2 * rows * column + (rows + row if cylinder % 2 else rows - 1 - row)

    @property
    def count(self) -> int:
        """Number of zones."""
        return 2 * (len(self.x) - 1) * (len(self.y) - 1)


@dataclass
class Tally:
    """Counts of decisions over all runs.

    Attributes:
        decisions: Number of times that positioning times were computed.
        entries: Number of computed positioning times.
        served: Number of served requests.
    """

    decisions: int = 0
    entries: int = 0
    served: int = 0


@dataclass
class Tallies:
    """Tallies of a policy, one for each of its queues, as several threads may have queues."""

    each: list[Tally] = field(default_factory=list)

    def sum(self) -> Tally:
        """Return the sum of all tallies and reset them."""
        now, self.each = self.each, []
        return Tally(*(sum(getattr(one, name) for one in now) for name in ("decisions", "entries", "served")))


def register(name: str, cells: Cells, every: int = 1) -> Tallies:
    """Register ZSPTF over some cells as a policy of this process.

    Args:
        name: Name of the policy.
        cells: Cells of the medium.
        every: Number of requests of a zone per decision: the nearest from the position of the sled at the
            decision, in the order of their positioning times.

    Returns:
        The tallies of its decisions.
    """
    tallies = Tallies()

    class Zoned:
        """Policy that serves zone by zone, in each zone the nearest requests first."""

        def __init__(self) -> None:
            self.current = 0
            self.decided: deque[int] = deque()
            self.tally = Tally()
            tallies.each.append(self.tally)

        def choose(self, now_s: float, waiting: Waiting) -> int:
            """Return the next decided request; if no request is left, decide on the requests of the zone."""
            if not self.decided:
                self.decide(waiting)
            return int(waiting["row"].searchsorted(self.decided[0]))

        def decide(self, waiting: Waiting) -> None:
            places = cells.places(waiting["cylinder"], waiting["y_bits"])
            onwards = (places - self.current) % cells.count
            (own,) = np.nonzero(onwards == onwards.min())
            order = np.argsort(waiting["positioning_s"][own], kind="stable")
            self.decided.extend(waiting["row"][own[order[:every]]].tolist())
            self.tally.decisions += 1
            self.tally.entries += len(own)

        def take(self, request: Taken) -> None:
            """Move the device to the zone of the request."""
            with suppress(ValueError):
                self.decided.remove(request["row"])
            self.current = cells.place(request["cylinder"], request["y_bits"])
            self.tally.served += 1

    register_scheduler(name, Zoned, f"ZSPTF over {cells.count} zones, {every} requests at a time")
    return tallies


def equal_cells(device: Device, columns: int, rows: int) -> Cells:
    """Return cells of one size, as in 000."""
    region = Region.of(device)
    x, y = (
        np.linspace(0, bits, count + 1) for bits, count in ((region.columns, columns), (region.rows, rows))
    )
    return Cells(_whole(x), _whole(y))


def even_cells(device: Device, columns: int, rows: int) -> Cells:
    """Return the same number of cells, sized so that seeks from the middle to the border take equal times."""
    region = Region.of(device)
    return Cells(
        _whole(_ends(partial(reach_x_s, device), region.columns, columns, region)),
        _whole(_ends(partial(reach_y_s, device), region.rows, rows, region)),
    )


def reach_x_s(device: Device, low_m: float, high_m: float) -> float:
    """Return the time in seconds of the longer of the two seeks from the middle of a cell to its sides."""
    return float(np.max(device.seek_x_s((low_m + high_m) / 2, [low_m, high_m])))


def reach_y_s(device: Device, low_m: float, high_m: float) -> float:
    """Return the time in s of the longest seek from the middle to an end, in columns of one direction."""
    middle_m, ends_m = (low_m + high_m) / 2, [low_m, high_m]
    return max(float(np.max(device.seek_y_s(middle_m, way, ends_m, way))) for way in (-1, 1))


def _ends(reach: _Reach, bits: int, count: int, region: Region) -> list[float]:
    """Return the ends in bits of `count` cells with equal seek times from the middle to the border."""

    def metres(bit: float) -> float:
        return float(region.length_m(bit - bits / 2))

    def widest(low: float, time_s: float) -> float:
        """Return the end of the cell that begins at `low`."""
        if reach(metres(low), metres(bits)) <= time_s:
            return float(bits)
        return _border(low, bits, lambda end: reach(metres(low), metres(end)) <= time_s)[0]

    def ends(time_s: float) -> list[float]:
        found = [0.0]
        for _ in range(count):
            found.append(widest(found[-1], time_s))
        return found

    long_s = _border(0.0, reach(metres(0), metres(bits)), lambda time_s: ends(time_s)[-1] < bits)[1]
    return ends(long_s)


def _border(low: float, high: float, holds: Callable[[float], bool]) -> tuple[float, float]:
    """Return numbers just below and just above the place at which `holds` turns from true to false."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high


def _whole(ends: Sequence[float] | NDArray[np.float64]) -> tuple[int, ...]:
    return tuple(round(end) for end in ends)
