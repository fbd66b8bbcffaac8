"""Requests of the hierarchies of 003 to their devices, and response times: maps and a log of this model.

The MEMS device is the G3 of 003 with the overhead and the bus of 001 Table 1, first come first served; parts
of a request go to a device in the order of their sectors.
"""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

import sledsim

from ..recomputed import HONG03, Ints, first_come_first_served

OVERHEAD_NS = 200_000
BUS_NS = 5_120
NEVER_MS = 3.6e6


@dataclasses.dataclass
class Part:
    """Sectors of one request that lie side by side on one device."""

    first: int
    count: int
    there: bool
    """On the MEMS device."""


def parts_of(lbn: int, blocks: int, log: dict[int, int]) -> list[Part]:
    """Sectors that are contiguous, in the log or on the disk (003-F4, D6)."""
    found: list[Part] = []
    for sector in range(lbn, lbn + blocks):
        place, there = log.get(sector, sector), sector in log
        last = found[-1] if found else None
        if last is not None and last.there == there and last.first + last.count == place:
            last.count += 1
        else:
            found.append(Part(place, 1, there))
    return found


def crowded(count: int, seed: int) -> tuple[Ints, Ints, np.ndarray[tuple[int], np.dtype[np.bool_]], Ints]:
    """Requests for up to 24 sectors out of a few thousand, far apart in time; half of them write."""
    rng = np.random.default_rng(seed)
    arrival = np.cumsum(rng.integers(80_000_000, 120_000_000, count))
    return arrival, rng.integers(1000, 4000, count), rng.random(count) < 0.5, rng.integers(1, 25, count)


def disk_alone(arrival: list[int], lbn: list[int], blocks: list[int], write: list[bool]) -> Ints:
    """Response times of the disk of 003-F1 under these requests alone."""
    trace = sledsim.Trace(
        np.array(arrival), np.array(lbn), np.array(blocks, dtype=np.int32), np.array(write, dtype=np.uint8)
    )
    return np.asarray(sledsim.simulate(sledsim.device("atlas10k"), trace, "fcfs").response_ns)


def test_write_buffer() -> None:
    """003-F4, D6, D7: hits, parts and misses, every response time, and the counters of the volume.

    A write of n sectors is appended as n + 1, from sector 1 of the log on; nothing is cleaned
    (docs/reference/volumes.md).
    """
    count = 700
    arrival, lbn, write, blocks = crowded(count, 4)
    trace = sledsim.Trace(arrival, lbn, blocks.astype(np.int32), write.astype(np.uint8))
    run = sledsim.simulate(sledsim.volume("mcd", clean_after_ms=NEVER_MS), trace, "fcfs")

    log: dict[int, int] = {}
    head = 1
    where, parts = [], []
    to_mems: list[tuple[int, int, int, bool]] = []
    to_disk: list[tuple[int, int, int, int]] = []
    of: list[int] = []
    for i, (when, first, n, writes) in enumerate(
        zip(arrival.tolist(), lbn.tolist(), blocks.tolist(), write.tolist(), strict=True)
    ):
        if writes:
            to_mems.append((when, head, n + 1, True))
            of.append(i)
            log.update({first + k: head + k for k in range(n)})
            head += n + 1
            where.append("mems")
            parts.append(1)
            continue
        pieces = parts_of(first, n, log)
        here = [piece for piece in pieces if piece.there]
        to_mems += [(when, piece.first, piece.count, False) for piece in here]
        of += [i] * len(here)
        to_disk += [(i, when, piece.first, piece.count) for piece in pieces if not piece.there]
        where.append("mems" if len(here) == len(pieces) else "disk+mems" if here else "disk")
        parts.append(len(pieces))
    done = [0] * count
    for i, end in zip(of, first_come_first_served(HONG03, OVERHEAD_NS, BUS_NS, to_mems), strict=True):
        done[i] = max(done[i], end)
    requests, came, sectors, sizes = (list(column) for column in zip(*to_disk, strict=True))
    answered = disk_alone(came, sectors, sizes, [False] * len(came))
    for i, when, response in zip(requests, came, answered.tolist(), strict=True):
        done[i] = max(done[i], when + response)

    assert run.requests["where"].to_pylist() == where
    kinds = {kind: where.count(kind) for kind in ("mems", "disk+mems", "disk")}
    assert min(kinds.values()) > 20, kinds
    assert run.columns["parts"].tolist() == parts
    np.testing.assert_array_equal(run.response_ns, np.array(done) - arrival)

    counts = run.volumes[""]
    hits = sum(not w and at == "mems" for w, at in zip(write, where, strict=True))
    assert counts["reads"] == (~write).sum()
    assert counts["writes"] == write.sum()
    assert counts["read_hits"] == hits
    assert counts["disk_read_sectors"] == sum(sizes)
    assert counts["log_read_sectors"] == blocks[~write].sum() - sum(sizes)
    assert counts["appends"] == counts["appended_writes"] == write.sum()
    assert counts["appended_sectors"] == blocks[write].sum()
    assert counts["mapped_sectors"] == counts["dirty_sectors"] == len(log)


