"""Test the parts of 000's experiments on scheduling: streams, real disks, comparisons, queues in zones."""

import dataclasses
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import sledsim
from sledsim import papers
from sledsim.papers import OnInput, Verdict
from sledsim.papers.p000 import decision_times
from sledsim.papers.p000.comparisons import Comparison, alike, compared, larger, slightly_larger
from sledsim.papers.p000.decision_times import times_in_words
from sledsim.papers.p000.e06_decision_cost import decision_cost, zone_claim
from sledsim.papers.p000.e07_pyramid import half_or_more
from sledsim.papers.p000.inputs import OWN_RATE, SEQUENTIALITY, inputs, synthetic, zoned_device
from sledsim.papers.p000.sequential_streams import bursty_stream, sequential_workload
from sledsim.papers.p000.zone_queues import waiting, zone_numbers
from sledsim.papers.p003 import inputs as p003_inputs
from sledsim.papers.shared.hp_disks import FILES, read_disks
from sledsim.runs.curve_points import CurvePoint
from sledsim.runs.curves import Curves
from sledsim.runs.intervals import Estimate

from ..conftest import Cli

TRACES = Path(__file__).parents[3] / "shared" / "traces" / "hp-srt"
needs_traces = pytest.mark.skipif(
    not all((TRACES / name).is_file() for name in FILES), reason="HP's traces are not beside this checkout"
)


@pytest.mark.parametrize("part", [0.0, 0.005, 0.829, 1.0])
def test_a_stream_has_its_sequentiality(device: sledsim.Device, part: float) -> None:
    count = 20_000
    trace = sequential_workload(device, rate_per_s=900, sequentiality=part, count=count, seed=3)
    random = sledsim.random_workload(device, rate_per_s=900, count=count, seed=3)
    found = np.mean(trace.lbn[1:] == trace.lbn[:-1] + trace.blocks[:-1])
    # Tolerance of four standard deviations; the end of the device breaks a run now and then.
    assert found == pytest.approx(part, abs=4 * math.sqrt(part * (1 - part) / count) + 1e-3)
    for name in ("arrival_ns", "blocks", "write"):
        assert np.array_equal(getattr(trace, name), getattr(random, name))
    assert (trace.lbn + trace.blocks).max() <= device.characteristics()["blocks"]
    again = sequential_workload(device, rate_per_s=900, sequentiality=part, count=count, seed=3)
    assert np.array_equal(trace.lbn, again.lbn)


@pytest.mark.parametrize("like", ["server", "user"])
def test_bursty_streams_have_what_is_published_of_their_traces(like: str) -> None:
    """Means over many seeds lie within four standard errors."""
    own, part, count = OWN_RATE[like], SEQUENTIALITY[like], 20_000
    model, draw = zoned_device(1), bursty_stream(part, count)
    found = []
    for seed in range(1, 41):
        trace = draw(model, own, seed)
        gaps_s = np.diff(trace.arrival_ns) * 1e-9
        follows = trace.lbn[1:] == trace.lbn[:-1] + trace.blocks[:-1]
        # Bound of 5 ms at the rate of the user trace; the server trace is assumed to be a faster copy.
        found.append((gaps_s.mean() * own, (gaps_s < 5e-3 * 20.9 / own).mean(), follows.mean()))
    means, errors = np.mean(found, axis=0), np.std(found, axis=0, ddof=1) / math.sqrt(len(found))
    assert (np.abs(means - (1, 0.753, part)) < 4 * errors).all(), (means, errors)
    assert (errors < (0.03, 0.002, 0.001)).all()


def test_a_bursty_stream_is_replayed_at_scale_factors() -> None:
    model, draw = zoned_device(1), bursty_stream(0.829, 2000)
    own, faster = draw(model, 20.9, 3), draw(model, 209.0, 3)
    assert np.abs(own.arrival_ns - 10 * faster.arrival_ns).max() <= 10
    for name in ("lbn", "blocks", "write"):
        assert np.array_equal(getattr(own, name), getattr(faster, name))


def test_what_is_found_elsewhere_never_contradicts_the_paper() -> None:
    found = OnInput("x", "2", "a stream", "3", told=True)
    assert (found.verdict, found.found) == (Verdict.SHAPE, "on a stream: 3")
    missed = dataclasses.replace(found, told=False)
    assert missed.verdict is Verdict.NOT_BORNE_OUT
    assert missed.found == "on a stream: 3; not borne out"
    left_open = dataclasses.replace(found, told=None)
    assert left_open.verdict is Verdict.NOT_BORNE_OUT
    assert left_open.found == "on a stream: 3; open"


