"""Runs from Python: the summary, the Parquet file, and repeated runs."""

import dataclasses
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import sledsim

from ..conftest import leftovers

SUMMARY = (
    "requests mean_response_s std_response_s cv2_response p50_response_s p95_response_s p99_response_s "
    "p999_response_s max_response_s mean_service_s mean_positioning_s mean_queue_length utilization "
    "energy_j span_s busiest_second_requests busiest_second_busy_share busiest_minute_requests "
    "busiest_minute_busy_share"
).split()
PHASES = ("positioning_ns", "switch_ns", "hold_ns", "transfer_ns", "bus_ns")


def same_columns(one: sledsim.Run, other: sledsim.Run) -> bool:
    return list(one.columns) == list(other.columns) and all(
        np.array_equal(one.columns[name], other.columns[name])
        and one.columns[name].dtype == other.columns[name].dtype
        for name in one.columns
    )


def test_the_summary_follows_from_the_columns(run: sledsim.Run, workload: sledsim.Trace) -> None:
    summary, columns = run.summary(), run.columns
    response_s = (columns["completion_ns"] - columns["arrival_ns"]) / 1e9
    assert list(summary) == SUMMARY
    assert summary["requests"] == len(workload)
    assert summary["mean_response_s"] == pytest.approx(response_s.mean())
    assert summary["cv2_response"] == pytest.approx(response_s.var() / response_s.mean() ** 2)
    assert summary["p99_response_s"] == pytest.approx(np.quantile(response_s, 0.99))
    assert summary["p999_response_s"] == pytest.approx(np.quantile(response_s, 0.999))
    assert summary["max_response_s"] == pytest.approx(response_s.max())
    assert summary["span_s"] == pytest.approx(
        (columns["completion_ns"].max() - columns["arrival_ns"].min()) / 1e9
    )
    assert summary["mean_queue_length"] == pytest.approx(response_s.sum() / summary["span_s"])
    assert 0 < summary["utilization"] <= 1
    assert summary["mean_positioning_s"] < summary["mean_service_s"] <= summary["mean_response_s"]
    assert summary["energy_j"] >= columns["energy_j"].sum()


def test_the_phases_add_up(run: sledsim.Run) -> None:
    columns = run.columns
    phases_ns = sum(columns[name].astype(np.int64) for name in PHASES)
    assert np.array_equal(columns["completion_ns"] - columns["start_ns"], phases_ns)
    assert np.all(columns["start_ns"] >= columns["arrival_ns"] + columns["overhead_ns"])


def test_little_s_law_agrees_with_the_queue_seen_at_arrival(device: sledsim.Device) -> None:
    """Poisson arrivals see time averages: two columns that are recorded separately must agree."""
    trace = sledsim.random_workload(device, rate_per_s=1000, count=50_000, seed=5)
    run = sledsim.simulate(device, trace, scheduler="fcfs")
    assert run.columns["queue_length"].mean() == pytest.approx(run.summary()["mean_queue_length"], rel=0.05)


def test_requests_are_an_arrow_table(run: sledsim.Run) -> None:
    table = run.requests
    assert isinstance(table, pyarrow.Table)
    assert table.column_names == [*run.columns, "response_ns", "where"]
    assert table["where"].unique().to_pylist() == ["device"]
    assert table.num_rows == run.summary()["requests"]
    assert run.requests is table


def test_the_file_gives_the_same_run(tmp_path: Path, run: sledsim.Run) -> None:
    path = run.write(tmp_path / "run.parquet")
    found = sledsim.read_run(path)
    assert found.summary() == run.summary()
    assert found.settings == run.settings
    assert same_columns(found, run)
    assert leftovers(tmp_path) == ["run.parquet"]


def test_the_file_says_what_it_came_from(tmp_path: Path, run: sledsim.Run) -> None:
    path = run.write(tmp_path / "run.parquet")
    about = json.loads(pyarrow.parquet.read_schema(path).metadata[b"sledsim"])
    assert about["version"] == sledsim.__version__
    assert about["parameters"]["name"] == "osdi00"
    assert (about["scheduler"], about["scale"], about["past_end"]) == ("sptf", 1.0, "error")
    assert (about["trace"], about["seed"]) == ("random:rate=900,count=2000,seed=7", 7)
    energies = {"idle_energy_j", "background_energy_j"}
    times = {"first_arrival_ns", "last_arrival_ns", "last_completion_ns", "phases_ns"}
    counts = {"requests", "flushes", "remapped", "waited", "responses", "flush_responses", "busiest"}
    assert set(about["totals"]) == {"busy_s", "devices", "volumes", *counts, *times, *energies}


@pytest.mark.parametrize("past_end", sledsim.listings.past_end_rules())
@pytest.mark.parametrize("scheduler", sledsim.schedulers())
def test_a_run_can_be_run_again_from_its_file(
    tmp_path: Path, workload: sledsim.Trace, scheduler: str, past_end: str
) -> None:
    if past_end != "error":
        workload = dataclasses.replace(workload, lbn=workload.lbn * 2 + 1_000_000)
    device = sledsim.device("osdi00", settle_ms=0.1)
    run = sledsim.simulate(device, workload, scheduler, scale=1.3, past_end=past_end)
    again = sledsim.read_run(run.write(tmp_path / "run.parquet")).again()
    assert same_columns(again, run)
    assert again.summary() == run.summary()
    assert again.settings == run.settings
    assert again.totals == run.totals