def metadata_and_data(count: int, seed: int) -> sledsim.Trace:
    """Metadata in the first sectors of the disk, data elsewhere; so near that the disk has a queue."""
    rng = np.random.default_rng(seed)
    metadata = rng.random(count) < 0.3
    lbn = np.where(metadata, rng.integers(0, 5000, count), rng.integers(10_000, 12_000, count))
    far = rng.random(count) < 0.5
    lbn = np.where(far & ~metadata, rng.integers(20_000, 17_000_000, count), lbn)
    return sledsim.Trace(
        np.cumsum(rng.integers(4_000_000, 9_000_000, count)),
        lbn,
        rng.integers(1, 33, count).astype(np.int32),
        (rng.random(count) < 0.5).astype(np.uint8),
        metadata=metadata,
    )


def test_metadata_beside_the_disk() -> None:
    """003-F2: flagged requests go to the MEMS device, all others to a disk without metadata."""
    trace = metadata_and_data(1500, 6)
    run = sledsim.simulate(sledsim.volume("mmd", flush_every_s=0), trace, "fcfs")
    assert run.requests["where"].to_pylist() == ["mems" if m else "disk" for m in trace.metadata]
    rest = ~trace.metadata
    columns = (trace.arrival_ns, trace.lbn, trace.blocks, trace.write)
    alone = disk_alone(*(column[rest].tolist() for column in columns))
    np.testing.assert_array_equal(run.response_ns[rest], alone)
    assert run.volumes[""]["metadata_requests"] == trace.metadata.sum()


def test_metadata_and_write_buffer() -> None:
    """003-F5: the disk gets only reads of sectors that are neither metadata nor in the log."""
    trace = metadata_and_data(1500, 7)
    volume = sledsim.volume("mmcd", flush_every_s=0, clean_after_ms=NEVER_MS)
    run = sledsim.simulate(volume, trace, "fcfs")
    log: dict[int, int] = {}
    head, where = 1, []
    to_disk: list[tuple[int, int, int, int]] = []
    columns = (trace.arrival_ns, trace.lbn, trace.blocks, trace.write, trace.metadata)
    for i, (when, first, n, writes, metadata) in enumerate(zip(*(c.tolist() for c in columns), strict=True)):
        if metadata or writes:
            where.append("mems")
            if writes and not metadata:
                log.update({first + k: head + k for k in range(n)})
                head += n + 1
            continue
        pieces = parts_of(first, n, log)
        missed = [piece for piece in pieces if not piece.there]
        to_disk += [(i, when, piece.first, piece.count) for piece in missed]
        where.append("mems" if not missed else "disk" if len(missed) == len(pieces) else "disk+mems")
    assert run.requests["where"].to_pylist() == where
    assert min(where.count(kind) for kind in ("mems", "disk", "disk+mems")) > 20
    requests, came, sectors, sizes = (list(column) for column in zip(*to_disk, strict=True))
    answered = disk_alone(came, sectors, sizes, [False] * len(came))
    whole = [k for k, i in enumerate(requests) if where[i] == "disk"]
    np.testing.assert_array_equal(run.response_ns[[requests[k] for k in whole]], answered[whole])
    counts = run.volumes[""]
    assert counts["metadata_requests"] == trace.metadata.sum()
    assert counts["appended_writes"] == np.sum(trace.write & ~trace.metadata)
    assert counts["mapped_sectors"] == len(log)


