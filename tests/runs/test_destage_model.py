"""Destage of a disk against an independent model, in random cases."""

import random

import numpy as np
import pytest

import sledsim
from sledsim.model.core_tables import entry

from ..conftest import is_long
from .destage_model import Drive, simulate

Row = tuple[int, int, int, int]
RULES = [rule for rule in entry("kinds", "disk").choices["destage"] if rule != "at-once"]


def ns(ms: float) -> int:
    return round(ms * 1e6)


def small(rng: random.Random) -> tuple[sledsim.Device, Drive]:
    """A random drive of one zone without read-ahead, and its model."""
    scale, surfaces, sectors = rng.choice([1, 20, 50]), rng.choice([1, 2, 3]), rng.choice([20, 50])
    after_ms, watermark = rng.choice([0.0, 0.5, 3.0, 12.0, 40.0]), rng.choice([0.0, 0.1, 0.29, 0.5, 0.9, 1.0])
    bus_ms, settle_ms = rng.choice([0.0, 0.003, 0.05]), rng.choice([0.25, 0.0, -0.2])
    fixed_ms, write_back = rng.choice([0.0, 0.7]), rng.random() < 0.95
    same = {
        "rule": rng.choice(RULES),
        "order": rng.choice(["arrival", "nearest"]),
        "room": rng.choice([8, 20, 40, 60, 100]),
        "segments": rng.choice([1, 2, 4]),
        "zero_latency": (rng.random() < 0.5, rng.random() < 0.5),
        "read_hits_on_writes": rng.random() < 0.6,
    }
    #: Overheads in us by what is found and by the operation before: 0 for a read, 1 for a write.
    overheads_us = {
        (found, before): 21 + 2 * number + before
        for number, found in enumerate(("read_hit", "read_miss", "write_hit", "write_miss"))
        for before in (0, 1)
    }
    overheads = {
        f"{found}_after_{('read', 'write')[before]}_ms": us * scale / 1000
        for (found, before), us in overheads_us.items()
    }
    device = sledsim.device(
        "atlas10k",
        rotation_rpm=6_000,
        surfaces=surfaces,
        block_count=surfaces * 100 * sectors,
        zones=[[0, 99, sectors, 0, 0, 7, 9, 0]],
        sparing="none",
        slips=[],
        defects=[],
        head_order="same",
        seek_curve=[[1, 1.0], [99, 5.0]],
        head_switch_ms=0.5,
        write_settle_ms=settle_ms,
        cache_segments=same["segments"],
        segment_blocks=100_000,
        separate_write_segment=False,
        read_ahead="none",
        read_ahead_blocks=0,
        delivered="keep",
        read_ahead_on_hit=False,
        almost_hits=False,
        whole_track_reads=False,
        zero_latency_reads=same["zero_latency"][0],
        zero_latency_writes=same["zero_latency"][1],
        write_back=write_back,
        read_hits_on_writes=same["read_hits_on_writes"],
        append_writes=False,
        read_watermark=0.0,
        command_ms=0.011 * scale,
        read_completion_ms=0.041 * scale,
        write_completion_ms=0.042 * scale,
        data_preparation_ms=0.0,
        disconnects=False,
        bus_read_ms_per_block=0.0,
        bus_write_ms_per_block=bus_ms,
        flush_fixed_ms=fixed_ms,
        destage=same["rule"],
        destage_order=same["order"],
        destage_after_ms=after_ms,
        destage_watermark=watermark,
        write_cache_blocks=same["room"],
        **overheads,
    )
    writes = "write_hit" if write_back else "write_miss"
    model = Drive(
        rpm=6_000,
        spt=sectors,
        surfaces=surfaces,
        skews=(7, 9),
        seeks=[0, *(ns(1 + (distance - 1) * 4 / 98) for distance in range(1, 100))],
        head_switch=500_000,
        settle=ns(settle_ms),
        command=11_000 * scale,
        overheads={
            (found, before): 1000 * scale * overheads_us[writes if found == "write_hit" else found, before]
            for found in ("read_hit", "read_miss", "write_hit")
            for before in (0, 1)
        },
        completion=(41_000 * scale, 42_000 * scale),
        bus=ns(bus_ms),
        flush_fixed=ns(fixed_ms),
        after=ns(after_ms),
        watermark=watermark,
        write_back=write_back,
        **same,
    )
    return device, model


def drawn(rng: random.Random, blocks: int) -> list[Row]:
    """Random requests, often at or near earlier writes: arrival in ns, first block, blocks and kind."""
    rows, now, past = [(0, 0, 1, 0)], 0, [0]
    space = min(rng.choice([60, 200, 2_000]), blocks - 100)
    gap_ms, most = rng.choice([0.5, 5.0, 20.0, 60.0]), rng.choice([10, 30, 70])
    flushes, forced, reads = rng.choice([0.0, 0.05, 0.3]), rng.choice([0.0, 0.1]), rng.choice([0.0, 0.2, 0.5])
    for _ in range(rng.choice([5, 10, 25, 60])):
        now += 0 if rng.random() < 0.2 else ns(rng.expovariate(1 / gap_ms))
        now += 500_000_000 * (rng.random() < 0.03)
        if rng.random() < flushes:
            rows += [(now, 0, 0, 3)] * rng.choice([1, 1, 1, 3])
            continue
        kind = 0 if rng.random() < reads else 2 if rng.random() < forced else 1
        length, lbn = rng.randint(1, most), rng.randrange(space)
        if rng.random() < 0.5:
            lbn = max(0, rng.choice(past) + rng.choice([0, rng.randint(-12, 12)]))
        lbn = min(lbn, blocks - length)
        rows.append((now, lbn, length, kind))
        past += [lbn, lbn + length] if kind else []
    return rows


@pytest.mark.dear("hundreds of random drives are compared", every_change=True)
def test_an_independent_model_agrees_to_the_nanosecond() -> None:
    for seed in range(5_000 if is_long() else 300):
        rng = random.Random(seed)
        device, model = small(rng)
        rows = drawn(rng, model.surfaces * 100 * model.spt)
        arrival_ns, lbn, blocks, kind = (np.array(column) for column in zip(*rows, strict=True))
        columns = {"arrival_ns": arrival_ns, "lbn": lbn, "blocks": blocks, "kind": kind}
        found = sledsim.simulate(device, sledsim.Trace.from_columns(columns), "fcfs")
        assert found.columns["completion_ns"].tolist() == simulate(model, rows), seed
