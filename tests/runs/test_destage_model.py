"""Destage of a disk against an independent model, in random cases."""

import random
from typing import Any

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


#: Overheads in us by what is found and by the operation before: 0 for a read, 1 for a write.
OVERHEADS_US = {
    (found, before): 21 + 2 * number + before
    for number, found in enumerate(("read_hit", "read_miss", "write_hit", "write_miss"))
    for before in (0, 1)
}
#: Parameters of a drive of one zone without read-ahead that are the same in every case.
SAME = {
    "rotation_rpm": 6_000,
    "sparing": "none",
    "slips": [],
    "defects": [],
    "head_order": "same",
    "seek_curve": [[1, 1.0], [99, 5.0]],
    "head_switch_ms": 0.5,
    "segment_blocks": 100_000,
    "separate_write_segment": False,
    "read_ahead": "none",
    "read_ahead_blocks": 0,
    "delivered": "keep",
    "read_ahead_on_hit": False,
    "almost_hits": False,
    "whole_track_reads": False,
    "append_writes": False,
    "read_watermark": 0.0,
    "data_preparation_ms": 0.0,
    "disconnects": False,
    "bus_read_ms_per_block": 0.0,
}


def settings(rng: random.Random) -> dict[str, Any]:
    """Random settings of a drive."""
    return {
        "scale": rng.choice([1, 20, 50]),
        "surfaces": rng.choice([1, 2, 3]),
        "sectors": rng.choice([20, 50]),
        "after_ms": rng.choice([0.0, 0.5, 3.0, 12.0, 40.0]),
        "watermark": rng.choice([0.0, 0.1, 0.29, 0.5, 0.9, 1.0]),
        "bus_ms": rng.choice([0.0, 0.003, 0.05]),
        "settle_ms": rng.choice([0.25, 0.0, -0.2]),
        "fixed_ms": rng.choice([0.0, 0.7]),
        "write_back": rng.random() < 0.95,
        "rule": rng.choice(RULES),
        "order": rng.choice(["arrival", "nearest"]),
        "room": rng.choice([8, 20, 40, 60, 100]),
        "segments": rng.choice([1, 2, 4]),
        "zero_latency": (rng.random() < 0.5, rng.random() < 0.5),
        "hits": rng.random() < 0.6,
    }


def device(of: dict[str, Any]) -> sledsim.Device:
    """The drive with these settings."""
    scale, sectors = of["scale"], of["sectors"]
    overheads = {
        f"{found}_after_{('read', 'write')[before]}_ms": us * scale / 1000
        for (found, before), us in OVERHEADS_US.items()
    }
    return sledsim.device(
        "atlas10k",
        surfaces=of["surfaces"],
        block_count=of["surfaces"] * 100 * sectors,
        zones=[[0, 99, sectors, 0, 0, 7, 9, 0]],
        write_settle_ms=of["settle_ms"],
        cache_segments=of["segments"],
        zero_latency_reads=of["zero_latency"][0],
        zero_latency_writes=of["zero_latency"][1],
        write_back=of["write_back"],
        read_hits_on_writes=of["hits"],
        command_ms=0.011 * scale,
        read_completion_ms=0.041 * scale,
        write_completion_ms=0.042 * scale,
        bus_write_ms_per_block=of["bus_ms"],
        flush_fixed_ms=of["fixed_ms"],
        destage=of["rule"],
        destage_order=of["order"],
        destage_after_ms=of["after_ms"],
        destage_watermark=of["watermark"],
        write_cache_blocks=of["room"],
        **overheads,
        **SAME,
    )


def modelled(of: dict[str, Any]) -> Drive:
    """The model of the drive with these settings."""
    writes = "write_hit" if of["write_back"] else "write_miss"
    return Drive(
        rpm=6_000,
        spt=of["sectors"],
        surfaces=of["surfaces"],
        skews=(7, 9),
        seeks=[0, *(ns(1 + (distance - 1) * 4 / 98) for distance in range(1, 100))],
        head_switch=500_000,
        settle=ns(of["settle_ms"]),
        command=11_000 * of["scale"],
        overheads={
            (found, before): 1000
            * of["scale"]
            * OVERHEADS_US[writes if found == "write_hit" else found, before]
            for found in ("read_hit", "read_miss", "write_hit")
            for before in (0, 1)
        },
        completion=(41_000 * of["scale"], 42_000 * of["scale"]),
        bus=ns(of["bus_ms"]),
        zero_latency=of["zero_latency"],
        read_hits_on_writes=of["hits"],
        flush_fixed=ns(of["fixed_ms"]),
        rule=of["rule"],
        order=of["order"],
        after=ns(of["after_ms"]),
        watermark=of["watermark"],
        room=of["room"],
        write_back=of["write_back"],
        segments=of["segments"],
    )


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
        of = settings(rng)
        rows = drawn(rng, of["surfaces"] * 100 * of["sectors"])
        arrival_ns, lbn, blocks, kind = (np.array(column) for column in zip(*rows, strict=True))
        columns = {"arrival_ns": arrival_ns, "lbn": lbn, "blocks": blocks, "kind": kind}
        found = sledsim.simulate(device(of), sledsim.Trace.from_columns(columns), "fcfs")
        assert found.columns["completion_ns"].tolist() == simulate(modelled(of), rows), seed
