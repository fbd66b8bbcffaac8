"""``sledsim serve`` under real programs, and as users type it."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sledsim
from sledsim.emulator.served import read_served

from ..conftest import is_long
from .client import FLUSH, WRITE, Client

PROGRAM = Path(sys.executable).with_name("sledsim")
#: Fifty times as fast as the device, without real-time scheduling.
QUICK = ["--time-scale", "1/50", "--realtime", "off"]
SIZE = 16 << 20


def needs(*programs: str) -> pytest.MarkDecorator:
    """Skip if a program is not installed."""
    missing = [name for name in programs if shutil.which(name) is None]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


def serve(*words: str | Path, folder: Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    """Run ``sledsim serve`` to its end."""
    done = subprocess.run(
        [PROGRAM, "serve", *words], cwd=folder, capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == status, done.stderr
    return done


def identical(path: Path) -> bool:
    """True if the record equals the simulation, and the certificate confirms it."""
    run = read_served(path).run
    again = run.again()
    return all(np.array_equal(column, again.columns[name]) for name, column in run.columns.items())


@pytest.mark.dear("a server and its clients are started")
@needs("nbdinfo")
def test_nbdinfo_sees_a_rotating_disk_of_that_size(tmp_path: Path) -> None:
    done = serve("osdi00", "--size", "16M", *QUICK, "--", "nbdinfo", "--json", "$uri", folder=tmp_path)
    export = json.loads(done.stdout[: done.stdout.rindex("}") + 1])["exports"][0]
    assert export["export-size"] == SIZE
    assert (
        export["is_rotational"] and export["can_flush"] and export["can_fua"] and not export["is_read_only"]
    )
    assert export["block_size_minimum"] == 512
    assert "serving osdi00, 0.017 GB, at nbd+unix:///?socket=/" in done.stderr


@pytest.mark.dear("a server and its clients are started")
@needs("nbdcopy")
@pytest.mark.parametrize("target", [["osdi00"], ["--volume", "raid5"]])
def test_what_nbdcopy_writes_it_reads_again(target: list[str], tmp_path: Path) -> None:
    data = np.random.default_rng(1).integers(0, 256, SIZE, np.uint8).tobytes()
    (tmp_path / "in").write_bytes(data)
    run = tmp_path / "run.parquet"
    copy = 'nbdcopy in "$uri" && nbdcopy "$uri" out'
    serve(*target, "--size", "16M", *QUICK, "--record", run, "--", "sh", "-c", copy, folder=tmp_path)
    assert (tmp_path / "out").read_bytes() == data
    assert identical(run)


@pytest.mark.dear("a server and its clients are started")
@needs("qemu-io")
def test_qemu_finds_what_it_has_written(tmp_path: Path) -> None:
    steps = [
        "write -P 5 0 1M",
        "write -f -P 7 1M 4k",
        "flush",
        "discard 8k 4k",
        "write -z 512k 64k",
        "read -P 5 0 512k",
    ]
    steps += [
        "read -P 0 512k 64k",
        "read -P 7 1M 4k",
        "aio_write -P 9 2M 64k",
        "aio_read -P 5 0 64k",
        "aio_flush",
    ]
    words = [word for step in steps for word in ("-c", step)]
    done = serve(
        "osdi00", "--size", "16M", *QUICK, "--", "qemu-io", "-f", "raw", *words, "$uri", folder=tmp_path
    )
    assert "Pattern verification failed" not in done.stdout + done.stderr


@pytest.mark.dear("a server and its clients are started")
@needs("fio")
def test_fio_verifies_what_it_writes_at_random(tmp_path: Path) -> None:
    seconds = 300 if is_long() else 3
    words = ["--name=mix", "--ioengine=nbd", "--uri=$uri", "--rw=randrw", "--bsrange=512-64k", "--iodepth=16"]
    words += ["--verify=crc32c", "--verify_fatal=1", f"--runtime={seconds}", "--time_based", "--size=16M"]
    run = tmp_path / "run.parquet"
    serve("osdi00", "--size", "16M", *QUICK, "--record", run, "--", "fio", *words, folder=tmp_path)
    assert identical(run)


@pytest.mark.dear("a server and its clients are started")
@needs("fio")
@pytest.mark.parametrize(("rule", "waits"), [("at-once", False), ("on-flush", True)])
def test_fsync_after_a_pause_waits_for_data_in_the_cache(rule: str, waits: bool, tmp_path: Path) -> None:
    """Fio waits between a write and its fsync, so a disk that writes at once has nothing left to write."""
    words = ["--name=a", "--ioengine=nbd", "--uri=$uri", "--rw=randwrite", "--bs=4k", "--size=1g"]
    words += ["--number_ios=20", "--fsync=1", "--thinktime=50000"]
    run = tmp_path / "run.parquet"
    disk = ["atlas10k", "--set", f"destage={rule}", "--size", "1G"]
    serve(*disk, "--realtime", "off", "--record", run, "--", "fio", *words, folder=tmp_path)
    assert identical(run)
    columns = read_served(run).run.columns
    flush_ms = (columns["completion_ns"] - columns["arrival_ns"])[columns["kind"] == 3] * 1e-6
    half_a_turn_ms, least_seek_ms = 3.0, 0.8
    assert (flush_ms.mean() > half_a_turn_ms + least_seek_ms) == (flush_ms.max() > 0.01) == waits


def mounts(test: Callable[..., None]) -> Callable[..., None]:
    """Skip if ext4 cannot be put on a served device."""
    for is_there, reason in (
        (os.geteuid() == 0, "only root mounts file systems"),
        (Path("/dev/fuse").exists(), "no /dev/fuse"),
        (Path("/dev/loop-control").exists(), "no loop devices"),
    ):
        test = pytest.mark.skipif(not is_there, reason=reason)(test)
    return needs("nbdfuse", "losetup", "mkfs.ext4", "e2fsck")(test)


@pytest.mark.dear("a server and its clients are started")
@mounts
def test_ext4_finds_its_files_again(tmp_path: Path) -> None:
    run = tmp_path / "run.parquet"
    script = Path(__file__).with_name("ext4.sh")
    serve("osdi00", "--size", "64M", *QUICK, "--record", run, "--", "bash", script, folder=tmp_path)
    assert identical(run)


@pytest.mark.dear("a server and its clients are started")
def test_ctrl_c_ends_it_and_files_are_written(tmp_path: Path) -> None:
    words = [
        "--size",
        "16M",
        *QUICK,
        "--socket",
        "s.sock",
        "--record",
        "run.parquet",
        "--certificate",
        "c.json",
    ]
    with subprocess.Popen(
        [PROGRAM, "serve", "osdi00", *words],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            _write_and_interrupt(server, tmp_path)
            errors = server.communicate(timeout=60)[1]
        finally:
            server.kill()
    assert server.returncode == 0, errors
    assert not (tmp_path / "s.sock").exists()
    assert "REFUSED" in errors or "CERTIFIED" in errors
    assert json.loads((tmp_path / "c.json").read_text())["requests"] == 1
    done = subprocess.run(
        [PROGRAM, "certify", "run.parquet", "--out", "again.json"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "c.json").read_bytes(), done.stderr
    run = sledsim.read_run(tmp_path / "run.parquet")
    assert run.columns["blocks"].tolist() == [1]


def _write_and_interrupt(server: "subprocess.Popen[str]", folder: Path) -> None:
    """Type the printed commands as a user does, and interrupt the server."""
    assert server.stderr is not None
    said: list[str] = []
    # The last line is printed when the server is ready.
    while not said or not said[-1].startswith("Ctrl-C ends it"):
        said.append(server.stderr.readline())
    assert f"nbd-client -unix {folder / 's.sock'} /dev/nbd0" in "".join(said)
    with Client(f"nbd+unix:///?socket={folder / 's.sock'}") as client:
        client.do(WRITE, 0, 512, bytes(512))
    server.send_signal(signal.SIGINT)


@pytest.mark.dear("a server and its clients are started")
def test_the_end_says_how_many_requests_are_waited_for(tmp_path: Path) -> None:
    words = ["--socket", "s.sock", "--size", "16M", "--time-scale", "1000000"]
    with subprocess.Popen(
        [PROGRAM, "serve", "osdi00", *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        lines = iter(server.stderr.readline, "")
        assert any(line.startswith("Ctrl-C ends it") for line in lines)
        client = Client(f"nbd+unix:///?socket={tmp_path / 's.sock'}")
        for _ in range(3):
            client.ask(WRITE, 0, 512, bytes(512))
        client.do(FLUSH, 0, 0)
        server.send_signal(signal.SIGINT)
        assert any(
            "waiting for 3 requests to complete: press Ctrl-C again to end at once" in line for line in lines
        )
        server.send_signal(signal.SIGINT)
        assert not any("Traceback" in line for line in lines)
        client.socket.close()


@pytest.mark.dear("several servers are started", every_change=True)
def test_the_socket_of_a_dead_server_is_taken_over(tmp_path: Path) -> None:
    words = ["osdi00", "--socket", "s.sock", "--size", "1M", *QUICK]
    with subprocess.Popen(
        [PROGRAM, "serve", *words], cwd=tmp_path, stderr=subprocess.PIPE, text=True
    ) as server:
        assert server.stderr is not None
        assert any(line.startswith("Ctrl-C ends it") for line in iter(server.stderr.readline, ""))
        done = serve(*words, "--", "true", folder=tmp_path, status=1)
        assert "s.sock: another server runs there: end it, or give another name" in done.stderr
        server.kill()
    assert (tmp_path / "s.sock").is_socket()
    done = serve(*words, "--", "true", folder=tmp_path)
    assert "the socket of a server that no longer runs is taken over" in done.stderr
    assert not (tmp_path / "s.sock").exists()
    done = serve(*words, "--", "true", folder=tmp_path)
    assert "taken over" not in done.stderr
    (tmp_path / "s.sock").write_text("mine")
    done = serve(*words, "--", "true", folder=tmp_path, status=1)
    assert "expected a new name, or a socket on which no server listens, found another file" in done.stderr
    assert (tmp_path / "s.sock").read_text() == "mine"


@pytest.mark.dear("a server and its clients are started")
def test_a_command_ends_the_server_with_its_status(tmp_path: Path) -> None:
    done = serve("osdi00", *QUICK, "--", "sh", "-c", "exit 7", folder=tmp_path, status=7)
    assert "no client read or wrote anything" in done.stderr
    serve("osdi00", *QUICK, "--", "sh", "-c", "kill -9 $$", folder=tmp_path, status=137)
    done = serve("osdi00", *QUICK, "--", "no-such-command", folder=tmp_path, status=2)
    assert "no-such-command: expected a command that can be run, found no such program" in done.stderr


@pytest.mark.dear("a server and its clients are started")
def test_episodes_are_served_and_certified(tmp_path: Path) -> None:
    folder = str(Path(__file__).parents[2])
    code = f"""
