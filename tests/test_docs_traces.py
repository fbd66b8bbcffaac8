"""docs/traces.md has a command for every format and replay, and those on the bundled trace run."""

import re
import shlex
from pathlib import Path

import pytest

import sledsim
from tests.conftest import Cli

PAGE = (Path(__file__).parents[1] / "docs" / "traces.md").read_text()
RUNNABLE = [command for command in re.findall(r"`(sledsim [^`]*)`", PAGE) if re.search(r"\bdemo\b", command)]


def rows_of(name: str) -> list[str]:
    return [row for row in PAGE.splitlines() if re.match(rf"\| `{name}[`:]", row)]


@pytest.mark.parametrize("name", sledsim.formats())
def test_every_format_has_one_row_with_a_command(name: str) -> None:
    (row,) = rows_of(name)
    assert "`sledsim " in row or "; sledsim run" in row
    assert ("written, too" in row) == (name in sledsim.writable_formats())


@pytest.mark.parametrize("name", sledsim.replays())
def test_every_replay_has_one_row(name: str) -> None:
    assert len(rows_of(name)) == 1


@pytest.mark.parametrize("command", RUNNABLE)
def test_the_commands_on_the_bundled_trace_run(cli: Cli, command: str) -> None:
    done = cli(*shlex.split(command)[1:])
    assert done.returncode == 0, done.stderr


def test_there_are_such_commands() -> None:
    assert len(RUNNABLE) >= 7
