"""Every command of the pages on studies runs, in order, beside the files that the page shows."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ..conftest import Cli

ROOT = Path(__file__).parents[2]
PAGES = ("how-to/sweeps.md", "how-to/uncertainty.md", "tutorials/studies.md")
#: Statuses of success: 3 is an undecided question, 1 a condition that does not hold.
ANSWERS = {"holds": (0, 1, 3)}


def commands_of(page: str) -> list[str]:
    """Return the commands of a page, in order."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("sledsim ")]
    return [line.partition("  #")[0].strip() for line in lines]


@pytest.mark.dear("commands of a page run as its reader types them")
def test_the_first_commands_make_a_study(cli: Cli) -> None:
    for command in commands_of(PAGES[0])[:2]:
        done = cli(*shlex.split(command)[1:])
        assert done.returncode == 0, (command, done.stderr)
    assert "100.0%" in done.stdout


@pytest.mark.dear("commands of a page run as its reader types them")
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_run(page: str, tmp_path: Path) -> None:
    text = (ROOT / "docs" / page).read_text()
    for name, content in re.findall(r"```toml\n# (\S+\.toml)\n(.*?)```", text, re.DOTALL):
        (tmp_path / name).write_text(content)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    commands = commands_of(page)
    assert len(commands) >= 4
    printed = ""
    for command in commands:
        done = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, "PATH": path},
        )
        question = command.replace("sledsim study ", "sledsim ").split()[1]
        assert done.returncode in ANSWERS.get(question, (0,)), (command, done.stderr)
        printed += done.stdout
    lines = {line.rstrip() for line in printed.splitlines()}
    for shown in re.findall(r"```text\n(.*?)```", text, re.DOTALL):
        assert set(shown.splitlines()) <= lines, "every line of the page is printed"
