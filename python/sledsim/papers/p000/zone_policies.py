"""ZSPTF with zones of unequal sizes or several requests per decision (000 sections 6 and 7.2).

The policy is written in Python, like a user's own scheduler, as experiments vary it and need no speed.
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

#: Number of halvings that narrow an interval of cell borders to less than a bit.
_HALVINGS = 20
#: Function that takes both ends of a cell in metres, and returns the longest seek from its middle in seconds.
_Reach = Callable[[float, float], float]


@dataclass(frozen=True)
class Cells:
    """A grid of cells on the medium; the even and the odd columns of bits in a cell are two separate zones.

    Attributes:
        x: Borders of the cells along x in cylinders, from 0 to the size of the medium.
        y: Borders of the cells along y in bits, from 0 to the size of the medium.
    """

    x: tuple[int, ...]
    y: tuple[int, ...]

    def places(self, cylinder: NDArray[np.int64], y_bits: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the place of each request's zone in the order of visits, which Figure 3 of paper 000 shows.

        The order goes down the even zones of a column of cells, then up its odd zones, column after column.
        """
        column = np.searchsorted(self.x, cylinder, side="right") - 1
        row = np.searchsorted(self.y, y_bits, side="right") - 1
        rows = len(self.y) - 1
        return 2 * rows * column + np.where(cylinder % 2, rows + row, rows - 1 - row)

    def place(self, cylinder: int, y_bits: int) -> int:
        """Return the place of one request's zone in the order of visits; faster than `places` for one."""
        column, row = bisect_right(self.x, cylinder) - 1, bisect_right(self.y, y_bits) - 1
        rows = len(self.y) - 1
        return 2 * rows * column + (rows + row if cylinder % 2 else rows - 1 - row)

    @property
    def count(self) -> int:
        """Number of zones: two per cell."""
        return 2 * (len(self.x) - 1) * (len(self.y) - 1)


@dataclass
class Tally:
    """Counts of the work that a policy does in one queue.

    Attributes:
        decisions: Number of decisions; each computes the positioning times of a zone's requests.
        entries: Number of positioning times computed.
        served: Number of requests served.
    """

    decisions: int = 0
    entries: int = 0
    served: int = 0


@dataclass
class Tallies:
    """Tallies of a policy: one for each of its queues, as runs in several threads have separate queues."""

    each: list[Tally] = field(default_factory=list)

    def sum(self) -> Tally:
        """Return the sum of all tallies and reset them."""
        now, self.each = self.each, []
        return Tally(*(sum(getattr(one, name) for one in now) for name in ("decisions", "entries", "served")))


def register(name: str, cells: Cells, every: int = 1) -> Tallies:
    """Register ZSPTF over a grid of cells as a policy in this process.

    Args:
        name: Name of the policy.
        cells: Grid of cells.
        every: Number of requests that one decision chooses from a zone: those with the shortest positioning
            times from the place of the sled, served in the order of these times.

    Returns:
        The tallies of the policy.
    """
    tallies = Tallies()

    class Zoned:
        """Policy that serves zone by zone, and in each zone the requests with shortest positioning first."""

        def __init__(self) -> None:
            self.current = 0
            self.decided: deque[int] = deque()
            self.tally = Tally()
            tallies.each.append(self.tally)

        def choose(self, now_s: float, waiting: Waiting) -> int:
            """Return the index of the next request chosen; if none is left, make a decision first."""
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
            """Set the current zone to that of a request that goes to the device."""
            with suppress(ValueError):
                self.decided.remove(request["row"])
            self.current = cells.place(request["cylinder"], request["y_bits"])
            self.tally.served += 1

    register_scheduler(name, Zoned, f"ZSPTF over {cells.count} zones, {every} requests per decision")
    return tallies


def equal_cells(device: Device, columns: int, rows: int) -> Cells:
    """Return a grid of cells of one size, as in paper 000, with `columns` along x and `rows` along y."""
    region = Region.of(device)
    x, y = (
        np.linspace(0, bits, count + 1) for bits, count in ((region.columns, columns), (region.rows, rows))
    )
    return Cells(_whole(x), _whole(y))


def even_cells(device: Device, columns: int, rows: int) -> Cells:
    """Return a grid of `columns` x `rows` cells, all with equal longest seeks from their middle."""
    region = Region.of(device)
    return Cells(
        _whole(_ends(partial(reach_x_s, device), region.columns, columns, region)),
        _whole(_ends(partial(reach_y_s, device), region.rows, rows, region)),
    )


def reach_x_s(device: Device, low_m: float, high_m: float) -> float:
    """Return the time in s of the longer seek along x from the middle of a cell to its ends (in metres)."""
    return float(np.max(device.seek_x_s((low_m + high_m) / 2, [low_m, high_m])))


def reach_y_s(device: Device, low_m: float, high_m: float) -> float:
    """Return the time in s of the longest seek along y from the middle of a cell to its ends (in metres).

    Start and end of a seek have the same direction, because a zone has columns of one direction.
    """
    middle_m, ends_m = (low_m + high_m) / 2, [low_m, high_m]
    return max(float(np.max(device.seek_y_s(middle_m, way, ends_m, way))) for way in (-1, 1))


def _ends(reach: _Reach, bits: int, count: int, region: Region) -> list[float]:
    """Return borders in bits of `count` cells side by side, all with the same `reach` (longest seek in s)."""

    def metres(bit: float) -> float:
        return float(region.length_m(bit - bits / 2))

    def widest(low: float, time_s: float) -> float:
        """Return the end in bits of the widest cell from `low` whose longest seek takes at most `time_s`."""
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
    """Return two close numbers from `low` to `high`: `holds` is true at the first, false at the second."""
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low, high


def _whole(ends: Sequence[float] | NDArray[np.float64]) -> tuple[int, ...]:
    return tuple(round(end) for end in ends)
