"""``sledsim crash``: planted bugs are found with their smallest cause, and correct programs pass."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim.emulator.shrinking import shrunk

from ..conftest import Cli, is_long
from .test_programs import PROGRAM, QUICK, needs, serve

HERE = Path(__file__).parent
CHECK = f"sh {HERE / 'updater_check.sh'}"
EXT4_CHECK = f"sh {HERE / 'crash_ext4_check.sh'}"
UPDATES = 6


def crash(*words: str | Path, folder: Path, status: int = 0) -> subprocess.CompletedProcess[str]:
    """Run ``sledsim crash`` to its end."""
    done = subprocess.run(
        [PROGRAM, "crash", *words], cwd=folder, capture_output=True, text=True, timeout=1800, check=False
    )
    assert done.returncode == status, done.stderr
    assert "Traceback" not in done.stderr
    return done


def updated(folder: Path, *words: str, cache: str = "volatile") -> Path:
    """Record the history of a program that updates a file on the raw device."""
    history = folder / "run.history"
    run = ["env", f"PYTHONPATH={Path.cwd()}", sys.executable, "-m", "tests.emulator.updater", "$uri"]
    options = ["--size", "1M", *QUICK, "--cache", cache, "--history", history]
    done = serve("osdi00", *options, "--", *run, str(UPDATES), *words, folder=folder)
    assert f"history written to {history}" in done.stderr
    assert not Path(f"{history}.part").exists()
    return history


@pytest.fixture(scope="module")
def forgetful(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Record a program that forgets a flush between the data of version 4 and its record."""
    return updated(tmp_path_factory.mktemp("forgetful"), "forgets")


def found(history: Path, *words: str) -> dict[str, Any]:
    """Return the bad images that were found."""
    done = crash(history, "--check", CHECK, "--json", *words, folder=history.parent, status=1)
    said: dict[str, Any] = json.loads(done.stdout)
    return said


@pytest.mark.dear("many images of a crash are checked")
def test_a_flush_that_is_forgotten_is_found_with_what_it_takes(forgetful: Path) -> None:
    bad = found(forgetful)["bad"]
    # Write 12 is the record of version 4, and either block of its data may be written later.
    assert (bad["cut"], bad["status"], bad["is_repeatable"]) == (12, 3, True)
    assert bad["choice"] in ("lost=10", "lost=11")
    assert [write["number"] for write in bad["open"]] == [10, 11, 12]
    assert "version 4 is committed, and block" in bad["output"]


@pytest.mark.dear("many images of a crash are checked")
def test_the_result_is_equal_with_any_number_of_workers(forgetful: Path) -> None:
    one = found(forgetful, "--workers", "1")
    assert all(found(forgetful, "--workers", workers) == one for workers in ("2", "5"))


@pytest.mark.dear("many images of a crash are checked")
def test_nothing_is_bad_where_nothing_is_forgotten_or_nothing_is_volatile(tmp_path: Path) -> None:
    for cache, words in (("volatile", ()), ("none", ("forgets",))):
        history = updated(tmp_path, *words, cache=cache)
        done = crash(history, "--check", CHECK, "--samples", "8", folder=tmp_path)
        assert done.stderr.startswith("no image is bad: "), done.stderr


@pytest.mark.dear("many images of a crash are checked")
def test_a_cache_that_lies_is_found(tmp_path: Path) -> None:
    bad = found(updated(tmp_path, cache="lying"))["bad"]
    # The first record may be written before one of the two blocks of its data.
    assert bad["cut"] == 3


@pytest.mark.dear("many images of a crash are checked")
def test_a_torn_row_is_found_and_listed_beside_its_image(tmp_path: Path) -> None:
    """The program overwrites its only record: a torn write leaves no valid one."""
    history = updated(tmp_path)
    bad = found(history, "--torn", "--keep", str(tmp_path))["bad"]
    assert bad["cut"] == 3 and bad["choice"].startswith("torn=")
    assert [write["number"] for write in bad["open"] if write["torn"] == "0"] == [3]
    list_beside = (tmp_path / "cut-3.img.unreadable").read_text()
    assert list_beside.splitlines()[-1] == "0 1"


@pytest.mark.dear("many images of a crash are checked")
def test_the_image_is_kept_and_written_again(forgetful: Path, tmp_path: Path) -> None:
    said = crash(forgetful, "--check", CHECK, "--keep", "kept", folder=tmp_path, status=1)
    kept = tmp_path / "kept" / "cut-12.img"
    again = next(line for line in said.stderr.splitlines() if line.startswith("to write the image again: "))
    words = again.partition(": sledsim crash ")[2].split()
    crash(*words, folder=tmp_path)
    assert (tmp_path / "bad.img").read_bytes() == kept.read_bytes()
    checked = subprocess.run(["sh", "-c", CHECK], env={**os.environ, "image": str(kept)}, check=False)
    assert checked.returncode == 3
    whole = sledsim.crash.History(forgetful).save_image(12, "all", tmp_path / "all.img")
    assert whole.read_bytes() != kept.read_bytes()


def test_a_checker_may_change_its_image_and_take_its_time(forgetful: Path, tmp_path: Path) -> None:
    history = sledsim.crash.History(forgetful)
    plan = history.plan(last=5)
    spoils = 'cmp -n 4096 "$image" /dev/zero >/dev/null; truncate -s 0 "$image"'
    explored = sledsim.crash.explore(history, spoils, plan, workers=2)
    assert (explored.bad, explored.tried) == (None, len(plan.images))
    bad = sledsim.crash.explore(history, "sleep 100 & sleep 100", plan, check_s=0.2).bad
    assert bad is not None and bad.status is None and (bad.cut, bad.found) == (1, "none")


