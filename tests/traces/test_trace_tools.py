"""Cutting, joining and changing traces: in memory, as streams, and through the command line."""

import os
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from typer.main import get_command

import sledsim
from sledsim.cli.commands.trace import app
from sledsim.traces.streams import TraceStream, stream_of
from sledsim.traces.tools import (
    CLASSES,
    REMAP_RULES,
    SAMPLE_UNITS,
    SHARING,
    TIMES,
    merge_traces,
    remap_trace,
    sample_trace,
    scale_trace,
    slice_trace,
)
from tests.conftest import Cli, leftovers


def in_pieces(trace: sledsim.Trace, size: int = 700) -> TraceStream:
    """Return the trace as a stream of several batches."""
    about = stream_of(trace).about()
    parts = [trace.rows(slice(start, start + size)) for start in range(0, len(trace), size)]
    return TraceStream(trace.source, parts, lambda: about)


def joined(stream: TraceStream) -> dict[str, np.ndarray]:
    batches = [batch.columns() for batch in stream]
    return {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}


def assert_same(stream: TraceStream, whole: sledsim.Trace) -> None:
    found = joined(stream)
    for name, column in whole.columns().items():
        assert np.array_equal(found[name], column), name


@pytest.mark.parametrize(
    "tool",
    [
        lambda trace: slice_trace(trace, from_s=10, to_s=100, classes=["write", "metadata"]),
        lambda trace: slice_trace(trace, devices="7,0"),
        lambda trace: slice_trace(trace, to_s=60, devices="0"),
        lambda trace: scale_trace(trace, 3.7),
        *(lambda trace, by=by: sample_trace(trace, 0.3, by, seed=5) for by in SAMPLE_UNITS),
        *(lambda trace, rule=rule: remap_trace(trace, rule, 100_000, end=4_194_304) for rule in REMAP_RULES),
    ],
)
def test_in_passing_and_in_memory_are_the_same(demo: sledsim.Trace, tool) -> None:
    assert_same(tool(in_pieces(demo)), tool(demo))


def test_a_slice_is_what_it_says(demo: sledsim.Trace) -> None:
    part = slice_trace(demo, from_s=50, to_s=60, classes=["write"])
    since = demo.arrival_ns - 50 * 10**9
    wanted = (since >= 0) & (since < 10 * 10**9) & (demo.op == 1)
    assert np.array_equal(part.arrival_ns, since[wanted])
    assert np.array_equal(part.lbn, demo.lbn[wanted])
    assert len(part) > 10


def test_a_slice_stops_reading_at_its_end(demo: sledsim.Trace) -> None:
    stream = in_pieces(demo, 10)
    for _ in slice_trace(stream, to_s=1.0):
        pass
    assert next(iter(stream)).arrival_ns[0] > 10**9


@pytest.mark.parametrize("make", [lambda trace: trace, in_pieces])
def test_devices_that_are_not_met_are_named(demo: sledsim.Trace, make) -> None:
    later = replace(demo, device=np.where(demo.arrival_ns < 100 * 10**9, 0, 5), device_names={5: "later"})

    def cut(**options: object) -> int:
        found = slice_trace(make(later), **options)
        return len(found) if isinstance(found, sledsim.Trace) else sum(map(len, found))

    assert cut(devices="0,later") == len(demo)
    assert cut(devices="later", from_s=99) == cut(devices="5")
    with pytest.raises(sledsim.ParameterError, match=r"'7' is not in the trace, which has 0, 5 \(later\)"):
        cut(devices="0,7")
    with pytest.raises(sledsim.ParameterError, match=r"'5' is not in the trace before 60 s, which has 0$"):
        cut(devices="0,5", to_s=60)


def test_a_slice_begins_later_by_the_clock(tmp_path: Path) -> None:
    """A line a second of MSR's format, whose times count 100 ns since 1601."""
    path = tmp_path / "volume.csv"
    first = 128166372003061629
    lines = [f"{first + at * 10**7},usr,0,Read,{4096 * at},4096,{at}" for at in range(5)]
    path.write_text("\n".join(lines) + "\n")
    trace = sledsim.read_trace(path)
    part = slice_trace(trace, from_s=2.5)
    assert part.origin_unix_ns == trace.origin_unix_ns + 2_500_000_000
    out = tmp_path / "part.csv"
    sledsim.write_trace(slice_trace(sledsim.open_trace(path), from_s=1, to_s=3), out, "msr")
    assert out.read_text().splitlines() == lines[1:3]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"from_s": 5, "to_s": 5}, r"at 0 s or later \(--from\), a later end \(--until\), found 5 and 5"),
        ({"classes": ["inodes"]}, "class 'inodes' is unknown: expected one of read, write"),
        ({"devices": " , "}, "devices: expected numbers or names"),
    ],
)
def test_wrong_slices(demo: sledsim.Trace, options: dict[str, object], message: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=message):
        slice_trace(demo, **options)


