"""Power failure as users cause it, and under ext4: by way of FUSE and a loop device."""

import json
import random
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import is_long
from .client import FLUSH, READ, WRITE, Client
from .test_programs import PROGRAM, QUICK, mounts, serve

SCRIPT = Path(__file__).with_name("ext4_power.sh")
BLOCK = 4096


@pytest.mark.dear("a server and its clients are started")
def test_sigusr1_cuts_the_power_and_the_certificate_is_the_same_again(tmp_path: Path) -> None:
    words = ["--size", "16M", *QUICK, "--socket", "s.sock", "--file", "disk.img", "--cache", "volatile"]
    words += ["--record", "run.parquet", "--certificate", "c.json"]
    command = [PROGRAM, "serve", "osdi00", *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, stderr=pipe, stdout=pipe, text=True) as server:
        try:
            assert server.stderr is not None
            while not server.stderr.readline().startswith("Ctrl-C ends it"):
                pass
            client = Client(f"nbd+unix:///?socket={tmp_path / 's.sock'}")
            client.do(WRITE, 0, BLOCK, b"a" * BLOCK)
            client.do(FLUSH, 0, 0)
            for block in range(100):
                client.do(WRITE, BLOCK * (block + 1), BLOCK, b"b" * BLOCK)
            server.send_signal(signal.SIGUSR1)
            assert not client.socket.recv(1), "it is closed"
            client.socket.close()
            errors = server.communicate(timeout=60)[1]
        finally:
            server.kill()
    assert server.returncode == 0, errors
    said = " ".join(errors.split())
    assert "power was cut after" in said and "of 800 unflushed sectors are lost" in said
    assert "the contents after the cut are in disk.img" in said
    again = [PROGRAM, "certify", "run.parquet", "--out", "again.json"]
    subprocess.run(again, cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "c.json").read_bytes()
    assert json.loads((tmp_path / "c.json").read_text())["identical"]
    data = (tmp_path / "disk.img").read_bytes()
    assert data[:BLOCK] == b"a" * BLOCK
    lost = 800 - data[BLOCK:].count(b"b" * 512)
    assert f"{lost:,} of 800 unflushed sectors" in said and 300 < lost < 500