import sys
sys.path.insert(0, {folder!r})
from tests.emulator.client import READ, Client
with Client(sys.argv[1]) as client:
    for number in range(20):
        client.do(READ, 4096 * number, 4096)
"""
    episodes = ["--stall", "at=0.001,ms=40", "--slow", "at=0,ms=1000,factor=2"]
    words = [*QUICK, "--record", "run.parquet", "--certificate", "one.json"]
    serve("osdi00", *episodes, *words, "--", sys.executable, "-c", code, "$uri", folder=tmp_path)
    run = read_served(tmp_path / "run.parquet").run
    assert run.settings.parameters["episodes"] == ["stall:at=0.001,ms=40", "slow:at=0,ms=1000,factor=2"]
    starts_ns = run.columns["start_ns"] - run.columns["arrival_ns"][0]
    assert not ((starts_ns >= 1_000_000) & (starts_ns < 41_000_000)).any()
    assert identical(tmp_path / "run.parquet")
    again = [PROGRAM, "certify", "run.parquet", "--out", "again.json"]
    subprocess.run(again, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "again.json").read_bytes()


@pytest.mark.dear("a server and its clients are started")
def test_strict_sets_the_status(tmp_path: Path) -> None:
    """No program can keep up with a thousandth of the device's time."""
    client = (
        "from tests.emulator.client import *; import os; c = Client(os.environ['uri']);"
        "[c.do(WRITE, 0, 1 << 24, bytes(1 << 24)) for _ in range(2)]"
    )
    words = ["--time-scale", "1/1000", "--realtime", "off", "--strict", "--size", "16M"]
    command = ["env", f"PYTHONPATH={Path.cwd()}", sys.executable, "-c", client]
    done = serve("osdi00", *words, "--", *command, folder=tmp_path, status=3)
    assert "the timing is REFUSED" in done.stderr


