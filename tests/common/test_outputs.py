"""Every output is whole or absent; devices and FIFOs stay; dead processes leave nothing."""

import ast
import fcntl
import os
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

import sledsim
from sledsim.common import output_files
from sledsim.traces import tools

from ..conftest import Cli, leftovers

SOURCES = Path(sledsim.__file__).parent
PROGRAM = Path(sys.executable).with_name("sledsim")

Writer = Callable[[Path], object]


@pytest.fixture(scope="module")
def writers() -> dict[str, Writer]:
    """Functions that write a file of each kind."""
    pytest.importorskip("altair", reason="plots are an extra: pip install 'sledsim[plot]'")
    device = sledsim.device("osdi00")
    trace = sledsim.random_workload(device, rate_per_s=900, count=300, seed=7)
    run = sledsim.simulate(device, trace, "fcfs")
    compared = sledsim.compare(device, trace, "fcfs")
    bounds = sledsim.schedule_bounds(device, trace.rows(slice(0, 6)), ["fcfs"])
    chart = compared.plot()
    from sledsim.charts.style import save_chart

    def of_trace(name: str, format: str) -> Writer:
        """Write a trace by a link to a device: the ending of the link's name selects the compression."""
        return lambda path: sledsim.write_trace(trace, _linked(path, name), format)

    def of_chart(name: str) -> Writer:
        return lambda path: save_chart(chart, _linked(path, name))

    return {
        "result": run.write,
        "run in time": lambda path: run.write_perfetto(_linked(path, "x.pftrace")),
        "bounds": bounds.write,
        "fitted workload": sledsim.fit_workload(trace).write,
        "popular extents": tools.popular_extents(trace).write,
        "comparison": compared.write_csv,
        "text": lambda path: output_files.write_text(path, "text\n"),
        "page": of_chart("chart.html"),
        "picture": of_chart("chart.png"),
        "vectors": of_chart("chart.svg"),
        **{f"{name} trace": of_trace(f"x.{name}", name) for name in sledsim.listings.writable_formats()},
        **{f"trace as {ending}": of_trace(f"x.spc.{ending}", "spc") for ending in ("gz", "zst", "xz")},
    }


def _linked(path: Path, name: str) -> Path:
    link = path.parent / name
    link.symlink_to(path)
    return link


