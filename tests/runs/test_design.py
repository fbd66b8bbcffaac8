"""The format of 004, its design space, and the command that explores it."""

import itertools
import json
import math
import operator
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest
from hypothesis import given, strategies as st

import sledsim
from sledsim.exploration import design

from ..conftest import Cli, often

GIB = 2**30
DEVICE = sledsim.device("emsoft08")


def bits(probes: int, sectors: int, sector_bytes: int) -> tuple[int, int]:
    """Return Eq 1 in integers: bits of data and ECC, and with the overhead."""
    data = 8 * sector_bytes
    payload = math.ceil((data + math.ceil(data / 8)) * sectors / probes)
    return payload, payload + 3


def test_characteristics_follow_the_equations() -> None:
    feasible = 0
    for probes, sectors, size in itertools.product(*(design.space.PROBES, design.space.SECTORS), [512, 8192]):
        found = sledsim.format_characteristics(DEVICE, probes, sectors, size)
        payload, subsector = bits(probes, sectors, size)
        assert found["subsector_bits"] == subsector
        assert found["transfer_s"] == pytest.approx(subsector / 40e3), "004-F3"
        assert found["utilization"] == pytest.approx(8 * size * sectors / probes / subsector), "004-F7"
        assert found["capacity_bytes"] == pytest.approx(3.2e9 * found["utilization"]), "004-C1"
        assert found["feasible"] == (payload >= 8 and subsector <= 2500), "004-D3"
        assert (found["reason"] is None) == found["feasible"]
        feasible += bool(found["feasible"])
    assert 0 < feasible < 70


@pytest.mark.parametrize(
    ("axes", "gib", "packed_gib", "mb_per_s"),
    [
        ((4096, 16, 4096), 2.595, None, 20.48),
        ((4096, 1, 4096), 1.987, 1.984, 20.48),
        ((2048, 16, 2048), 2.595, None, 10.24),
        ((2048, 1, 4096), 2.271, None, 10.24),
    ],
)
def test_the_papers_devices(
    axes: tuple[int, int, int], gib: float, packed_gib: float | None, mb_per_s: float
) -> None:
    found = sledsim.format_characteristics(DEVICE, *axes)
    assert found["capacity_bytes"] / GIB == pytest.approx(gib, abs=5e-4), "004-C3"
    assert found["throughput_bytes_per_s"] == pytest.approx(mb_per_s * 1e6), "004-C11"
    packed = found["packed_capacity_bytes"]
    if packed_gib is not None:
        assert packed / GIB == pytest.approx(packed_gib, abs=5e-4), "004-D2"
    built = sledsim.device("emsoft08", format="x".join(map(str, axes)))
    assert built.characteristics()["capacity_bytes"] == packed


def test_the_best_capacity_device_of_the_paper_cannot_be() -> None:
    found = sledsim.format_characteristics(DEVICE, 64, 4, 8192)
    assert found["capacity_bytes"] / GIB == pytest.approx(2.647, abs=5e-4), "004-C4"
    assert not found["feasible"]
    assert "4608 + 3 = 4611 bits for each tip, more than the 2500 bits of a track" in str(found["reason"])
    with pytest.raises(sledsim.ParameterError, match=r"format = 64x4x8192: .* than the 2500 bits"):
        sledsim.device("emsoft08", format="64x4x8192")


def test_seeks_are_those_that_the_figures_imply() -> None:
    assert DEVICE.characteristics()["mean_seek_s"] == pytest.approx(1.056e-3, rel=0.01), "004-D6"