@pytest.mark.dear("a server and its clients are started")
def test_a_probe_and_a_report(tmp_path: Path) -> None:
    """The probe is a client, too: a record of the probe alone is valid."""
    words = [
        "--probe",
        "--lead",
        "25",
        "--record",
        "run.parquet",
        "--certificate",
        "c.json",
        "--report",
        "r.html",
    ]
    client = "from tests.emulator.client import *; import os; Client(os.environ['uri']).do(READ, 0, 4096)"
    command = ["env", f"PYTHONPATH={Path.cwd()}", sys.executable, "-c", client]
    done = serve("osdi00", "--size", "16M", *QUICK, *words, "--", *command, folder=tmp_path)
    assert (
        "report written to r.html" in done.stderr
        and "Latency of a request without service, start" in done.stdout
    )
    made = json.loads((tmp_path / "c.json").read_text())
    assert made["lead_us"] == 25.0 and made["probe"]["requests"] < made["requests"]
    assert {*made["floor_us"]} == {"start", "end"}
    again = [PROGRAM, "certify", "run.parquet", "--out", "again.json", "--report", "again.html"]
    subprocess.run(again, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "c.json").read_bytes()
    first, second = ((tmp_path / name).read_text() for name in ("r.html", "again.html"))
    assert "Queue over time" in first
    # Each page names the command that made it; the charts are equal.
    drawn = [re.search(r'id="charts">.*?</script>', page, re.DOTALL) for page in (first, second)]
    is_same = drawn[0] is not None and drawn[1] is not None and drawn[0][0] == drawn[1][0]
    assert is_same


@pytest.mark.dear("a server and its clients are started")
def test_mistakes_are_reported_in_a_line(tmp_path: Path) -> None:
    for words, message in (
        (
            ["osdi00", "--size", "big"],
            "--size: expected a number of bytes, or a number with a unit, K, M, G or T, found 'big'",
        ),
        (["nothing"], "unknown device"),
        (
            ["osdi00", "--realtime", "maybe", "--", "true"],
            'unknown realtime "maybe": known: auto, require, off',
        ),
        (
            ["osdi00", "--lead", "soon"],
            "lead: expected auto, off or microseconds from 0 to 1000, found 'soon'",
        ),
        (["osdi00", "--tcp", "x"], "tcp: expected an address with a port"),
    ):
        done = serve(*words, folder=tmp_path, status=2)
        assert message in done.stderr and "Traceback" not in done.stderr
