"""A small model of a disk with rules of destage, which serves requests in the order of arrival."""

import math
from dataclasses import dataclass, field

READ, WRITE, FUA, FLUSH = range(4)
TURN = 60_000_000_000  # units of angle in a turn: rpm units pass in each nanosecond
LATE = 3  # ns by which a head may be late, as times are rounded


@dataclass
class Extent:
    lbn: int
    end: int
    since: int  # time at which its oldest data had crossed the bus


@dataclass
class Drive:
    """Settings in ns and blocks; one zone with `spt` sectors a track, heads in the same order everywhere."""

    rpm: int
    spt: int
    surfaces: int
    skews: tuple  # of tracks and of cylinders
    seeks: list  # by distance in cylinders
    head_switch: int
    settle: int
    command: int
    overheads: dict  # by "read_hit", "read_miss" or "write_hit", and the operation before
    completion: tuple  # of reads and of writes
    bus: int  # for a block of a write
    zero_latency: tuple  # of reads and of writes
    read_hits_on_writes: bool
    flush_fixed: int
    rule: str
    order: str
    after: int
    watermark: float
    room: int
    write_back: bool = True
    segments: int = 1
    free: int = 0  # time at which the medium is free
    track: tuple = (0, 0)
    dirty: list = field(default_factory=list)  # extents in the order of age
    cached: list = field(
        default_factory=list
    )  # segments (lbn, end, operation), the least recently used first
    last: int = READ
    next_write: int = -1
    completed: int = 0
    moving: tuple = (0, 0)  # end and blocks of the last destage

    # Mechanics

    def place(self, lbn):
        """The track of a block, its angle in sectors, and the number of blocks up to the end of the track."""
        track, within = divmod(lbn, self.spt)
        cylinder, head = divmod(track, self.surfaces)
        turned = cylinder * self.skews[1] + (cylinder * (self.surfaces - 1) + head) * self.skews[0]
        return (cylinder, head), (turned + within) % self.spt, self.spt - within

    def pass_track(self, now, lbn, end, write, data=None):
        """Access blocks of a track. `data` is the first block of a write and the time at which its data come.

        Returns the time at which block `lbn` begins to pass, the end, the track, and the next block.
        """
        to, slot, rest = self.place(lbn)
        blocks = min(rest, end - lbn)
        move = max(self.seeks[abs(self.track[0] - to[0])], self.head_switch * (self.track[1] != to[1]))
        if write and self.track != to:
            move = max(0, move + self.settle)
        there = now + move
        turn, sector = TURN / self.rpm, TURN / self.rpm / self.spt
        ahead = (slot * TURN // self.spt - (there - LATE) * self.rpm) % TURN
        first_at = max(0, there + (ahead + self.rpm // 2) // self.rpm - LATE)

        def turns(block):
            """Turns after `first_at` in which a block can pass first."""
            can = there - first_at if self.zero_latency[write] else block * sector
            if data:
                can = max(can, data[1] + (lbn + block + 1 - data[0]) * self.bus - first_at + sector)
            return math.ceil((can - block * sector - LATE) / turn)

        first, last, late = turns(0), turns(blocks - 1), blocks
        if self.zero_latency[write] and last < first:
            late = next(n for n in range(1, blocks) if turns(n) < first)
        first_at += round(max(first, last) * turn)
        return first_at, first_at + round(late * sector), to, lbn + blocks

    def access(self, now, lbn, end, write, data_at=None):
        """Read or write blocks on the medium from `now` on, or as soon as the medium is free."""
        self.free = max(now, self.free)
        data = None if data_at is None else (lbn, data_at)
        while lbn < end:
            _, self.free, self.track, lbn = self.pass_track(self.free, lbn, end, write, data)

    # Data that wait in the cache

    def waiting(self):
        return sum(one.end - one.lbn for one in self.dirty)

    def cut(self, lbn, end):
        """Drop waiting data that newer data replace."""
        rests = [
            Extent(a, b, one.since)
            for one in self.dirty
            for a, b in ((one.lbn, min(one.end, lbn)), (max(one.lbn, end), one.end))
        ]
        self.dirty = [one for one in rests if one.lbn < one.end]

    def add(self, lbn, end, since):
        """Add data; an extent that they touch grows and keeps its age."""
        touching = [one for one in self.dirty if one.lbn == end or one.end == lbn]
        at = self.dirty.index(touching[0]) if touching else len(self.dirty)
        self.dirty = [one for one in self.dirty if one not in touching]
        whole = [*touching, Extent(lbn, end, since)]
        grown = [
            min(one.lbn for one in whole),
            max(one.end for one in whole),
            min(one.since for one in whole),
        ]
        self.dirty.insert(at, Extent(*grown))

    def destage(self, now, extent=None):
        """Move an extent to the medium: a given one, or the one whose turn it is."""
        now = max(now, self.free)
        if extent is None:
            extent = self.dirty[0]
            if self.order == "nearest":
                begins = {
                    one.lbn: self.pass_track(now, one.lbn, one.lbn + 1, write=True)[0]
                    for one in self.dirty[:256]
                }
                extent = min(self.dirty[:256], key=lambda one: begins[one.lbn])
        self.dirty.remove(extent)
        old = [one for one in self.cached if one[2] == READ and one[0] < extent.end and extent.lbn < one[1]]
        self.cached = [one for one in self.cached if one not in old]
        self.access(now, extent.lbn, extent.end, write=True)
        self.moving = (self.free, extent.end - extent.lbn)

    def destage_at(self):
        """Time at which the rule next moves an extent if no request comes."""
        if not self.dirty:
            return math.inf
        idle = max(self.free, self.completed)
        if self.rule == "idle":
            return max(idle, self.completed + self.after)
        if self.rule == "age":
            return max(idle, self.dirty[0].since + self.after)
        return (
            idle
            if self.rule == "watermark" and self.waiting() > round(self.watermark * self.room, 6)
            else math.inf
        )

    # Requests

    def serve(self, now, lbn, blocks, kind):
        """Serve a request that starts at `now`; return its completion."""
        while (at := self.destage_at()) < now:
            self.destage(at)
        now += self.command
        if kind == FLUSH:
            while self.dirty:
                self.destage(now)
            self.completed = max(now, self.free) + self.flush_fixed
            return self.completed
        serve = self.read if kind == READ else self.write
        self.completed = serve(now, lbn, lbn + blocks, kind) + self.completion[kind != READ]
        self.last = int(kind != READ)
        return self.completed

    def read(self, now, lbn, end, _kind):
        found = next((one for one in self.cached[::-1] if one[0] <= lbn and end <= one[1]), None)
        is_dirty = any(one.lbn <= lbn and end <= one.end for one in self.dirty)
        if (self.read_hits_on_writes and is_dirty) or found:
            if found:
                self.keep(found)
            return now + self.overheads["read_hit", self.last]
        while touched := [one for one in self.dirty if one.lbn < end and lbn < one.end]:
            self.destage(now, min(touched, key=lambda one: one.lbn))
        front = next((one for one in self.cached[::-1] if one[0] <= lbn < one[1] and one[2] == READ), None)
        self.access(
            now + self.overheads["read_miss", self.last], front[1] if front else lbn, end, write=False
        )
        self.cached = [one for one in self.cached if one != front]
        self.keep((front[0] if front else lbn, end, READ))
        return self.free

    def write(self, now, lbn, end, kind):
        now += self.overheads["write_hit", self.last]
        self.cached = [one for one in self.cached if one[1] <= lbn or end <= one[0]]
        if self.read_hits_on_writes:
            self.cached = [one for one in self.cached if one[2] == READ]
            self.keep((lbn, end, WRITE))
        is_sequential, self.next_write = lbn == self.next_write, end
        self.cut(lbn, end)
        stays = kind == WRITE and self.write_back
        if stays and end - lbn <= self.room:
            while self.waiting() + self.moving[1] * (self.moving[0] > now) + end - lbn > self.room:
                if self.moving[0] > now:
                    now = self.moving[0]
                else:
                    self.destage(now)
            crossed = now + (end - lbn) * self.bus
            self.add(lbn, end, crossed)
            return crossed
        if self.write_back and not is_sequential:
            now = max(now, self.free)
        self.access(now, lbn, end, write=True, data_at=now)
        return now + (end - lbn) * self.bus if stays else self.free

    def keep(self, segment):
        self.cached = ([one for one in self.cached if one != segment] + [segment])[-self.segments :]


def simulate(drive, requests):
    """Completion of each request; requests are rows of arrival, first block, blocks and kind."""
    done, left, free = [0] * len(requests), list(range(len(requests))), -1
    while left:
        # A flush goes before other requests that wait at the host.
        flushes = (n for n in left if requests[n][3] == FLUSH and requests[n][0] < free)
        n = next(flushes, left[0])
        left.remove(n)
        arrival, *what = requests[n]
        if what[-1] == FLUSH and not drive.write_back:
            done[n] = arrival
            continue
        free = done[n] = drive.serve(max(free, arrival), *what)
    return done