def test_a_format_and_its_parts_replace_one_another() -> None:
    changed = DEVICE.with_parameters(format="2048x16x2048")
    assert changed.parameters["active_tips"] == 2048
    assert changed.parameters["tips_per_block"] == 128
    assert sledsim.Device.from_parameters(changed.parameters).parameters == changed.parameters
    assert changed.sources["active_tips"] == "follows from the format"
    parts = changed.with_parameters(sector_encoded_bits=200)
    assert parts.sources["sector_encoded_bits"] == "set by the user"
    assert "format" not in parts.parameters
    more = DEVICE.with_parameters(subsector_overhead_bits=5)
    assert more.parameters["sector_encoded_bits"] == DEVICE.parameters["sector_encoded_bits"] + 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "4096x1"}, "format = 4096x1: expected active tips x parallel sectors"),
        ({"format": "8192x1x8192"}, "8192 active tips are more than tips = 4096"),
        ({"format": "4096x3x4096"}, "4096 active tips cannot be divided equally among 3 sectors"),
        ({"format": "4096x1x512"}, "2 bits for each tip, fewer than subsector_least_bits = 8"),
        ({"format": "64x1x512", "active_tips": 128}, "active_tips = 128: format = 64x1x512 sets it to 64"),
        ({"tip_power_mw": -1}, "tip_power_mw = -1"),
        ({"actuation_power_mw": -0.5}, "actuation_power_mw = -0.5"),
        ({"power_policy": "timeout:ms=-2"}, "ms = -2: expected a number from 0"),
        ({"power_policy": "timeot"}, 'did you mean "timeout"'),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=message):
        sledsim.device("emsoft08", **changes)


def test_formats_need_a_device_that_leaves_them_open() -> None:
    with pytest.raises(sledsim.ParameterError, match="osdi00: format needs a device with ecc_data_bits"):
        sledsim.format_characteristics(sledsim.device("osdi00"), 1280, 20, 512)
    with pytest.raises(sledsim.ParameterError, match="probes = 0: expected a whole number from 1"):
        sledsim.format_characteristics(DEVICE, 0, 1, 512)


@given(
    st.sampled_from(design.space.PROBES),
    st.sampled_from(design.space.SECTORS),
    st.sampled_from(design.space.SECTOR_BYTES),
    st.lists(st.tuples(st.integers(0, 2_000_000), st.integers(1, 200)), min_size=1, max_size=20),
)
@often(60)
def test_requests_take_as_many_groups_as_they_touch(
    probes: int, sectors: int, sector_bytes: int, requests: list[tuple[int, int]]
) -> None:
    known = sledsim.format_characteristics(DEVICE, probes, sectors, sector_bytes)
    if not known["feasible"]:
        return
    device = DEVICE.with_parameters(format=f"{probes}x{sectors}x{sector_bytes}")
    lbn, blocks = (np.array(column) for column in zip(*requests, strict=True))
    trace = sledsim.Trace(
        arrival_ns=np.arange(len(lbn)) * 10**10, lbn=lbn.astype(np.int64), blocks=blocks.astype(np.int32)
    )
    columns = sledsim.simulate(device, trace, "fcfs").columns
    group = sectors * sector_bytes // 512
    groups = (lbn + blocks - 1) // group - lbn // group + 1
    # Groups begin anew at the start of every track, and each is a whole number of rows.
    assert columns["rows"].tolist() == groups.tolist()
    transfer_s = groups * float(known["transfer_s"] or 0)
    assert columns["transfer_ns"] * 1e-9 == pytest.approx(transfer_s, rel=1e-9, abs=1e-9)
    # Eq 6: every active probe takes power in every group, wanted or not.
    assert columns["tips_j"] == pytest.approx(transfer_s * probes * 0.25e-3, rel=1e-9)


SMALL = {"probes": [1024, 4096], "sectors": [1, 4], "sector_bytes": [512, 4096]}


@pytest.fixture(scope="module")
def trace() -> sledsim.Trace:
    found = sledsim.bundled_trace("ext2-4k")
    return found.rows(slice(0, 400))


def test_a_space_holds_what_single_runs_give(trace: sledsim.Trace) -> None:
    found = sledsim.format_space(trace, **SMALL)
    rows = found.table.to_pylist()
    assert len(found) == 8
    for row in rows:
        if not row["feasible"]:
            assert row["mean_response_s"] is None
            continue
        name = f"{row['probes']}x{row['sectors']}x{row['sector_bytes']}"
        run = sledsim.simulate(DEVICE.with_parameters(format=name), trace, "fcfs", past_end="wrap")
        summary = run.summary()
        for key in ("mean_response_s", "mean_service_s", "mean_positioning_s", "energy_j"):
            assert row[key] == pytest.approx(summary[key], rel=1e-9), key
        assert row["device_utilization"] == pytest.approx(summary["utilization"], rel=1e-9)
        axes = (row["probes"], row["sectors"], row["sector_bytes"])
        known = sledsim.format_characteristics(DEVICE, *axes)
        assert {key: row[key] for key in known} == known
        for use, joules in run.energy_by_use_j.items():
            assert row[f"{use}_j"] == pytest.approx(joules)


