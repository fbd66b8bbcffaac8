"""``sledsim run --perfetto`` as a user types it: the file that it writes, and its errors."""

from pathlib import Path

import pytest

import sledsim

from ..conftest import Cli
from ..runs.perfetto_reader import TraceFile

SHORT = "random:rate=900,count=200"


def test_a_run_is_written_in_time(cli: Cli, tmp_path: Path) -> None:
    path, result = tmp_path / "run.pftrace", tmp_path / "run.parquet"
    done = cli("run", SHORT, "--perfetto", path, "--out", result, "--scheduler", "fcfs")
    assert done.returncode == 0
    assert f"timeline written to {path}: open it at https://ui.perfetto.dev" in done.stderr
    assert len(TraceFile(path).group("device").slices("requests")) == 200
    # A result in a file gives the same timeline.
    again = sledsim.read_run(result).write_perfetto(tmp_path / "again.pftrace")
    assert again.read_bytes() == path.read_bytes()


def test_a_window_is_in_seconds(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "run.pftrace"
    assert cli("run", SHORT, "--perfetto", path, "--from", "0.05", "--until", "0.1").returncode == 0
    slices = TraceFile(path).group("device").slices("requests")
    assert 0 < len(slices) < 200
    assert all(one.begin_ns <= 100_000_000 for one in slices)
    assert all(one.end_ns > 40_000_000 for one in slices)


@pytest.mark.dear("commands simulate and draw", every_change=True)
def test_a_volume_shows_its_members(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "run.pftrace"
    assert cli("run", SHORT, "--volume", "mirror", "--perfetto", path).returncode == 0
    assert TraceFile(path).groups[0] == "host"
    assert len(TraceFile(path).groups) == 3


@pytest.mark.dear("commands simulate and draw", every_change=True)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--from", "1"], "--from: limits the timeline of --perfetto FILE: add --perfetto"),
        (["--until", "1"], "--until: limits the timeline of --perfetto FILE: add --perfetto"),
        (["--perfetto", "x.json"], "x.json: expected a name that ends in .pftrace or .perfetto-trace"),
        (
            ["--perfetto", "x.pftrace", "--from", "2", "--until", "1"],
            "ends no earlier than it starts (--until), found 2 s to 1 s",
        ),
        (
            ["--perfetto", "x.pftrace", "--from", "99"],
            "expected a time window (--from, --until) in which a device serves a request, found the",
        ),
        (
            ["--perfetto", "x.pftrace", "--out", "x.csv", "--columns", "times"],
            "the timeline of --perfetto also needs the columns lbn, blocks, write, metadata, device",
        ),
        (["demo", "--perfetto", "x.pftrace"], "--perfetto: expected one trace, found 2"),
    ],
)
def test_impossible_inputs_are_reported(cli: Cli, here: Path, words: list[str], said: str) -> None:
    done = cli("run", SHORT, *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert not list(here.glob("*.pftrace"))


def test_a_missing_folder_is_named_before_the_run(cli: Cli) -> None:
    done = cli("run", SHORT, "--perfetto", "no/x.pftrace")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "no/x.pftrace: cannot write" in done.stderr
