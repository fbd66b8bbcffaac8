"""Runs of streamed workloads: equal to runs in memory, in little memory, and whole or absent."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet
import pytest
from hypothesis import given, strategies as st
from typer.testing import CliRunner

import sledsim
from sledsim.cli.app import app
from sledsim.runs import batches as runs_batches, result_writer
from tests.conftest import often

#: More requests than one batch has.
COUNT = 120_000
WORDS = f"random:rate=900,count={COUNT},seed=5"


@pytest.fixture(scope="module")
def osdi00() -> sledsim.Device:
    return sledsim.device("osdi00")


@pytest.fixture(scope="module")
def trace(osdi00: sledsim.Device) -> sledsim.Trace:
    return sledsim.workload(WORDS, osdi00)


@pytest.fixture(scope="module")
def whole(osdi00: sledsim.Device, trace: sledsim.Trace) -> sledsim.Run:
    return sledsim.simulate(osdi00, trace)


def assert_same(run: sledsim.Run, expected: sledsim.Run, among: list[str] | None = None) -> None:
    assert list(run.columns) == (list(expected.columns) if among is None else among)
    for name, column in run.columns.items():
        assert np.array_equal(column, expected.columns[name]), name
        assert column.dtype == expected.columns[name].dtype, name


def batches(trace: sledsim.Trace, rows: int) -> sledsim.TraceStream:
    parts = (trace.rows(slice(start, start + rows)) for start in range(0, len(trace), rows))
    about = {"skipped": {}, "device_names": {}, "origin_unix_ns": None, "notes": (), "format": ""}
    return sledsim.TraceStream(trace.source, parts, lambda: about)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_a_drawn_workload_is_the_same_in_batches(osdi00: sledsim.Device, trace: sledsim.Trace) -> None:
    for name in sledsim.workloads():
        if name == "fitted":
            continue
        words = f"{name}:count=70000" + ("" if name == "metadata" else ",rate=500")
        expected, stream = sledsim.workload(words, osdi00), sledsim.open_workload(words, osdi00)
        found = stream.read()
        for column, values in expected.columns().items():
            assert np.array_equal(found.columns()[column], values), (name, column)
        assert (found.seed, found.source) == (expected.seed, expected.source)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_a_run_of_a_stream_is_that_of_the_trace(osdi00: sledsim.Device, whole: sledsim.Run) -> None:
    run = sledsim.simulate(osdi00, sledsim.open_workload(WORDS, osdi00))
    assert_same(run, whole)
    assert (run.settings, run.totals, run.summary()) == (whole.settings, whole.totals, whole.summary())


@pytest.mark.dear("many requests are simulated and computed again")
def test_a_file_that_is_written_on_the_way_is_that_of_a_run_in_memory(
    osdi00: sledsim.Device, trace: sledsim.Trace, whole: sledsim.Run, tmp_path: Path
) -> None:
    # More rows than one group of the file has.
    long = sledsim.workload("random:rate=900,count=300000,seed=6", osdi00)
    expected = sledsim.simulate(osdi00, long, "fcfs")
    run = sledsim.simulate(osdi00, long, "fcfs", path=tmp_path / "run.parquet")
    assert not run.columns
    assert pyarrow.parquet.ParquetFile(tmp_path / "run.parquet").num_row_groups == 2
    read = sledsim.read_run(tmp_path / "run.parquet")
    assert_same(read, expected)
    assert read.settings == run.settings == expected.settings
    assert read.summary() == expected.summary()
    written = expected.write(tmp_path / "memory.parquet")
    assert written.read_bytes() == (tmp_path / "run.parquet").read_bytes()
    for name, figure in expected.summary().items():
        assert run.summary()[name] == pytest.approx(figure, rel=1e-12), name
    assert_same(read.again(), expected)


@pytest.mark.parametrize("rows", [70, 400, 650])
def test_a_file_is_the_same_to_the_byte_however_it_is_written(
    trace: sledsim.Trace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    monkeypatch.setattr(result_writer, "_GROUP_ROWS", 400)
    cache, path = sledsim.volume("cache"), (tmp_path / f"{number}.parquet" for number in range(5))
    few = sledsim.Trace(trace.arrival_ns[:900], trace.lbn[:900] % 10_000, trace.blocks[:900])
    run = sledsim.simulate(cache, few)
    written = [run.write(next(path)), sledsim.read_run(tmp_path / "0.parquet").write(next(path))]
    for given_trace in (few, batches(few, rows)):
        written.append(next(path))
        sledsim.simulate(cache, given_trace, path=written[-1])
    written.append(next(path))
    with result_writer.ResultWriter(written[-1]) as writer:
        for start in range(0, 900, rows):
            columns = {name: column[start : start + rows] for name, column in run.columns.items()}
            writer.add(columns, run._device_names)
        writer.finish(run._about())
    assert pyarrow.parquet.ParquetFile(written[0]).num_row_groups == 3
    assert [one.read_bytes() == written[0].read_bytes() for one in written] == [True] * 5


@pytest.mark.dear("many requests are simulated and computed again")
def test_few_columns_are_kept(osdi00: sledsim.Device, trace: sledsim.Trace, whole: sledsim.Run) -> None:
    for columns, among in (
        ("times", ["arrival_ns", "start_ns", "completion_ns", "queue_length", "kind"]),
        (["energy_j", "write"], ["arrival_ns", "completion_ns", "energy_j", "write", "kind"]),
        ("where", ["arrival_ns", "completion_ns", "served_by", "kind"]),
    ):
        for given_trace in (trace, sledsim.open_workload(WORDS, osdi00)):
            run = sledsim.simulate(osdi00, given_trace, columns=columns)
            assert_same(run, whole, among)
            assert run.summary() == whole.summary()
    table = sledsim.simulate(osdi00, trace, columns="where").requests
    assert table.column_names == ["arrival_ns", "completion_ns", "served_by", "kind", "response_ns", "where"]
    with pytest.raises(sledsim.errors.NotKeptError, match="lbn: a column that this run did not keep"):
        sledsim.simulate(osdi00, trace, columns="times").again()
    with pytest.raises(sledsim.errors.NotKeptError, match="lbm: expected a column of a result"):
        whole.columns["lbm"]
    with pytest.raises(sledsim.ParameterError, match='unknown column "time": did you mean "times"'):
        sledsim.simulate(osdi00, trace, columns="time")
    with pytest.raises(
        sledsim.ParameterError, match="columns = none: expected names of the columns to write"
    ):
        sledsim.simulate(osdi00, trace, columns="none", path="run.parquet")


def test_without_columns_the_summary_is_added_up(
    osdi00: sledsim.Device, trace: sledsim.Trace, whole: sledsim.Run
) -> None:
    run = sledsim.simulate(osdi00, trace, columns="none")
    assert not run.columns and run.is_exact and whole.is_exact
    for name, figure in whole.summary().items():
        assert run.summary()[name] == pytest.approx(figure, rel=1e-12), name
    assert (run.span_s, run.drain_s) == (whole.span_s, whole.drain_s)
    assert run.power().equals(whole.power())


@pytest.mark.dear("many requests are simulated and computed again")
def test_quantiles_of_more_than_a_million_are_within_their_error(osdi00: sledsim.Device) -> None:
    words = "random:rate=700,count=1200000,seed=9"
    run = sledsim.simulate(osdi00, sledsim.open_workload(words, osdi00), "fcfs", columns="none")
    exact = sledsim.simulate(osdi00, sledsim.open_workload(words, osdi00), "fcfs", columns="times")
    assert not run.is_exact and exact.is_exact
    for name, figure in exact.summary().items():
        is_quantile = name.startswith("p") and name.endswith("_response_s")
        assert run.summary()[name] == pytest.approx(figure, rel=1e-4 if is_quantile else 1e-11), name


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
@pytest.mark.parametrize("name", ["osdi00", "atlas10k", "raid5", "cache"])
@often(3)
@given(seed=st.integers(0, 2**32), rows=st.integers(1, 500))
def test_however_the_batches_are_cut(name: str, seed: int, rows: int) -> None:
    target: Any = sledsim.device(name) if name in sledsim.devices() else sledsim.volume(name)
    drawn = sledsim.random_workload(sledsim.device("osdi00"), rate_per_s=100, count=600, seed=seed)
    random = np.random.default_rng(seed)
    trace = sledsim.Trace(
        drawn.arrival_ns,
        drawn.lbn % 100_000,
        drawn.blocks,
        random.choice([0, 1, 1, 2, 3], 600).astype(np.uint8),
    )
    run = sledsim.simulate(target, batches(trace, rows), scale=1.7)
    expected = sledsim.simulate(target, trace, scale=1.7)
    assert_same(run, expected)
    assert run.settings.skipped == expected.settings.skipped


def test_devices_are_those_of_the_first_requests(
    osdi00: sledsim.Device, trace: sledsim.Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = np.where(np.arange(3000) % 3 == 1, 40, 7)
    device[2500] = 3
    several = sledsim.Trace(
        trace.arrival_ns[:3000], trace.lbn[:3000], trace.blocks[:3000], device=device, source="late"
    )
    assert_same(sledsim.simulate(osdi00, batches(several, 100)), sledsim.simulate(osdi00, several))
    monkeypatch.setattr(runs_batches, "FIRST_REQUESTS", 2400)
    late = r"^late: request 2500: device 3 has no request in the first batch .*slice_trace, --traced-device"
    with pytest.raises(sledsim.TraceError, match=late):
        sledsim.simulate(osdi00, batches(several, 100))
    assert_same(sledsim.simulate(osdi00, batches(several, 900)), sledsim.simulate(osdi00, several))


def test_each_of_the_first_batches_is_counted_once(
    osdi00: sledsim.Device, trace: sledsim.Trace, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    class Counted(np.ndarray):
        def __len__(self) -> int:
            asked.append(1)
            return super().__len__()

    few, given = trace.rows(slice(0, 500)), runs_batches._batches
    monkeypatch.setattr(
        runs_batches,
        "_batches",
        lambda *how: ((batch[0].view(Counted), *batch[1:]) for batch in given(*how)),
    )
    assert_same(sledsim.simulate(osdi00, batches(few, 1)), sledsim.simulate(osdi00, few))
    assert 0 < len(asked) <= 2 * len(few)


def test_what_needs_the_whole_trace_reads_it(
    osdi00: sledsim.Device, trace: sledsim.Trace, tmp_path: Path
) -> None:
    few = trace.rows(slice(0, 3000))
    far = sledsim.Trace(few.arrival_ns, few.lbn * 2, few.blocks, few.op)
    for options in ({"past_end": "squeeze"}, {"past_end": "wrap", "replay": "closed:outstanding=4"}):
        run = sledsim.simulate(osdi00, batches(far, 500), **options, path=tmp_path / "run.parquet")
        assert_same(run, sledsim.simulate(osdi00, far, **options))
        assert_same(sledsim.read_run(tmp_path / "run.parquet"), run)


def test_a_fault_leaves_no_file(osdi00: sledsim.Device, trace: sledsim.Trace, tmp_path: Path) -> None:
    out = tmp_path / "run.parquet"

    def failing() -> Iterator[sledsim.Trace]:
        yield trace
        raise ZeroDivisionError("in the middle")

    about = {"skipped": {}, "format": ""}
    with pytest.raises(ZeroDivisionError, match="in the middle"):
        sledsim.simulate(osdi00, sledsim.TraceStream("x", failing(), lambda: about), path=out)
    past = trace.lbn.copy()
    past[-1] = 10**9
    wrong = sledsim.Trace(trace.arrival_ns, past, trace.blocks, source="wrong")
    with pytest.raises(
        sledsim.TraceError, match=rf"^wrong: request {COUNT - 1}: LBN 1000000000 .* past the end"
    ):
        sledsim.simulate(osdi00, batches(wrong, 10_000), path=out)
    with pytest.raises(OSError, match="cannot write"):
        sledsim.simulate(osdi00, trace, path=tmp_path / "no" / "run.parquet")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("columns", ["all", "none"])
@pytest.mark.parametrize("rows", [0, 1])
def test_an_empty_trace_has_one_message(
    osdi00: sledsim.Device, columns: str, rows: int, tmp_path: Path
) -> None:
    """The message is the same for no request and for a single flush."""
    given = sledsim.Trace([0], [0], [8], [2], source="empty").rows(slice(0, rows))
    none = pytest.raises(
        sledsim.TraceError, match=r"^empty: expected at least one read or write, found none$"
    )
    for trace in (given, batches(given, 1)):
        with none:
            sledsim.simulate(osdi00, trace, columns=columns)
    with none:
        sledsim.simulate(osdi00, batches(given, 1), path=tmp_path / "run.parquet")
    assert not list(tmp_path.iterdir())


@pytest.mark.dear("many requests are simulated and computed again")
def test_a_run_that_is_killed_leaves_nothing_under_the_name(tmp_path: Path) -> None:
    out = tmp_path / "run.parquet"
    words = ["run", "random:rate=900,count=2000000000", "--device", "osdi00", "--out", str(out)]
    process = subprocess.Popen([sys.executable, "-m", "sledsim", *words], stderr=subprocess.DEVNULL)
    # A part of the file has been written by then.
    while not any(path.stat().st_size for path in tmp_path.iterdir()):
        assert process.poll() is None
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not out.exists()


@pytest.mark.dear("many requests are simulated and computed again")
def test_long_workloads_are_simulated_as_they_come(osdi00: sledsim.Device, tmp_path: Path) -> None:
    words = "random:rate=700,count=1000000,seed=2"
    out = tmp_path / "run.parquet"
    command = ["run", words, "--device", "osdi00", "--scheduler", "fcfs", "--json"]
    done = CliRunner().invoke(app, [*command, "--out", str(out), "--columns", "times,energy_j"])
    assert done.exit_code == 0, done.output
    printed = json.loads(done.stdout)
    run = sledsim.read_run(out)
    times = ["arrival_ns", "start_ns", "completion_ns", "queue_length"]
    assert list(run.columns) == [*times, "energy_j", "kind"]
    for name, figure in run.summary().items():
        is_quantile = name.startswith("p") and name.endswith("_response_s")
        assert printed[name] == pytest.approx(figure, rel=1e-4 if is_quantile else 1e-11), name
    assert run.settings.seed == 2 and run.settings.trace == words
    # The file has the response times; the printed figures are sums.
    assert run.is_exact and printed["is_exact"] is False
    again = CliRunner().invoke(app, command)
    assert json.loads(again.stdout) == printed


def test_mistakes_are_reported_before_a_run(
    osdi00: sledsim.Device, trace: sledsim.Trace, tmp_path: Path
) -> None:
    with pytest.raises(sledsim.ParameterError, match="expected names of columns, sets of columns"):
        sledsim.simulate(osdi00, trace, columns=[])
    with pytest.raises(sledsim.ParameterError, match="expected none alone"):
        sledsim.simulate(osdi00, trace, columns=["none", "times"])
    with pytest.raises(sledsim.ParameterError, match=r"found str; read a file with read_trace"):
        sledsim.simulate(osdi00, "demo")  # type: ignore[arg-type]
    for wrong in ("random:count=7", "random:rate=-1", "random:rate=5,count=0"):
        with pytest.raises(sledsim.ParameterError):
            sledsim.open_workload(wrong, osdi00)
    stream = sledsim.open_workload("random:rate=900,count=500", osdi00)
    run = sledsim.simulate(osdi00, stream, columns="none")
    with pytest.raises(sledsim.TraceError, match="were already read: open it again"):
        sledsim.simulate(osdi00, stream)
    with pytest.raises(sledsim.errors.NotKeptError, match="no columns in memory"):
        _ = run.requests
    assert repr(run).startswith("<sledsim.Run of 'random:") and len(repr(run)) < 200
    out = tmp_path / "run.parquet"
    for arguments, expected in (
        (["--columns", "none", "--out", out], "columns = none: expected names of the columns to write"),
        (["--columns", "times"], "--columns: needs --out FILE, to which these columns are written"),
    ):
        done = CliRunner().invoke(app, ["run", "random:rate=900,count=2000", *map(str, arguments)])
        assert isinstance(done.exception, sledsim.ParameterError) and expected in str(done.exception)
    assert not out.exists()


def test_requests_that_are_answered_at_once_are_a_result(tmp_path: Path) -> None:
    count = 3
    requests = sledsim.Trace(
        np.arange(count) * 10**9, np.arange(count) * 100, np.full(count, 8), np.ones(count)
    )
    memory = sledsim.volume("metadata+write-buffer:acknowledge=memory")
    run = sledsim.simulate(memory, requests)
    assert not run.response_ns.any()
    assert_same(sledsim.read_run(run.write(tmp_path / "run.parquet")), run)


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_quantiles_are_no_longer_than_the_longest() -> None:
    card = sledsim.device("cf-card")
    count = 1_000_000
    same = sledsim.Trace(np.arange(count) * 10**7, np.zeros(count), np.full(count, 8))
    figures = sledsim.simulate(card, same, "fcfs", columns="none").summary()
    assert figures["p50_response_s"] <= figures["p999_response_s"] <= figures["max_response_s"]