def test_the_front_is_what_nothing_beats(trace: sledsim.Trace) -> None:
    found = sledsim.format_space(trace, **SMALL)
    value = [(row["mean_response_s"], row["energy_j"], -row["capacity_bytes"]) for row in found.designs]
    for row, own in zip(found.designs, value, strict=True):
        beaten = any(all(a <= b for a, b in zip(other, own, strict=True)) and other != own for other in value)
        assert row["on_front"] == (not beaten)
    assert found.best("energy")["energy_j"] == min(row["energy_j"] for row in found.designs)
    assert found.best("performance", probes=1024)["probes"] == 1024
    assert found.recommended in found.front
    assert "probes" in found.recommendation()
    assert found.varied == ()
    with pytest.raises(
        sledsim.ParameterError, match="goal = 'speed': expected one of performance, energy, capacity"
    ):
        found.best("speed")


def test_without_feasible_designs_the_first_reason_is_reported(trace: sledsim.Trace) -> None:
    with pytest.raises(sledsim.ParameterError, match=r"feasible: 320 probes, .*: a sector of 512 bytes"):
        sledsim.format_space(trace, probes=[320], sector_bytes=[512]).recommendation()


def test_ties_go_to_fewest_probes_and_then_to_the_quickest(trace: sledsim.Trace) -> None:
    # 004-D3: ten formats have subsectors of 2307 bits, and the same capacity.
    found = sledsim.format_space(
        trace, probes=[64, 128, 256, 512], sectors=[1, 2, 4, 8, 16], sector_bytes=[1024, 2048, 4096, 8192]
    )
    best = found.best("capacity")
    equal = [row for row in found.designs if row["capacity_bytes"] == best["capacity_bytes"]]
    assert {row["subsector_bits"] for row in equal} == {2307}
    assert len(equal) == 10
    assert best["probes"] == 64
    assert best["mean_response_s"] == min(row["mean_response_s"] for row in equal if row["probes"] == 64)


def test_the_page_says_how_long_services_of_two_formats_take() -> None:
    text = (Path(__file__).parents[2] / "docs" / "how-to" / "design.md").read_text()
    trace = sledsim.bundled_trace("ext3-1k")
    for name in ("4096x4x1024", "4096x1x4096"):
        run = sledsim.simulate(DEVICE.with_parameters(format=name), trace, "fcfs", past_end="wrap")
        assert f"{run.summary()['mean_service_s'] * 1e3:.3f} ms on {name}" in text


@pytest.mark.dear("many requests are simulated and computed again")
def test_an_exploration_goes_on_where_it_stopped(trace: sledsim.Trace, tmp_path: Path) -> None:
    powers = {"tip_power_mw": [0.1 + 0.01 * at for at in range(60)]}
    axes = {"probes": [4096], "sectors": [1, 4, 8, 16], "sector_bytes": [4096]}
    sledsim.format_space(trace, **axes, parameters=powers, folder=tmp_path)
    ledger = tmp_path / "designs.ledger"
    rows = ledger.read_bytes().splitlines(keepends=True)
    assert len(rows) > 240
    kept = b"".join(rows[:100])
    # A row that was incomplete at the stop does not count.
    ledger.write_bytes(kept + b"[[7, ")
    whole = sledsim.format_space(trace, **axes, parameters=powers, folder=tmp_path)
    found = ledger.read_bytes()
    assert found.startswith(kept)
    assert len(found.splitlines()) == len(rows)
    again = sledsim.format_space(trace, **axes, parameters=powers, folder=tmp_path)
    assert ledger.read_bytes() == found
    alone = sledsim.format_space(trace, **axes, parameters=powers, workers=1)
    assert whole.table.equals(alone.table)
    assert again.table.equals(alone.table)