class Beside:
    """Metadata beside a disk as in docs/reference/volumes.md, sector by sector."""

    def __init__(self, slots: int, unit: int, zone: int, mapping: str, at_start: str) -> None:
        self.slots, self.unit, self.zone, self.mapping, self.at_start = slots, unit, zone, mapping, at_start
        self.units: set[int] = set()
        self.written_before: set[int] = set()
        self.there: set[int] = set()
        names = ("metadata_hits", "metadata_area_sectors", "other_sectors", "moved_sectors")
        self.counts = dict.fromkeys((*names, "fetched_sectors", "units_without_room"), 0)

    def has_slot(self, unit: int, metadata: bool) -> bool:
        if self.mapping == "direct":
            group, at = divmod(unit * self.unit, 10 * self.zone)
            return at < self.zone and (group * self.zone + at) // self.unit < self.slots
        if unit not in self.units and metadata and len(self.units) < self.slots:
            self.units.add(unit)
        return unit in self.units

    def serve(self, first: int, count: int, writes: bool, metadata: bool) -> str:
        """Serve a request, and return its devices."""
        where, is_hit, counts = set(), True, self.counts
        for unit in range(first // self.unit, (first + count - 1) // self.unit + 1):
            has_slot = self.has_slot(unit, metadata)
            counts["units_without_room"] += metadata and not has_slot
            if writes and not has_slot:
                self.written_before.add(unit)
            has_copy = has_slot and self.at_start == "mems" and unit not in self.written_before
            comes = has_slot and (metadata or has_copy or self.mapping == "direct")
            for sector in range(max(first, unit * self.unit), min(first + count, (unit + 1) * self.unit)):
                is_valid = sector in self.there
                is_served = is_valid or (comes if writes else has_copy)
                is_hit &= is_valid or (has_copy and not writes)
                where.add("mems" if is_served else "disk")
                is_moved = comes and not is_valid and (writes or not has_copy)
                is_fetched = is_moved and not writes
                counts["metadata_area_sectors"] += is_served or is_fetched
                counts["other_sectors"] += not is_served
                counts["moved_sectors"] += is_moved
                counts["fetched_sectors"] += is_fetched
                if is_moved:
                    self.there.add(sector)
        counts["metadata_hits"] += metadata and is_hit
        return "+".join(sorted(where))


def test_metadata_and_data_in_the_same_units() -> None:
    """Devices and counters of each request, for any earlier access to its sectors."""
    rng = np.random.default_rng(16)
    kinds = [(mapping, at) for mapping in ("table", "direct") for at in ("mems", "disk")]
    for (mapping, at_start), table, count in itertools.product(kinds, ("device", "memory"), (8, 60)):
        unit_kib, n = int(rng.choice([1, 8, 16])), 120
        zones = {"zone_kib": 64, "zone_every_kib": 640} if mapping == "direct" else {}
        first, blocks = rng.integers(0, 3000, n), rng.integers(1, count, n)
        write, metadata = rng.random(n) < 0.5, rng.random(n) < 0.5
        arrival = np.arange(n) * 400_000_000
        trace = sledsim.Trace(arrival, first, blocks.astype(np.int32), write, metadata=metadata)
        volume = sledsim.volume(
            "mmd",
            mapping=mapping,
            at_start=at_start,
            table=table,
            unit_kib=unit_kib,
            metadata_mb=0.5,
            flush_every_s=0,
            **zones,
        )
        run = sledsim.simulate(volume, trace, "fcfs")
        counts = run.volumes[""]
        model = Beside(int(counts["metadata_slots"]), 2 * unit_kib, 128, mapping, at_start)
        columns = (first, blocks, write, metadata)
        where = [model.serve(*request) for request in zip(*(c.tolist() for c in columns), strict=True)]
        assert run.requests["where"].to_pylist() == where
        assert {name: counts[name] for name in model.counts} == model.counts


@pytest.mark.dear("many requests are simulated and computed again")
def test_metadata_mapped_by_arithmetic() -> None:
    """003-F6, D4: sector o of zone g lies at 256 g + o of the area, which begins behind its table.

    The documents do not state the length of the table: it has at most the room beside the area's slots.
    """
    count = 200
    rng = np.random.default_rng(9)
    zone, offset = rng.integers(0, 4000, count), rng.integers(0, 240, count)
    blocks = rng.integers(1, 17, count)
    arrival = np.arange(1, count + 1) * 30_000_000
    trace = sledsim.Trace(
        arrival, zone * 4352 + offset, blocks.astype(np.int32), metadata=np.ones(count, dtype=np.bool_)
    )
    run = sledsim.simulate(sledsim.volume("mmd", flush_every_s=0, mapping="direct"), trace, "fcfs")
    assert set(run.requests["where"].to_pylist()) == {"mems"}
    done = (arrival + run.response_ns).tolist()

    def holds(table: int, first: int) -> bool:
        columns = (arrival[:first], table + 256 * zone + offset, blocks, np.zeros(count, dtype=np.bool_))
        requests = list(zip(*(column.tolist() for column in columns), strict=False))
        ends = first_come_first_served(HONG03, OVERHEAD_NS, BUS_NS, requests)
        return all(own == end for own, end in zip(ends, done, strict=False))

    room = int(1_000_000_000 // 512 - run.volumes[""]["metadata_slots"] * 16)
    assert 0 < room < 4096
    tables = [table for table in range(room + 1) if holds(table, 1) and holds(table, 8)]
    assert [table for table in tables if holds(table, count)], tables
