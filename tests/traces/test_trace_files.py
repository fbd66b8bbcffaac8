"""Reading traces whole, in batches and from standard input, and writing them."""

import contextlib
import os
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sledsim
from tests.conftest import Cli


def assert_equal(found: sledsim.Trace, expected: sledsim.Trace, *lost: str) -> None:
    """Assert that all columns but the lost ones are equal."""
    for name, column in expected.columns().items():
        if name not in lost:
            assert np.array_equal(getattr(found, name), column), name


def joined(stream: sledsim.TraceStream) -> sledsim.Trace:
    batches = [batch.columns() for batch in stream]
    assert len(batches) > 1
    return sledsim.Trace.from_columns(
        {name: np.concatenate([b[name] for b in batches]) for name in batches[0]}
    )


@pytest.fixture(scope="module")
def long_trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a trace of more requests than a batch has, every tenth out of order."""
    path = tmp_path_factory.mktemp("long") / "long.trace"
    times = np.arange(150_000)
    times[::10] -= 7
    lines = (f"{max(time, 0)} 3 {row} 8 {row % 2}\n" for row, time in enumerate(times.tolist()))
    path.write_text("".join(lines))
    return path


def test_batches_are_the_whole(long_trace: Path) -> None:
    stream = sledsim.open_trace(long_trace)
    whole = sledsim.read_trace(long_trace)
    assert_equal(joined(stream), whole)
    assert stream.about()["notes"] == whole.notes
    assert any("14,999 requests" in note for note in whole.notes)


@pytest.mark.parametrize("ending", ["", ".gz", ".zst", ".xz"])
def test_what_disksim_can_hold_is_written_and_read_again(
    demo: sledsim.Trace, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"demo.disksim{ending}"
    assert sledsim.write_trace(demo, path) == 546
    lost = ("metadata", "response_ns", "service_ns")
    sync_only = replace(demo, flags=demo.flags & 1)
    assert_equal(sledsim.read_trace(path), sync_only.transfers(), *lost)
    again = tmp_path / f"again.disksim{ending}"
    sledsim.write_trace(sledsim.read_trace(path), again)
    assert path.read_bytes() == again.read_bytes()


def test_parquet_holds_everything(demo: sledsim.Trace, tmp_path: Path) -> None:
    path = tmp_path / "demo.parquet"
    assert sledsim.write_trace(demo, path) == 0
    again = sledsim.read_trace(path)
    assert_equal(again, demo)
    assert again.device_names == demo.device_names == {0: "7,0"}
    assert pq.read_table(path).num_rows == len(demo)


def test_parquet_streams(long_trace: Path, tmp_path: Path) -> None:
    path = tmp_path / "long.parquet"
    sledsim.write_trace(sledsim.open_trace(long_trace), path)
    assert_equal(joined(sledsim.open_trace(path)), sledsim.read_trace(long_trace))


def test_the_requests_of_a_run_are_a_trace(demo: sledsim.Trace, tmp_path: Path) -> None:
    run = sledsim.simulate(sledsim.device("osdi00"), demo)
    path = run.write(tmp_path / "run.parquet")
    trace = sledsim.read_trace(path)
    assert np.array_equal(trace.op, demo.op)
    assert np.array_equal(trace.response_ns, run.response_ns)


def test_parquet_that_is_no_trace_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "other.parquet"
    pq.write_table(pa.table({"a": [1]}), path)
    with pytest.raises(
        sledsim.TraceError, match=r"other\.parquet: expected the columns arrival_ns, lbn, .*found a"
    ):
        sledsim.read_trace(path)
    path.write_bytes(b"PAR1 and nothing more")
    with pytest.raises(sledsim.TraceError, match=r"other\.parquet: the file is damaged or no Parquet"):
        sledsim.read_trace(path)
    sledsim.write_trace(sledsim.demo_trace(), path)
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(sledsim.TraceError, match=r"other\.parquet: the file is damaged or no Parquet"):
        list(sledsim.open_trace(path))


def test_what_cannot_be_written_leaves_nothing(demo: sledsim.Trace, tmp_path: Path) -> None:
    with pytest.raises(
        sledsim.ParameterError, match=r"can only be read, not written: expected one of .*disksim"
    ):
        sledsim.write_trace(demo, tmp_path / "x", "blktrace")
    with pytest.raises(sledsim.ParameterError, match=r"x: expected a name that ends in \.parquet"):
        sledsim.write_trace(demo, tmp_path / "x")
    assert list(tmp_path.iterdir()) == []


def test_standard_input_is_a_trace(long_trace: Path) -> None:
    program = "import sledsim; t = sledsim.read_trace('-'); print(len(t), t.source)"
    content = long_trace.read_bytes()
    done = subprocess.run([sys.executable, "-c", program], input=content, capture_output=True, check=True)
    assert done.stdout == b"150000 standard input\n"


def through_pipe(content: Path, pipe: Path) -> threading.Thread:
    """Make a named pipe and write a file into it, until the reader stops."""
    os.mkfifo(pipe)

    def write() -> None:
        # A reader that refuses the file closes the pipe, before or after the last byte is in it.
        with contextlib.suppress(BrokenPipeError):
            pipe.write_bytes(content.read_bytes())

    feed = threading.Thread(target=write)
    feed.start()
    return feed


def test_a_named_pipe_is_read_from_its_first_byte(long_trace: Path, tmp_path: Path) -> None:
    feed = through_pipe(long_trace, tmp_path / "pipe")
    assert_equal(sledsim.read_trace(tmp_path / "pipe"), sledsim.read_trace(long_trace))
    feed.join()


def test_parquet_comes_through_pipes_too(demo: sledsim.Trace, tmp_path: Path) -> None:
    path = tmp_path / "demo.parquet"
    sledsim.write_trace(demo, path)
    feed = through_pipe(path, tmp_path / "pipe")
    again = sledsim.read_trace(tmp_path / "pipe", "parquet")
    feed.join()
    assert_equal(again, demo)
    assert again.device_names == demo.device_names
    with pytest.raises(sledsim.TraceError, match="for a pipe, give --format parquet"):
        feed = through_pipe(path, tmp_path / "unnamed")
        sledsim.open_trace(tmp_path / "unnamed")
    feed.join()


@pytest.mark.dear("many requests are read and written")
def test_parquet_passes_from_standard_output_to_standard_input(cli: Cli, tmp_path: Path) -> None:
    program = [sys.executable, "-m", "sledsim", "trace"]
    written = subprocess.run(
        [*program, "convert", "demo", "-o", "-", "--to", "parquet"], capture_output=True, check=True
    )
    to_null = [*program, "convert", "-", "--format", "parquet", "--to", "spc", "-o", os.devnull]
    done = subprocess.run(to_null, input=written.stdout, capture_output=True, check=True)
    assert b"4,833 requests written to /dev/null" in done.stderr
    assert not Path(os.devnull).is_file()
    done = cli("trace", "convert", "demo", "-o", "-")
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        "--to: expected a format for standard output, one of fio, msr, spc, disksim, parquet" in done.stderr
    )


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ({"lbn": [1, None]}, "lbn: expected a value in every row, found 1 empty rows"),
        ({"arrival_ns": [0.5, 1.5]}, "arrival_ns: expected values of type int64, found float64"),
        ({"op": ["R", "W"]}, "op: expected numbers, found values of the type string"),
    ],
)
def test_a_wrong_column_of_parquet_is_named_with_its_file(
    tmp_path: Path, column: dict[str, list[object]], message: str
) -> None:
    path = tmp_path / "wrong.parquet"
    pq.write_table(pa.table({"arrival_ns": [0, 1], "lbn": [1, 2], "blocks": [1, 1], **column}), path)
    with pytest.raises(sledsim.TraceError, match=rf"wrong\.parquet: {message}"):
        sledsim.read_trace(path)


def test_an_unknown_format_is_answered_with_all_formats(demo: sledsim.Trace, tmp_path: Path) -> None:
    with pytest.raises(sledsim.ParameterError, match=r'"parqet": did you mean "parquet".*, parquet$'):
        sledsim.read_trace(tmp_path, "parqet")
    with pytest.raises(sledsim.ParameterError, match='"fiu2": did you mean "fiu"'):
        sledsim.write_trace(demo, tmp_path / "x", "fiu2")


def test_bad_lines_are_skipped_if_wanted(tmp_path: Path) -> None:
    path = tmp_path / "bad.trace"
    path.write_text("1 0 5 8 1\n" + "nonsense\n" * 5 + "2 0 5 8 1\n")
    with pytest.raises(sledsim.TraceError, match=r"bad\.trace:2: "):
        sledsim.read_trace(path)
    trace = sledsim.read_trace(path, skip_bad=True)
    assert len(trace) == 2
    assert trace.notes[0] == "skipped 5 lines or records that cannot be read, first:"
    assert [note.split(": ")[0] for note in trace.notes[1:]] == [f"  {path}:{line}" for line in (2, 3, 4)]


def test_each_traced_device_is_simulated_once_whatever_its_number() -> None:
    times, device = np.arange(4) * 10**9, np.array([900, 7, 900, 7])
    trace = sledsim.Trace(times, np.arange(4), np.ones(4, int), device=device)
    run = sledsim.simulate(sledsim.device("osdi00"), trace)
    assert len(run.totals["busy_s"]) == 2
    assert run.columns["device"].tolist() == device.tolist()


def test_a_map_of_a_parquet_file_is_refused(demo: sledsim.Trace, tmp_path: Path) -> None:
    sledsim.write_trace(demo, tmp_path / "demo.parquet")
    for read in (sledsim.read_trace, sledsim.open_trace):
        with pytest.raises(sledsim.ParameterError, match="applies to the format csv only, found parquet"):
            read(tmp_path / "demo.parquet", map="time=1")