@pytest.mark.dear("many requests are simulated and computed again")
def test_the_command(cli: Cli, tmp_path: Path) -> None:
    space = tmp_path / "space.toml"
    space.write_text(
        "[format]\nprobes = [2048, 4096]\nsectors = [1]\nsector_bytes = [4096]\n"
        '[parameters]\npower_policy = ["always-on", "timeout:ms=1"]\n'
    )
    done = cli("design", "ext2-4k", "--space", str(space), "--out", str(tmp_path / "out"))
    assert "4 of 4 designs are feasible" in done.stdout
    lines = done.stdout.splitlines()
    picks = [line for line in lines if line.startswith((" least", " most", " recommended"))]
    assert len(picks) == 4
    assert all("always-on" in line or "timeout:ms=1" in line for line in picks), "what else differs"
    assert ", power_policy = timeout:ms=1." in [line for line in lines if line.strip()][-1]
    table = pyarrow.parquet.read_table(tmp_path / "out" / "designs.parquet")
    assert table.column("power_policy").to_pylist() == ["always-on", "timeout:ms=1"] * 2
    for ending in ("html", "png", "svg"):
        assert (tmp_path / "out" / f"trade-offs.{ending}").stat().st_size > 1000
    assert (tmp_path / "out" / "designs.ledger").exists()
    again = cli("design", "ext2-4k", "--space", str(space), "--out", str(tmp_path / "out"), "--resume")
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert again.stderr.startswith("--resume of 'sledsim design' is no longer needed: finished designs")
    found = json.loads(cli("design", "ext2-4k", "--space", str(space), "--json").stdout)
    assert found["picks"]["least energy"]["power_policy"] == "timeout:ms=1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[format]\nprobe = [1]", "format: unknown key 'probe': expected one of probes, sectors"),
        ("[format]\nprobes = []", "probes = []: expected a list of at least one value"),
        ("[format]\nprobes = [64, 64]", "a value is given twice"),
        ("[format]\nprobes = [6.5]", "probes = 6.5: expected a whole number from 1"),
        ("[parameters]\nactive_tips = [64]", "active_tips: follows from the format"),
        ("[parameters]\ntip_power = [1]", "tip_power"),
        ("device = 3", "device = 3: expected the name of a device"),
        ("format = 3", "format = 3: expected a table, [format]"),
        ("[format", "Expected"),
    ],
)
def test_a_wrong_space_is_refused(cli: Cli, tmp_path: Path, text: str, message: str) -> None:
    space = tmp_path / "space.toml"
    space.write_text(text)
    done = cli("design", "ext2-4k", "--space", str(space))
    assert done.returncode == 2
    assert "space.toml: " in done.stderr
    assert message in done.stderr


def _allocated(sizes: list[int], sector_bytes: int) -> int:
    """Allocate sectors in turn until a file fits."""
    total = 0
    for size in sizes:
        held = 0
        while held < size:
            held += sector_bytes
        total += held
    return total


def test_files_leave_what_they_do_not_fill(trace: sledsim.Trace) -> None:
    """004 5.4: large sectors waste space that small sectors side by side use."""
    sizes = [int(size) for size in np.random.default_rng(4).exponential(20_000, 300)] + [0, 1, 4096]
    axes: dict[str, Any] = {"probes": [4096], "sectors": [1, 8], "sector_bytes": [1024, 8192]}
    plain = sledsim.format_space(trace, **axes)
    found = sledsim.format_space(trace, **axes, file_bytes=sizes)
    for row, without in zip(found.designs, plain.designs, strict=True):
        share = sum(sizes) / _allocated(sizes, row["sector_bytes"])
        assert row["file_share"] == pytest.approx(share, rel=1e-12)
        assert row["usable_bytes"] == pytest.approx(row["capacity_bytes"] * share, rel=1e-12)
        assert without["usable_bytes"] == row["capacity_bytes"] and without["file_share"] == 1
        assert row["mean_response_s"] == without["mean_response_s"]
    large, side_by_side = (
        next(row for row in found.designs if (row["sectors"], row["sector_bytes"]) == axes)
        for axes in ((1, 8192), (8, 1024))
    )
    assert large["capacity_bytes"] == side_by_side["capacity_bytes"]
    assert large["usable_bytes"] < 0.9 * side_by_side["usable_bytes"]
    assert "of files, which leave" in found.recommendation() and "of files" not in plain.recommendation()


