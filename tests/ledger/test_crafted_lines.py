"""Crafted lines of a ledger with the right checksums: each gives an error or a note."""

import copy
import json
import random
import resource
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim.cli.commands.sweep import status_table
from sledsim.exploration import ledger_table
from sledsim.exploration.status import status_of
from sledsim.exploration.sweeping import drawn_study, read_sweep
from sledsim.exploration.verification import verify
from sledsim.ledger import Contents, lines, merge
from sledsim.ledger.lines import HEAD, content_of, line_of

from ..conftest import Cli

ASKED = ("random:rate=300", "--count", "250", "--replications", "2")
VOLUME = ("-V", "raid5:devices=3", "--over", "stripe_unit_kib=32,64")
DEVICE = ("--over", "settle_ms=0.1,0.2")
GONE = object()
#: Values that are put into each place.
WRONG = [5, -1, "x", "", [], {}, None, True, 1.5, float("inf"), 10**30, ["x"], [{"a": 1}], [["x"], {}], GONE]


def line(value: Any) -> bytes:
    """Return a line as an attacker can write it, infinite numbers included."""
    text = json.dumps(value, separators=(",", ":")).replace("Infinity", "1e999").encode()
    return b"%08x %b\n" % (zlib.crc32(text), text)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the places in a value; of a list its first two, and of the parameters of a device one."""
    if path:
        yield path
    names = (
        list(value)
        if isinstance(value, dict)
        else range(min(len(value), 2))
        if isinstance(value, list)
        else ()
    )
    for name in names[:1] if path[-1:] == ("parameters",) else names:
        yield from places(value[name], (*path, name))


def put(value: Any, path: tuple[Any, ...], new: object) -> Any:
    made = copy.deepcopy(value)
    inner = made
    for name in path[:-1]:
        inner = inner[name]
    if new is GONE:
        del inner[path[-1]]
    else:
        inner[path[-1]] = new
    return made


def table(folder: Path) -> None:
    contents = Contents.of([folder])
    contents.check_sweep(folder)
    contents.check_agreement()
    ledger_table.write(contents, folder / "t.csv")


#: Functions that read a ledger.
READERS: list[Callable[[Path], object]] = [
    table,
    lambda folder: verify(folder, 2, 1, 1),
    lambda folder: status_table(status_of(Contents.of([folder]))),
    lambda folder: list(read_sweep(folder, drawn_study(folder)).rows()),
    merge,
]


@pytest.mark.dear("thousands of ledgers are read", every_change=False)
@pytest.mark.parametrize("subject", [VOLUME, DEVICE], ids=["volume", "device"])
def test_no_line_ends_in_a_traceback(subject: tuple[str, ...], cli: Cli, tmp_path: Path) -> None:
    assert cli("sweep", "run", *ASKED, *subject, "--out", tmp_path / "good").returncode == 0
    given = (tmp_path / "good" / "study.ledger").read_bytes().splitlines(keepends=True)
    (crafted := tmp_path / "crafted").mkdir()
    chosen, tried = random.Random(1), 0
    for at in (1, 2):
        content = content_of(given[at][:-1])
        for path in places(content):
            for wrong in WRONG:
                crafted_line = line(put(content, path, wrong))
                new = [*given[:at], crafted_line, *given[at + 1 :]]
                (crafted / "study.ledger").write_bytes(b"".join(new))
                with suppress(sledsim.ParameterError, sledsim.TraceError):
                    chosen.choice(READERS)(crafted)
                tried += 1
    assert tried > 1000


def test_a_definition_of_another_question_is_reported(cli: Cli, tmp_path: Path) -> None:
    cli("sweep", "run", *ASKED, "--out", tmp_path)
    path = tmp_path / "study.ledger"
    given = path.read_bytes().splitlines(keepends=True)
    content = content_of(given[1][:-1])
    given[1] = line(put(content, ("definition", "subjects", 0, "made_from"), [["x"], {}]))
    path.write_bytes(b"".join(given))
    for command in ("status", "table", "verify"):
        done = cli("sweep", command, tmp_path)
        assert done.returncode == 2 and "expected the ledger of a sweep" in done.stderr
        assert "Traceback" not in done.stderr


def test_a_ledger_without_lines_is_not_read_into_memory(tmp_path: Path) -> None:
    """A sparse file of 20 GB takes no room on the disk."""
    with (tmp_path / "study.ledger").open("wb") as file:
        file.truncate(20 << 30)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert not Contents.of([tmp_path]).places
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < before + (64 << 10)


def test_no_line_is_written_that_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LINE_BYTES", 1 << 20)
    with pytest.raises(sledsim.ParameterError, match="a line of a ledger has 1 MiB, more than 1 MiB"):
        line_of({"long": "x" * (1 << 20)})
    assert content_of(line_of(HEAD)[:-1]) == HEAD