@pytest.mark.dear("many images of a crash are checked")
def test_an_image_in_use_is_not_replaced(forgetful: Path, tmp_path: Path) -> None:
    history = sledsim.crash.History(forgetful)
    (tmp_path / "used.img").touch()
    with (tmp_path / "used.img").open() as used:
        fcntl.flock(used, fcntl.LOCK_EX)
        with pytest.raises(sledsim.ParameterError, match="another process uses this file"):
            history.save_image(1, "all", tmp_path / "used.img")
    assert list(tmp_path.iterdir()) == [tmp_path / "used.img"]
    assert history.save_image(1, "all", tmp_path / "used.img").stat().st_size == 2**20


@pytest.mark.dear("many images of a crash are checked")
def test_contents_of_a_history_are_reported(forgetful: Path, tmp_path: Path) -> None:
    said = json.loads(crash(forgetful, "--json", folder=tmp_path).stdout)
    assert said == {
        "device": "osdi00",
        "bytes": 1 << 20,
        "cache": "volatile",
        "writes": 3 * UPDATES,
        "flushes": 2 * UPDATES - 1,
        "cuts": 3 * UPDATES + 1,
        "end": "whole",
    }
    cut = tmp_path / "cut.history"
    cut.write_bytes(forgetful.read_bytes()[:-20])
    assert "the history was not closed" in crash(cut, folder=tmp_path).stderr


@pytest.mark.dear("workers look for a checker", every_change=True)
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--check", "no-such-checker $image"], "check: expected a command that can be run, found"),
        (["--check", "true", "--at", "9-3"], "last cut: expected 9 to 19, found 3"),
        (
            ["--check", "true", "--at", "x"],
            "--at: expected the number of a write such as 5, a range such as 5-9 or 5-, or all, found 'x'",
        ),
        (["--check", "true", "--at", "20"], "first cut: expected 1 to 19, found 20"),
        (["--check", "true", "--atomic", "700"], "atomic_bytes: expected a multiple of 512, found 700"),
        (["--image", "3"], "--image, --out: expected both options or neither, found only one"),
        (["--image", "3:lost=1", "--out", "x.img"], "image: expected numbers of writes that are open"),
        (["--image", "3:odd", "--out", "x.img"], "image: expected none, all, newest, but-oldest,"),
        (
            ["--keep", "x"],
            "--keep: needs --check COMMAND, which finds the bad image to keep",
        ),
    ],
)
def test_mistakes_are_reported_in_a_line(
    words: Sequence[str], message: str, forgetful: Path, cli: Cli
) -> None:
    done = cli("crash", forgetful, *words)
    assert (done.returncode, message in done.stderr) == (2, True), done.stderr


@pytest.mark.dear("many images of a crash are checked")
def test_what_is_no_history_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("PAR1")
    done = crash("x", folder=tmp_path, status=2)
    assert "expected a history written by 'sledsim serve --history', found \"PAR1\"" in done.stderr
    done = crash("y", "--check", "true", folder=tmp_path, status=2)
    assert done.stderr == "error: y: No such file or directory\n"
    (tmp_path / "y.part").touch()
    done = crash("y", "--check", "true", folder=tmp_path, status=2)
    assert done.stderr.endswith("directory; y.part is the history of a server that was killed\n")


def test_the_smallest_cause_is_found() -> None:
    live = "0-7"
    state = {number: (live, "" if number % 3 else live) for number in range(1, 41)}
    there = {3, 6, 9}
    assert shrunk(state, lambda choice: {20, 35} <= _lost(choice) <= set(state) - there)[0] == "lost=20,35"
    # The smallest cause is one write that is present, and five that are missing.
    takes = {1, 2, 4, 5, 7}
    assert shrunk(state, lambda choice: takes <= _lost(choice) and 9 not in _lost(choice))[0] == "kept=9"
    assert shrunk(state, lambda choice: True)[0] == "all"
    # Half a write is the smallest cause.
    torn = {1: (live, "0-3"), 2: (live, live)}
    assert shrunk(torn, lambda choice: "1/" in choice)[0] in ("lost=1/4-7", "kept=1/0-3")


def _lost(choice: str) -> set[int]:
    name, _, items = choice.partition("=")
    named = {int(item) for item in filter(None, items.split(","))}
    return named if name in ("lost", "all") else set(range(1, 41)) - named


@pytest.mark.dear("many images of a crash are checked")
@needs("nbdfuse", "losetup", "mkfs.ext4", "e2fsck", "debugfs")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts file systems")
@pytest.mark.skipif(not Path("/dev/fuse").exists(), reason="no /dev/fuse")
@pytest.mark.skipif(not Path("/dev/loop-control").exists(), reason="no loop devices")
@pytest.mark.parametrize("cache", ["volatile", "lying"])
def test_ext4_lives_with_a_volatile_cache_and_not_with_one_that_lies(cache: str, tmp_path: Path) -> None:
    image = tmp_path / "disk.img"
    image.touch()
    os.truncate(image, 32 << 20)
    subprocess.run([str(shutil.which("mkfs.ext4")), "-q", "-b", "4096", image], check=True)
    options = ["--size", "32M", "--file", image, *QUICK, "--cache", cache, "--history", "run.history"]
    rounds = "40" if is_long() else "4"
    serve("osdi00", *options, "--", "bash", HERE / "crash_ext4.sh", rounds, folder=tmp_path)
    samples = "16" if is_long() else "2"
    # Blocks are atomic here, because the superblock is not in the journal.
    words = ["run.history", "--check", EXT4_CHECK, "--atomic", "4096", "--samples", samples]
    done = crash(*words, folder=tmp_path, status=int(cache == "lying"))
    assert ("no image is bad: " in done.stderr) == (cache == "volatile"), done.stdout