def test_no_pick_of_energy_or_response_is_beaten(trace: sledsim.Trace) -> None:
    """Small sectors side by side are as quick as large ones, and files leave less space unused."""
    sizes = [512, 1000, 0, 4096, 70_000]
    axes: dict[str, Any] = {"probes": [512, 4096], "sectors": [1, 2, 8], "sector_bytes": [512, 2048, 4096]}
    found = sledsim.format_space(trace, **axes, file_bytes=sizes)

    def value(row: dict[str, Any]) -> tuple[float, float, float]:
        return (row["mean_response_s"], row["energy_j"], -row["usable_bytes"])

    ties = 0
    for fixed in ({}, {"probes": 512}, {"sectors": 8}, {"sector_bytes": 4096}):
        rows = [row for row in found.designs if all(row[key] == at for key, at in fixed.items())]
        for target, column in (("performance", "mean_response_s"), ("energy", "energy_j")):
            pick = found.best(target, **fixed)
            least = min(row[column] for row in rows)
            assert pick[column] == least
            others = [row for row in rows if value(row) != value(pick)]
            assert not any(all(map(operator.le, value(row), value(pick))) for row in others), (fixed, target)
            ties += sum(row[column] == least for row in rows) > 1
            assert fixed or pick["on_front"]
    assert ties >= 3


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_capacities_are_called_what_they_are(trace: sledsim.Trace) -> None:
    alt = pytest.importorskip("altair")
    from sledsim.charts.design_chart import trade_offs

    axes: dict[str, Any] = {"probes": [4096], "sectors": [1, 8], "sector_bytes": [512]}
    for sizes, named in ((None, "Capacity (GiB)"), ([1000], "Capacity usable for these files (GiB)")):
        chart = trade_offs(sledsim.format_space(trace, **axes, file_bytes=sizes))
        assert isinstance(chart, alt.HConcatChart)
        text = json.dumps(chart.to_dict())
        titles = set(re.findall(r'"title": "(Capacity[^"]*)"', text))
        assert titles == {named}
        assert ("usable for these files and better in one" in text) == (sizes is not None)


@pytest.mark.parametrize(
    "sizes",
    [
        *([], [0, 0], [-1, 5], [float("nan")], ["many"], [[1, 2]], [1.5], [3, True], [2**63], "12", 7),
        *(np.array([True]), np.array([1.0]), np.array([[1, 2]])),
    ],
)
def test_sizes_of_files_are_checked(trace: sledsim.Trace, sizes: list[Any]) -> None:
    with pytest.raises(sledsim.ParameterError, match="file_bytes: expected sizes of files in bytes"):
        sledsim.format_space(trace, probes=[4096], file_bytes=sizes)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_the_command_reads_sizes_of_files(cli: Cli, tmp_path: Path) -> None:
    sizes, space = tmp_path / "sizes.txt", tmp_path / "space.toml"
    space.write_text("[format]\nprobes = [4096]\nsectors = [1]\nsector_bytes = [4096]\n")
    sizes.write_text("1024\n3072\n")
    words = ("design", "ext2-4k", "--space", str(space), "--files", str(sizes))
    found = json.loads(cli(*words, "--json").stdout)
    assert found["picks"]["most capacity"]["file_share"] == 0.5
    assert "usable for" in cli(*words).stdout
    expected = f"expected the size of a file in bytes, a whole number from 0 to {2**63 - 1}"
    for text, message in (
        ("1024\nmany\n", f":2: {expected}, found 'many'"),
        ("\n", f":1: {expected}, found ''"),
        (f"{2**63}\n", f":1: {expected}, found '{2**63}'"),
        ("0\n", ": expected at least one size above 0, found none"),
        ("", ": expected at least one size above 0, found none"),
    ):
        sizes.write_text(text)
        refused = cli(*words)
        assert refused.returncode == 2 and f"{sizes}{message}" in " ".join(refused.stderr.split())
    sizes.write_text(f"{2**63 - 1}\n")
    assert cli(*words).returncode == 0