@pytest.mark.parametrize("by", SAMPLE_UNITS)
def test_a_sample_keeps_about_its_share_and_whole_units(by: str) -> None:
    rng = np.random.default_rng(1)
    count = 100_000
    times = np.sort(rng.integers(0, 20_000 * 10**9, count))
    trace = sledsim.Trace(times, rng.integers(0, 2**24, count) * 64, np.ones(count, int))
    units = SAMPLE_UNITS[by].unit(trace, 0)
    kept = sample_trace(trace, 0.25, by, seed=3)
    kept_units = np.unique(SAMPLE_UNITS[by].unit(kept, 0)) if by != "request" else np.arange(len(kept))
    distinct = len(np.unique(units))
    # Each unit is kept or not by itself: a binomial, here within five of its standard deviations.
    assert abs(len(kept_units) - 0.25 * distinct) < 5 * (0.25 * 0.75 * distinct) ** 0.5
    if by != "request":
        assert np.isin(units, kept_units).sum() == len(kept)
    other = sample_trace(trace, 0.25, by, seed=4)
    assert not np.array_equal(other.arrival_ns[:100], kept.arrival_ns[:100])
    assert len(sample_trace(trace, 1.0, by)) == count


@pytest.mark.dear("many requests are read and written", every_change=True)
def test_what_can_be_read_once_is_not_read_twice(cli: Cli, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for words, message in [
        (("remap", "-", "squeeze"), "the rule squeeze reads a trace twice, and "),
        (("remap", tmp_path / "pipe", "squeeze"), "the rule squeeze reads a trace twice, and "),
        (("merge", "-", "-"), "'-': expected each pipe once"),
        (
            ("remap", "demo", "wrap", "--onto", "1.5"),
            "a device or a whole number of sectors, found 1.5",
        ),
        (("remap", "demo", "wrap", "--onto", "1e99"), "expected a whole number from 1 to 2^62 - 1"),
    ]:
        done = cli("trace", *words, "-o", "x.parquet")
        assert done.returncode == 2
        assert message in done.stderr
    assert cli("trace", "remap", "demo", "wrap", "--onto", "1e6", "-o", "x.parquet").returncode == 0


def test_metadata_areas_of_hpux_are_laid_behind_each_other() -> None:
    period, area = 4352, 256  # 003-D4: 2,176 KB and 128 KB in sectors
    lbn = [0, area - 1, area, period - 1, period, 3 * period + 10]
    trace = sledsim.Trace(np.arange(6), lbn, np.ones(6, int))
    moved = remap_trace(trace, "hpux-metadata", 100_000)
    assert moved.lbn.tolist() == [0, area - 1, area, 3 * area + 10]
    assert moved.metadata.all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: remap_trace(t, "fold", 10), "rule = 'fold': expected one of wrap, squeeze"),
        (lambda t: remap_trace(t, "wrap", 0), "capacity = 0"),
        (lambda t: remap_trace(t, "hpux-metadata", 9, period_kb=1, metadata_kb=2), "at most period_kb"),
        (
            lambda t: remap_trace(stream_of(t), "squeeze", 10),
            "the rule squeeze needs this argument",
        ),
        (lambda t: sample_trace(t, 0), "share: expected a number above 0"),
        (lambda t: sample_trace(t, 0.5, "size"), "by = 'size': expected one of request, address, time"),
        (lambda t: scale_trace(t, -1), "scale: expected a positive number"),
        (lambda t: merge_traces([t], "all"), "sharing = 'all': expected one of none, devices"),
        (lambda t: merge_traces([t], times="utc"), "times = 'utc': expected one of start, clock"),
        (lambda t: merge_traces([t, of_devices({}, [0], 5)], times="clock"), "do not have: demo"),
        (lambda t: merge_traces([]), "expected at least one trace"),
    ],
)
def test_wrong_values_are_explained(demo: sledsim.Trace, call, message: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=message):
        call(demo)


