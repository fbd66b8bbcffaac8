"""The three ways of saving power of 003-F10, alone and together."""

from pathlib import Path

import numpy as np
import pytest

import sledsim
from sledsim import studies

from ..conftest import Cli


def _simulate(
    device: sledsim.Device | sledsim.Volume, rows: list[tuple[float, int, int, bool]]
) -> sledsim.Run:
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    trace = sledsim.Trace(
        arrival_ns=(columns[0] * 1e9).astype(np.int64),
        lbn=columns[1].astype(np.int64),
        blocks=columns[2].astype(np.int32),
        op=columns[3].astype(np.uint8),
    )
    return sledsim.simulate(device, trace, "fcfs")


def test_a_part_of_a_block_takes_a_part_of_its_tips() -> None:
    rows = [(0.0, 0, 2, False), (1.0, 3, 8, False), (2.0, 8, 8, False), (3.0, 0, 2, True)]
    tips = {
        supply: _simulate(sledsim.device("emsoft08", tip_supply=supply), rows).columns["tip_sectors"].tolist()
        for supply in ("block-tips", "wanted-tips")
    }
    # A block of 4 KiB lies under 4096 tips, a byte under each; a whole block needs all of them once, and a
    # part of a block twice, as the rest is read before.
    assert tips["block-tips"] == [4096, 8192, 4096, 8192]
    assert tips["wanted-tips"] == [1024, 4096, 4096, 8192]


def test_parts_save_the_energy_of_the_tips_and_nothing_else() -> None:
    rows = [(0.01 * at, 8 * at, 2, False) for at in range(100)]
    whole, part = (
        _simulate(sledsim.device("emsoft08", tip_supply=supply), rows).energy_by_use_j
        for supply in ("block-tips", "wanted-tips")
    )
    assert part["tips"] == pytest.approx(whole["tips"] / 4, rel=1e-9)
    assert {use: part[use] for use in part if use != "tips"} == {
        use: whole[use] for use in whole if use != "tips"
    }


def test_merging_turns_requests_that_follow_into_one() -> None:
    volume = sledsim.volume("merge:depth=1")
    rows = [(0.0, 5000, 8, False), *((1e-6, 8 * at, 8, False) for at in range(10)), (2e-6, 80, 8, True)]
    run = _simulate(volume, rows)
    assert run.volumes[""] == {"sent_requests": 3, "merged_requests": 9}
    assert len(set(run.columns["completion_ns"][1:11].tolist())) == 1
    # The energy of a service counts once.
    assert run.columns["energy_j"].sum() == pytest.approx(
        sum(run.energy_by_use_j[use] for use in ("seek", "settle", "actuation", "tips", "electronics"))
    )
    assert run.devices[0]["requests"] == 3


@pytest.mark.dear("every study of the device runs", every_change=True)
def test_all_three_save_most() -> None:
    table = studies.run("power-strategies", sledsim.device("emsoft08"), traces=["ext3-1k"]).table
    ratio = {row["strategy"]: row["energy_ratio"] for row in table.to_pylist()}
    assert ratio["none"] == 1
    alone = [ratio[name] for name in ("aggressive spin-down", "merging", "sub-sector access")]
    assert all(value < 0.99 for value in alone)
    assert ratio["all three"] < min(alone) - 0.02


def test_impossible_inputs_are_reported(cli: Cli, tmp_path: Path) -> None:
    unknown = cli("study", "power-strategies", "-O", "traces=['ext3']")
    assert unknown.returncode != 0 and 'unknown trace "ext3"' in unknown.stderr
    for options, message in (
        ("depth=0", "depth = 0: expected"),
        ("hold_ms=-1", "hold_ms = -1: expected a number from 0"),
        ("most_kib=0", "most_kib = 0: expected"),
    ):
        refused = cli("run", "demo", "--volume", f"merge:{options}")
        assert refused.returncode != 0 and message in refused.stderr, refused.stderr


def test_wanted_blocks_are_a_part_of_a_row() -> None:
    """Computed by hand: a row has 1280 tips of 1 mW for 90 bits at 0.7 Mbit/s, and a block 64 of them."""
    device = sledsim.device("osdi00-power")
    trace = sledsim.bundled_trace("ext3-4k")
    tips_j = {
        supply: sledsim.simulate(
            device.with_parameters(tip_supply=supply), trace, "fcfs", past_end="wrap"
        ).energy_by_use_j["tips"]
        for supply in ("active-tips", "block-tips")
    }
    row_s = device.characteristics()["row_s"]
    capacity = device.characteristics()["blocks"]
    first = trace.transfers().lbn % capacity
    last = first + trace.transfers().blocks - 1
    inside = last < capacity
    rows = (last // 20 - first // 20 + 1)[inside].sum()
    assert tips_j["active-tips"] == pytest.approx(rows * 1280 * 1e-3 * row_s, rel=1e-3)
    blocks = trace.transfers().blocks[inside].sum()
    assert tips_j["block-tips"] == pytest.approx(blocks * 64 * 1e-3 * row_s, rel=1e-3)
    table = studies.run("power-strategies", device, traces=["ext3-4k"], sector="row").table
    energy_j = {row["strategy"]: row["energy_j"] for row in table.to_pylist()}
    saved_j = tips_j["active-tips"] - tips_j["block-tips"]
    assert energy_j["none"] - energy_j["sub-sector access"] == pytest.approx(saved_j, rel=1e-6)


@pytest.mark.dear("every study of the device runs", every_change=True)
@pytest.mark.parametrize(
    ("name", "sector", "note"),
    [
        ("emsoft08", "row", "A row is one block of 4096 bytes: it has no smaller part"),
        ("osdi00", "block", "Every request is for whole blocks of 512 bytes"),
        ("osdi00", "row", None),
        ("emsoft08", "block", None),
    ],
)
def test_a_note_says_why_parts_save_nothing(name: str, sector: str, note: str | None) -> None:
    study = studies.run("power-strategies", sledsim.device(name), traces=["ext3-1k"], sector=sector, depth=2)
    (parts,) = (row for row in study.table.to_pylist() if row["strategy"] == "sub-sector access")
    assert any(note in text for text in study.notes) if note else parts["saved"] > 0
    assert (parts["saved"] == 0) == (note is not None)


@pytest.mark.parametrize("key", ["power_policy", "tip_supply"])
def test_what_each_strategy_sets_cannot_be_set(cli: Cli, tmp_path: Path, key: str) -> None:
    value = {"power_policy": "immediate", "tip_supply": "block-tips"}[key]
    refused = cli("study", "power-strategies", "--set", f"{key}={value}", "-O", "traces=demo")
    assert refused.returncode == 2, refused.stdout
    assert f"{key} = '{value}': expected" in refused.stderr and "each strategy sets" in refused.stderr
    # The device has a value of this parameter, which is no request of the user's.
    own = tmp_path / "own.toml"
    own.write_text(f'extends = "osdi00"\n{key} = "{value}"\n')
    made = cli("study", "power-strategies", "-d", str(own), "-O", "traces=demo")
    assert made.returncode == 0, made.stderr
