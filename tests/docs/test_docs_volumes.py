"""docs/reference/volumes.md names every kind of volume, and its commands, files and code run."""

import re
import shlex
from pathlib import Path

import pytest

import sledsim

from ..conftest import Cli

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "volumes.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_every_row_is_of_a_kind() -> None:
    rows = re.findall(r"^\| `([a-z0-9+-]+)`", PAGE, re.MULTILINE)
    assert len(set(rows)) == len(rows) >= 10
    assert set(rows) <= set(sledsim.volumes())


@pytest.mark.dear("commands of a page run as its reader types them", every_change=True)
@pytest.mark.parametrize(
    "line", [line for block in blocks("sh") for line in block.splitlines() if line.startswith("sledsim ")]
)
def test_the_commands_run(cli: Cli, line: str) -> None:
    done = cli(*shlex.split(line, comments=True)[1:])
    assert done.returncode == 0, done.stderr
    assert "Device" in done.stdout and "Volume" in done.stdout


def test_the_file_runs_as_its_comment_says(cli: Cli, tmp_path: Path) -> None:
    (text,) = blocks("toml")
    (head,) = re.findall(r"# (\S+): sledsim (.*)\n", text)
    name, command = head
    (tmp_path / "here" / name).write_text(text)
    done = cli(*command.split())
    assert done.returncode == 0, done.stderr
    assert "disk/device 4" in done.stdout
