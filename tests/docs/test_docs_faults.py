"""docs/how-to/faults.md: its plan is one, with every key, and its commands run."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import sledsim

from ..conftest import Cli

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "faults.md").read_text()
(PLAN,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [line for line in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)[0].splitlines() if line]


@pytest.mark.dear("many devices are simulated over their life", every_change=COMMANDS[-2:])
@pytest.mark.parametrize("line", COMMANDS)
def test_the_commands_run(cli: Cli, tmp_path: Path, line: str) -> None:
    (tmp_path / "here" / "plan.toml").write_text(PLAN)
    done = cli(*shlex.split(line, comments=True)[1:])
    assert done.returncode == 0, done.stderr


def test_the_plan_has_every_key(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    device = sledsim.with_faults(sledsim.device("osdi00"), path)
    assert device.parameters["faults"]["check_tips"] == 4
    source = (Path(__file__).parents[2] / "crates/sledsim/src/faults/plan.rs").read_text()
    for key in re.findall(r"pub (\w+):", source):
        assert re.search(rf"^\[*{key}\b", PLAN, re.MULTILINE), key


@pytest.mark.dear("commands of a page run as its reader types them")
def test_what_waiting_spares_that_fail_cost_is_as_printed() -> None:
    (block,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (printed,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, check=True)
    assert done.stdout == printed


def test_every_way_of_remapping_has_a_row() -> None:
    (table,) = re.findall(r"^\| `remapping` .*?\n\n", PAGE, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)
    assert rows == ["remapping", "spare-tip", "slip", "elsewhere", "none"]
