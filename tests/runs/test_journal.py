"""The journal of a design space: what a process that is stopped in any way keeps, and what damage costs."""

import json
import os
import random
import signal
import subprocess
import sys
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim.runs.design import exploring

from ..conftest import Cli, leftovers

PROGRAM = Path(sys.executable).with_name("sledsim")
WORKERS = 2
#: Explores the default space, and says in a file which points begin and which are done.
EXPLORE = """
import os, sys
import sledsim
from sledsim.runs.design import exploring

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
sledsim.format_space(trace, journal=sys.argv[1], workers=2)
"""


@pytest.fixture(scope="module")
def trace() -> sledsim.Trace:
    return sledsim.bundled_trace("ext2-4k")


@pytest.fixture(scope="module")
def alone(trace: sledsim.Trace) -> sledsim.FormatSpace:
    """What an exploration finds that nobody disturbs."""
    return sledsim.format_space(trace)


@pytest.fixture
def evaluated(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The points that are simulated in this process."""
    found: list[int] = []
    evaluate = exploring._evaluate

    def counted(*arguments: Any) -> Any:
        found.extend(number for number, _ in arguments[-1])
        return evaluate(*arguments)

    monkeypatch.setattr(exploring, "_evaluate", counted)
    yield found


def heed() -> None:
    """What runs in the background of a shell inherits deaf ears for Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_process_that_is_stopped_repeats_at_most_what_was_under_way(
    trace: sledsim.Trace,
    alone: sledsim.FormatSpace,
    evaluated: list[int],
    tmp_path: Path,
    how: signal.Signals,
) -> None:
    draw = random.Random(int(how))
    for attempt in range(4):
        journal, log = tmp_path / f"{attempt}.journal", tmp_path / f"{attempt}.log"
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
        found = sledsim.format_space(trace, journal=journal, workers=WORKERS)
        assert found.table.equals(alone.table)
        assert found.notes == ()
        repeated = begun & set(evaluated)
        assert len(repeated) <= WORKERS * exploring._AT_ONCE, (
            f"attempt {attempt}: {len(repeated)} of {len(begun)}"
        )
        assert len(set(evaluated)) == len(evaluated)


def test_the_command_goes_on_where_it_was_killed(cli: Cli, tmp_path: Path) -> None:
    assert cli("design", "ext2-4k", "--out", tmp_path / "alone").returncode == 0
    out = tmp_path / "out"
    process = subprocess.Popen([PROGRAM, "design", "ext2-4k", "--out", out], stdout=subprocess.DEVNULL)
    while process.poll() is None and len(_lines(out / "designs.journal")) < 3:
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert leftovers(out) == ["designs.journal"]
    done = cli("design", "ext2-4k", "--out", out, "--resume")
    assert (done.returncode, "damage" in done.stderr) == (0, False)
    for ending in ("csv", "parquet"):
        assert (out / f"designs.{ending}").read_bytes() == (tmp_path / f"alone/designs.{ending}").read_bytes()
    assert "designs.journal" not in leftovers(out)


def _lines(path: Path) -> list[bytes]:
    return path.read_bytes().split(b"\n") if path.exists() else []


AXES: dict[str, Any] = {"probes": [2048, 4096], "sectors": [1, 4, 8, 16], "sector_bytes": [2048, 4096]}


@pytest.fixture(scope="module")
def short(trace: sledsim.Trace) -> sledsim.Trace:
    return trace.rows(slice(0, 300))


@pytest.fixture(scope="module")
def whole(short: sledsim.Trace) -> sledsim.FormatSpace:
    return sledsim.format_space(short, **AXES)


@pytest.fixture
def journal(short: sledsim.Trace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The journal of a whole exploration, a point a line."""
    monkeypatch.setattr(exploring, "_AT_ONCE", 1)
    path = tmp_path / "designs.journal"
    sledsim.format_space(short, **AXES, journal=path, workers=1)
    return path


def test_a_damaged_line_is_told_and_explored_again(
    short: sledsim.Trace, whole: sledsim.FormatSpace, journal: Path, evaluated: list[int]
) -> None:
    lines = journal.read_bytes().splitlines(keepends=True)
    draw = random.Random(8)
    for at in range(1, len(lines)):
        damaged = bytearray(lines[at])
        place = draw.randrange(len(damaged) - 1)
        damaged[place] ^= 1 << draw.randrange(7)
        if damaged[place] == ord("\n"):
            damaged[place] = 0
        journal.write_bytes(b"".join([*lines[:at], damaged, *lines[at + 1 :]]))
        evaluated.clear()
        found = sledsim.format_space(short, **AXES, journal=journal)
        assert found.notes == (
            f"{journal}: line {at + 1}: expected points that agree with their checksum, "
            "found damage: they are explored again",
        )
        assert found.table.equals(whole.table)
        assert len(evaluated) == 1


def _of(value: Any) -> bytes:
    """A line whose checksum is right."""
    text = json.dumps(value) if not isinstance(value, str) else value
    return f"{zlib.crc32(text.encode()):08x} {text}\n".encode()


@pytest.mark.parametrize(
    "line",
    [
        *(b"\n", b"\xff\xfe\n", b"0 []\n", b"\x00" * 50 + b"\n", b"{}\n", b"7" * 10_000 + b"\n"),
        *map(_of, ("[[[", "[" * 100_000, 3, None, [3], [[1]], [[1, 2]], [["x", [None, None, None]]])),
        *map(_of, ([[1, [1, None, None]]], [[1, [None, None, 5]]], {"a": 1}, "NaN", "9" * 5000)),
    ],
)
def test_lines_that_are_none_are_left_out(
    short: sledsim.Trace, whole: sledsim.FormatSpace, journal: Path, line: bytes
) -> None:
    number = journal.read_bytes().count(b"\n") + 1
    with journal.open("ab") as file:
        file.write(line)
    found = sledsim.format_space(short, **AXES, journal=journal)
    assert len(found.notes) == 1 and f": line {number}: expected points" in found.notes[0]
    assert found.table.equals(whole.table)


def test_half_a_line_at_the_end_is_what_a_stopped_process_leaves(
    short: sledsim.Trace, whole: sledsim.FormatSpace, journal: Path, evaluated: list[int]
) -> None:
    content = journal.read_bytes()
    last = content[:-1].rfind(b"\n") + 1
    for end in (last + 1, last + 20, len(content) - 1):
        journal.write_bytes(content[:end])
        evaluated.clear()
        found = sledsim.format_space(short, **AXES, journal=journal)
        assert (found.notes, len(evaluated)) == ((), 1)
        assert found.table.equals(whole.table)
        assert journal.read_bytes() == content


@pytest.mark.parametrize(
    "content",
    [
        *(b"no journal\n", b"\n", b"\x00\n", b'{"exploration": "abc"}\n', b"half a line", b"\xff" * 100),
        *map(_of, ({}, [], 3, "[" * 100_000)),
    ],
)
def test_what_is_no_journal_is_refused(cli: Cli, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "out").mkdir()
    path = tmp_path / "out" / "designs.journal"
    path.write_bytes(content)
    done = cli("design", "ext2-4k", "--out", tmp_path / "out", "--resume")
    assert (done.returncode, done.stdout) == (2, "")
    message = f"error: {path}: line 1: expected the head of a journal of sledsim, found {content[:4]!r}"[:-1]
    assert done.stderr.startswith(message.partition(", found")[0]), done.stderr
    assert done.stderr.count("\n") == 1
    assert path.read_bytes() == content


def test_the_command_tells_of_damage(cli: Cli, tmp_path: Path) -> None:
    space = tmp_path / "space.toml"
    space.write_text("[format]\nprobes = [2048, 4096]\nsectors = [1]\nsector_bytes = [4096]\n")
    words = ("design", "ext2-4k", "--space", space, "--out", tmp_path / "out")
    assert cli(*words).returncode == 0
    trace = sledsim.bundled_trace("ext2-4k")
    path = tmp_path / "out" / "designs.journal"
    sledsim.format_space(trace, sledsim.design.read_space(space), journal=path)
    with path.open("ab") as file:
        file.write(b"damage\n")
    done = cli(*words, "--resume")
    assert done.returncode == 0
    assert f"{path}: line 3: expected points that agree with their checksum, found damage" in done.stderr


def test_two_explorations_do_not_share_a_journal(
    short: sledsim.Trace, whole: sledsim.FormatSpace, tmp_path: Path
) -> None:
    path = tmp_path / "designs.journal"

    def both(_: int) -> None:
        with pytest.raises(OSError, match="another exploration adds to it now") as raised:
            sledsim.format_space(short, **AXES, journal=path)
        assert raised.value.filename == os.fspath(path)

    found = sledsim.format_space(short, **AXES, journal=path, progress=both)
    assert found.table.equals(whole.table)
