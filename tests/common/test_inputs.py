"""Files that a user names: size limits, pipes, and a message while a command waits."""

import gzip
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import sledsim
from sledsim.exploration.design import read_file_sizes, read_space

from ..conftest import Cli

PROGRAM = Path(sys.executable).with_name("sledsim")
TOO_LONG = "expected a text of at most 16 MiB, found a longer text"


def measured(path: str) -> object:
    return sledsim.device("osdi00", seek_model="measured", measured_x=path)


READERS: dict[str, Callable[[str], object]] = {
    "device": sledsim.device,
    "table": measured,
    "volume": sledsim.volume,
    "member": lambda path: sledsim.volume("raid5", device=path),
    "faults": lambda path: sledsim.with_faults(sledsim.device("osdi00"), path),
    "faults of a member": lambda path: sledsim.volume("raid5", **{"device.faults": path}),
    "workload": lambda path: sledsim.workload(f"fitted:file={path}", sledsim.device("osdi00")),
    "fitted workload": sledsim.results.FittedWorkload.read,
    "space": read_space,
    "sizes of files": read_file_sizes,
    "bounds": sledsim.read_bounds,
}


@pytest.mark.parametrize("reader", READERS)
def test_a_file_without_an_end_is_refused(reader: str) -> None:
    with pytest.raises((sledsim.ParameterError, sledsim.TraceError), match=f"/dev/zero: .*{TOO_LONG}"):
        READERS[reader]("/dev/zero")


@pytest.mark.parametrize("reader", READERS)
def test_what_is_no_text_is_refused_by_its_line(reader: str, tmp_path: Path) -> None:
    path = tmp_path / "latin-1.toml"
    path.write_bytes(b"# one\n# two: \xe9\n")
    with pytest.raises(
        (sledsim.ParameterError, sledsim.TraceError), match=r"latin-1\.toml:2: .*UTF-8.* 0xe9"
    ):
        READERS[reader](str(path))


def test_a_file_just_within_the_limit_is_read(tmp_path: Path) -> None:
    text = 'extends = "osdi00"\n#'
    (tmp_path / "large.toml").write_text(text + "x" * ((16 << 20) - len(text)))
    assert sledsim.device(tmp_path / "large.toml").parameters["name"] == "large"
    (tmp_path / "large.toml").write_text(text + "x" * ((16 << 20) - len(text) + 1))
    with pytest.raises(sledsim.ParameterError, match=TOO_LONG):
        sledsim.device(tmp_path / "large.toml")


@contextmanager
def shell_pipe(text: str | None) -> Iterator[str]:
    """Yield the name of a pipe like that of ``<(...)``, with a text or without a writer."""
    reads, writes = os.pipe()
    if text is not None:
        os.write(writes, text.encode())
        os.close(writes)
    yield f"/dev/fd/{reads}"
    os.close(reads)
    if text is None:
        os.close(writes)


def test_a_device_comes_through_a_pipe() -> None:
    with shell_pipe('extends = "osdi00"\nsettle_ms = 0.1\n') as pipe:
        assert sledsim.device(pipe).parameters["settle_ms"] == 0.1


@contextmanager
def in_time() -> Iterator[None]:
    """Stop a command that waits for a pipe after twenty seconds."""

    def end(*_: object) -> None:
        raise TimeoutError("it waits")

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, 20)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


#: Commands that read a file, whose name follows.
COMMANDS = [
    *("show", "run demo --device", "run demo --volume", "run demo --faults", "compare demo --device"),
    *("sweep run", "view", "explain --slowest 1", "certify", "crash", "import disksim"),
    *(
        "design demo --space",
        "design demo --files",
        "run demo --device osdi00 --set measured_x=",
        "run fitted:file=",
    ),
    "holds mean(sptf)<mean(fcfs) random:rate=100,count=100 --over",
]


