"""Workloads from Python: columns, scaling, files, the random workload, and errors."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import sledsim
from sledsim.traces.tools import scale_trace

from ..conftest import DISKSIM_LINES

ARRIVALS = st.lists(st.integers(0, 10**15), min_size=1, max_size=50).map(sorted)


def trace_of(arrival_ns: list[int], **columns: object) -> sledsim.Trace:
    count = len(arrival_ns)
    wanted = {"lbn": np.zeros(count, int), "blocks": np.ones(count, int), **columns}
    return sledsim.Trace(arrival_ns=arrival_ns, **wanted)


def test_columns_have_their_types() -> None:
    trace = sledsim.Trace(arrival_ns=[0, 5], lbn=[7, 8], blocks=[1, 2], op=[True, False])
    kinds = {name: column.dtype.name for name, column in trace.columns().items()}
    assert kinds == {
        "arrival_ns": "int64",
        "lbn": "int64",
        "blocks": "int32",
        "op": "uint8",
        "metadata": "bool",
        "device": "int32",
        "block_class": "uint8",
        "flags": "uint8",
        "response_ns": "int64",
        "service_ns": "int64",
    }
    assert len(trace) == 2
    assert not trace.metadata.any()
    with pytest.raises(ValueError, match="read-only"):
        trace.lbn[0] = 1


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"blocks": [1, 0]}, "request 1: expected blocks of at least 1, found 0"),
        ({"lbn": [-4, 0]}, "request 0: expected lbn of at least 0, found -4"),
        ({"device": [0, -1]}, "request 1: expected device of at least 0, found -1"),
        ({"blocks": [1]}, r"blocks: expected 2 values, one per lbn, found shape \(1,\)"),
        ({"blocks": [1.5, 1]}, "blocks: expected values of type int32, found float64"),
        ({"blocks": [2**40, 1]}, "blocks: expected values of type int32"),
        ({"lbn": ["a", "b"]}, "lbn: expected values of type int64"),
        ({"arrival_ns": [5, 3]}, "request 1: expected an arrival at or after .* 5 ns, found 3 ns: sort"),
    ],
)
def test_columns_that_are_no_requests_are_refused(columns: dict[str, object], message: str) -> None:
    good = {"arrival_ns": [0, 1], "lbn": [0, 0], "blocks": [1, 1]}
    with pytest.raises(sledsim.TraceError, match=message):
        sledsim.Trace(**{**good, **columns})


@pytest.mark.dear("many requests are read and written", every_change=True)
@given(ARRIVALS, st.floats(1e-3, 1e3))
def test_scaling_divides_the_time_since_the_first_arrival(arrival_ns: list[int], factor: float) -> None:
    scaled = scale_trace(trace_of(arrival_ns), factor).arrival_ns
    exact = (np.array(arrival_ns) - arrival_ns[0]) / factor
    assert scaled[0] == arrival_ns[0]
    assert np.all(np.diff(scaled) >= 0)
    np.testing.assert_allclose(scaled - scaled[0], exact, rtol=1e-12, atol=0.5)


@given(ARRIVALS)
def test_scaling_by_one_changes_nothing(arrival_ns: list[int]) -> None:
    assert scale_trace(trace_of(arrival_ns), 1).arrival_ns.tolist() == arrival_ns


@pytest.mark.parametrize("factor", [0, -1, float("nan"), float("inf")])
def test_a_scale_is_a_positive_number(factor: float) -> None:
    with pytest.raises(sledsim.ParameterError, match="scale"):
        scale_trace(trace_of([0, 1]), factor)


@pytest.mark.parametrize("factor", [0.3, 1.7, 2, 64])
def test_simulate_scales_as_the_trace_does(
    device: sledsim.Device, workload: sledsim.Trace, factor: float
) -> None:
    inside = sledsim.simulate(device, workload, scale=factor).columns
    before = sledsim.simulate(device, scale_trace(workload, factor)).columns
    assert all(np.array_equal(inside[name], before[name]) for name in inside)


def test_a_trace_file_becomes_columns(trace_file: Path) -> None:
    trace = sledsim.read_trace(trace_file)
    assert trace.arrival_ns.tolist() == [0, 1_500_000, 1_500_000, 4_250_000]
    assert trace.lbn.tolist() == [1000, 5_000_000, 64, 1008]
    assert trace.blocks.tolist() == [8, 8, 16, 8]
    assert trace.write.tolist() == [False, True, False, True]
    assert trace.source == str(trace_file)


def test_gzip_is_read_directly(tmp_path: Path, trace_file: Path) -> None:
    packed = tmp_path / "small.trace.gz"
    packed.write_bytes(gzip.compress(DISKSIM_LINES.encode()))
    assert np.array_equal(sledsim.read_trace(packed).lbn, sledsim.read_trace(trace_file).lbn)


def test_arrivals_out_of_order_are_sorted_and_noted(tmp_path: Path) -> None:
    path = tmp_path / "back.trace"
    path.write_text("2.0 0 1 8 1\n1.0 0 2 8 1\n")
    trace = sledsim.read_trace(path)
    assert trace.lbn.tolist() == [2, 1]
    assert trace.notes == ("out of order in the file, and now sorted by arrival: 1 requests",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1.0 0 5 8 1\n2.0 0 5 -1 1\n", r":2: expected a number of blocks from 0 .*found \"-1\""),
        ("1.0 0 5 8 1\n2.0 0 5\n", r":2: expected a number of blocks .*found the end of the line"),
        ("1.0 0 5 8 1\n2.0 0 five 8 1\n", r":2: expected a block number .*found \"five\""),
        ("", "found an empty file"),
        ("garbage, all of it\n", "expected a trace in one of the formats .*found a file that begins with"),
    ],
)
def test_wrong_files_are_explained(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "wrong.trace"
    path.write_text(text)
    with pytest.raises(sledsim.TraceError, match=rf"wrong\.trace.*{message}"):
        sledsim.read_trace(path)


def test_a_file_that_is_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.trace.gz"
    path.write_bytes(gzip.compress(DISKSIM_LINES.encode() * 100)[:-20])
    with pytest.raises(sledsim.TraceError, match=r"cut\.trace\.gz.*cut short"):
        sledsim.read_trace(path)


def test_unknown_formats_and_missing_files(trace_file: Path, tmp_path: Path) -> None:
    with pytest.raises(sledsim.ParameterError, match=r'unknown trace format "disksin".*"disksim"'):
        sledsim.read_trace(trace_file, format="disksin")
    with pytest.raises(FileNotFoundError, match="none"):
        sledsim.read_trace(tmp_path / "none")


def test_the_same_seed_gives_the_same_requests(device: sledsim.Device) -> None:
    first, second, other = (
        sledsim.random_workload(device, rate_per_s=100, count=500, seed=seed) for seed in (1, 1, 2)
    )
    assert np.array_equal(first.lbn, second.lbn)
    assert np.array_equal(first.arrival_ns, second.arrival_ns)
    assert not np.array_equal(first.lbn, other.lbn)
    assert (first.seed, first.source) == (1, "random:rate=100,count=500,seed=1")


def test_the_random_workload_is_as_published(device: sledsim.Device) -> None:
    trace = sledsim.random_workload(device, rate_per_s=1000, count=100_000, seed=3)
    assert np.diff(trace.arrival_ns).mean() == pytest.approx(1e6, rel=0.02)
    assert trace.write.mean() == pytest.approx(0.33, abs=0.01)
    assert (trace.blocks.mean() * 512) == pytest.approx(4096, rel=0.1)
    assert (trace.lbn + trace.blocks).max() <= device.characteristics()["blocks"]


@pytest.mark.parametrize("rate_per_s", [0, -5, float("nan")])
def test_a_rate_is_positive(device: sledsim.Device, rate_per_s: float) -> None:
    with pytest.raises(sledsim.ParameterError, match="rate"):
        sledsim.random_workload(device, rate_per_s=rate_per_s)


@pytest.mark.parametrize(
    ("name", "requests", "read", "metadata"),
    [
        ("ext2-1k", 8337, 0.608, 0.182),
        ("ext2-4k", 6181, 0.563, 0.130),
        ("ext3-1k", 9966, 0.516, 0.136),
        ("ext3-4k", 7642, 0.460, 0.095),
    ],
)
def test_the_bundled_traces_are_as_captured(name: str, requests: int, read: float, metadata: float) -> None:
    trace = sledsim.bundled_trace(name).transfers()
    assert name in sledsim.listings.bundled_traces()
    assert (trace.source, len(trace)) == (f"{name} ({name[:4]} trace)", requests)
    # The capture's own notes print parts of a thousand.
    assert 1 - trace.write.mean() == pytest.approx(read, abs=0.0005)
    assert trace.metadata.mean() == pytest.approx(metadata, abs=0.0005)


def test_a_bundled_trace_has_a_known_name() -> None:
    with pytest.raises(sledsim.ParameterError, match=r"bundled trace 'ext9': expected one of demo, ext2-1k"):
        sledsim.bundled_trace("ext9")


def test_the_demo_trace_is_a_real_one() -> None:
    trace = sledsim.demo_trace()
    assert trace.source.startswith("demo")
    assert len(trace) == 4833 + 546
    assert trace.write.sum() == 1802
    transfers = trace.transfers()
    assert (len(transfers), transfers.skipped) == (4833, {"flushes": 546})
    assert transfers.metadata.mean() == pytest.approx(0.124, abs=0.001)
    assert (trace.arrival_ns[-1] - trace.arrival_ns[0]) * 1e-9 == pytest.approx(224, abs=1)
