"""The files of ``sledsim serve`` and ``certify``: no output replaces another or an input."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sledsim
from sledsim.common.command_files import Claim, Register
from sledsim.emulator.serving import DeviceServer

from ..conftest import Cli
from .test_programs import PROGRAM, QUICK, needs, serve

#: A client in Python that writes, without an NBD client of the system.
WRITES = (
    "from tests.emulator.client import *; import os\n"
    "with Client(os.environ['uri']) as c: [c.do(WRITE, 65536 * n, 65536, b'a' * 65536) for n in range(COUNT)]"
)


def client(count: int = 1) -> list[str]:
    """Return a command that writes."""
    return ["env", f"PYTHONPATH={Path.cwd()}", sys.executable, "-c", WRITES.replace("COUNT", str(count))]


SAME = [
    (["--file", "a", "--record", "a"], "--file and --record"),
    (["--file", "a", "--history", "./a"], "--file and --history"),
    (["--file", "a", "--certificate", "a"], "--file and --certificate"),
    (["--record", "a", "--certificate", "sub/../a"], "--record and --certificate"),
    (["--record", "a", "--report", "link"], "--record and --report"),
]


@pytest.mark.dear("a server and its clients are started", every_change="options2---file and --certificate")
@pytest.mark.parametrize(("options", "names"), SAME)
def test_one_file_for_two_purposes_is_refused(options: list[str], names: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"kept")
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to("a")
    done = serve("osdi00", "--size", "1M", *QUICK, *options, "--", "true", folder=tmp_path, status=2)
    assert f"error: {names}: expected two files, found the same file" in " ".join(done.stderr.split())
    assert (tmp_path / "a").read_bytes() == b"kept"


#: Existing files, options, and the error, for names that 'serve' makes.
MADE = [
    (["i"], ["--file", "i", "--certificate", "i.unreadable"], "--file and --certificate: expected two files"),
    (["i"], ["--file", "i", "--history", "i.unreadable"], "--file and --history: expected two files"),
    (["h.part"], ["--file", "h.part", "--history", "h"], "h.part, which --history makes"),
    ([], ["--history", "r", "--record", "r.part"], "r.part, which --history makes"),
    (["m/device-0.img"], ["--members", "m", "--certificate", "m/device-0.img"], "is in the folder m"),
    (["m/device-0.img"], ["--members", "m", "--record", "link"], "is in the folder m"),
    (["m/device-0.img"], ["--members", "m", "--report", "hard"], "is in the folder m"),
    ([], ["--members", "m", "--certificate", "m/volume.json"], "is in the folder m"),
    ([], ["--members", "m", "--socket", "m/../m/socket"], "is in the folder m"),
]


@pytest.mark.parametrize(("there", "options", "said"), MADE)
def test_files_that_serve_makes_itself_take_no_place(
    there: list[str], options: list[str], said: str, here: Path, cli: Cli
) -> None:
    (here / "m").mkdir()
    for name in there:
        (here / name).write_bytes(b"kept")
    if (here / "m" / "device-0.img").exists():
        (here / "link").symlink_to("m/device-0.img")
        os.link(here / "m" / "device-0.img", here / "hard")
    volume = ["--volume", "mirror:devices=2"] if "--members" in options else ["osdi00"]
    done = cli("serve", *volume, "--size", "1M", *options, "--", "true")
    assert (done.returncode, done.stdout) == (2, "") and said in " ".join(done.stderr.split())
    assert all((here / name).read_bytes() == b"kept" for name in there)


#: Files that only a device or a volume names, and how; served data must not go into them.
NAMED = [
    ("e.toml", ["d.toml"]),
    ("p.csv", ["p.toml"]),
    ("e.toml", ["--volume", "mirror:device=e.toml"]),
    ("e.toml", ["--volume", "v.toml"]),
    ("p.csv", ["osdi00", "--set", "layout=by-popularity", "--set", "layout_popularity=p.csv"]),
]


@pytest.mark.parametrize("option", ["--history", "--file", "--record", "--certificate"])
@pytest.mark.parametrize(("file", "words"), NAMED)
def test_serve_does_not_replace_what_its_device_is_made_of(
    file: str, words: list[str], option: str, here: Path, cli: Cli
) -> None:
    (here / "e.toml").write_text('extends = "osdi00"\n')
    (here / "d.toml").write_text('extends = "e.toml"\n')
    (here / "p.csv").write_text("0,100\n")
    (here / "p.toml").write_text(
        'extends = "osdi00"\nlayout = "by-popularity"\nlayout_popularity = "p.csv"\n'
    )
    (here / "v.toml").write_text('volume = "mirror"\n\n' + '[[device]]\ndevice = "e.toml"\n' * 2)
    before = (here / file).read_bytes()
    done = cli("serve", *words, "--size", "1M", option, file, "--", "true")
    assert done.returncode == 2 and (here / file).read_bytes() == before
    said = " ".join(done.stderr.split())
    assert "expected two files, found the same file" in said or "expected a name that ends in" in said


def test_what_a_killed_server_left_is_not_replaced(here: Path, cli: Cli) -> None:
    (here / "h.part").write_bytes(b"kept")
    done = cli("serve", "osdi00", "--size", "1M", "--history", "h", "--", "true")
    assert done.returncode == 2 and "h.part exists" in done.stderr
    with pytest.raises(sledsim.ParameterError, match=r"history: \S*h\.part exists"):
        DeviceServer(sledsim.device("osdi00"), size_bytes=2**20, history=here / "h")
    assert (here / "h.part").read_bytes() == b"kept"


@pytest.mark.dear("a server is started and ended in each case", every_change="True")
@pytest.mark.parametrize("was_there", [False, True])
def test_what_comes_under_the_name_of_a_history_is_kept(was_there: bool, here: Path, cli: Cli) -> None:
    """If another program writes to the name during the run, both files stay, and the server names them."""
    if was_there:
        (here / "h").write_bytes(b"old")
    done = cli("serve", "osdi00", "--size", "1M", "--history", "h", "--", "sh", "-c", "echo mine > h")
    assert done.returncode == 1 and (here / "h").read_bytes() == b"mine\n"
    said = " ".join(done.stderr.split())
    assert "h.part: the history: another program has written " in said and "in its unfinished file" in said
    assert (here / "h.part").stat().st_size > 0


@pytest.mark.parametrize("was_there", [False, True])
def test_a_server_that_does_not_come_to_be_leaves_no_image(was_there: bool, here: Path, cli: Cli) -> None:
    if was_there:
        (here / "d.img").write_bytes(bytes(1 << 20))
    done = cli("serve", "osdi00", "--size", "1M", "--file", "d.img", "--socket", here, "--", "true")
    assert done.returncode == 1 and (here / "d.img").exists() is was_there, done.stderr


def test_hard_links_are_one_file_and_devices_no_files(tmp_path: Path) -> None:
    (tmp_path / "a").touch()
    os.link(tmp_path / "a", tmp_path / "b")
    register = Register()
    register.claim(Claim("one", tmp_path / "a", False))
    with pytest.raises(sledsim.ParameterError, match="one and two: expected two files"):
        register.claim(Claim("two", tmp_path / "b", True))
    for name in ("one", "two"):
        register.claim(Claim(name, Path("/dev/null"), True))


@pytest.mark.dear("a server and its clients are started")
def test_certify_and_crash_do_not_replace_what_they_read(tmp_path: Path) -> None:
    files = ["--record", "r", "--history", "h"]
    serve("osdi00", "--size", "1M", *QUICK, *files, "--", *client(), folder=tmp_path)
    kept = {name: (tmp_path / name).read_bytes() for name in ("r", "h")}
    for words in (
        ["certify", "r", "--out", "r"],
        ["certify", "r", "--out", "x", "--report", "x"],
        ["crash", "h", "--image", "1", "--out", "h"],
    ):
        command = [PROGRAM, *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 2, done.stderr
        assert "expected two files" in done.stderr
    assert {name: (tmp_path / name).read_bytes() for name in kept} == kept
    # The name of a bad image.
    (tmp_path / "h").rename(tmp_path / "cut-1.img")
    command = [PROGRAM, "crash", "cut-1.img", "--check", "exit 1", "--keep", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "expected two files" in done.stderr
    assert (tmp_path / "cut-1.img").read_bytes() == kept["h"]


@pytest.mark.dear("a server and its clients are started")
def test_a_history_follows_a_link_and_replaces_nothing_but_a_file(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real/h")
    serve("osdi00", "--size", "1M", *QUICK, "--history", "link", "--", *client(), folder=tmp_path)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "h").stat().st_size > 65536
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path / "real"):
        with pytest.raises(
            sledsim.ParameterError, match="expected a file or a new name, found a folder or a device"
        ):
            DeviceServer(sledsim.device("osdi00"), history=path)
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.dear("a server and its clients are started")
def test_a_run_without_requests_leaves_older_files_and_is_not_certified(tmp_path: Path) -> None:
    (tmp_path / "r").write_bytes(b"older")
    files = ["--record", "r", "--certificate", "c"]
    for strict, status in (([], 1), (["--strict"], 3)):
        done = serve(
            "osdi00", "--size", "1M", *QUICK, *files, *strict, "--", "true", folder=tmp_path, status=status
        )
        assert "no client read or wrote anything: no record and no certificate" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["r"]
    assert (tmp_path / "r").read_bytes() == b"older"


@pytest.mark.dear("a server and its clients are started")
def test_an_unknown_command_leaves_no_file(tmp_path: Path) -> None:
    files = ["--file", "disk.img", "--history", "h"]
    done = serve("osdi00", "--size", "1M", *QUICK, *files, "--", "no-such", folder=tmp_path, status=2)
    assert "no-such: expected a command" in done.stderr
    assert not [*tmp_path.iterdir()]


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system with very little room."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", "size=300k", "none", folder]
    if subprocess.run(mounted, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.dear("a server and its clients are started")
@needs("mount")
def test_a_history_without_room_reports_the_rest(small: Path, tmp_path: Path) -> None:
    files = ["--history", small / "h", "--record", "r", "--certificate", "c"]
    words = ["osdi00", "--size", "64M", *QUICK, *map(str, files), "--", *client(40)]
    done = serve(*words, folder=tmp_path, status=1)
    said = " ".join(done.stderr.split())
    assert f"error: {small}/h.part: No space left on device: the history ends early" in said
    assert json.loads((tmp_path / "c").read_text())["requests"] == 40
    again = [PROGRAM, "crash", f"{small}/h.part", "--check", "true"]
    subprocess.run(again, cwd=tmp_path, check=True, capture_output=True)


@pytest.mark.dear("a server and its clients are started")
def test_when_answers_were_due_is_checked(tmp_path: Path) -> None:
    serve("osdi00", "--size", "1M", *QUICK, "--record", "r", "--", *client(5), folder=tmp_path)
    table = pq.read_table(tmp_path / "r")
    due = np.asarray(table["due_ns"]).copy()
    due[3] += 1
    at = table.schema.get_field_index("due_ns")
    changed = table.set_column(at, table.schema.field(at), pa.chunked_array([pa.array(due)]))
    pq.write_table(changed.replace_schema_metadata(pq.read_metadata(tmp_path / "r").metadata), tmp_path / "x")
    words = [PROGRAM, "certify", "x"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True)
    said = " ".join((done.stdout + done.stderr).split())
    assert "REFUSED: the simulator gives other values of due_ns for the same requests" in said


def test_remote_clients_need_an_address() -> None:
    with pytest.raises(sledsim.ParameterError, match="remote clients: expected a tcp address"):
        DeviceServer(sledsim.device("osdi00"), allow_remote=True)