@pytest.mark.dear("every command that reads a file runs", every_change="show")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_fifo_is_no_file(command: str, cli: Cli, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo.toml"
    os.mkfifo(fifo)
    words = command.split()
    words = [*words[:-1], f"{words[-1]}{fifo}"] if words[-1].endswith("=") else [*words, str(fifo)]
    with in_time():
        done = cli(*words)
    assert done.returncode in (1, 2)
    assert done.stdout == "" and len(done.stderr.splitlines()) == 1
    assert str(fifo) in done.stderr
    assert re.search("expected a file, found a (FIFO|pipe)|is a device or a pipe, not a file", done.stderr)


def test_a_ledger_that_is_a_fifo_is_refused(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "sweep").mkdir()
    os.mkfifo(tmp_path / "sweep" / "study.ledger")
    with in_time():
        done = cli("sweep", "status", tmp_path / "sweep")
    assert done.returncode == 2
    assert "study.ledger: expected a file, found a FIFO" in done.stderr


@pytest.mark.parametrize("command", ["show", "certify"])
def test_a_terminal_is_no_file(command: str, cli: Cli) -> None:
    outer, inner = os.openpty()
    try:
        with in_time():
            done = cli(command, os.ttyname(inner))
    finally:
        os.close(outer)
        os.close(inner)
    assert done.returncode == 2
    assert "expected a file, found a terminal" in done.stderr


def test_parquet_through_a_pipe_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(sledsim.TraceError, match="the file is damaged or no Parquet file"):
        sledsim.read_trace("/dev/zero", "parquet")
    monkeypatch.setattr("sledsim.traces.parquet._PIPE_BYTES", 100)
    with (
        shell_pipe("PAR1" + "x" * 1000) as pipe,
        pytest.raises(sledsim.TraceError, match=f"{pipe}: more than .* of Parquet came through a pipe"),
    ):
        sledsim.read_trace(pipe, "parquet")


@pytest.mark.dear("programs write to pipes and devices")
def test_a_device_of_a_slow_process(tmp_path: Path) -> None:
    slow = "(sleep 0.5; echo 'extends = \"osdi00\"'; sleep 0.5; echo 'settle_ms = 0.125')"
    command = f"{PROGRAM} show <{slow}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert "0.125" in done.stdout


@pytest.mark.dear("the command waits for ten seconds")
def test_a_pipe_without_a_writer_is_given_up(cli: Cli) -> None:
    with shell_pipe(None) as pipe:
        done = cli("show", pipe)
    assert done.returncode == 2
    expected = "expected a text, found a pipe that sent no data within 10 s"
    assert done.stderr == f"error: {pipe}: {expected}\n"


def test_a_trace_through_a_pipe_is_announced(cli: Cli, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    feed = threading.Thread(target=pipe.write_text, args=("0.0 0 0 8 1\n1.0 0 64 8 0\n",))
    feed.start()
    done = cli("run", pipe)
    feed.join()
    assert done.returncode == 0
    announced, recognised, overview = done.stderr.splitlines()
    assert recognised == f"{pipe}: recognised as disksim"
    assert announced == f"{pipe} is a pipe: waiting for data"
    assert overview.startswith(f"{pipe}: 2 requests in 1 ms")


@pytest.mark.dear("programs write to pipes and devices", every_change="")
@pytest.mark.parametrize("ending", ["", ".gz"])
def test_lines_of_which_no_request_comes_are_progress(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"blank.trace{ending}"
    text = b"0.0 0 0 8 1\n" + b"\n#\n" * (8 << 20)
    path.write_bytes(gzip.compress(text, 1) if ending else text)
    size = path.stat().st_size
    for read in (
        lambda report: sledsim.read_trace(path, "disksim", progress=report),
        lambda report: list(sledsim.open_trace(path, "disksim", progress=report)),
    ):
        seen: list[int] = []
        read(seen.append)
        assert len(seen) > 1 and seen == sorted(seen) and 0 < seen[0] <= seen[-1] <= size


def test_lines_are_still_counted_right(tmp_path: Path) -> None:
    path = tmp_path / "wrong.trace"
    path.write_text("\n# one\n\n0.0 0 0 8 1\n" + "x" * 200_000 + "\n\nwrong\n")
    with pytest.raises(sledsim.TraceError, match=r"wrong\.trace:5: expected a line of at most 65536 bytes"):
        sledsim.read_trace(path, "disksim")
    notes = sledsim.read_trace(path, "disksim", skip_bad=True).notes
    assert "skipped 2 lines" in notes[0] and "wrong.trace:7: " in notes[2]