def compare(*ratios: tuple[float, float], above: str = "", below: str = "") -> Comparison:
    """Return ratios at 100, 200, ... requests/s, and the state of each policy at 900/s."""
    pairs = [(100.0 * at, Estimate(value, half, 5)) for at, (value, half) in enumerate(ratios, 1)]
    saturated, unsettled = (
        ([900.0] * (above == state), [900.0] * (below == state)) for state in ("saturated", "not at rest")
    )
    return Comparison(("fcfs", "sptf"), pairs, saturated, unsettled, "rate_per_s")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (compare((1.2, 0.1)), (True, None, False)),
        (compare((0.8, 0.1)), (False, None, False)),
        (compare((1.2, 0.1), (0.8, 0.1)), (False, None, False)),
        (compare((1.02, 0.04)), (None, True, True)),  # Not beyond its interval.
        (compare((1.04, 0.05)), (None, True, None)),  # Perhaps more than slightly.
        (compare((1.14, 0.02)), (True, None, False)),  # Perhaps not alike.
        (compare((1.10, 0.01), (1.14, 0.01)), (True, True, False)),
        (compare((1.2, 0.1), above="saturated"), (True, False, False)),
        (compare((1.2, 0.1), below="saturated"), (False, False, False)),
        (compare(above="saturated"), (True, False, False)),
        (compare((1.2, 0.1), above="not at rest"), (None, None, False)),  # Not clearly the longer queue.
        (compare((1.2, 0.1), below="not at rest"), (None, None, False)),
        (compare((1.02, 0.04), above="not at rest"), (None, None, None)),
        (compare((1.2, 0.1), above="saturated", below="not at rest"), (True, None, False)),
        (compare((1.02, 0.04), above="not at rest", below="not at rest"), (None, True, True)),
        (compare(above="saturated", below="saturated"), (None, None, None)),
        (compare(), (None, None, None)),
        (compare((1.2, math.nan)), (None, None, None)),  # An unknown interval leaves all open.
    ],
)
def test_what_a_comparison_bears_out(found: Comparison, expected: tuple[bool | None, ...]) -> None:
    assert (larger(found), alike(found), slightly_larger(found)) == expected


def test_how_a_comparison_reads() -> None:
    found = compare((1.234, 0.0456), above="saturated", below="not at rest")
    assert found.text == "1.234 ± 0.046 at 100/s, FCFS saturated at 900/s, SPTF not at rest at 900/s"
    assert compare(above="saturated", below="saturated").text == "both saturated at 900/s"


def test_loads_without_a_mean_are_distinguished() -> None:
    def point(name: str, load: float, value: float | str) -> CurvePoint:
        if isinstance(value, str):
            return CurvePoint(name, load, saturated=True, unsettled=value == "not at rest")
        samples = {"mean_response_s": np.array([value, 1.02 * value])}
        return CurvePoint(name, load, False, {"mean_response_s": Estimate(value, 0.1, 2)}, samples)

    points = [
        *(point("fcfs", 100, 2.0), point("sptf", 100, 1.0)),
        *(point("fcfs", 150, "not at rest"), point("sptf", 150, 1.2)),
        *(point("fcfs", 170, 4.0), point("sptf", 170, 1.6)),  # The queue was longer by chance before.
        *(point("fcfs", 200, "saturated"), point("sptf", 200, 1.5), point("sptf", 300, "saturated")),
    ]
    curves = Curves("x", "y", "rate_per_s", points, {"confidence": 0.95})
    loads = [100, 150, 170, 200, 300]
    found = compared(curves, "fcfs", "sptf", loads)
    assert [load for load, _ in found.ratios] == [100, 170]
    assert [ratio.value for _, ratio in found.ratios] == pytest.approx([2.0, 2.5])
    assert (found.saturated, found.unsettled) == (([200, 300], [300]), ([150], []))
    assert found.alone == ({150, 200}, set())
    assert compared(curves, "sptf", "fcfs", loads).alone == (set(), {150, 200})
    assert not larger(found)
    assert larger(compared(curves, "fcfs", "sptf", [100, 170, 200, 300]))


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
    # ZSPTF stays in a zone until no request waits there.
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


def costs(entry_s: float) -> list[dict[str, object]]:
    return [
        {"burst": burst, "functions": functions, "linear_per_entry_s": saved * entry_s}
        | {"linear_per_decision_s": burst * entry_s, "index_per_decision_s": 2e-6}
        for burst in (30, 3000)
        for functions, saved in (("exact functions", 1.0), ("tables", 0.8))
    ]


