"""What 000's experiments on scheduling are made of: streams, real disks, comparisons, and queues in zones."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import sledsim
from sledsim import papers
from sledsim.curves import CurvePoint, Curves
from sledsim.intervals import Estimate
from sledsim.papers import Elsewhere, Verdict
from sledsim.papers.hp_disks import FILES, read_disks
from sledsim.papers.p000_comparisons import Comparison, alike, compared, larger, slightly_larger
from sledsim.papers.p000_e06_decision_cost import decision_cost, decision_costs, zone_claim
from sledsim.papers.p000_inputs import inputs, zoned_device
from sledsim.papers.sequential_streams import sequential_workload
from sledsim.papers.zone_queues import waiting, zone_numbers

from .conftest import Cli

TRACES = Path(__file__).parents[2] / "shared" / "traces" / "hp-srt"
needs_traces = pytest.mark.skipif(
    not all((TRACES / name).is_file() for name in FILES), reason="HP's traces are not beside this checkout"
)


@pytest.mark.parametrize("part", [0.0, 0.005, 0.829, 1.0])
def test_a_stream_has_its_sequentiality(device: sledsim.Device, part: float) -> None:
    count = 20_000
    trace = sequential_workload(device, rate_per_s=900, sequentiality=part, count=count, seed=3)
    random = sledsim.random_workload(device, rate_per_s=900, count=count, seed=3)
    found = np.mean(trace.lbn[1:] == trace.lbn[:-1] + trace.blocks[:-1])
    # Four standard deviations of a share of so many draws; the end of the device breaks a run now and then.
    assert found == pytest.approx(part, abs=4 * math.sqrt(part * (1 - part) / count) + 1e-3)
    for name in ("arrival_ns", "blocks", "write"):
        assert np.array_equal(getattr(trace, name), getattr(random, name))
    assert (trace.lbn + trace.blocks).max() <= device.characteristics()["blocks"]
    again = sequential_workload(device, rate_per_s=900, sequentiality=part, count=count, seed=3)
    assert np.array_equal(trace.lbn, again.lbn)


def test_what_is_found_elsewhere_never_contradicts_the_paper() -> None:
    found = Elsewhere("x", "2", "a stream", "3", holds=True)
    assert (found.verdict, found.found) == (Verdict.SHAPE, "on a stream: 3")
    missed = dataclasses.replace(found, holds=False)
    assert missed.verdict is Verdict.UNPUBLISHED
    assert missed.found == "on a stream: 3; that does not bear it out"


def compare(*ratios: tuple[float, float], above: bool = False, below: bool = False) -> Comparison:
    pairs = [(100.0 * at, Estimate(value, half, 5)) for at, (value, half) in enumerate(ratios, 1)]
    return Comparison(("fcfs", "sptf"), pairs, [900.0] * above, [900.0] * below, [], "rate_per_s")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (compare((1.2, 0.1)), (True, False, False)),
        (compare((1.04, 0.05)), (False, True, True)),  # Not beyond its interval.
        (compare((1.10, 0.01), (1.14, 0.01)), (True, True, False)),
        (compare((1.2, 0.1), above=True), (True, False, False)),
        (compare((1.2, 0.1), below=True), (False, False, False)),
        (compare(above=True), (True, False, False)),
        (compare(), (False, False, False)),
        (compare((1.2, math.nan)), (False, False, False)),  # Nothing is beyond an interval that is not known.
    ],
)
def test_what_a_comparison_bears_out(found: Comparison, expected: tuple[bool, bool, bool]) -> None:
    assert (larger(found), alike(found), slightly_larger(found)) == expected


def test_how_a_comparison_reads() -> None:
    found = compare((1.234, 0.0456), above=True)
    assert found.text == "1.23 ± 0.046 at 100/s, FCFS saturated at 900/s"


def test_saturated_loads_are_told_apart() -> None:
    def point(name: str, load: float, value: float | None) -> CurvePoint:
        if value is None:
            return CurvePoint(name, load, saturated=True)
        samples = {"mean_response_s": np.array([value, 1.02 * value])}
        return CurvePoint(name, load, False, {"mean_response_s": Estimate(value, 0.1, 2)}, samples)

    points = [
        *(point("fcfs", 100, 2.0), point("sptf", 100, 1.0)),
        *(point("fcfs", 200, None), point("sptf", 200, 1.5), point("sptf", 300, None)),
    ]
    curves = Curves("x", "y", "rate_per_s", points, {"confidence": 0.95})
    found = compared(curves, "fcfs", "sptf", [100, 200, 300])
    assert [(load, ratio.value) for load, ratio in found.ratios] == [(100, pytest.approx(2.0))]
    assert (found.above, found.below, found.both) == ([200], [], [300])
    assert compared(curves, "sptf", "fcfs", [100, 200, 300]).below == [200]


def test_queues_in_zones_are_replayed_from_the_record() -> None:
    model = zoned_device(2)
    trace = sequential_workload(model, rate_per_s=1800, sequentiality=0.5, count=1500, seed=4)
    run = sledsim.simulate(model, trace, "zsptf")
    zones = zone_numbers(model, trace.lbn)
    ready_ns, start_ns = run.columns["arrival_ns"] + run.columns["overhead_ns"], run.columns["start_ns"]
    in_all, in_zone = waiting(run), waiting(run, zones)
    for row in range(0, 1500, 37):
        here = (ready_ns <= start_ns[row]) & (start_ns >= start_ns[row])
        assert in_all[row] == here.sum()
        assert in_zone[row] == (here & (zones == zones[row])).sum()
    # ZSPTF stays in a zone until nothing waits there.
    order = np.argsort(start_ns)
    left = order[:-1][np.diff(zones[order]) != 0]
    onwards = order[1:][np.diff(zones[order]) != 0]
    for row, after in zip(left, onwards, strict=True):
        own = zones == zones[row]
        came, went = own & (ready_ns <= start_ns[after]), own & (start_ns <= start_ns[row])
        assert came.sum() == went.sum()


def test_zones_are_those_of_the_paper() -> None:
    model = zoned_device(1)
    every_row = np.arange(0, model.characteristics()["blocks"], 20)
    assert len(np.unique(zone_numbers(model, every_row))) == 80  # 000-F15.


def costs(growth: float) -> list[dict[str, object]]:
    return [
        {"burst": burst, "functions": functions, "linear_per_entry_s": 1e-7, "linear_per_decision_s": cost}
        for functions in ("exact functions", "tables")
        for burst, cost in ((30, 1e-6), (3000, growth * 1e-6))
    ]


@pytest.mark.parametrize(("growth", "holds"), [(97, True), (50, True), (1.5, False), (900, False)])
def test_the_cost_of_a_decision_is_judged_by_its_growth(growth: float, holds: bool) -> None:
    claim = decision_cost(costs(growth), max_seek_ms=0.77)
    assert claim.verdict is Verdict.UNPUBLISHED  # Their computer is not ours.
    assert claim.findings[2].verdict is (Verdict.SHAPE if holds else Verdict.UNPUBLISHED)
    assert "0.1 to 0.1 µs on this machine" in claim.findings[0].found
    assert claim.findings[3].verdict is Verdict.REPRODUCED


def test_searching_costs_more_the_longer_the_queue() -> None:
    short, _, long, _ = decision_costs(sledsim.device("mascots03"), (20, 2000))
    assert long["linear_per_decision_s"] > 5 * short["linear_per_decision_s"] > 0
    assert long["index_per_decision_s"] < long["linear_per_decision_s"]


@pytest.mark.parametrize(("ratio", "verdict"), [(40.0, Verdict.SHAPE), (3.0, Verdict.UNPUBLISHED)])
def test_zone_queues_are_judged_by_the_papers_range(ratio: float, verdict: Verdict) -> None:
    rows = [
        {"input": like, "rate_per_s": 1000.0, "ratio": ratio, "ratio_half_width": 2.0}
        for like in ("server", "user")
    ]
    assert zone_claim(rows).verdict is verdict


def test_experiments_on_zones_have_their_inputs_and_charts() -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    chapter = papers.run("000-E-3", quick=True)
    assert list(chapter.result.tables) == list(chapter.result.charts)
    assert ["server" in title for title in chapter.result.tables] == [True, False]
    for table in chapter.result.tables.values():
        assert {"scheduler", "rate_per_s", "saturated", "cv2_response"} <= set(table.column_names)
        assert "fcfs" in table["scheduler"].to_pylist()
    for draw in chapter.result.charts.values():
        draw().to_dict()  # Altair checks it against the schema.


def write(path: Path, rows: int, **columns: list[object]) -> None:
    table = {
        "time_us": list(range(0, 1000 * rows, 1000)),
        "device": ["7:0"] * rows,
        "offset_bytes": [4096 * row for row in range(rows)],
        "size_bytes": [4096] * rows,
        "rw": ["R", "W"] * (rows // 2),
    }
    with pa.output_stream(path, compression="zstd") as file:
        pyarrow.csv.write_csv(pa.table({**table, **columns}), file)


def test_disks_are_read_from_a_folder(tmp_path: Path) -> None:
    first, second = FILES
    write(tmp_path / first, 4000)
    write(tmp_path / second, 4002, device=["0:1"] * 4000 + ["1:1"] * 2)
    found = read_disks(tmp_path)
    assert [disk.name for disk in found] == ["cello 2003, disk 7", "hplajw 1992, disk 0"]
    trace = found[0].trace
    assert (len(trace), trace.lbn[1], trace.blocks[1], trace.arrival_ns[1]) == (4000, 8, 8, 1_000_000)
    assert trace.write[:2].tolist() == [False, True]
    assert found[0].sequentiality == 1
    used = inputs(quick=True, traces=tmp_path)
    assert [(one.like, one.is_trace) for one in used[2:]] == [("user", True)] * 2
    assert list(used[2].loads) == ["light", "moderate", "heavy"]
    loads = [load for loads in used[2].loads.values() for load in loads]
    assert loads == sorted(loads)


def test_a_folder_without_the_traces_is_refused(tmp_path: Path, cli: Cli) -> None:
    write(tmp_path / "cello-2003-decoded.csv.zst", 10)
    for run in (papers.check_traces, lambda folder: papers.run("000-E-3", True, folder)):
        with pytest.raises(sledsim.ParameterError, match=r"found no hplajw-decoded\.csv\.zst$"):
            run(tmp_path)
    done = cli("paper", "run", "000-E-3", "--quick", "--traces", "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected cello-2003-decoded.csv.zst and hplajw-decoded.csv.zst in nowhere" in done.stderr


def test_a_table_of_something_else_is_refused(tmp_path: Path) -> None:
    for name in FILES:
        write(tmp_path / name, 10)
    (tmp_path / "cello-2003-decoded.csv.zst").write_bytes(b"no such thing")
    with pytest.raises(sledsim.TraceError, match=r"cello-2003.*: expected a table with the columns time_us"):
        read_disks(tmp_path)


def test_an_experiment_without_use_for_traces_says_so(tmp_path: Path) -> None:
    with pytest.raises(
        sledsim.ParameterError, match="002-E-1 uses no traces: expected one of 000-E-3, 000-E-4"
    ):
        papers.run("002-E-1", quick=True, traces=tmp_path)


@needs_traces
def test_the_real_disks_are_known() -> None:
    found = {disk.name: disk for disk in read_disks(TRACES)}
    assert {name: len(disk.trace) for name, disk in found.items()} == {
        "cello 2003, disk 352": 7409,
        "cello 2003, disk 4675": 4329,
        "cello 2003, disk 4930": 4171,
        "cello 2003, disk 608": 9879,
        "hplajw 1992, disk 0": 42252,
    }
    assert found["cello 2003, disk 4675"].sequentiality == pytest.approx(0.767, abs=1e-3)


@needs_traces
def test_on_real_traces_some_directions_turn_round() -> None:
    chapter = papers.run("000-E-3", quick=True, traces=TRACES)
    assert f"--traces {TRACES}" in chapter.command
    sooner = next(claim for claim in chapter.claims if claim.id == "000-C6")
    found = {finding.found.partition(" (")[0]: finding.verdict for finding in sooner.findings}
    assert found == {
        "on the user-like stream": Verdict.SHAPE,
        "on cello 2003, disk 4675": Verdict.UNPUBLISHED,
        "on cello 2003, disk 4930": Verdict.UNPUBLISHED,
    }
