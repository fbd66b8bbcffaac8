"""A small file with more requests than memory has room for is refused before memory is filled."""

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sledsim
from sledsim.cli import workloads
from sledsim.common import memory

#: Objects with requests in memory: the demo in a file (CSV and Parquet), and a result.
READERS: dict[str, Callable[[Path], object]] = {
    "text": lambda folder: sledsim.read_trace(folder / "demo.msr.zst"),
    "Parquet": lambda folder: sledsim.read_trace(folder / "demo.parquet"),
    "result": lambda folder: sledsim.read_run(folder / "run.parquet"),
    "drawn": lambda folder: sledsim.workload("random:rate=1000,count=100000", sledsim.device("osdi00")),
    "fit": lambda folder: sledsim.fit_workload(folder / "demo.msr.zst"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("traces")
    trace = sledsim.demo_trace()
    for name in ("demo.msr.zst", "demo.parquet"):
        sledsim.write_trace(trace, made / name)
    sledsim.simulate(sledsim.device("osdi00"), trace).write(made / "run.parquet")
    return made


@pytest.mark.parametrize("reader", READERS)
def test_more_requests_than_memory_has_room_for_are_refused(
    reader: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    READERS[reader](folder)
    monkeypatch.setattr(memory, "free_bytes", lambda: 100 * memory.BYTES_PER_REQUEST)
    with pytest.raises(sledsim.TraceError, match=r"requests, which fit (into|the) free memory, found more"):
        READERS[reader](folder)


def test_the_limit_of_a_process_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit is on addresses, so the first figure of the process in Linux's `statm` counts."""
    free = memory.free_bytes()
    assert free is None or free > 1 << 20
    page = resource.getpagesize()
    told = tmp_path / "statm"
    told.write_text("1000 300 20 1 0 100 0")
    monkeypatch.setattr(memory, "_OF_PROCESS", told)
    assert memory._own_bytes() == 300 * page
    for pages, left in ((1100, 100), (1000, 0), (900, 0)):
        monkeypatch.setattr(resource, "getrlimit", lambda which, pages=pages: (pages * page, pages * page))
        assert memory.free_bytes() == left * page
        assert memory._own_bytes() == 1000 * page


def test_requests_that_wait_have_half_of_the_memory_that_was_free(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A small file may have any number of requests at one time, which wait together."""
    device, trace = sledsim.device("osdi00"), sledsim.open_trace(folder / "demo.msr.zst")
    sizes = iter([1 << 30, (1 << 30) + 60])
    monkeypatch.setattr(memory, "_own_bytes", lambda: next(sizes))
    monkeypatch.setattr(memory, "free_bytes", lambda: 100)
    with pytest.raises(sledsim.TraceError, match="more requests are outstanding than fit into free memory"):
        sledsim.simulate(device, trace)
    room = memory.Room.__new__(memory.Room)
    for most, size, is_used_up in ((None, 5, False), (5, 5, False), (5, 6, True)):
        room._most = most
        monkeypatch.setattr(memory, "_own_bytes", lambda size=size: size)
        assert room.is_used_up() is is_used_up


def test_the_memory_of_a_process_is_known() -> None:
    """A separate program, whose other threads free no memory, touches new pages."""
    program = (
        "import mmap, pathlib, sys; from sledsim.common import memory; before = memory._own_bytes();"
        "held = mmap.mmap(-1, 32 << 20); held.write(bytes(32 << 20));"
        "sys.exit(memory._OF_PROCESS.exists() and memory._own_bytes() < before + (32 << 20))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize("kind", [pa.string(), pa.list_(pa.int64()), pa.dictionary(pa.int8(), pa.string())])
def test_columns_that_are_no_numbers_are_not_read(kind: pa.DataType, tmp_path: Path) -> None:
    one = {"arrival_ns": [0], "blocks": [8], "op": [0]}
    wrong = pa.array([["1"] if pa.types.is_list(kind) else "x"]).cast(kind)
    pq.write_table(pa.table({**one, "lbn": wrong}), tmp_path / "t.parquet")
    with pytest.raises(sledsim.TraceError, match=r"lbn: expected numbers, found values of the type "):
        sledsim.read_trace(tmp_path / "t.parquet")


@pytest.mark.parametrize("ending", ["gz", "zst", "xz"])
def test_the_unpacked_size_of_a_trace_counts(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long trace is simulated in parts: a small file may have millions of equal requests."""
    count = 20_000
    columns = {
        "arrival_ns": range(count),
        "lbn": [0] * count,
        "blocks": [1] * count,
        "write": [False] * count,
    }
    rows = sledsim.Trace.from_columns({name: np.array(values) for name, values in columns.items()})
    path = tmp_path / f"t.spc.{ending}"
    sledsim.write_trace(rows, path)
    assert path.stat().st_size < 100_000
    for most, is_long in ((100_000, True), (10_000_000, False)):
        monkeypatch.setattr(workloads, "_LONG_BYTES", most)
        assert workloads.is_long(str(path)) == is_long
    # The reader reports damaged files.
    path.write_bytes(path.read_bytes()[:50])
    assert not workloads.is_long(str(path))


def test_a_parquet_trace_is_long_by_its_requests(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "demo.parquet"
    requests = len(sledsim.demo_trace())
    for most, is_long in ((requests, True), (requests + 1, False)):
        monkeypatch.setattr(workloads, "_LONG_REQUESTS", most)
        assert workloads.is_long(str(path)) == is_long
    (folder / "damaged.parquet").write_bytes(path.read_bytes()[:-9])
    assert not workloads.is_long(str(folder / "damaged.parquet"))