@pytest.mark.parametrize("entry_s", [1e-7, 1e-3, 0.0])
def test_no_verdict_hangs_on_the_clock(entry_s: float) -> None:
    claim = decision_cost(costs(entry_s), max_seek_ms=0.77)
    assert claim.verdict is Verdict.UNPUBLISHED  # The paper's computer is not ours.
    assert [found.verdict for found in claim.findings] == [Verdict.UNPUBLISHED] * 2 + [Verdict.REPRODUCED]


def test_what_a_decision_took_in_words() -> None:
    assert times_in_words(costs(1e-7)) == (
        "In this run, with 30 requests at once a decision takes 3 µs with a full search, 2 µs with the index;"
        " with 3,000 requests at once a decision takes 300 µs with a full search, 2 µs with the index."
        " Tables save 20% to 20% of an entry."
    )
    assert "0.1 to 0.1 µs on this machine" in decision_cost(costs(1e-7), 0.77).findings[0].found


def test_costs_follow_from_processor_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """The times are given, because times of a machine with other work would prove nothing."""
    times = {"fcfs": 1.0, "sptf:search=linear": 1.5, "sptf": 0.9}
    monkeypatch.setattr(decision_times, "processor_s", lambda model, trace, scheduler: times[scheduler])
    rows = decision_times.decision_costs(sledsim.device("mascots03"), (20, 2000))
    assert [(row["burst"], row["functions"]) for row in rows] == [
        (burst, functions) for burst in (20, 2000) for functions in ("exact functions", "tables")
    ]
    for row in rows:
        # A burst of n has about n (n + 1) / 2 entries; 400,000 entries are measured, in whole bursts.
        entries = row["burst"] * (row["burst"] + 1) / 2
        looked_at = max(1, round(400_000 / entries)) * entries
        assert row["linear_per_entry_s"] == pytest.approx(0.5 / looked_at)
        assert row["linear_per_decision_s"] == pytest.approx(0.5 / looked_at * (row["burst"] + 1) / 2)
        assert row["index_per_decision_s"] == 0  # Negative times become 0.


@pytest.mark.parametrize(
    ("ratio", "holds"), [(40.0, True), (12.0, True), (11.0, False), (99.0, False), (3.0, False)]
)
def test_zone_queues_are_judged_load_by_load(ratio: float, holds: bool) -> None:
    rows = [
        {"input": "server", "rate_per_s": rate, "ratio": value, "ratio_half_width": 2.0}
        for rate, value in ((1600.0, ratio), (1800.0, 40.0))
    ]
    claim = zone_claim(rows)
    assert [found.verdict is Verdict.SHAPE for found in claim.findings] == [holds, True]
    assert ("1,600/s" in claim.reason, "1,800/s" in claim.reason) == (not holds, False)


def test_half_of_the_gap_is_an_effect_from_half_to_twice_as_large() -> None:
    parts = (0.2, 0.26, 0.47, 0.8, 1.4)
    closed = [(f"{at}/s", Estimate(value, 0.02, 8)) for at, value in enumerate(parts)]
    stream = dataclasses.replace(synthetic("server", quick=True), name="a stream")
    found = half_or_more([(stream, closed)])
    assert [one.told for one in found] == [False, True, True, True, False]
    assert found[0].found == "on a stream: 0.200 ± 0.020; not borne out"
    (open_one,) = half_or_more([(stream, [("1/s", Estimate(0.3, 0.4, 8))])])
    assert open_one.told is None
    (unknown,) = half_or_more([(stream, [("1/s", None)])])
    assert (unknown.told, "not known, because a policy has no mean" in unknown.found) == (None, True)


@pytest.mark.dear("experiments of a paper are simulated", every_change=True)
def test_the_gap_is_judged_on_streams_on_which_nothing_was_chosen() -> None:
    chosen, judged = synthetic("server", True), synthetic("server", True, 500, 2, seed=1001)
    seeds = [one.curves(["fcfs"], "light").origin["seed"] for one in (chosen, judged)]
    assert seeds == [1, 1001]


