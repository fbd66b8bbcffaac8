"""Traces with flushes and with writes that force unit access (FUA), replayed in runs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sledsim
from sledsim.runs.over_time import Course
from sledsim.runs.steady_state import observe
from sledsim.traces.tools import sample_trace
from sledsim.traces.trace import DISCARD, FLUSH, FUA, WRITE

from ..conftest import Cli
from .test_streams import batches


@pytest.fixture(scope="module")
def trace() -> sledsim.Trace:
    """Return 2,000 requests of a capture of ext3, with flushes."""
    whole = sledsim.bundled_trace("ext3-1k")
    return whole.rows(slice(3000, 5000))


@pytest.fixture(scope="module")
def run(trace: sledsim.Trace) -> sledsim.Run:
    return sledsim.simulate("atlas10k", trace, past_end="wrap")


def test_flushes_have_rows_and_figures_of_their_own(trace: sledsim.Trace, run: sledsim.Run) -> None:
    flushes = trace.op == FLUSH
    assert 50 < flushes.sum() < 1000
    assert np.array_equal(run.columns["kind"] == 3, flushes)
    moves, summary = run.response_ns[~flushes] * 1e-9, run.summary()
    flushed = run.response_ns[flushes] * 1e-9
    assert (summary["requests"], summary["flushes"]) == (len(moves), len(flushed))
    expected = {
        "mean_response_s": moves.mean(),
        "p99_response_s": np.percentile(moves, 99),
        "mean_flush_s": flushed.mean(),
        "p50_flush_s": np.percentile(flushed, 50),
        "p99_flush_s": np.percentile(flushed, 99),
    }
    assert {name: summary[name] for name in expected} == pytest.approx(expected)
    assert run.totals["devices"][0]["flushes"] == len(flushed)
    parts = {one.name: one for one in sledsim.breakdown(run).parts}
    assert parts["flushes"].mean_response_s == pytest.approx(flushed.mean())
    assert parts["all"].mean_response_s == pytest.approx(moves.mean())


@pytest.mark.parametrize("name", ["osdi00", "cf-card"])
def test_without_a_write_cache_flushes_change_nothing(trace: sledsim.Trace, name: str) -> None:
    found = sledsim.simulate(name, trace, past_end="wrap")
    bare = sledsim.simulate(name, trace.transfers(), past_end="wrap")
    assert all(np.array_equal(found.transfers.columns[key], bare.columns[key]) for key in bare.columns)
    assert found.summary()["mean_flush_s"] == 0
    assert {key: found.summary()[key] for key in bare.summary()} == bare.summary()


def test_a_flush_delays_what_comes_after_it(trace: sledsim.Trace, run: sledsim.Run) -> None:
    bare = sledsim.simulate("atlas10k", trace.transfers(), past_end="wrap")
    assert run.summary()["mean_flush_s"] > 2e-3
    assert not np.array_equal(run.transfers.response_ns, bare.response_ns)
    assert np.array_equal(run.transfers.columns["lbn"], bare.columns["lbn"])


@pytest.mark.parametrize("columns", ["all", "times", "energy_j", "none"])
def test_a_stream_and_a_file_have_the_same_flushes(
    trace: sledsim.Trace, run: sledsim.Run, columns: str, tmp_path: Path
) -> None:
    streamed = sledsim.simulate("atlas10k", batches(trace, 300), past_end="wrap", columns=columns)
    assert streamed.summary() == pytest.approx(run.summary(), rel=1e-12)
    if columns == "none":
        return
    path = tmp_path / "run.parquet"
    sledsim.simulate("atlas10k", batches(trace, 300), past_end="wrap", columns=columns, path=path)
    again = sledsim.read_run(path)
    assert again.summary() == pytest.approx(run.summary(), rel=1e-12)
    assert all(np.array_equal(again.columns[key], run.columns[key]) for key in again.columns)


def test_flushes_keep_a_device_busy_in_a_stream_as_in_memory(trace: sledsim.Trace) -> None:
    run = sledsim.simulate("atlas10k", trace, past_end="wrap")
    course = Course()
    for rows in (slice(0, 700), slice(700, 1300), slice(1300, 2000)):
        course.add({name: column[rows] for name, column in run.columns.items()})
    whole, found = observe(run, warm_up=0), course.observation(run)
    assert found.figures["utilization"] == pytest.approx(whole.figures["utilization"], rel=1e-9)
    assert found.growth == whole.growth
    bare = observe(run.transfers, warm_up=0)
    assert bare.figures["utilization"] < 0.99 * whole.figures["utilization"], "flushes take time"


def test_a_run_with_flushes_can_be_run_again_and_explained(run: sledsim.Run, tmp_path: Path) -> None:
    path = run.write(tmp_path / "run.parquet")
    again = sledsim.read_run(path).again()
    assert all(np.array_equal(again.columns[key], run.columns[key]) for key in run.columns)
    assert np.array_equal(sledsim.read_trace(path).kind, run.columns["kind"])
    row = int(np.flatnonzero(run.columns["kind"] == 3)[-1])
    found = run.explain(row, what_if=())
    assert found.kind == "flush" and sum(found.due_ns.values()) == found.response_ns
    assert found.in_words()[0].startswith(f"Request {row:,}, a flush, took ")
    assert run.write_perfetto(tmp_path / "run.pftrace").stat().st_size > 1000


@pytest.mark.parametrize("replay", ["closed:outstanding=4", "think"])
def test_every_replay_serves_every_flush(trace: sledsim.Trace, replay: str) -> None:
    found = sledsim.simulate("atlas10k", trace, past_end="wrap", replay=replay)
    kinds = found.columns["kind"]
    assert sorted(kinds.tolist()) == sorted(trace.kind.tolist())
    assert np.array_equal(found.columns["blocks"] == 0, kinds == 3)
    assert not found.columns["write"][kinds == 3].any()


def test_a_request_that_waited_for_a_flush_waits_for_it_in_a_replay() -> None:
    """A write was cached, a flush took 5 ms, and a read came 1 ms after the flush was complete."""
    asked = sledsim.Trace(
        arrival_ns=np.array([0, 2_000_000, 8_000_000]),
        lbn=np.array([9_000_000, 0, 100]),
        blocks=np.array([8, 0, 8]),
        op=np.array([WRITE, FLUSH, 0]),
        response_ns=np.array([1_000_000, 5_000_000, 3_000_000]),
    )
    slow = sledsim.device("atlas10k", flush_fixed_ms=30.0)
    ends = sledsim.simulate(slow, asked, replay="think").columns
    assert ends["arrival_ns"][2] == ends["completion_ns"][1] + 1_000_000 > 30_000_000


def test_forced_writes_reach_the_medium() -> None:
    columns = {"arrival_ns": np.array([0, 50_000_000]), "lbn": np.array([9_000_000, 100]), "blocks": [8, 8]}
    flags = np.array([0, FUA], np.uint8)
    found = sledsim.simulate("atlas10k", sledsim.Trace(**columns, op=np.array([1, 1]), flags=flags))
    assert found.columns["kind"].tolist() == [1, 2]
    cached_ns, forced_ns = found.response_ns.tolist()
    assert cached_ns < 2_000_000 < forced_ns


def test_a_flush_covers_the_device_whatever_its_sectors_are(trace: sledsim.Trace, run: sledsim.Run) -> None:
    flushes = trace.op == FLUSH
    odd = replace(trace, lbn=np.where(flushes, 2**40, trace.lbn), blocks=np.where(flushes, 64, trace.blocks))
    found = sledsim.simulate("atlas10k", odd, past_end="wrap")
    assert np.array_equal(found.columns["completion_ns"], run.columns["completion_ns"])


def test_only_discards_are_excluded(trace: sledsim.Trace, run: sledsim.Run) -> None:
    assert run.settings.skipped == {}
    op = np.where(trace.op == FLUSH, DISCARD, trace.op)
    discards = replace(trace, op=op, blocks=np.maximum(trace.blocks, 1))
    found = sledsim.simulate("atlas10k", discards, past_end="wrap")
    assert found.settings.skipped == {"discards": int((trace.op == FLUSH).sum())}
    assert "flushes" not in found.summary()


def test_a_fixed_time_of_a_flush_is_added_to_each(trace: sledsim.Trace) -> None:
    # A trace needs a read or write, which is the last request here.
    alone = trace.rows((trace.op == FLUSH) | (np.arange(len(trace)) == len(trace) - 1))
    alone = replace(alone, arrival_ns=np.arange(len(alone)) * 10**9)
    for fixed_ms in (0.0, 0.25, 20.0):
        device = sledsim.device("atlas10k", flush_fixed_ms=fixed_ms)
        took_ms, none_ms = (
            run.response_ns[run.columns["kind"] == 3] * 1e-6
            for run in (sledsim.simulate(one, alone) for one in (device, "atlas10k"))
        )
        assert took_ms == pytest.approx(none_ms + fixed_ms)
    for wrong in (-1.0, 1e9, float("nan")):
        with pytest.raises(sledsim.ParameterError, match="flush_fixed_ms"):
            sledsim.device("atlas10k", flush_fixed_ms=wrong)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("kind", 4, "kind.*numbers below 4.*4"),
        ("kind", 3, "totals.flushes.*2000, the number of flushes"),
        ("kind", 1, "blocks of at least 1"),
    ],
)
def test_a_file_with_wrong_kinds_is_refused(
    run: sledsim.Run, tmp_path: Path, column: str, value: int, message: str
) -> None:
    path = run.write(tmp_path / "run.parquet")
    table = pq.read_table(path)
    at = table.column_names.index(column)
    wrong = table.set_column(at, column, pa.array(np.full(len(table), value, np.uint8)))
    pq.write_table(wrong.replace_schema_metadata(table.schema.metadata), path)
    with pytest.raises(sledsim.TraceError, match=message):
        sledsim.read_run(path)


def _with_flushes() -> list[str]:
    names = sledsim.workloads()
    return [name for name in names if "flush_every" in sledsim.listings.workload_options(name)]


@pytest.mark.parametrize("name", _with_flushes())
def test_a_workload_flushes_after_every_nth_write(name: str) -> None:
    device = sledsim.device("osdi00")
    bare = sledsim.workload(name, device, rate=100, count=500)
    found = sledsim.workload(name, device, rate=100, count=500, flush_every=7)
    moves = found.transfers()
    assert all(np.array_equal(getattr(moves, key), column) for key, column in bare.columns().items())
    writes = np.cumsum(found.op == WRITE)
    flushes = np.flatnonzero(found.op == FLUSH)
    assert writes[flushes].tolist() == list(range(7, int(writes[-1]) + 1, 7))
    assert (found.op[flushes - 1] == WRITE).all()
    assert np.array_equal(found.arrival_ns[flushes], found.arrival_ns[flushes - 1])


def test_a_host_that_waits_for_each_commit() -> None:
    """Run a write and a flush in turn: each flush waits for the write before it to be on the medium."""
    text = "random:rate=100,count=200,reads=0,flush_every=1,sizes=fixed"
    drive = sledsim.device("atlas10k")
    whole = sledsim.workload(text, drive)
    found = sledsim.simulate(drive, whole, "fcfs", replay="closed:outstanding=1")
    assert found.columns["kind"].tolist() == [1, 3] * 200
    assert np.array_equal(found.columns["arrival_ns"][1:], found.columns["completion_ns"][:-1])
    # 3 ms is half a turn; the mean seek over the whole drive takes 5 ms.
    assert 6e-3 < found.summary()["mean_flush_s"] < 10e-3 and found.summary()["mean_response_s"] < 2e-3
    streamed = sledsim.open_workload(text, drive).read()
    assert np.array_equal(streamed.kind, whole.kind)


def test_a_policy_sees_the_kind_of_each_request() -> None:
    seen: list[int] = []

    def forced_first(now_s: float, waiting: sledsim.model.scheduling.Waiting) -> int:
        seen.extend(waiting["kind"].tolist())
        return int(np.argmax(waiting["kind"]))

    simulation = sledsim.Simulation("atlas10k", "fcfs")
    simulation.submit([0, 1, 2], [0, 1_000_000, 9_000_000], 8, kind=["write", "fua", "read"])
    (state,) = simulation.copy().state()
    assert [one["kind"] for one in state["waiting"]] == ["fua", "read"] or state["not_ready"]
    sledsim.extend.register_scheduler("forced-first", forced_first)
    asked = sledsim.Trace.from_columns(
        {"arrival_ns": [0] * 4, "lbn": [0, 10, 1_900_000, 0], "blocks": [8, 8, 8, 0], "kind": [1, 0, 2, 3]}
    )
    found = sledsim.simulate("hp-c2247a", asked, "forced-first")
    assert {0, 1, 2} == set(seen)
    starts_ns = found.columns["start_ns"]
    assert starts_ns[2] < starts_ns[1], "the write with FUA goes before the read, which came first"


def test_only_the_whole_run_can_be_run_again(run: sledsim.Run, tmp_path: Path) -> None:
    assert len(run.transfers.response_ns) < len(run.response_ns)
    for again in (run.transfers.again, lambda: run.transfers.write_perfetto(tmp_path / "run.pftrace")):
        with pytest.raises(sledsim.errors.NotKeptError, match="expected the rows of all 2000 requests"):
            again()


def test_a_trace_of_flushes_alone_is_refused(trace: sledsim.Trace) -> None:
    flushes = trace.rows(trace.op == FLUSH)
    for given in (flushes, batches(flushes, 10)):
        with pytest.raises(sledsim.TraceError, match="expected at least one read or write, found none"):
            sledsim.simulate("atlas10k", given)


@pytest.mark.parametrize("kind", [[4], [-1], [257], ["flush"], [1.5], [True]])
def test_wrong_kinds_in_columns_are_refused(kind: list[object]) -> None:
    columns = {"arrival_ns": [0], "lbn": [0], "blocks": [8], "kind": kind}
    with pytest.raises(sledsim.TraceError, match=r"kind: expected numbers, 0 \(read\), .* 3 \(flush\)"):
        sledsim.Trace.from_columns(columns)


def test_kinds_and_flags_in_columns_are_joined() -> None:
    columns = {
        "arrival_ns": [0, 1, 2],
        "lbn": [0] * 3,
        "blocks": [8] * 3,
        "kind": [2, 1, 0],
        "flags": [1, 5, 0],
    }
    found = sledsim.Trace.from_columns(columns)
    assert (found.kind.tolist(), found.flags.tolist()) == ([2, 1, 0], [5, 1, 0])


def test_a_flush_with_blocks_is_refused() -> None:
    simulation = sledsim.Simulation("atlas10k")
    with pytest.raises(sledsim.TraceError, match="expected a flush without blocks, found 8 blocks"):
        simulation.submit(0, 5, 8, kind="flush")


def test_letters_of_flushes_are_read(tmp_path: Path) -> None:
    """A write of no sectors whose letters begin with F is a flush, as in blkparse."""
    rows = ["0.01,0,8,W", "0.02,0,0,F", "0.03,0,0,FWS", "0.04,8,8,FWFS", "0.05,0,8,WFS"]
    path = tmp_path / "some.csv"
    path.write_text("\n".join(["time,lbn,size,op", *rows, ""]))
    found = sledsim.read_trace(path, map="time=time:s,lbn=lbn,size=size:sectors,op=op")
    assert found.kind.tolist() == [1, 3, 3, 2, 2]


def test_a_format_without_fua_says_so(cli: Cli, tmp_path: Path) -> None:
    trace = sledsim.Trace.from_columns(
        {"arrival_ns": [0, 1], "lbn": [0, 8], "blocks": [8, 8], "kind": [1, 2]}
    )
    sledsim.write_trace(trace, tmp_path / "t.parquet")
    done = cli("trace", "convert", str(tmp_path / "t.parquet"), "--out", str(tmp_path / "t.fio"))
    assert "written without FUA, because the format has no mark for it: 1 writes" in done.stderr
    done = cli("trace", "convert", str(tmp_path / "t.parquet"), "--out", str(tmp_path / "u.parquet"))
    assert "FUA" not in done.stderr


def test_a_sample_of_addresses_keeps_flushes(trace: sledsim.Trace) -> None:
    found = sample_trace(trace, 0.3, by="address")
    assert (found.op == FLUSH).sum() == (trace.op == FLUSH).sum()
    assert len(found) < 0.8 * len(trace)


@pytest.mark.parametrize("format", ["msr", "spc", "disksim"])
def test_a_trace_of_flushes_alone_is_not_written_without_them(
    format: str, trace: sledsim.Trace, tmp_path: Path
) -> None:
    path = tmp_path / f"flushes.{format}"
    with pytest.raises(sledsim.TraceError, match=f"no request that {format} can store"):
        sledsim.write_trace(trace.rows(trace.op == FLUSH), path)
    assert not path.exists()


@pytest.mark.dear("runs are explained request by request", every_change="cache:writes=back,cache_mb=0.2")
@pytest.mark.parametrize(
    "volume",
    [
        "cache:writes=back,cache_mb=0.2",
        "cache:writes=through",
        "raid5",
        "mirror",
        "stripe",
        "metadata",
        "write-buffer",
    ],
)
def test_the_causes_of_every_request_add_up(volume: str) -> None:
    kind, _, options = volume.partition(":")
    disk = "disk" if kind in ("metadata", "write-buffer") else "device"
    built = sledsim.volume(
        kind, **{disk: "atlas10k"}, **dict(one.split("=") for one in options.split(",") if one)
    )
    rng = np.random.default_rng(5)
    for count in [2, 3] * 8 + [40]:
        columns = {
            "arrival_ns": np.sort(rng.integers(0, count * 10**8, count)),
            "lbn": rng.integers(0, 20_000, count),
            "blocks": rng.integers(1, 91, count),
            "kind": rng.choice([0, 1, 2, 3] if count > 3 else [1, 2], count),
        }
        run = sledsim.simulate(built, sledsim.Trace.from_columns(columns), "fcfs")
        found = [run.explain(row, what_if=()) for row in range(count)]
        wrong = [one.row for one in found if sum(one.due_ns.values()) != one.response_ns]
        assert wrong == [], columns
