"""Order and times of service: policies of 000 and 001 in an event simulation of this model.

Requests are for one block each, so that a service is a positioning (000 Eq 1) and a row (002-F9). Commands
take 0.2 ms, one after the other; the bus carries 100 MB/s in the order of its requests (001 Table 1).
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

import sledsim

from ..recomputed import HONG03, OSDI00, ZONES, Floats, Ints, Sled, State

OVERHEAD_NS = 200_000
BUS_NS = 5_120
"""512 bytes at 100 MB/s."""


@dataclasses.dataclass
class Requests:
    """Requests of one block each."""

    arrival: Ints
    lbn: Ints
    write: Ints

    def trace(self) -> sledsim.Trace:
        blocks = np.ones(len(self.lbn), dtype=np.int32)
        return sledsim.Trace(self.arrival, self.lbn, blocks, self.write.astype(np.uint8))


@dataclasses.dataclass
class Choice:
    """Inputs of a policy: the waiting requests, oldest first."""

    positioning: Floats
    """Seconds until each can be accessed, the wait for the data of a write included."""
    waited: Floats
    """Seconds since each arrived."""
    lbn: Ints
    zone: Ints
    last: int
    """The block served last."""
    zone_now: int
    late: NDArray[np.bool_]
    """Whether each was not known when the visit to this zone began."""


def fcfs(seen: Choice) -> int:
    return 0


def sptf(seen: Choice) -> int:
    return int(np.argmin(seen.positioning))


def asptf(seen: Choice) -> int:
    """Policy of 000 Eq 7 with w = 5."""
    return int(np.argmin(seen.positioning - 5 / 1000 * seen.waited))


def clook(seen: Choice) -> int:
    """Serve upwards by block number; start again from the lowest at the end (001-F13, 000-D8)."""
    return int(np.argmin(np.where(seen.lbn >= seen.last, seen.lbn, seen.lbn + (1 << 40))))


def zsptf(seen: Choice) -> int:
    """Serve the visited zone, else the next one with a waiting request, by SPTF (000-F10)."""
    steps = (seen.zone - seen.zone_now) % ZONE_COUNT
    return int(np.argmin(np.where(steps == steps.min(), seen.positioning, np.inf)))


def zfcfs(seen: Choice) -> int:
    """Serve the visited zone, else the next with a waiting request, first come, first served (000-F12)."""
    steps = (seen.zone - seen.zone_now) % ZONE_COUNT
    return int(np.argmin(steps))


def ztsptf(seen: Choice) -> int:
    """Serve in a visit what waited when it began (000-F11); the next visit may be to the same zone."""
    steps = (seen.zone - seen.zone_now) % ZONE_COUNT
    steps = np.where((steps == 0) & seen.late, ZONE_COUNT, steps)
    return int(np.argmin(np.where(steps == steps.min(), seen.positioning, np.inf)))


def sstf(seen: Choice) -> int:
    """Serve the nearest to the block behind the last one (001-F13)."""
    return int(np.argmin(np.abs(seen.lbn - (seen.last + 1))))


def sstf_by_track(seen: Choice) -> int:
    """Serve the nearest in tracks (000-F16)."""
    per_track = ZONES.slots * ZONES.rows
    return int(np.argmin(np.abs(seen.lbn // per_track - seen.last // per_track)))


POLICIES: dict[str, Callable[[Choice], int]] = {
    "fcfs": fcfs,
    "sptf": sptf,
    "asptf:weight=5": asptf,
    "zsptf:zone=120x1200": zsptf,
    "zfcfs:zone=120x1200": zfcfs,
    "clook_lbn": clook,
    "cscan": clook,
    "ztsptf:zone=120x1200": ztsptf,
    "sstf_lbn": sstf,
    "sstf_track": sstf_by_track,
}

ZONE_WIDTH, ZONE_HEIGHT = 120, 1200
CELLS_UP = 2400 // ZONE_HEIGHT
ZONE_COUNT = 2400 // ZONE_WIDTH * CELLS_UP * 2


def zone_of(cylinder: Ints, y_bits: ArrayLike) -> Ints:
    """Order of zones: down over the even columns of a column of cells, up over the odd (000-F14)."""
    up = np.floor_divide(y_bits, ZONE_HEIGHT).astype(np.int64)
    within = np.where(cylinder % 2 == 0, CELLS_UP - 1 - up, CELLS_UP + up)
    return np.asarray(cylinder // ZONE_WIDTH * 2 * CELLS_UP + within)


class Medium:
    """Places of the requests, and seek times to them."""

    def __init__(self, sled: Sled, lbn: Ints) -> None:
        self.sled = sled
        track = lbn // sled.slots // sled.rows
        self.cylinder = track // sled.tracks
        row = lbn // sled.slots % sled.rows
        self.row = np.where(track % 2 == 1, sled.rows - 1 - row, row)
        self.x = sled.x_of(self.cylinder)
        self.ends = {d: sled.ends(self.row, self.row, d) for d in (1, -1)}
        self.at = sled.park

    def zones(self) -> Ints:
        sled = self.sled
        spare = (sled.cylinders - sled.rows * sled.row_bits - sled.servo_bits) / 2
        middle = self.row * sled.row_bits + sled.servo_bits + sled.encoded_bits / 2
        return zone_of(self.cylinder, spare + middle)

    def seek(self, those: Ints, data: Floats) -> tuple[Floats, Ints]:
        """Seconds to each, and the direction; `data` is the arrival of the data of a write."""
        at, sled = self.at, self.sled
        t_x = sled.seek_x(at.x, self.x[those])
        if sled.by_column:
            d = np.where(self.cylinder[those] % 2 == 0, 1, -1)
            begin = np.where(d > 0, self.ends[1][0][those], self.ends[-1][0][those])
            return np.maximum(t_x, sled.seek_y(at.y, at.d, begin, d)), d
        up, down = (sled.seek_y(at.y, at.d, self.ends[d][0][those], d) for d in (1, -1))
        up_begins, down_begins = (np.maximum(np.maximum(t_x, t_y), data) for t_y in (up, down))
        upwards = (up_begins < down_begins) | ((up_begins == down_begins) & (up <= down))
        return np.maximum(t_x, np.where(upwards, up, down)), np.where(upwards, 1, -1)

    def go(self, i: int, d: int) -> None:
        self.at = State(float(self.x[i]), float(self.ends[d][1][i]), d)


class Bus:
    """A bus that carries one block after the other, in order of request."""

    def __init__(self) -> None:
        self.free = 0
        self.passed: tuple[int, int] | None = None
        """When the row of the last read has passed, and of which request it is: it asks then."""

    def carry(self, asked: int) -> int:
        self.free = max(self.free, asked) + BUS_NS
        return self.free

    def reads(self, until: float, done: Ints) -> None:
        if self.passed is not None and self.passed[0] <= until:
            done[self.passed[1]] = self.carry(self.passed[0])
            self.passed = None


def commands(arrival: Ints) -> Ints:
    """Times at which requests are known: commands are processed one after the other."""
    ready: list[int] = []
    for came in arrival.tolist():
        ready.append(max(came, ready[-1] if ready else 0) + OVERHEAD_NS)
    return np.array(ready)


def serve(sled: Sled, requests: Requests, choose: Callable[[Choice], int]) -> tuple[list[int], Ints]:
    """Return the order in which requests are served, and the duration of each service in ns."""
    count = len(requests.lbn)
    medium, bus, ready = Medium(sled, requests.lbn), Bus(), commands(requests.arrival)
    zone = medium.zones() if sled is ZONES else np.zeros(count, dtype=np.int64)
    row_ns = round(sled.row_time * 1e9)
    data_there, done = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
    waiting: list[int] = []
    served: list[int] = []
    free, last, zone_now, coming, visit = 0, 0, 0, 0, 0
    while len(served) < count:
        now = max(free, int(ready[waiting[0] if waiting else coming]))
        while coming < count and ready[coming] <= now:
            bus.reads(int(ready[coming]), done)
            if requests.write[coming]:
                data_there[coming] = bus.carry(int(ready[coming]))
            waiting.append(coming)
            coming += 1
        bus.reads(now, done)
        those = np.array(waiting)
        data = (data_there[those] - now) * 1e-9
        positioning, ways = medium.seek(those, data)
        late = ready[those] > visit
        seen = Choice(
            np.maximum(positioning, data),
            (now - requests.arrival[those]) * 1e-9,
            requests.lbn[those],
            zone[those],
            last,
            zone_now,
            late,
        )
        chosen = choose(seen)
        if zone[those[chosen]] != zone_now or late[chosen]:
            visit = now
        i = waiting.pop(chosen)
        free = max(now + round(float(positioning[chosen]) * 1e9), int(data_there[i])) + row_ns
        if requests.write[i]:
            done[i] = free
        else:
            bus.passed = (free, i)
        medium.go(i, int(ways[chosen]))
        last, zone_now = int(requests.lbn[i]), int(zone[i])
        served.append(i)
    bus.reads(np.inf, done)
    return served, done - requests.arrival


@functools.cache
def requests_at(sled: Sled, rate: int, count: int, seed: int) -> Requests:
    """Exponential times between arrivals, anywhere on the device, two thirds reads (001-F11)."""
    rng = np.random.default_rng(seed)
    arrival = np.cumsum(np.rint(rng.exponential(1e9 / rate, count))).astype(np.int64)
    lbn = rng.integers(0, sled.blocks, count)
    return Requests(arrival, lbn, (rng.random(count) < 0.33).astype(np.int64))


@pytest.mark.dear(
    "many requests are simulated and computed again", every_change=[f"{policy}-1800" for policy in POLICIES]
)
@pytest.mark.parametrize("rate", [800, 1500, 1800])
@pytest.mark.parametrize("policy", POLICIES)
def test_every_request_is_served_in_its_turn_and_at_its_time(policy: str, rate: int) -> None:
    """000-F10, F12, F16, Eq 7 and 001-F13: the order, and every response time in ns."""
    requests = requests_at(ZONES, rate, 1200, rate)
    compare(ZONES, "mascots03-zones", requests, policy)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@pytest.mark.parametrize(
    ("name", "sled", "rate"), [("osdi00", OSDI00, 1600), ("hong03", HONG03, 2300)], ids=["osdi00", "hong03"]
)
@pytest.mark.parametrize("policy", ["sptf", "asptf:weight=5", "sstf_lbn"])
def test_the_same_where_rows_may_be_accessed_either_way(
    policy: str, name: str, sled: Sled, rate: int
) -> None:
    """001-F3, F13, C20: the sooner direction, and of two equal ones that of the shorter way."""
    compare(sled, name, requests_at(sled, rate, 1000, rate), policy)


def compare(sled: Sled, name: str, requests: Requests, policy: str) -> None:
    order, response = serve(sled, requests, POLICIES[policy])
    run = sledsim.simulate(sledsim.device(name), requests.trace(), policy)
    assert list(np.argsort(run.columns["start_ns"], kind="stable")) == order
    np.testing.assert_array_equal(run.response_ns, response)
