"""Words of the command line: explained options, no ids of claims, old words that still work."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sledsim.cli.app import app
from sledsim.cli.installed_commands import whole
from sledsim.cli.shared import ROWS, Shared
from tests.conftest import Cli

#: Ids of claims, experiments and equations of papers, as the code cites them.
_ID = re.compile(r"\b00[0-4]-[A-Z]")


def _commands(command: object, path: str) -> Iterator[tuple[str, object]]:
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, f"{path} {name}")


COMMANDS = dict(_commands(whole(app), "sledsim"))


@pytest.mark.parametrize("path", COMMANDS)
def test_every_option_is_explained(path: str) -> None:
    command = COMMANDS[path]
    assert getattr(command, "help", ""), path
    for parameter in getattr(command, "params", ()):
        if not getattr(parameter, "hidden", False):
            assert parameter.help, f"{path} {parameter.name}"


@pytest.mark.parametrize("path", [path for path in COMMANDS if not path.startswith("sledsim paper")])
def test_helps_cite_no_ids(path: str) -> None:
    command = COMMANDS[path]
    texts = [getattr(command, "help", ""), *(one.help for one in getattr(command, "params", ()) if one.help)]
    assert not [text for text in texts if _ID.search(text)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_an_option_of_several_commands_means_the_same_in_each(row: Shared) -> None:
    found = [
        (path, one.help)
        for path, command in COMMANDS.items()
        for one in getattr(command, "params", ())
        if row.name in one.opts and not one.hidden
    ]
    assert len({path.split()[-1] for path, _ in found}) >= 2
    assert [path for path, text in found if not text.startswith(row.row.meaning)] == []


def test_options_of_a_run_are_grouped(cli: Cli) -> None:
    printed = cli("run", "--help").stdout
    assert all(f"─ {panel} ─" in printed for panel in ("Device", "Trace", "Output"))


def test_the_old_option_of_slice_warns(cli: Cli, tmp_path: Path) -> None:
    old = cli("trace", "slice", "demo", "--device", "0", "-o", "old.spc")
    new = cli("trace", "slice", "demo", "--traced-device", "0", "-o", "new.spc")
    assert (old.returncode, new.returncode) == (0, 0)
    assert "--device of 'sledsim trace slice' is now --traced-device" in old.stderr
    assert "is now" not in new.stderr
    here = tmp_path / "here"
    assert (here / "old.spc").read_bytes() == (here / "new.spc").read_bytes()
