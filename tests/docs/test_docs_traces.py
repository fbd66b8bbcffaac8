"""docs/reference/traces.md has a command for every format and replay, and those on the bundled trace run."""

import re
import shlex
from pathlib import Path

import pytest

import sledsim
from tests.conftest import Cli

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "traces.md").read_text()
RUNNABLE = [command for command in re.findall(r"`(sledsim [^`]*)`", PAGE) if re.search(r"\bdemo\b", command)]


ROWS = re.findall(r"^(\| `([a-z0-9]+)[`:].*)", PAGE, re.MULTILINE)


def test_every_row_is_of_a_format_or_a_replay() -> None:
    names = [name for _, name in ROWS]
    assert len(set(names)) == len(names) >= 20
    assert set(names) <= {*sledsim.formats(), *sledsim.listings.replays()}
    assert len(RUNNABLE) >= 7


@pytest.mark.parametrize(("row", "name"), [(row, name) for row, name in ROWS if name in sledsim.formats()])
def test_the_row_of_a_format_has_a_command(row: str, name: str) -> None:
    assert "`sledsim " in row or "; sledsim run" in row
    assert ("written, too" in row) == (name in sledsim.listings.writable_formats())


@pytest.mark.dear("commands of a page run as its reader types them", every_change=True)
@pytest.mark.parametrize("command", RUNNABLE)
def test_the_commands_on_the_bundled_trace_run(cli: Cli, command: str) -> None:
    done = cli(*shlex.split(command)[1:])
    assert done.returncode == 0, done.stderr