@pytest.mark.dear("experiments of a paper are simulated")
def test_experiments_on_zones_have_their_inputs_and_charts(
    quick_chapter: Callable[[str], papers.Chapter],
) -> None:
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    chapter = quick_chapter("000-E-3")
    assert list(chapter.result.tables) == list(chapter.result.charts)
    assert ["server" in title for title in chapter.result.tables] == [True, False] * 2
    assert ["hour" in title for title in chapter.result.tables] == [False] * 2 + [True] * 2
    for table in chapter.result.tables.values():
        assert {"scheduler", "saturated", "cv2_response"} <= set(table.column_names)
        assert {"rate_per_s", "scale"} & set(table.column_names)
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
        "class": ["inode", "user-data"] * (rows // 2),
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
    assert trace.metadata[:2].tolist() == [True, False]
    assert found[0].sequentiality == 1
    used = [one for one in inputs(quick=True, traces=tmp_path) if one.is_trace]
    assert [(one.like, one.is_bursty) for one in used] == [("user", True)] * 2
    assert list(used[0].loads) == ["light", "moderate", "heavy"]
    loads = [load for loads in used[0].loads.values() for load in loads]
    assert loads == sorted(loads)


def test_a_folder_without_the_traces_is_refused(tmp_path: Path, cli: Cli) -> None:
    write(tmp_path / "cello-2003-decoded.csv.zst", 10)
    for run in (papers.check_traces, lambda folder: papers.run("000-E-3", True, folder)):
        with pytest.raises(sledsim.ParameterError, match=r"found no hplajw-decoded\.csv\.zst$"):
            run(tmp_path)
    done = cli("paper", "run", "000-E-3", "--quick", "--traces", "nowhere")
    assert (done.returncode, done.stdout) == (2, "")
    assert "expected cello-2003-decoded.csv.zst and hplajw-decoded.csv.zst in nowhere" in done.stderr


def test_experiments_run_on_the_traces_that_are_there(tmp_path: Path) -> None:
    """A folder with one file is enough for experiments that use only this file."""
    _, hplajw = FILES
    write(tmp_path / hplajw, 4000)
    able = [row for row in papers.EXPERIMENTS if row.needs]
    assert {row.id for row in papers.using_traces(papers.EXPERIMENTS, tmp_path)} == {
        row.id for row in able if row.paper == "003"
    }
    assert all(row.needs for row in able)
    assert [disk.name for disk in read_disks(tmp_path, ["hplajw 1992"])] == ["hplajw 1992, disk 7"]
    assert len(next(p003_inputs.inputs(True, tmp_path)[-1].read())) == 4000
    found = papers.run("003-E-2", quick=True, traces=tmp_path)
    assert "hplajw 1992" in str(found.tables)


def test_only_experiments_with_traces_mention_them() -> None:
    users = {row.id for row in papers.EXPERIMENTS if row.needs}
    for item in papers.ITEMS:
        assert "--traces" not in item.lacks or users.intersection(item.here), item
    # Notes of drawn days alone, as in 003-E-5.
    notes = p003_inputs.notes(p003_inputs.drawn_days(quick=True))
    assert not [note for note in notes if "--traces" in note]


def test_a_table_of_something_else_is_refused(tmp_path: Path) -> None:
    for name in FILES:
        write(tmp_path / name, 10)
    (tmp_path / "cello-2003-decoded.csv.zst").write_bytes(b"no such thing")
    with pytest.raises(sledsim.TraceError, match=r"cello-2003.*: expected a table with the columns time_us"):
        read_disks(tmp_path)


def test_an_experiment_without_use_for_traces_says_so(tmp_path: Path) -> None:
    with pytest.raises(
        sledsim.ParameterError,
        match="002-E-1: expected an experiment that uses real traces, one of 000-E-3, 000-E-4",
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


@pytest.mark.dear("experiments of a paper are simulated")
@needs_traces
def test_on_real_traces_some_directions_turn_round() -> None:
    chapter = papers.run("000-E-3", quick=True, traces=TRACES)
    assert f"--traces {TRACES}" in chapter.command
    sooner = next(claim for claim in chapter.claims if claim.id == "000-C6")
    # One time of overload makes most of the mean on Cello's disks: its batches resemble each other.
    assert sooner.elsewhere is Verdict.SHAPE
    found = {finding.input.partition(" (")[0]: finding.told for finding in sooner.findings}
    assert found == {
        "the user-like stream": True,
        "the bursty user-like hour": None,
        "cello 2003, disk 4675": None,
        "cello 2003, disk 4930": None,
    }
    far = next(claim for claim in chapter.claims if claim.id == "000-C29")
    assert far.elsewhere is Verdict.NOT_BORNE_OUT
    told = {
        finding.input.partition(" (")[0]: finding.told
        for finding in far.findings
        if finding.paper == "far more"
    }
    assert told == {
        "the user-like stream": True,
        "the bursty user-like hour": False,
        "cello 2003, disk 4675": False,
        "cello 2003, disk 4930": False,
    }