def node(path: Path, minor: int) -> Path:
    """Make a device node of the kind of ``/dev/null`` (3) or ``/dev/full`` (7)."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, minor))
        path.open("wb").close()
    except PermissionError:
        pytest.skip("to make a device node takes the rights of root")
    return path


@pytest.mark.dear("programs write to pipes and devices")
def test_a_device_that_is_full_is_named_and_stays(writers: dict[str, Writer], tmp_path: Path) -> None:
    for name, write in writers.items():
        folder = tmp_path / name
        folder.mkdir()
        full = node(folder / "full", 7)
        with pytest.raises(OSError, match="cannot write: No space left on device"):
            write(full)
        assert full.is_char_device(), name
        assert leftovers(folder) == [], name


@pytest.mark.dear("a file of each kind is written")
def test_what_another_process_uses_stays(writers: dict[str, Writer], tmp_path: Path) -> None:
    """Servers lock their images, and studies lock their ledgers."""
    for name, write in writers.items():
        folder = tmp_path / name
        folder.mkdir()
        (folder / "used").write_bytes(b"kept")
        with (folder / "used").open() as used:
            fcntl.flock(used, fcntl.LOCK_SH)
            with pytest.raises(sledsim.ParameterError, match="another process uses this file"):
                write(folder / "used")
        assert (folder / "used").read_bytes() == b"kept", name
        assert [path.name for path in folder.iterdir() if not path.is_symlink()] == ["used"]


@pytest.mark.dear("programs write to pipes and devices")
def test_a_device_takes_what_is_written_and_stays(writers: dict[str, Writer], tmp_path: Path) -> None:
    for name, write in writers.items():
        folder = tmp_path / name
        folder.mkdir()
        null = node(folder / "null", 3)
        write(null)
        assert null.is_char_device(), name
        assert leftovers(folder) == [], name


@pytest.mark.dear("programs write to pipes and devices")
def test_a_fifo_gets_the_bytes_of_a_file_and_stays(writers: dict[str, Writer], tmp_path: Path) -> None:
    for name, write in writers.items():
        folder, other = tmp_path / name, tmp_path / f"{name} again"
        folder.mkdir()
        other.mkdir()
        fifo, found = folder / "fifo", []
        os.mkfifo(fifo)
        reader = threading.Thread(target=lambda fifo=fifo, found=found: found.append(fifo.read_bytes()))
        reader.start()
        write(fifo)
        reader.join()
        assert fifo.is_fifo(), name
        write(other / "file")
        whole = (other / "file").read_bytes()
        # Vega numbers the clips throughout a process.
        assert found == [whole] or (
            name == "vectors" and len(found[0]) == pytest.approx(len(whole), rel=1e-3)
        )


@pytest.mark.dear("programs write to pipes and devices", every_change=True)
def test_the_command_line_names_a_full_device(cli: Cli, tmp_path: Path) -> None:
    full = node(tmp_path / "full", 7)
    work = "random:rate=500,count=500"
    for words in (
        ("run", work, "--out", full),
        ("trace", "convert", work, "--out", full, "--to", "spc"),
        ("trace", "convert", work, "--out", full, "--to", "parquet"),
        ("trace", "fit", work, "--out", full),
        ("trace", "popularity", work, "--out", full),
    ):
        done = cli(*words)
        assert done.returncode == 1, (words, done.stderr)
        assert f"error: {full}: cannot write: No space left on device\n" in done.stderr
        assert full.is_char_device()
    (tmp_path / "out").mkdir()
    summary = node(tmp_path / "out" / "summary.csv", 7)
    done = cli("compare", work, "--schedulers", "fcfs", "--out", tmp_path / "out")
    assert f"error: {summary}: cannot write: No space left on device\n" in done.stderr
    assert summary.is_char_device()


@pytest.mark.dear("programs write to pipes and devices", every_change=True)
def test_a_fifo_without_a_reader_any_more_is_named(cli: Cli, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: os.close(os.open(fifo, os.O_RDONLY)))
    reader.start()
    done = cli("run", "random:rate=500,count=200000", "--out", fifo)
    reader.join()
    assert done.returncode == 1
    assert f"error: {fifo}: cannot write: Broken pipe\n" in done.stderr
    assert fifo.is_fifo()


@pytest.mark.dear("programs write to pipes and devices")
def test_standard_output_may_be_the_file(tmp_path: Path) -> None:
    words = [PROGRAM, "trace", "convert", "random:rate=500,count=50", "--out", "/dev/stdout", "--to", "spc"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert len(done.stdout.splitlines()) == 50
    assert leftovers(tmp_path) == []


@pytest.mark.parametrize(("kind", "what"), [(stat.S_IFBLK, "block device"), (stat.S_IFSOCK, "socket")])
def test_what_takes_no_bytes_is_refused(cli: Cli, tmp_path: Path, kind: int, what: str) -> None:
    path = tmp_path / "node"
    try:
        # No device has the number 0, so nothing could be damaged.
        os.mknod(path, kind | 0o666, 0)
    except PermissionError:
        pytest.skip("to make a device node takes the rights of root")
    done = cli("run", "random:rate=500,count=50", "--out", path)
    assert (done.returncode, done.stderr) == (
        1,
        f"error: {path}: cannot write: expected a file, found a {what}\n",
    )
    assert leftovers(tmp_path) == []


def test_an_error_of_what_is_read_is_not_one_of_what_is_written(tmp_path: Path) -> None:
    path = tmp_path / "out"
    with pytest.raises(FileNotFoundError) as raised, output_files.writing(path):
        (tmp_path / "missing").read_bytes()
    assert raised.value.filename == os.fspath(tmp_path / "missing")
    assert leftovers(tmp_path) == []


def test_half_a_pair_of_surrogates_is_written(tmp_path: Path) -> None:
    assert output_files.write_text(tmp_path / "text", "a\ud800b").read_text(encoding="utf-8") == "a\\ud800b"


LINES = b"".join(b"%d.0 0 1000 8 1\n" % at for at in range(20_000))


def begin(out: Path) -> subprocess.Popen[bytes]:
    """Start a process that writes `out` and waits for more input."""
    words = [PROGRAM, "trace", "convert", "-", "--out", out, "--format", "disksim", "--to", "spc"]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin
    process.stdin.write(LINES)
    process.stdin.flush()
    deadline = time.monotonic() + 60
    while not parts(out) and time.monotonic() < deadline:
        time.sleep(0.01)
    return process


def parts(out: Path) -> list[Path]:
    return list(out.parent.glob(f".{out.name}.*.part"))


def convert(cli: Cli, out: Path) -> None:
    done = cli("trace", "convert", "random:rate=500,count=50", "--out", out, "--to", "spc")
    assert done.returncode == 0, done.stderr


@pytest.mark.dear("programs write to pipes and devices")
def test_what_a_killed_process_has_left_is_cleared(cli: Cli, tmp_path: Path) -> None:
    out, other = tmp_path / "x.spc", tmp_path / "y.spc"
    for path in (out, other):
        process = begin(path)
        process.kill()
        process.communicate()
        assert len(parts(path)) == 1
    # A file of an earlier version with the number of this process, which did not write it.
    (tmp_path / f".x.spc.{os.getpid()}.part").touch()
    mine = [tmp_path / ".x.spc.notes.part", tmp_path / ".x.spc.part", tmp_path / "x.spc.1234.part"]
    for path in mine:
        path.touch()
    convert(cli, out)
    assert parts(out) == [mine[0]]
    assert all(path.exists() for path in mine)
    assert len(parts(other)) == 1, "other outputs are left alone"
    assert len(out.read_text().splitlines()) == 50


@pytest.mark.dear("programs write to pipes and devices")
def test_what_a_process_writes_now_is_left_alone(cli: Cli, tmp_path: Path) -> None:
    out = tmp_path / "x.spc"
    process = begin(out)
    held = parts(out)
    convert(cli, out)
    assert parts(out) == held
    assert len(out.read_text().splitlines()) == 50
    process.communicate(timeout=60)
    assert process.returncode == 0
    assert len(out.read_text().splitlines()) == len(LINES.splitlines())
    assert leftovers(tmp_path) == ["x.spc"]


#: Files that open files for writing, rename or remove them outside the one module for it, with reasons.
MAY_WRITE = {
    "common/part_files.py",
    "ledger/ledger.py",  # appends to a file that stays
    "ledger/ledger_merging.py",  # removes parts that were joined into one file
    "traces/capture.py",  # files of the kernel, and captures of CPUs that no longer have any
}
WRITES = {"write_text", "write_bytes", "open", "unlink", "rename", "rmtree", "mkstemp", "NamedTemporaryFile"}


@pytest.mark.dear("programs write to pipes and devices")
def test_outputs_are_written_in_one_place() -> None:
    found = set()
    for path in SOURCES.rglob("*.py"):
        for call in (each for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, ast.Call)):
            name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            if name not in WRITES or (name == "write_text" and isinstance(call.func, ast.Name)):
                continue
            reads = name == "open" and all(
                argument.value in ("rb", "r") for argument in call.args if isinstance(argument, ast.Constant)
            )
            if not reads:
                found.add(path.relative_to(SOURCES).as_posix())
    assert found == MAY_WRITE


def test_the_two_files_of_a_table_are_written_together(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("kept")
    output_files.write_table(pa.table({"a": [1]}), tmp_path, "t")
    before = (tmp_path / "t.parquet").read_bytes()
    (tmp_path / "t.csv").unlink()
    (tmp_path / "t.csv").mkdir()
    with pytest.raises(OSError, match="found a directory"):
        output_files.write_table(pa.table({"a": [2]}), tmp_path, "t")
    assert (tmp_path / "t.parquet").read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"victim", "t.csv", "t.parquet"}
