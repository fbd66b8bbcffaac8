"""Writes of a part of a logical block, against a model written from the definition (004 5.3).

The code over a block covers all of it: the row of a block that a write covers only in part is read just
before it is written. The model tries every direction of every pass, each way to the end, and takes the
quickest.
"""

import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import sledsim

from ..conftest import Cli

_SECTOR = 512
#: A pass over rows of one track: cylinder, track, lowest and highest row, and whether it writes.
_Pass = tuple[int, int, int, int, bool]
_DEVICES: list[tuple[str, dict[str, Any]]] = [
    ("emsoft08", {}),
    ("emsoft08", {"format": "4096x4x1024", "settle_ms": 0.1, "write_settle_ms": 0.4}),
    ("emsoft08", {"format": "4096x1x8192", "access_mode": "parity"}),
    ("emsoft08", {"format": "256x2x2048", "access_mode": "serpentine", "tip_supply": "block-tips"}),
    ("osdi00", {"tips_per_block": 512, "overhead_ms": 0, "bus_mb_per_s": 0, "layout": "simple"}),
]


class _Mechanics:
    """Seek times of a device."""

    def __init__(self, device: sledsim.Device) -> None:
        self.device, self.shape, self.parameters = device, device.characteristics(), device.parameters
        settle_ms = self.parameters.get("write_settle_ms")
        self.writing = device if settle_ms is None else device.with_parameters(settle_ms=settle_ms)

    def x(self, cylinder: int) -> float:
        at = cylinder - int(self.shape["cylinders"]) // 2
        return float(at * self.parameters["bit_width_nm"] * 1e-9)

    def ends(self, lowest: int, highest: int, direction: int) -> tuple[float, float]:
        """Begin and end of a pass: rows lie about the centre, a servo burst below each and above all."""
        p = self.parameters
        bits = p["servo_bits"] + p["sector_encoded_bits"]
        half = (bits * int(self.shape["rows_per_track"]) + p["servo_bits"]) // 2
        shift = p["servo_bits"] if direction < 0 else 0
        low, high = ((bits * at - half + shift) * p["bit_width_nm"] * 1e-9 for at in (lowest, highest + 1))
        return (low, high) if direction > 0 else (high, low)

    def centre(self) -> "_Sled":
        row, cylinder = (int(self.shape[key]) // 2 for key in ("rows_per_track", "cylinders"))
        return _Sled(self.x(cylinder), self.ends(row, row, 1)[0], 1)

    def step_ns(self, sled: "_Sled", step: _Pass, direction: int) -> int:
        """Time to get to the beginning of a pass, settled."""
        cylinder, _, lowest, highest, write = step
        begin = self.ends(lowest, highest, direction)[0]
        y_s = self.device.seek_y_s(sled.y_m, sled.direction, begin, direction)
        x_s = (self.writing if write else self.device).seek_x_s(sled.x_m, self.x(cylinder))
        return max(_ns(x_s), _ns(y_s))

    def after(self, step: _Pass, direction: int) -> "_Sled":
        cylinder, _, lowest, highest, _ = step
        return _Sled(self.x(cylinder), self.ends(lowest, highest, direction)[1], direction)


@dataclass
class _Sled:
    x_m: float
    y_m: float
    direction: int


def _ns(time_s: Any) -> int:
    return int(np.floor(float(time_s) * 1e9 + 0.5))


def _passes(of: _Mechanics, lbn: int, sectors: int, write: bool) -> list[_Pass]:
    """Passes of the sled, in the order of blocks; a block that is written only in part has two."""
    block = int(of.shape["block_bytes"])
    ends = lbn * _SECTOR, (lbn + sectors) * _SECTOR
    blocks = range(ends[0] // block, -(-ends[1] // block))
    in_part = {at for at in blocks if at * block < ends[0] or (at + 1) * block > ends[1]}
    at = of.device.locate(np.array(blocks))
    places = list(zip(*(at[key].tolist() for key in ("cylinder", "track", "row")), strict=True))
    found: list[_Pass] = []
    for place, group in itertools.groupby(zip(places, blocks, strict=True), key=lambda pair: pair[0]):
        cylinder, track, row = place
        if write and any(number in in_part for _, number in group):
            found.append((cylinder, track, row, row, False))
        elif found and found[-1][:2] == (cylinder, track):
            _, _, low, high, _ = found[-1]
            if row in (low - 1, high + 1):
                found[-1] = (cylinder, track, min(low, row), max(high, row), write)
                continue
        found.append((cylinder, track, row, row, write))
    return found


def _directions(of: _Mechanics, passes: Sequence[_Pass]) -> list[tuple[int, ...]]:
    mode, tracks = of.parameters["access_mode"], int(of.shape["tracks_per_cylinder"])
    single_row = len({step[:4] for step in passes}) == 1 and passes[0][2] == passes[0][3]
    if mode == "bidirectional" or (mode == "serpentine" and single_row):
        return [(1, -1)] * len(passes)
    by = [step[0] if mode == "parity" else step[0] * tracks + step[1] for step in passes]
    return [((1, -1)[number % 2],) for number in by]


def _quickest_ns(of: _Mechanics, passes: Sequence[_Pass]) -> int:
    """Return the total time before and between the passes, of the quickest way."""
    deflects = of.parameters["cylinder_switch"] == "tip-deflection"
    ways = {0: (0, of.centre())}
    for number, (step, allowed) in enumerate(zip(passes, _directions(of, passes), strict=True)):
        onward: dict[int, tuple[int, _Sled]] = {}
        beside = number > 0 and abs(passes[number - 1][0] - step[0]) == 1
        for direction, (so_far_ns, at) in itertools.product(allowed, ways.values()):
            start = replace(at, x_m=of.x(step[0])) if beside and deflects else at
            total_ns = so_far_ns + of.step_ns(start, step, direction)
            if direction not in onward or total_ns < onward[direction][0]:
                onward[direction] = (total_ns, of.after(step, direction))
        ways = onward
    return min(total_ns for total_ns, _ in ways.values())


def _in_part(block: int, lbn: int, sectors: int) -> int:
    """Number of blocks that a request covers only in part."""
    return len({at // block for at in (lbn, lbn + sectors) if at % block})


def _one(lbn: int, sectors: int, write: bool) -> sledsim.Trace:
    return sledsim.Trace.from_columns(
        {"arrival_ns": [0], "lbn": [lbn], "blocks": [sectors], "write": [write]}
    )


@pytest.mark.parametrize(("name", "overrides"), _DEVICES, ids=str)
def test_services_are_those_of_the_definition(name: str, overrides: dict[str, Any]) -> None:
    """Each request by itself, from the place of the sled when a run begins."""
    device = sledsim.device(name, **overrides)
    of, rng = _Mechanics(device), np.random.default_rng(20081019)
    shape = of.shape
    block = int(shape["block_bytes"]) // _SECTOR
    read_before = 0
    for _ in range(35):
        sectors = int(rng.integers(1, 5 * block))
        lbn = int(rng.integers(0, int(shape["blocks"]) * block - sectors))
        write = bool(rng.integers(0, 4))
        run = sledsim.simulate(device, _one(lbn, sectors, write))
        row = {key: column[0].item() for key, column in run.columns.items()}
        passes = _passes(of, lbn, sectors, write)
        rows = sum(step[3] - step[2] + 1 for step in passes)
        rows_before = sum(write and not step[4] for step in passes)
        moving_ns = row["positioning_ns"] + row["switch_ns"]
        assert abs(moving_ns - _quickest_ns(of, passes)) <= len(passes)
        assert (row["rows"], row["switches"]) == (rows, len(passes) - 1)
        assert abs(row["transfer_ns"] - rows * shape["row_s"] * 1e9) <= 1
        assert row["completion_ns"] == moving_ns + row["transfer_ns"]
        blocks = -(-(lbn + sectors) // block) - lbn // block
        merged = _in_part(block, lbn, sectors) if write else 0
        tips = device.parameters["tips_per_block"] * (blocks + merged)
        if device.parameters["tip_supply"] == "active-tips":
            tips = device.parameters["active_tips"] * rows
        tips_j = tips * device.parameters["tip_power_mw"] * 1e-3 * shape["row_s"]
        assert row["tips_j"] == pytest.approx(tips_j, rel=1e-12)
        assert run.device_counts["device"] == {
            "partial_writes": merged > 0,
            "blocks_read_before": merged,
            "rows_read_before": rows_before,
        }
        read_before += rows_before
    assert read_before > 20


def test_blocks_of_a_sector_have_no_parts() -> None:
    """Results of most devices stay unchanged, to the byte."""
    run = sledsim.simulate(sledsim.device("osdi00"), _one(5, 3, write=True))
    assert run.device_counts == {} and run.columns["rows"].tolist() == [1]


def test_sectors_side_by_side_differ_from_one_large_one() -> None:
    """A small write covers small sectors whole, but a large one in part; both pass equally many at once."""
    row_ns, small = 300_000, _one(2_000_002, 2, write=True)
    side_by_side, large = (
        sledsim.simulate(sledsim.device("emsoft08", format=text), small)
        for text in ("4096x4x1024", "4096x1x4096")
    )
    assert side_by_side.columns["transfer_ns"].tolist() == [row_ns]
    assert large.columns["transfer_ns"].tolist() == [2 * row_ns]
    turnaround_ns = 24_614
    extra_ns = large.columns["completion_ns"][0] - side_by_side.columns["completion_ns"][0] - row_ns
    assert 0 < extra_ns <= 2 * turnaround_ns
    assert large.columns["tips_j"][0] == 2 * side_by_side.columns["tips_j"][0]


def test_tips_that_move_by_themselves_go_over_a_row_twice() -> None:
    device = sledsim.device("sigmetrics00-cantilevers", tips_per_block=512)
    assert device.characteristics()["blocks_per_row"] == 2
    for sectors, rows, before in ((8, 1, 0), (3, 2, 1), (20, 3, 1)):
        run = sledsim.simulate(device, _one(8 * 1000, sectors, write=True))
        assert run.columns["rows"].tolist() == [rows]
        assert run.device_counts["device"]["rows_read_before"] == before


def test_a_log_reads_what_it_has_only_a_part_of() -> None:
    """The rest of an erased place is read from its earlier place."""
    device = sledsim.device("osdi00-erase", tips_per_block=512)
    whole, part = (sledsim.simulate(device, _one(80_000, sectors, write=True)) for sectors in (8, 4))
    assert part.columns["rows"][0] > whole.columns["rows"][0]


@pytest.mark.parametrize("scheduler", ["sptf", "asptf:weight=6", "satf"])
def test_policies_that_look_by_place_choose_as_those_that_look_at_all(scheduler: str) -> None:
    device = sledsim.device("emsoft08", format="4096x1x8192")
    trace = sledsim.random_workload(device, rate_per_s=900, count=1500, seed=3)
    runs = [sledsim.simulate(device, trace, f"{scheduler}{search}") for search in ("", _linear(scheduler))]
    assert runs[0].device_counts["device"]["partial_writes"] > 200
    assert runs[0].columns["start_ns"].tolist() == runs[1].columns["start_ns"].tolist()


def _linear(scheduler: str) -> str:
    return ("," if ":" in scheduler else ":") + "search=linear"


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_a_run_says_what_was_read_before(cli: Cli) -> None:
    made = cli("run", "ext3-1k", "-d", "emsoft08", "--past-end", "wrap")
    assert made.returncode == 0, made.stderr
    assert "Partial writes of device" in made.stdout and "rows read before" in made.stdout
    told = json.loads(cli("run", "ext3-1k", "-d", "emsoft08", "--past-end", "wrap", "--json").stdout)
    assert told["partial_writes"]["device"]["partial_writes"] > 0


@pytest.mark.parametrize("write_start", ["buffered", "at-dispatch"])
def test_what_is_read_before_needs_no_data(write_start: str) -> None:
    """The data of a write may cross the bus while its row is read; a row that is only written waits."""
    bus_mb_per_s = 2.0
    devices = [
        sledsim.device("emsoft08", write_start=write_start, bus_mb_per_s=mb) for mb in (0.0, bus_mb_per_s)
    ]
    row_ns, block_ns = 300_000, round(4096 / (bus_mb_per_s * 1e6) * 1e9)
    middle, rng = 1250 * 208 * 8, np.random.default_rng(7)
    held = 0
    for _ in range(6):
        lbn = middle + 8 * int(rng.integers(-3000, 3000))
        for sectors, rows_before in ((8, 0), (3, 1)):
            runs = [sledsim.simulate(device, _one(lbn, sectors, write=True)) for device in devices]
            free, late = ({key: run.columns[key][0] for key in run.columns} for run in runs)
            there_ns = free["positioning_ns"] + free["switch_ns"] + rows_before * row_ns
            assert late["rows"] == free["rows"] == 1 + rows_before
            assert abs(late["hold_ns"] - max(0, block_ns - there_ns)) <= 1
            held += late["hold_ns"] > 0
    assert held >= 6
