"""The ledger of a design space: rows kept by a process that is stopped, and the cost of damage."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim.exploration.design import exploring

from ..conftest import Cli, leftovers

PROGRAM = Path(sys.executable).with_name("sledsim")
WORKERS = 2
#: A program that explores the default space, and records in a file the points that begin and end.
EXPLORE = """
import os, sys
import sledsim
from sledsim.exploration.design import exploring

trace = sledsim.bundled_trace("ext2-4k")
log = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
evaluate = exploring._evaluate

def logged(base, columns, how, batch):
    for word in ("begun", "done"):
        if word == "done":
            found = evaluate(base, columns, how, batch)
        os.write(log, "".join(f"{word} {number}\\n" for number, _ in batch).encode())
    return found

exploring._evaluate = logged
sledsim.format_space(trace, folder=sys.argv[1], workers=2)
"""


@pytest.fixture(scope="module")
def trace() -> sledsim.Trace:
    return sledsim.bundled_trace("ext2-4k")


@pytest.fixture(scope="module")
def alone(trace: sledsim.Trace) -> sledsim.results.FormatSpace:
    """Explore without disturbance."""
    return sledsim.format_space(trace)


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Return the points that are simulated in this process."""
    found: list[int] = []
    evaluate = exploring._evaluate

    def counted(*arguments: Any) -> Any:
        found.extend(number for number, _ in arguments[-1])
        return evaluate(*arguments)

    monkeypatch.setattr(exploring, "_evaluate", counted)
    yield found


def heed() -> None:
    """Restore SIGINT, which a background job of a shell inherits as ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.dear("programs are started and killed")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_process_that_is_stopped_repeats_at_most_what_was_under_way(
    trace: sledsim.Trace,
    alone: sledsim.results.FormatSpace,
    evaluated: list[int],
    tmp_path: Path,
    how: signal.Signals,
) -> None:
    draw = random.Random(int(how))
    for attempt in range(4):
        journal, log = tmp_path / f"{attempt}", tmp_path / f"{attempt}.log"
        words = [sys.executable, "-c", EXPLORE, journal, log]
        process = subprocess.Popen(words, stderr=subprocess.DEVNULL, preexec_fn=heed)
        while process.poll() is None and not (log.exists() and log.stat().st_size):
            time.sleep(0.005)
        time.sleep(draw.uniform(0, 1.5))
        process.send_signal(how)
        process.wait()
        events = [line.split() for line in log.read_text().splitlines()]
        begun = {int(number) for word, number in events if word == "begun"}
        evaluated.clear()
        found = sledsim.format_space(trace, folder=journal, workers=WORKERS)
        assert found.table.equals(alone.table)
        assert found.notes == ()
        repeated = begun & set(evaluated)
        assert len(repeated) <= WORKERS * exploring._AT_ONCE, (
            f"attempt {attempt}: {len(repeated)} of {len(begun)}"
        )
        assert len(set(evaluated)) == len(evaluated)


@pytest.mark.dear("programs are started and killed")
def test_the_command_goes_on_where_it_was_killed(cli: Cli, tmp_path: Path) -> None:
    assert cli("design", "ext2-4k", "--out", tmp_path / "alone").returncode == 0
    out = tmp_path / "out"
    process = subprocess.Popen([PROGRAM, "design", "ext2-4k", "--out", out], stdout=subprocess.DEVNULL)
    while process.poll() is None and len(_lines(out / "designs.ledger")) < 3:
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert leftovers(out) == ["designs.ledger"]
    done = cli("design", "ext2-4k", "--out", out)
    assert (done.returncode, "damage" in done.stderr) == (0, False)
    for ending in ("csv", "parquet"):
        assert (out / f"designs.{ending}").read_bytes() == (tmp_path / f"alone/designs.{ending}").read_bytes()


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n") if path.exists() else []


AXES: dict[str, Any] = {"probes": [2048, 4096], "sectors": [1, 4, 8, 16], "sector_bytes": [2048, 4096]}


@pytest.fixture(scope="module")
def short(trace: sledsim.Trace) -> sledsim.Trace:
    return trace.rows(slice(0, 300))


@pytest.fixture(scope="module")
def whole(short: sledsim.Trace) -> sledsim.results.FormatSpace:
    return sledsim.format_space(short, **AXES)


@pytest.fixture
def journal(short: sledsim.Trace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the ledger of a whole exploration, in one thread."""
    monkeypatch.setattr(exploring, "_AT_ONCE", 1)
    sledsim.format_space(short, **AXES, folder=tmp_path, workers=1)
    return tmp_path / "designs.ledger"


def test_a_damaged_line_is_reported_and_explored_again(
    short: sledsim.Trace, whole: sledsim.results.FormatSpace, journal: Path, evaluated: list[int]
) -> None:
    lines = journal.read_bytes().splitlines(keepends=True)
    draw = random.Random(8)
    for at in range(2, len(lines)):
        damaged = bytearray(lines[at])
        place = draw.randrange(len(damaged) - 1)
        damaged[place] ^= 1 << draw.randrange(7)
        if damaged[place] == ord("\n"):
            damaged[place] = 0
        journal.write_bytes(b"".join([*lines[:at], damaged, *lines[at + 1 :]]))
        evaluated.clear()
        found = sledsim.format_space(short, **AXES, folder=journal.parent)
        assert found.notes == (
            f"{journal}: line {at + 1}: expected lines that match their checksums, found damage:"
            " repeat the command to run the missing points again",
        )
        assert found.table.equals(whole.table)
        assert len(evaluated) == 1


def test_two_explorations_do_not_share_a_file(
    short: sledsim.Trace, whole: sledsim.results.FormatSpace, tmp_path: Path
) -> None:
    def both(_: int) -> None:
        with pytest.raises(OSError, match="another process is writing to the file") as raised:
            sledsim.format_space(short, **AXES, folder=tmp_path)
        assert raised.value.filename == os.fspath(tmp_path / "designs.ledger")

    found = sledsim.format_space(short, **AXES, folder=tmp_path, progress=both)
    assert found.table.equals(whole.table)


def test_other_spaces_use_what_is_there(
    short: sledsim.Trace, whole: sledsim.results.FormatSpace, journal: Path, evaluated: list[int]
) -> None:
    evaluated.clear()
    smaller = sledsim.format_space(short, **{**AXES, "probes": [4096]}, folder=journal.parent)
    assert evaluated == []
    assert smaller.table.equals(
        whole.table.filter([probes == 4096 for probes in whole.table["probes"].to_pylist()])
    )
    sledsim.format_space(short, **AXES, scheduler="sptf", folder=journal.parent)
    assert len(evaluated) == sum(whole.table["feasible"].to_pylist()), "another policy is another key"


def test_what_is_no_ledger_is_refused(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "designs.ledger"
    path.write_bytes(b"mine\n")
    done = cli("design", "ext2-4k", "--out", tmp_path)
    message = f"error: {path}: line 1: expected the head of a ledger of sledsim, found b'mine\\n'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)
    assert path.read_bytes() == b"mine\n"