def test_a_request_longer_than_the_device_is_refused() -> None:
    with pytest.raises(sledsim.TraceError, match="a request has 20 blocks, more than the device, 10"):
        remap_trace(sledsim.Trace([0], [0], [20]), "wrap", 10)


@pytest.mark.dear("many requests are read and written")
@settings(deadline=None)  # Many small batches are slow on a busy machine.
@given(
    st.lists(st.lists(st.integers(0, 50), min_size=1, max_size=40), min_size=1, max_size=4), st.integers(1, 9)
)
def test_merging_is_sorting_all(times: list[list[int]], size: int) -> None:
    tenants = [
        sledsim.Trace(sorted(own), np.arange(len(own)) + 1000 * at, np.ones(len(own), int))
        for at, own in enumerate(times)
    ]
    merged = joined(merge_traces([in_pieces(tenant, size) for tenant in tenants]))
    assert merged["arrival_ns"].tolist() == sorted(time for own in times for time in own)
    for at, tenant in enumerate(tenants):
        own = merged["lbn"] // 1000 == at
        assert np.array_equal(merged["lbn"][own], tenant.lbn)
        assert np.array_equal(merged["arrival_ns"][own], tenant.arrival_ns)
        assert len(np.unique(merged["device"][own])) == 1
    assert len(np.unique(merged["device"])) == len(tenants)


def test_tenants_keep_or_share_their_devices(demo: sledsim.Trace) -> None:
    apart = merge_traces([demo, demo])
    devices = joined(apart)["device"]
    assert sorted(np.unique(devices).tolist()) == [0, 1]
    assert apart.about()["device_names"] == {0: f"{demo.source}:7,0", 1: f"{demo.source}#2:7,0"}
    shared = merge_traces([demo, demo], "devices")
    assert set(joined(shared)["device"]) == {0}
    assert shared.about()["device_names"] == {0: "7,0"}


def of_devices(names: dict[int, str], devices: list[int], origin_ns: int | None = None) -> sledsim.Trace:
    """Return a request for each device, one a nanosecond."""
    rows = np.arange(len(devices))
    ones = np.ones(len(devices), int)
    about = {"device_names": names, "origin_unix_ns": origin_ns, "source": "t"}
    return sledsim.Trace(rows, rows, ones, device=np.array(devices), **about)


def test_merged_devices_of_one_file_stay_apart_in_formats_that_know_names(
    demo: sledsim.Trace, tmp_path: Path
) -> None:
    sledsim.write_trace(merge_traces([demo, demo]), tmp_path / "two.fio")
    again = sledsim.read_trace(tmp_path / "two.fio")
    assert np.unique(again.device).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("tenants", "devices", "names"),
    [
        # Equal in number, but other disks.
        ([of_devices({0: "a"}, [0]), of_devices({0: "b"}, [0])], [0, 1], {0: "a", 1: "b"}),
        # Other numbers, but the same disks.
        ([of_devices({0: "a", 1: "b"}, [0, 1]), of_devices({0: "b"}, [0])], [0, 1, 1], {0: "a", 1: "b"}),
        # Without names.
        ([of_devices({}, [5, 3]), of_devices({}, [3])], [5, 3, 3], {}),
        ([of_devices({0: "a"}, [0]), of_devices({}, [0, 7])], [0, 0, 7], {0: "a"}),
    ],
)
def test_devices_are_shared_by_name_or_number(
    tenants: list[sledsim.Trace], devices: list[int], names: dict[int, str]
) -> None:
    merged = merge_traces(tenants, "devices")
    assert sorted(joined(merged)["device"].tolist()) == sorted(devices)
    assert merged.about()["device_names"] == names


