"""Plans of faults: errors in them, and ways to give one."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sledsim

from ..conftest import Cli
from .test_faults import run


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_a_seed_is_all_that_chance_comes_from(osdi00: sledsim.Device, tmp_path: Path) -> None:
    plan = {
        "seed": 3,
        "check_tips": 1,
        "manufacture": {"tip_failure_probability": 2e-3, "media_defects": 20.0},
        "life": {"tip_failures_per_tip_hour": 1e-2, "media_defects_per_hour": 100.0},
    }
    trace = sledsim.random_workload(osdi00, rate_per_s=200, count=3000)
    one, two = run(osdi00, trace, plan), run(osdi00, trace, plan)
    other = run(osdi00, trace, {**plan, "seed": 4})
    assert one.faults == two.faults != other.faults
    assert one.faults["device"]["corrected_tip_sectors"] > 0
    again = sledsim.read_run(one.write(tmp_path / "run.parquet")).again()
    assert all(np.array_equal(one.columns[name], again.columns[name]) for name in one.columns)
    assert again.faults == one.faults


@pytest.mark.dear("many requests are simulated and computed again", every_change=True)
def test_devices_of_a_volume_break_each_in_its_own_way() -> None:
    plan = {"check_tips": 1, "manufacture": {"tip_failure_probability": 5e-3}}
    array = sledsim.volume("raid5", devices=5, device={"device": "osdi00", "faults": plan})
    trace = sledsim.random_workload(array, rate_per_s=300, count=2000)
    made = sledsim.simulate(array, trace)
    failed = [counts["tip_failures"] for counts in made.faults.values()]
    assert len(failed) == 5 and len(set(failed)) > 1
    assert made.again().faults == made.faults


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (
            {"spare_tips": 1281},
            "faults: spare_tips = 1281: expected at most the 1280 active tips of a track of osdi00",
        ),
        ({"tip_failures": [{"tip": 6400}]}, "faults: tip_failures.tip = 6400: expected a tip from 0 to 6399"),
        ({"media_defects": [{"tips": [9999], "cylinder": 0, "row": 0}]}, "media_defects.tips = 9999"),
        (
            {"media_defects": [{"tips": [1], "cylinder": 2499, "cylinders": 2, "row": 0}]},
            "expected an area within the 2500 cylinders and 27 rows of a tip",
        ),
        ({"check_tips": 192}, "check_tips = 192 with the 64 tips of a block"),
        (
            {"life": {"media_defects_per_hour": 100.0, "age_hours": 1e6}},
            "life.media_defects_per_hour = 100 times life.age_hours = 1000000: "
            "expected at most 100000 defects before the run, found 100000000",
        ),
        ({"life": {"age_hours": -1.0}}, "life.age_hours = -1: expected a number from 0 to 1e9"),
        (
            {"manufacture": {"tip_failure_probability": 1.5}},
            "manufacture.tip_failure_probability = 1.5: expected a number from 0 to 1",
        ),
        ({"remapping": "spare"}, 'unknown remapping "spare": did you mean "spare-tip"?'),
        ({"spares": 1}, "unknown field `spares`"),
        (
            {"bad_blocks": [{"lbn": 6_750_000, "blocks": 1}]},
            "expected at least one block, all below LBN 6750000",
        ),
        (
            {"bad_blocks": [{"lbn": 0, "blocks": 9}], "remapping": "slip", "reserve_blocks": 8},
            "9 blocks are bad from the start, more than reserve_blocks = 8",
        ),
        ({"reserve_blocks": 10**9}, "reserve_blocks = 1000000000: expected fewer than the 6750000 blocks"),
    ],
)
def test_plans_that_cannot_be(osdi00: sledsim.Device, plan: dict[str, Any], words: str) -> None:
    with pytest.raises(sledsim.ParameterError, match=re.escape(words)):
        sledsim.with_faults(osdi00, plan)


def test_a_disk_has_no_tips() -> None:
    with pytest.raises(sledsim.ParameterError, match=r"spare_tips: atlas10k is of the kind disk"):
        sledsim.with_faults(sledsim.device("atlas10k"), {"spare_tips": 2})


PLAN = """
seed = 3
check_tips = 2
spare_tips = 4
remapping = "spare-tip"

[manufacture]
tip_failure_probability = 0.002
media_defects = 30.0

[[tip_failures]]
tip = 17
at_s = 0.5
"""


@pytest.mark.dear("many requests are simulated and computed again")
def test_a_run_as_a_user_types_it(cli: Cli, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    words = ("run", "random:rate=500,count=2000", "--faults", str(plan))
    printed = cli(*words).stdout
    assert "Faults of device" in printed and "regions under spare tips" in printed
    found = json.loads(cli(*words, "--json").stdout)
    assert found["faults"]["device"]["tip_failures"] > 5
    assert found["faults"]["device"]["lost_blocks"] == 0
    array = json.loads(cli(*words, "--volume", "stripe:devices=2", "--json").stdout)
    assert set(array["faults"]) == {"device 0", "device 1"}


def test_a_wrong_plan_names_file_and_line(cli: Cli, tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text("seed = 1\nspare_tip = 2\n")
    done = cli("run", "demo", "--faults", str(plan))
    assert done.returncode != 0
    assert f"{plan}:2:1: unknown field `spare_tip`" in done.stderr
    plan.write_text("[[tip_failures]]\ntip = 6400\n")
    assert f"{plan}: tip_failures.tip = 6400: expected" in cli("run", "demo", "--faults", str(plan)).stderr
    missing = cli("run", "demo", "--faults", str(tmp_path / "none.toml"))
    assert missing.returncode != 0 and "none.toml" in missing.stderr