@pytest.mark.dear("a server and its clients are started", every_change="2-volume0")
@pytest.mark.parametrize("volume", [[], ["--volume", "mirror", "--members", "m"]])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGUSR1])
def test_signals_are_heard_from_the_first_line_on(volume: list[str], number: int, tmp_path: Path) -> None:
    command = [PROGRAM, "serve", *volume, "--size", "8M", "--realtime", "off"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            assert server.stderr.readline().startswith("serving ")
            server.send_signal(number)
            said = server.stderr.read()
            assert server.wait(60) == 0, said
        finally:
            server.kill()
    assert "Traceback" not in said and "panicked" not in said
    assert ("power was cut after" in said) == (number == signal.SIGUSR1)


@pytest.mark.dear("a server and its clients are started")
def test_a_command_finds_out_that_its_device_is_gone(tmp_path: Path) -> None:
    client = (
        "from tests.emulator.client import *; import os\n"
        "c = Client(os.environ['uri'])\n"
        "try:\n while True: c.do(READ, 0, 4096)\n"
        "except (AssertionError, ConnectionError): print('gone')"
    )
    command = ["env", f"PYTHONPATH={Path.cwd()}", sys.executable, "-c", client]
    done = serve("osdi00", *QUICK, "--power-cut-after", "5", "--", *command, folder=tmp_path)
    assert "gone" in done.stdout
    assert "the contents were in memory and are lost" in " ".join(done.stderr.split())
    where = ["--volume", "raid5", "--file", "disk.img"]
    done = serve(*where, "--power-cut-at", "1", "--", "true", folder=tmp_path, status=2)
    assert "a volume needs only --members FOLDER" in " ".join(done.stderr.split())
    done = serve("--volume", "raid5", *QUICK, "--power-cut-after", "5", "--", *command, folder=tmp_path)
    assert "gone" in done.stdout
    assert READ == 0


def fallen(base: Path, folder: Path, seed: int, cache: str, torn: str) -> tuple[bool, str]:
    """Cut the power of ext4; return whether it is clean with all fsynced files, and the output."""
    folder.mkdir()
    subprocess.run(["cp", "--sparse=always", base, folder / "disk.img"], check=True)
    return cut_ext4(["osdi00", "--file", "disk.img"], folder, seed, cache, torn)


def cut_ext4(device: list[str], folder: Path, seed: int, cache: str, torn: str) -> tuple[bool, str]:
    """Cut the power of ext4 on a device with an empty file system."""
    draw = random.Random(f"{seed} {cache}")
    where = [*device, "--size", "32M", "--realtime", "off"]
    notes = folder / "notes"
    # Half of the cuts come at a reply, half at any time.
    when = ["--power-cut-after", str(draw.randrange(100, 900)), "--time-scale", "1/50"]
    if seed % 2:
        when = ["--power-cut-at", f"{draw.uniform(0.4, 1.5):.3f}", "--time-scale", "1"]
    when += ["--power-cut-seed", str(seed), "--power-cut-torn", torn]
    step = ["--", "bash", SCRIPT]
    said = serve(*where, "--cache", cache, *when, *step, "write", sys.executable, notes, folder=folder).stderr
    words = [PROGRAM, "serve", *where, "--time-scale", "1/50", *step, "check", sys.executable, notes]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert "power was cut after" in " ".join(said.split()), said
    shutil.rmtree(folder) if done.returncode == 0 else None
    return done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an image with an empty file system."""
    folder = tmp_path_factory.mktemp("base")
    where = ["osdi00", "--size", "32M", "--file", "disk.img", *QUICK]
    serve(*where, "--", "bash", SCRIPT, "make", sys.executable, "none", folder=folder)
    return folder / "disk.img"


@pytest.mark.dear("a server and its clients are started")
@mounts
@pytest.mark.parametrize("cache", ["none", "volatile"])
def test_ext4_is_clean_and_has_what_was_fsynced(base: Path, cache: str, tmp_path: Path) -> None:
    """A row under the tips is written or not, as file systems expect of sectors."""
    for seed in range(25 if is_long() else 2):
        torn = ("old", "new")[seed // 2 % 2]
        is_well, said = fallen(base, tmp_path / str(seed), seed, cache, torn)
        assert is_well, f"cut {seed}, {torn}: {said}"


@pytest.mark.dear("a server and its clients are started")
@mounts
def test_ext4_is_broken_where_flushes_are_ignored(base: Path, tmp_path: Path) -> None:
    """A control: the test that other caches pass must fail here."""
    cuts = 10 if is_long() else 2
    broken = sum(not fallen(base, tmp_path / str(seed), seed, "lying", "old")[0] for seed in range(cuts))
    assert broken >= cuts - 1, f"{broken} of {cuts}"


#: Volumes that keep acknowledged writes, and one that keeps those that were flushed.
VOLUMES = ["raid5:devices=4,intent_s=1", "write-buffer", "mirror:intent_s=1", "metadata", "virtual-disk"]
IN_MEMORY = "cache:writes=back,cache_mb=16,dirty_ms=100000"


def fallen_volume(volume: str, folder: Path, seed: int) -> tuple[bool, str]:
    """Cut the power of ext4 on a volume."""
    folder.mkdir()
    device = ["--volume", volume, "--members", "members"]
    make = ["--size", "32M", *QUICK, "--", "bash", SCRIPT, "make", sys.executable, "none"]
    serve(*device, *make, folder=folder)
    return cut_ext4(device, folder, seed, "none", ("old", "new")[seed % 2])


@pytest.mark.dear("a server and its clients are started", every_change="mirror:intent_s=1")
@mounts
@pytest.mark.parametrize("volume", VOLUMES)
def test_ext4_on_a_volume_is_clean_and_has_what_was_fsynced(volume: str, tmp_path: Path) -> None:
    if not is_long() and volume not in VOLUMES[:2]:
        pytest.skip("in the long tests only")
    for seed in range(10 if is_long() else 1):
        is_well, said = fallen_volume(volume, tmp_path / str(seed), seed)
        assert is_well, f"cut {seed}: {said}"


@pytest.mark.dear("a server and its clients are started")
@mounts
def test_ext4_is_whole_on_a_volume_that_heeds_flushes_of_its_memory(tmp_path: Path) -> None:
    for seed in range(10 if is_long() else 1):
        is_well, said = fallen_volume(IN_MEMORY, tmp_path / str(seed), seed)
        assert is_well, f"cut {seed}: {said}"