@pytest.mark.parametrize("size", [1, 3])
def test_traces_are_joined_by_their_clocks_if_wanted(size: int) -> None:
    early, late = of_devices({}, [0] * 5, 100), of_devices({}, [1] * 5, 103)
    merged = merge_traces([in_pieces(late, size), in_pieces(early, size)], "devices", "clock")
    columns = joined(merged)
    assert columns["arrival_ns"].tolist() == [0, 1, 2, 3, 3, 4, 4, 5, 6, 7]
    assert columns["device"].tolist() == [0, 0, 0, 1, 0, 1, 0, 1, 1, 1]
    assert merged.about()["origin_unix_ns"] == 100
    assert merged.about()["notes"] == ()
    from_start = merge_traces([late, early])
    assert joined(from_start)["arrival_ns"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert "all traces begin together" in from_start.about()["notes"][0]
    assert from_start.about()["origin_unix_ns"] is None
    assert merge_traces([late, of_devices({}, [0])]).about()["origin_unix_ns"] == 103


@pytest.mark.dear("many requests are read and written")
def test_the_tools_work_through_the_command_line(cli: Cli, tmp_path: Path, demo: sledsim.Trace) -> None:
    def read(name: str) -> sledsim.Trace:
        return sledsim.read_trace(tmp_path / "here" / name)

    cli("trace", "convert", "demo", "--out", "demo.parquet")
    assert len(read("demo.parquet")) == len(demo)
    done = cli("trace", "convert", "demo.parquet", "--out", "demo.disksim.gz")
    assert "546 requests" in done.stderr
    assert "4,833 requests written to demo.disksim.gz" in done.stderr
    cli("trace", "slice", "demo", "--from", "50", "--until", "60", "--class", "write", "-o", "part.parquet")
    part = slice_trace(demo, from_s=50, to_s=60, classes=["write"])
    assert np.array_equal(read("part.parquet").lbn, part.lbn)
    cli("trace", "scale", "demo.parquet", "2", "-o", "fast.parquet")
    assert np.array_equal(read("fast.parquet").arrival_ns, scale_trace(demo, 2.0).arrival_ns)
    cli("trace", "sample", "demo", "0.5", "--by", "address", "--seed", "4", "-o", "some.parquet")
    assert np.array_equal(read("some.parquet").lbn, sample_trace(demo, 0.5, "address", 4).lbn)
    cli("trace", "remap", "demo.parquet", "squeeze", "--onto", "100000", "-o", "small.parquet")
    assert np.array_equal(read("small.parquet").lbn, remap_trace(demo, "squeeze", 100_000).lbn)
    cli("trace", "merge", "demo.parquet", "part.parquet", "-o", "both.parquet")
    assert len(read("both.parquet")) == len(demo) + len(part)
    cli("trace", "convert", "random:rate=100,count=50", "-o", "random.disksim")
    assert len(read("random.disksim")) == 50


def test_wrong_numbers_are_explained(cli: Cli) -> None:
    for words, message in [
        (("scale", "demo", "-1"), "scale: expected a positive number, found -1"),
        (("scale", "demo", "-1e-3"), "scale: expected a positive number, found -0.001"),
        (("sample", "demo", "-.5"), "share: expected a number above 0 and up to 1, found -0.5"),
        (("scale", "demo", "2", "--fast"), "No such option: --fast"),
    ]:
        done = cli("trace", *words, "-o", "x.parquet")
        assert (done.returncode, message in done.stderr) == (2, True), done.stderr
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(sledsim.ParameterError, match="the last arrival would exceed"):
            scale_trace(sledsim.demo_trace(), 1e-300)


@pytest.mark.parametrize(
    ("command", "option", "values"),
    [
        ("remap", "rule", REMAP_RULES),
        ("sample", "by", SAMPLE_UNITS),
        ("merge", "sharing", SHARING),
        ("merge", "times", TIMES),
        ("slice", "classes", CLASSES),
    ],
)
def test_the_help_of_an_option_has_all_its_values(
    command: str, option: str, values: dict[str, object]
) -> None:
    (found,) = (row for row in get_command(app).commands[command].params if row.name == option)
    for name in values:
        assert f"'{name}'" in found.help


@pytest.mark.dear("many requests are read and written", every_change=True)
def test_wrong_commands_are_explained_and_leave_nothing(cli: Cli, tmp_path: Path) -> None:
    for words, message in [
        (("convert", "demo", "-o", "x"), "expected a name that ends in .parquet"),
        (("convert", "demo", "-o", "x", "--to", "blktrace"), "can only be read, not written"),
        (("slice", "demo", "--class", "inode", "-o", "x.parquet"), "the trace has no request"),
        (("remap", "demo", "fold", "-o", "x.parquet"), "expected one of wrap"),
        (("convert", "none.trace", "-o", "x.parquet"), "No such file"),
    ]:
        done = cli("trace", *words)
        assert done.returncode in (1, 2)
        assert message in done.stderr, done.stderr
        assert "Traceback" not in done.stderr
    assert leftovers(tmp_path) == []
