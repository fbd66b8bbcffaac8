"""docs/how-to/faults.md: its plan is valid and has every key, and its commands run."""

import re
import shlex
from pathlib import Path

import pytest

import sledsim

from ..conftest import Cli

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "faults.md").read_text()
(PLAN,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
BLOCKS = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [line for block in BLOCKS for line in block.splitlines() if line]


@pytest.mark.dear("many devices are simulated over their life", every_change=[COMMANDS[0], COMMANDS[-1]])
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


@pytest.mark.dear("many devices are simulated over their life")
def test_waiting_spares_that_fail_cost_as_much_as_the_page_has() -> None:
    device = sledsim.device("osdi00", tips=192, active_tips=192, stroke_x_nm=280)
    blocks = device.characteristics()["blocks"]
    all_blocks = sledsim.Trace([0], [0], [blocks], [False])
    for spares, rate in (16, 0.012), (60, 0.05):
        rates = {
            "failures_per_tip_year": rate,
            "dead_at_manufacture": 0,
            "defects_per_year": 0,
            "defect_tips": 1,
        }
        study = sledsim.studies.run("data-loss", device, check_tips=1, spare_tips=spares, **rates, count=2)
        life = {"age_hours": 5 * 8766, "tip_failures_per_tip_hour": rate / 8766}
        lost = 0
        for seed in range(300):
            plan = {
                "seed": seed,
                "check_tips": 1,
                "spare_tips": spares,
                "remapping": "spare-tip",
                "life": life,
            }
            run = sledsim.simulate(sledsim.with_faults(device, plan), all_blocks)
            lost += run.columns["lost_blocks"][0]
        expected = f"{study.table['block_loss'][0].as_py():.3f} | {lost / blocks / 300:.3f}"
        assert f"| {spares}, {rate} | {expected} |" in PAGE


def test_every_way_of_remapping_has_a_row() -> None:
    (table,) = re.findall(r"^\| `remapping` .*?\n\n", PAGE, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)
    assert rows == ["remapping", "spare-tip", "slip", "elsewhere", "none"]
