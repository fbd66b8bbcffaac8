"""Reads before a medium is erased, block by block, and the extra work of writes of a part of a block."""

from typing import Any

import numpy as np
import pytest

import sledsim

_SECTOR = 512
_ERASING = {"erase_block_kib": 128, "erase_ms": 100.0, "erase_slice_ms": 10.0, "erase_power_mw": 500.0}
_DEVICES: list[tuple[str, dict[str, Any]]] = [
    ("osdi00-erase", {"erase_block_kib": 1024}),
    ("osdi00-erase", {"erase_block_kib": 64, "tips_per_block": 512}),
    ("emsoft08", _ERASING),
    ("emsoft08", {**_ERASING, "format": "1024x16x1024", "tip_supply": "block-tips"}),
]


def _write(lbn: int, sectors: int) -> sledsim.Trace:
    return sledsim.Trace.from_columns({"arrival_ns": [0], "lbn": [lbn], "blocks": [sectors], "write": [True]})


def _rows(device: sledsim.Device, blocks: set[int]) -> int:
    """Return the number of rows that hold a number of blocks."""
    at = device.locate(np.array(sorted(blocks), dtype=np.int64))
    return len(set(zip(*(at[key].tolist() for key in ("cylinder", "track", "row")), strict=True)))


def _drawn(device: sledsim.Device, count: int) -> list[tuple[int, int]]:
    """Return writes of a few sectors, of some rows, and of erase blocks, some aligned to erase blocks."""
    rng = np.random.default_rng(2000)
    erase_sectors = device.parameters["erase_block_kib"] * 1024 // _SECTOR
    whole = int(device.characteristics()["blocks"] * device.characteristics()["block_bytes"]) // _SECTOR
    writes = []
    for _ in range(count):
        sectors = int(rng.integers(1, rng.choice([12, 200, 2 * erase_sectors])))
        lbn = int(rng.integers(0, whole // 2))
        begins, ends = rng.random(2) < 0.2
        lbn = lbn // erase_sectors * erase_sectors if begins else lbn
        sectors = erase_sectors - lbn % erase_sectors if ends else sectors
        writes.append((lbn, sectors))
    return writes


def _blocks(lbn: int, sectors: int, per_block: int) -> tuple[set[int], set[int]]:
    """Return the blocks that a write touches, and those that it covers only in part."""
    touched = set(range(lbn // per_block, (lbn + sectors - 1) // per_block + 1))
    written = set(range(lbn, lbn + sectors))
    part = {
        block for block in touched if not written >= set(range(block * per_block, (block + 1) * per_block))
    }
    return touched, part


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@pytest.mark.parametrize(("name", "overrides"), _DEVICES, ids=str)
def test_what_else_is_in_an_erase_block_is_read(name: str, overrides: dict[str, Any]) -> None:
    """Missing parts of blocks are read, each row once; then whole blocks are written in place."""
    device = sledsim.device(name, **overrides, erase_management="in-place", power_policy="always-on")
    shape, tips = device.characteristics(), device.parameters["tips_per_block"]
    per_block = int(shape["block_bytes"]) // _SECTOR
    size = device.parameters["erase_block_kib"] * 1024 // int(shape["block_bytes"])
    for lbn, sectors in _drawn(device, 30):
        made = sledsim.simulate(device, _write(lbn, sectors), "fcfs")
        row = {key: column[0].item() for key, column in made.columns.items()}
        touched, part = _blocks(lbn, sectors, per_block)
        passed, rows, copied, rows_of_parts = 0, 0, 0, 0
        erase_blocks = {block // size for block in touched}
        for at in erase_blocks:
            there = set(range(at * size, (at + 1) * size))
            read = there - (touched - part)
            copied += len(read)
            passed += len(read) + len(there)
            rows += _rows(device, read) + _rows(device, there) if read else _rows(device, there)
            rows_of_parts += _rows(device, there & part) if there & part else 0
        counts = made.device_counts["device"]
        assert (row["tip_sectors"], row["rows"]) == (passed * tips, rows), (lbn, sectors)
        assert abs(row["transfer_ns"] - rows * shape["row_s"] * 1e9) <= 2 * len(erase_blocks) + 1
        erasing_ns = len(erase_blocks) * device.parameters["erase_ms"] * 1e6
        assert row["switch_ns"] >= erasing_ns
        assert (counts["erased_blocks"], counts["copied_blocks"]) == (len(erase_blocks), copied)
        if per_block > 1:
            found = [counts[key] for key in ("partial_writes", "blocks_read_before", "rows_read_before")]
            assert found == [bool(part), len(part), rows_of_parts]
        else:
            assert "partial_writes" not in counts


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@pytest.mark.parametrize(("name", "overrides"), _DEVICES[1:], ids=str)
def test_a_log_counts_what_it_reads_before(name: str, overrides: dict[str, Any]) -> None:
    """Blocks are in order when a run begins, and the log is behind all of them."""
    device = sledsim.device(
        name, **overrides, erase_management="log", erase_reserve_blocks=64, power_policy="always-on"
    )
    shape = device.characteristics()
    per_block, per_row = int(shape["block_bytes"]) // _SECTOR, int(shape["blocks_per_row"])
    head = int(shape["blocks"]) % per_row
    size = device.parameters["erase_block_kib"] * 1024 // int(shape["block_bytes"])
    reads = 0
    for lbn, sectors in _drawn(device, 30):
        touched, part = _blocks(lbn, sectors, per_block)
        if len(touched) > size:
            continue
        made = sledsim.simulate(device, _write(lbn, sectors), "fcfs")
        before = _rows(device, part) if part else 0
        counts = made.device_counts["device"]
        assert made.columns["rows"][0] == before + (head + len(touched) - 1) // per_row + 1, (lbn, sectors)
        found = [counts[key] for key in ("partial_writes", "blocks_read_before", "rows_read_before")]
        assert found == [bool(part), len(part), before]
        reads += before
    assert reads > 10
