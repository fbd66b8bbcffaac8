"""The breakdown of a run longer than memory equals that of a run in memory."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sledsim
from sledsim.runs import over_time, overview
from sledsim.runs.batches import Options
from sledsim.runs.breakdown import breakdown, simulate_in_parts
from sledsim.traces.streams import stream_of

from ..conftest import often


def requests(rate_per_s: float, count: int, seed: int, devices: int = 1) -> sledsim.Trace:
    """Return requests with metadata, classes and several devices, some much busier than others."""
    drawn = sledsim.random_workload(sledsim.device("osdi00"), rate_per_s=rate_per_s, count=count, seed=seed)
    random = np.random.default_rng(seed)
    columns = drawn.columns()
    columns["lbn"] = columns["lbn"] % 100_000
    columns["metadata"] = random.random(count) < 0.2
    columns["block_class"] = random.choice([0, 1, 1, 2], count).astype(np.uint8)
    columns["device"] = np.minimum(random.geometric(0.5, count), devices).astype(np.int32)
    return sledsim.Trace.from_columns(columns, source="drawn", device_names={2: "second"})


def assert_alike(found: Any, expected: Any, rel: float = 1e-9) -> None:
    """Assert that breakdowns are equal but for rounding."""
    ours, theirs = found.row(), expected.row()
    assert ours.keys() == theirs.keys()
    assert [(one["by"], one["name"]) for one in ours["parts"]] == [
        (one["by"], one["name"]) for one in theirs["parts"]
    ]
    for one, other in zip(ours.pop("parts"), theirs.pop("parts"), strict=True):
        assert one == pytest.approx(other, rel=rel)
    assert ours.pop("phases_s") == pytest.approx(theirs.pop("phases_s"), rel=rel)
    assert ours == pytest.approx(theirs, rel=rel, nan_ok=True)


@pytest.mark.dear("many requests are simulated and computed again", every_change="osdi00")
@pytest.mark.parametrize("name", ["osdi00", "atlas10k", "raid5"])
@often(4)
@given(
    seed=st.integers(0, 2**32),
    count=st.integers(1, 1500),
    rows=st.integers(1, 700),
    rate_per_s=st.sampled_from([5, 100, 900, 5000]),
)
def test_parts_are_those_of_a_run_in_memory(
    name: str, seed: int, count: int, rows: int, rate_per_s: float
) -> None:
    target: Any = sledsim.device(name) if name in sledsim.devices() else sledsim.volume(name)
    trace = requests(rate_per_s, count, seed, devices=3)
    with pytest.MonkeyPatch.context() as patch:
        # Small limits, so that groups and places double in a short run.
        patch.setattr(over_time, "MOST_GROUPS", 64)
        whole = sledsim.simulate(target, trace, "fcfs", scale=1.3)
        expected = breakdown(whole, trace)
        stream = stream_of(trace, batch=rows)
        run, found = simulate_in_parts(target, stream, Options("fcfs", 1.3, "error", "none"), None, None)
    assert_alike(found, expected)
    assert not run.columns and run.summary() == pytest.approx(whole.summary(), nan_ok=True)
    assert run.totals["requests"] == count


def past_the_end() -> sledsim.Trace:
    """Return requests some of which are at the end of the device."""
    drawn = requests(900, 300, 1, devices=3)
    lbn = np.where(np.arange(300) % 3, drawn.lbn, drawn.lbn + 6_750_000)
    return sledsim.Trace.from_columns({**drawn.columns(), "lbn": lbn}, device_names={2: "second"})


def classes(run: sledsim.Run, trace: sledsim.Trace) -> list[int]:
    return [one.requests for one in breakdown(run, trace).parts if one.by == "class"]


def test_parts_of_requests_that_were_moved_are_those_of_a_stream() -> None:
    trace, device = past_the_end(), sledsim.device("osdi00")
    run = sledsim.simulate(device, trace, scale=1.3, past_end="wrap")
    _, found = simulate_in_parts(
        device, stream_of(trace, batch=70), Options(None, 1.3, "wrap", "none"), None, None
    )
    assert run.totals["remapped"] == 100
    assert_alike(found, breakdown(run, trace))
    assert {one.by for one in found.parts} == {"all", "operation", "metadata", "device", "class"}
    assert_alike(breakdown(run.again(), trace), breakdown(run, trace))


@pytest.mark.parametrize("replay", ["open", "closed:outstanding=3"])
@pytest.mark.parametrize("past_end", ["wrap", "squeeze", "sleds"])
def test_classes_are_counted_however_requests_are_moved(past_end: str, replay: str) -> None:
    trace = past_the_end()
    run = sledsim.simulate("osdi00", trace, scale=3, past_end=past_end, replay=replay)
    assert classes(run, trace) == np.bincount(trace.block_class).tolist()


@pytest.mark.parametrize("name", ["arrival_ns", "lbn", "blocks", "op", "metadata", "device"])
def test_classes_of_another_trace_are_not_reported(name: str) -> None:
    trace = past_the_end()
    run = sledsim.simulate("osdi00", trace, past_end="wrap")
    columns = trace.columns()
    other = columns[name].copy()
    # The requests that were not moved, without the first, as times are counted from it.
    other[1] = other[2] if name == "arrival_ns" else other[1] ^ 1
    assert not classes(run, sledsim.Trace.from_columns({**columns, name: other}))
    assert not classes(run, trace.rows(slice(0, 299)))


def test_classes_of_reordered_requests_are_not_reported() -> None:
    """Requests of one size, all of them moved, some of which a think-time replay delays."""
    trace = sledsim.Trace(
        arrival_ns=np.arange(60) // 2 * 1_000_000,
        lbn=np.arange(60) * 200_000 + 8,
        blocks=np.full(60, 8),
        response_ns=np.where(np.arange(60) % 2, 10_000, 900_000),
        block_class=np.arange(60) % 2 + 1,
    )
    run = sledsim.simulate("osdi00", trace, past_end="squeeze", replay="think:longest_ms=inf")
    assert run.totals["remapped"] == 60 and run.totals["waited"]
    assert not classes(run, trace)


@often(20)
@given(
    seed=st.integers(0, 2**32),
    cuts=st.lists(st.integers(1, 400), min_size=1, max_size=6),
    slowness=st.sampled_from([0.1, 0.99, 1.5]),
)
def test_however_rows_are_cut(seed: int, cuts: list[int], slowness: float) -> None:
    """Queue and busy time of any services, in batches of any size."""
    random = np.random.default_rng(seed)
    count = sum(cuts)
    arrival = np.cumsum(random.integers(0, 1000, count))
    end = np.zeros(count, np.int64)
    for at, service in enumerate((random.exponential(500 * slowness, count) + 1).astype(np.int64)):
        end[at] = max(arrival[at], end[at - 1] if at else 0) + service
    queue, busy = over_time.Queue(), over_time.Busy()
    begin = np.maximum(arrival, np.concatenate([[0], end[:-1]]))
    for rows in np.split(np.arange(count), np.cumsum(cuts)[:-1]):
        queue.add(arrival[rows], end[rows])
        busy.add(begin[rows], end[rows], int(arrival[rows[-1]]))
    last, middle = arrival[-1], arrival[count // 2]

    def between(first: Any, until: Any, to: int) -> int:
        return int((np.minimum(until, to) - np.minimum(first, to)).sum())

    assert busy.busy_ns() == between(begin, end, last)
    if middle > arrival[0]:
        expected = between(arrival, end, middle) / (middle - arrival[0])
        assert queue.mean_until(count // 2) == pytest.approx(expected)
    came, done = int((arrival == arrival[0]).sum()), int((end <= arrival[0]).sum())
    assert queue.growth() == int((end > last).sum()) - (came - done)


def test_where_places_are_few_the_mean_is_that_until_one_before() -> None:
    arrival, queue = np.arange(1000) * 10, over_time.Queue()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(over_time, "_MOST_PLACES", 16)
        for rows in np.split(np.arange(1000), 7 * np.arange(1, 143)):
            queue.add(arrival[rows], arrival[rows] + 5)
    assert queue.mean_until(500) == pytest.approx(0.5, rel=1e-2)


def test_a_file_has_the_columns_that_were_asked_for(tmp_path: Path) -> None:
    device, trace, out = sledsim.device("osdi00"), requests(900, 500, 1), tmp_path / "run.parquet"
    stream = stream_of(trace, batch=100)
    _, found = simulate_in_parts(device, stream, Options(None, 1.0, "error", "times,energy_j"), out, None)
    expected = sledsim.simulate(device, trace, columns="times,energy_j")
    written = sledsim.read_run(out)
    assert list(written.columns) == list(expected.columns)
    assert all((written.columns[name] == column).all() for name, column in expected.columns.items())
    assert_alike(found, breakdown(sledsim.simulate(device, trace), trace))


def test_the_overview_of_a_stream_leaves_it_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    device, trace = sledsim.device("osdi00"), requests(900, 500, 1)
    stream = stream_of(trace, batch=100)
    assert overview.overview(stream, device) == overview.overview(trace, device)
    assert len(stream.read()) == 500
    monkeypatch.setattr(overview, "FIRST", 150)
    stream = stream_of(trace, batch=100)
    first = overview.overview(stream, device)
    assert first == replace(overview.overview(trace.rows(slice(0, 150)), device), is_whole=False)
    assert first.sentence("x").startswith("the first 150 requests")
    read = stream.read()
    assert all((column == read.columns()[name]).all() for name, column in trace.columns().items())
    with pytest.raises(sledsim.TraceError, match="expected at least one read or write, found none"):
        overview.overview(stream_of(trace.rows(slice(0, 0))), device)


def printed(given: str, *words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sledsim", "run", *map(str, words)]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True)


@pytest.mark.dear("many requests are simulated and computed again")
def test_a_pipe_prints_what_a_file_prints(tmp_path: Path) -> None:
    path = tmp_path / "trace.spc"
    lines = (f"0,{at * 977 % 100_000},4096,{'rww'[at % 3]},{at / 500}\n" for at in range(3000))
    path.write_text("".join(lines))
    of_file, of_pipe = printed("", path), printed(path.read_text(), "-")
    (_, *rest), (title, *piped) = of_file.stdout.splitlines(), of_pipe.stdout.splitlines()
    assert piped == rest and "standard input" in title
    (note,) = [line for line in of_file.stderr.splitlines() if "3,000 requests in" in line]
    assert note.replace(str(path), "standard input") in of_pipe.stderr.splitlines()
    one, other = (
        json.loads(printed(*words).stdout)
        for words in (("", path, "--json"), (path.read_text(), "-", "--json"))
    )
    assert one.keys() == other.keys() and one.pop("trace") != other.pop("trace")
    for found, expected in zip(one.pop("parts"), other.pop("parts"), strict=True):
        assert found == pytest.approx(expected)
    for name in ("overview", "phases_s"):
        assert one.pop(name) == pytest.approx(other.pop(name))
    assert one == pytest.approx(other)


def test_a_bounded_part_of_a_long_run_is_kept() -> None:
    """Response times of groups never exceed twice their limit."""
    groups = over_time.Groups()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(over_time, "MOST_GROUPS", 64)
        for at in range(100):
            groups.add(np.arange(100) + 100 * at, np.full(100, 7))
    assert groups.size == 160 and len(groups.sums_ns) == 10_000 // 160
    assert set(groups.sums_ns.tolist()) == {160 * 7} and groups.until_ns(320) == 320
