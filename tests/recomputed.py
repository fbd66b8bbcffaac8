"""A second model of the papers' device, written from their equations and tables, independent of sledsim.

Lengths are in metres, times in seconds, directions along y are +1 and -1; bits of a region are counted from
its centre. Equations and remarks are cited by their ids (000-F4 is the fourth feature of paper 000).
"""

from __future__ import annotations

import dataclasses
import heapq
import itertools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SECTOR = 512
"""Bytes of a logical sector (001 section 2.2)."""


@dataclasses.dataclass(frozen=True)
class Sled:
    """A sled and the division of its medium; the defaults are Table 1 of 001."""

    acceleration: float = 803.6
    velocity: float = 0.028
    spring_factor: float = 0.75
    stroke: float = 100e-6
    settle: float = 0.22e-3
    bit: float = 40e-9
    tips: int = 6400
    active: int = 1280
    block_tips: int = 64
    block_bytes: int = 512
    sector_bytes: int = 8
    encoded_bits: int = 80
    servo_bits: int = 10
    by_column: bool = False
    """Whether even columns are accessed upwards only and odd ones downwards only (000-F8)."""

    # Derived: geometry (001-F1, F2).
    @property
    def cylinders(self) -> int:
        return round(self.stroke / self.bit)

    @property
    def tracks(self) -> int:
        return self.tips // self.active

    @property
    def row_bits(self) -> int:
        return self.servo_bits + self.encoded_bits

    @property
    def rows(self) -> int:
        return (self.cylinders - self.servo_bits) // self.row_bits

    @property
    def slots(self) -> int:
        return self.active // self.block_tips

    @property
    def blocks(self) -> int:
        return self.cylinders * self.tracks * self.rows * self.slots

    @property
    def row_time(self) -> float:
        """Time in which a row passes at access velocity (002-F9)."""
        return self.row_bits * self.bit / self.velocity

    # Mechanics. w^2 = k/m = s a / L, with L the half of the stroke (000-D2); c = a / w^2 (000-F4).
    @property
    def w(self) -> float:
        return math.sqrt(self.spring_factor * self.acceleration / (self.stroke / 2))

    def reversal(self, x0: Floats, x1: Floats) -> Floats:
        """Position at which the actuators reverse (000 Eq 2), for a motion towards larger x."""
        return (x0 + x1) / 2 + self.w**2 / (4 * self.acceleration) * (x1**2 - x0**2)

    def slew(self, x0: ArrayLike, x1: ArrayLike, speed: float = 0.0) -> Floats:
        """Base seek of 000 Eqs 5 and 6, between equal speeds; 002 Eqs 2 and 4 without springs."""
        a, b = np.broadcast_arrays(np.asarray(x0, dtype=np.float64), np.asarray(x1, dtype=np.float64))
        if self.spring_factor == 0.0:
            return np.asarray(
                2 * (np.sqrt(speed**2 + self.acceleration * np.abs(b - a)) - speed) / self.acceleration
            )
        mirrored = np.where(b >= a, 1.0, -1.0)
        a, b = a * mirrored, b * mirrored
        w, c, m = self.w, self.acceleration / self.w**2, self.reversal(a, b)
        if speed == 0.0:
            return np.asarray((np.arccos((m - c) / (a - c)) + np.arccos((m + c) / (b + c))) / w)
        up, down = np.hypot(a - c, speed / w), np.hypot(b + c, speed / w)
        ahead = np.arcsin((m - c) / up) - np.arcsin((a - c) / up)
        back = np.arcsin((b + c) / down) - np.arcsin((m + c) / down)
        return np.asarray((ahead + back) / w)

    def seek_x(self, x0: ArrayLike, x1: ArrayLike) -> Floats:
        """Time from rest to rest, settling included (000 Eq 5, 002 Eq 2); no distance, no settling."""
        slew = self.slew(x0, x1)
        return np.where(np.equal(x0, x1), 0.0, slew + self.settle)

    def turnaround(self, y: ArrayLike, d: ArrayLike) -> Floats:
        """Time from moving in direction d at y to moving the other way at y (000-D3, 002 Eq 5)."""
        if self.spring_factor == 0.0:
            return np.full(np.broadcast(y, d).shape, 2 * self.velocity / self.acceleration)
        c = self.acceleration / self.w**2
        return np.asarray(2 / self.w * np.arctan(self.velocity / self.w / (c + np.multiply(d, y))))

    def seek_y(self, y0: ArrayLike, d0: ArrayLike, y1: ArrayLike, d1: ArrayLike) -> Floats:
        """Time of 000 Eq 6 with its turnarounds: the first at y0, the second at y1 (000-D3, D4)."""
        ahead = np.sign(np.subtract(y1, y0))
        ahead = np.where(ahead == 0.0, d1, ahead)
        first = np.where(np.not_equal(d0, ahead), self.turnaround(y0, d0), 0.0)
        last = np.where(np.not_equal(d1, ahead), self.turnaround(y1, ahead), 0.0)
        return first + self.slew(y0, y1, self.velocity) + last

    # Places.
    def x_of(self, cylinder: ArrayLike) -> Floats:
        return np.asarray((np.asarray(cylinder, dtype=np.float64) - self.cylinders / 2) * self.bit)

    def place(self, lbn: int) -> tuple[int, int, int]:
        """Cylinder, track and row of a block: rows run back on every other track (001-F2)."""
        row, track = lbn // self.slots % self.rows, lbn // self.slots // self.rows
        return track // self.tracks, track, self.rows - 1 - row if track % 2 else row

    def ends(self, low: ArrayLike, high: ArrayLike, d: ArrayLike) -> tuple[Floats, Floats]:
        """Begin and end of a sweep over rows low to high in direction d: the servo burst comes first.

        The rows lie about the centre, on whole bits.
        """
        base = -((self.rows * self.row_bits + self.servo_bits) // 2)
        bottom = base + np.multiply(low, self.row_bits)
        top = base + np.multiply(np.add(high, 1), self.row_bits)
        begin = np.where(np.greater(d, 0), bottom, top + self.servo_bits)
        end = np.where(np.greater(d, 0), top, bottom + self.servo_bits)
        return begin * self.bit, end * self.bit

    @property
    def park(self) -> State:
        """State before the first request: over the middle cylinder, at the middle row's lower end, upward."""
        return State(0.0, float(self.ends(self.rows // 2, self.rows // 2, 1)[0]), 1)

    def directions(self, cylinder: int) -> tuple[int, ...]:
        if self.by_column:
            return (1,) if cylinder % 2 == 0 else (-1,)
        return (1, -1)

    def access(self, at: State, lbn: int, blocks: int, data: Data | None = None) -> Access:
        """Find the quickest way to access blocks; of two equally quick ways, the shorter in y.

        With `data`, which are still to arrive for a write, the way that ends first.
        """
        pieces = self.sweeps(lbn, blocks)
        best: tuple[tuple[float, float], Access] | None = None
        for ways in itertools.product(*(self.directions(cylinder) for cylinder, _, _ in pieces)):
            place, t_y = at, []
            for (cylinder, low, high), d in zip(pieces, ways, strict=True):
                begin, end = (float(y) for y in self.ends(low, high, d))
                t_y.append(float(self.seek_y(place.y, place.d, begin, d)))
                place = State(float(self.x_of(cylinder)), end, d)
            x = float(self.x_of(pieces[0][0]))
            slew, settle = (float(self.slew(at.x, x)), self.settle) if x != at.x else (0.0, 0.0)
            found = Access(slew, settle, t_y[0], tuple(t_y[1:]), pieces, self.place(lbn)[1], ways, place)
            begins = found.positioning
            if data is not None:
                begins = max(begins, data.first_row(self, lbn, blocks, found))
            key = (begins + found.switches, sum(t_y))
            if best is None or key < best[0]:
                best = (key, found)
        assert best is not None
        return best[1]

    def sweeps(self, lbn: int, blocks: int) -> tuple[tuple[int, int, int], ...]:
        """Sweeps of a request over each of its tracks, in order: cylinder, lowest and highest row."""
        found: dict[int, tuple[int, int, int]] = {}
        for block in range(lbn - lbn % self.slots, lbn + blocks, self.slots):
            cylinder, track, row = self.place(block)
            _, low, high = found.get(track, (cylinder, row, row))
            found[track] = (cylinder, min(low, row), max(high, row))
        return tuple(found.values())

    def seek_moments(self, choose: bool) -> tuple[float, float]:
        """Mean and standard deviation of max(t_x, t_y) over all pairs of cylinders, rows and directions.

        000 Eq 1 and 002-F4. A seek begins at the end of an access to a row. With `choose` it ends in the
        direction in which it ends first (001-F3), else in the direction of the column (000-F8), as it began.
        """
        x, rows = self.x_of(np.arange(self.cylinders)), np.arange(self.rows)
        t_y = {
            (d0, d1): self.seek_y(self.ends(rows, rows, d0)[1][:, None], d0, self.ends(rows, rows, d1)[0], d1)
            for d0, d1 in itertools.product((1, -1), repeat=2)
        }
        if choose:
            soonest = np.concatenate([np.minimum(t_y[d0, 1], t_y[d0, -1]).ravel() for d0 in (1, -1)])
            sums = self.same_columns(x, soonest)
        else:
            sums = self.same_columns(x[0::2], t_y[1, 1].ravel()) + self.same_columns(
                x[1::2], t_y[-1, -1].ravel()
            )
            across = self.seek_x(x[0::2, None], x[None, 1::2]).ravel()
            sums += moments_of_larger(across, np.concatenate([t_y[1, -1].ravel(), t_y[-1, 1].ravel()]))
        mean, square = sums[1] / sums[0], sums[2] / sums[0]
        return float(mean), float(math.sqrt(square - mean**2))

    def same_columns(self, x: Floats, t_y: Floats) -> Floats:
        """Moments over pairs from one set of columns; t_x is equal there and back (000-D1)."""
        first, second = np.triu_indices(len(x), 1)
        return 2 * moments_of_larger(self.seek_x(x[first], x[second]), t_y) + moments_of_larger(
            np.zeros(len(x)), t_y
        )


@dataclasses.dataclass(frozen=True)
class State:
    """Position of the sled and its direction along y, at access velocity."""

    x: float
    y: float
    d: int


@dataclasses.dataclass(frozen=True)
class Access:
    """Times and path of the sled for one request."""

    slew_x: float
    settle: float
    t_y: float
    between: tuple[float, ...]
    """Going on from each track to the next."""
    pieces: tuple[tuple[int, int, int], ...]
    """Cylinder, lowest and highest row of each track."""
    first_track: int
    ways: tuple[int, ...]
    after: State

    @property
    def positioning(self) -> float:
        """Positioning time of 000 Eq 1."""
        return max(self.slew_x + self.settle, self.t_y)

    @property
    def settling_only(self) -> float:
        """Part of the positioning time in which only settling is left."""
        return self.positioning - max(self.slew_x, self.t_y) if self.settle else 0.0

    @property
    def switches(self) -> float:
        return sum(self.between)

    @property
    def rows(self) -> int:
        return sum(high - low + 1 for _, low, high in self.pieces)

    def passes(self) -> list[tuple[tuple[int, int], int, float]]:
        """Yield track and row as they pass, with the numbers of earlier rows and of switches of tracks."""
        found: list[tuple[tuple[int, int], int, float]] = []
        switched = 0.0
        sweeps = zip(self.pieces, self.ways, (*self.between, 0.0), strict=True)
        for track, ((_, low, high), way, pause) in enumerate(sweeps, self.first_track):
            found += [
                ((track, row), len(found) + i, switched) for i, row in enumerate(range(low, high + 1)[::way])
            ]
            switched += pause
        return found


@dataclasses.dataclass(frozen=True)
class Data:
    """Data of a write that cross a bus in the order of their blocks."""

    begins: float
    """Seconds from the start of the service until they begin to cross."""
    per_block: float

    def first_row(self, sled: Sled, lbn: int, blocks: int, access: Access) -> float:
        """Earliest time of the first row such that no row has to wait for its data (001-F9)."""
        groups = range(lbn - lbn % sled.slots, lbn + blocks, sled.slots)
        there = {
            sled.place(group)[1:]: self.begins
            + (min(group + sled.slots, lbn + blocks) - lbn) * self.per_block
            for group in groups
        }
        return max(there[at] - before * sled.row_time - switched for at, before, switched in access.passes())


def first_come_first_served(
    sled: Sled, overhead_ns: int, block_ns: int, requests: Sequence[tuple[int, int, int, bool]]
) -> list[int]:
    """Completion time in ns of each request (arrival in ns, first block, blocks, whether it writes).

    Commands are processed one at a time. The bus carries in the order in which it is requested: all data of a
    write when its command is processed, each row of a read when the row has passed; 0 ns a block is no bus.
    Phases are whole nanoseconds.
    """
    ready: list[int] = []
    for arrival, *_ in requests:
        ready.append(max(arrival, ready[-1] if ready else 0) + overhead_ns)
    asks = [(ready[i], i, n) for i, (_, _, n, writes) in enumerate(requests) if writes]
    heapq.heapify(asks)
    crosses: dict[int, int] = {}
    """When the data of a request began to cross, of a read those of its last row so far."""
    bus = [0]

    def carry(until: int) -> None:
        while block_ns and asks and asks[0][0] <= until:
            asked, i, blocks = heapq.heappop(asks)
            crosses[i] = max(bus[0], asked)
            bus[0] = crosses[i] + blocks * block_ns
            done[i] = max(done[i], bus[0])

    done, free, at = [0] * len(requests), 0, sled.park
    for i, (_, lbn, blocks, writes) in enumerate(requests):
        start, data = max(ready[i], free), None
        if writes and block_ns:
            carry(ready[i])
            data = Data((crosses[i] - start) * 1e-9, block_ns * 1e-9)
        access = sled.access(at, lbn, blocks, data)
        at = access.after
        begins = start + round(access.positioning * 1e9)
        if data is not None:
            begins = max(begins, start + round(data.first_row(sled, lbn, blocks, access) * 1e9))
        switches = sum(round(t * 1e9) for t in access.between)
        free = begins + round(access.rows * sled.row_time * 1e9) + switches
        done[i] = free
        if block_ns and not writes:
            for where, before, switched in access.passes():
                wanted = sum(sled.place(block)[1:] == where for block in range(lbn, lbn + blocks))
                passed = begins + round((before + 1) * sled.row_time * 1e9) + round(switched * 1e9)
                heapq.heappush(asks, (passed, i, wanted))
    carry(max(ask[0] for ask in asks) if asks else 0)
    return done


def moments_of_larger(left: Floats, right: Floats) -> Floats:
    """Number of pairs, and the sums of the larger of each pair and of its square."""
    ordered = np.sort(left)
    below = np.searchsorted(ordered, right)
    sums = [np.concatenate([[0.0], np.cumsum(ordered**power)]) for power in (1, 2)]
    found = [np.sum(below * right**power + sums[power - 1][-1] - sums[power - 1][below]) for power in (1, 2)]
    return np.array([float(len(left) * len(right)), *found])


def one_time_constant(frequency: float) -> float:
    """Settling time of 002 Eq 3, with one time constant."""
    return 1 / (2 * math.pi * frequency)


OSDI00 = Sled()
"""001 Table 1."""
MASCOTS03 = Sled(settle=0.215e-3, by_column=True)
"""000 Table 1 and section 7.2."""
ZONES = Sled(stroke=96e-6, settle=0.215e-3, by_column=True)
"""000 section 7.2: 96 um of travel."""
SIGMETRICS00 = Sled(
    acceleration=114.8,
    velocity=0.020,
    spring_factor=0.0,
    settle=one_time_constant(220.0),
    bit=50e-9,
    by_column=True,
)
"""002 Table 1."""
HONG03 = Sled(
    acceleration=1033.2,
    velocity=0.030,
    stroke=90e-6,
    settle=one_time_constant(1108.5),
    bit=30e-9,
    active=3200,
)
"""003 Table 1."""


def mobile(probes: int, sectors: int, sector_bytes: int) -> Sled:
    """Device of 004 in a format; acceleration and springs as in docs/how-to/design.md (004-D6)."""
    subsector = subsector_bits(probes, sectors, sector_bytes)
    return Sled(
        acceleration=130.0,
        velocity=40e-9 * 40e3,
        spring_factor=0.5,
        settle=0.0,
        tips=4096,
        active=probes,
        block_tips=probes // sectors,
        block_bytes=sector_bytes,
        sector_bytes=0,
        encoded_bits=subsector,
        servo_bits=0,
    )


def subsector_bits(probes: int, sectors: int, sector_bytes: int) -> int:
    """Bits of a subsector by 004 Eqs 1 and 4: data and ECC of a sector over K probes, and three bits."""
    data = 8 * sector_bytes
    return math.ceil((data + math.ceil(data / 8)) / (probes / sectors)) + 3