def test_each_traced_device_is_a_device_of_its_own(device: sledsim.Device, workload: sledsim.Trace) -> None:
    halves = dataclasses.replace(workload, device=np.arange(len(workload), dtype=np.int32) % 2)
    run = sledsim.simulate(device, halves, scheduler="fcfs")
    assert len(run.totals["busy_s"]) == 2
    assert (
        run.summary()["mean_response_s"]
        < sledsim.simulate(device, workload, "fcfs").summary()["mean_response_s"]
    )


def test_progress_counts_requests(device: sledsim.Device, workload: sledsim.Trace) -> None:
    seen: list[int] = []
    sledsim.simulate(device, workload, progress=seen.append)
    assert seen == sorted(seen)
    assert all(0 <= done <= len(workload) for done in seen)


def test_an_error_in_progress_stops_the_run(device: sledsim.Device) -> None:
    def stop(done: int) -> None:
        raise KeyboardInterrupt

    trace = sledsim.random_workload(device, rate_per_s=900, count=500_000, seed=1)
    with pytest.raises(KeyboardInterrupt):
        sledsim.simulate(device, trace, "fcfs", progress=stop)


def test_wrong_choices_are_explained(device: sledsim.Device, workload: sledsim.Trace) -> None:
    with pytest.raises(sledsim.ParameterError, match='unknown scheduler "stpf": did you mean "sptf"'):
        sledsim.simulate(device, workload, "stpf")
    with pytest.raises(sledsim.ParameterError, match=r'"rap".*wrap'):
        sledsim.simulate(device, workload, past_end="rap")
    for scale in (0.0, -1.0, float("nan")):
        with pytest.raises(sledsim.ParameterError, match="scale"):
            sledsim.simulate(device, workload, scale=scale)


def test_a_trace_that_does_not_fit_is_explained(device: sledsim.Device) -> None:
    blocks = int(device.characteristics()["blocks"])
    trace = sledsim.Trace(arrival_ns=[0, 1], lbn=[0, blocks - 4], blocks=[8, 8])
    with pytest.raises(sledsim.TraceError, match=f"{blocks}"):
        sledsim.simulate(device, trace)
    for past_end in ("wrap", "squeeze", "sleds"):
        run = sledsim.simulate(device, trace, past_end=past_end)
        assert run.summary()["requests"] == 2
    with pytest.raises(sledsim.TraceError, match="expected at least one read or write"):
        sledsim.simulate(device, sledsim.Trace(arrival_ns=[], lbn=[], blocks=[]))


def test_unwritable_places_are_named_and_left_clean(tmp_path: Path, run: sledsim.Run) -> None:
    with pytest.raises(FileNotFoundError, match=r"cannot write: .*nowhere/run\.parquet"):
        run.write(tmp_path / "nowhere" / "run.parquet")
    with pytest.raises(IsADirectoryError, match="cannot write"):
        run.write(tmp_path)
    assert leftovers(tmp_path) == []


@pytest.mark.dear("many requests are simulated and computed again")
def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    """A limit on the size of files stands in for a full disk."""
    path = tmp_path / "run.parquet"
    path.write_text("the old one")
    code = (
        "import resource, sledsim, sys\n"
        "d = sledsim.device('osdi00')\n"
        "run = sledsim.simulate(d, sledsim.random_workload(d, rate_per_s=500, count=50_000))\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "try:\n    run.write(sys.argv[1])\n"
        "except OSError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=True)
    assert "cannot write" in done.stdout
    assert path.read_text() == "the old one"
    assert leftovers(tmp_path) == ["run.parquet"]


def test_other_files_are_no_runs(tmp_path: Path) -> None:
    text, other = tmp_path / "text.parquet", tmp_path / "other.parquet"
    text.write_text("no Parquet at all")
    pyarrow.parquet.write_table(pyarrow.table({"a": [1]}), other)
    for path in (text, other):
        expected = f"{path.name}: expected a whole result written by sledsim"
        with pytest.raises(sledsim.TraceError, match=expected):
            sledsim.read_run(path)
    with pytest.raises(FileNotFoundError, match="none"):
        sledsim.read_run(tmp_path / "none.parquet")


def test_a_device_may_be_given_by_its_name_or_file(tmp_path: Path) -> None:
    device = sledsim.device("osdi00", settle_ms=0.3)
    device.write(tmp_path / "own.toml")
    trace = sledsim.random_workload(device, rate_per_s=300, count=300)
    for given in (tmp_path / "own.toml", str(tmp_path / "own.toml")):
        assert sledsim.simulate(given, trace).summary() == sledsim.simulate(device, trace).summary()
        assert np.array_equal(sledsim.random_workload(given, rate_per_s=300, count=300).lbn, trace.lbn)
        assert np.array_equal(sledsim.workload("random", given, rate=300, count=300).lbn, trace.lbn)
        assert sledsim.fit(given, trace).target == device
        assert sledsim.overview(trace, given) == sledsim.overview(trace, device)
        curves = sledsim.response_curves(given, "sptf", [300], count=200, replications=2)
        assert (
            curves.rows() == sledsim.response_curves(device, "sptf", [300], count=200, replications=2).rows()
        )
        assert sledsim.trace_curves(given, trace, "sptf", [1]).rows()
        few = {"lbn": trace.lbn[:9], "blocks": trace.blocks[:9]}
        assert sledsim.schedule_bounds(given, few).parameters == device.parameters
    for name, said in (
        ("osdi0", 'unknown device "osdi0": did you mean "osdi00"'),
        ("raid5:devices=5", r"found a volume, which sledsim.volume\('raid5:devices=5'\) makes"),
        ("own.py:Tape", r"found a class, which sledsim.device\('own.py:Tape'\) imports"),
    ):
        with pytest.raises(sledsim.ParameterError, match=said):
            sledsim.simulate(name, trace)
