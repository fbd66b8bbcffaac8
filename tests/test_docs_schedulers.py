"""docs/schedulers.md names everything that there is, as it is."""

import inspect
import re
from pathlib import Path

import pytest

import sledsim
from sledsim.scheduling import Taken, Waiting

from .conftest import BUILT_IN_SCHEDULERS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "schedulers.md").read_text()
ROWS = [[cell.strip() for cell in row.strip("|").split("|")] for row in PAGE.splitlines() if row[:1] == "|"]
FIRST_CELLS = {name for row in ROWS for name in re.findall(r"`(\w+)`", row[0])}


def row_of(name: str) -> list[str]:
    found = [row for row in ROWS if row[0] == f"`{name}`"]
    assert len(found) == 1, name
    return found[0]


def test_every_policy_and_wrapper_has_a_row_and_nothing_else_has() -> None:
    names = {*BUILT_IN_SCHEDULERS, *sledsim.scheduler_wrappers()}
    options = {option for name in names for option in sledsim.scheduler_options(name)}
    wrappers_options = {
        option for name in sledsim.scheduler_wrappers() for option in sledsim.scheduler_options(name)
    }
    assert names | (options - wrappers_options) | set(Waiting.__annotations__) == FIRST_CELLS


@pytest.mark.parametrize("name", [*BUILT_IN_SCHEDULERS, *sledsim.scheduler_wrappers()])
def test_every_option_stands_with_its_default_and_its_policies(name: str) -> None:
    for option, (default, _) in sledsim.scheduler_options(name).items():
        if name in sledsim.scheduler_wrappers():
            assert f"`{option}={default}`" in row_of(name)[2]
            continue
        _, policies, shown, _ = row_of(option)
        assert f"`{option}={default}`" in shown.replace(", of", " ").split()
        having = [policy for policy in BUILT_IN_SCHEDULERS if option in sledsim.scheduler_options(policy)]
        assert sorted(re.findall(r"`(\w+)`", policies)) == sorted(having)


def test_disksims_policies_are_those_of_the_sources() -> None:
    files = (ROOT / "crates" / "sledsim" / "src" / "sched").glob("*.rs")
    sources = " ".join(re.sub(r"\n\s*///? ?", " ", path.read_text()) for path in files)
    said = {(int(number), name) for number, name in re.findall(r"policy (\d+), (\w+)", sources)}
    rows = [re.fullmatch(r"(\d+), (\w+)", row[-1]) for row in ROWS if len(row) >= 4]
    assert {(int(row[1]), row[2]) for row in rows if row} == said
    assert len(said) == 15


def test_every_name_that_is_shown_can_be_given(device: sledsim.Device, workload: sledsim.Trace) -> None:
    shown = PAGE.split("```")[1].split()
    assert len(shown) == 5
    for name in shown:
        assert sledsim.simulate(device, workload, name).settings.scheduler == name


def test_what_policies_in_python_see_is_what_there_is() -> None:
    told = PAGE.partition("is told of every request")[2].partition(")")[0]
    named = re.findall(r"`(\w+)`", PAGE.partition("(a dictionary of ")[2].partition(")")[0])
    assert told
    assert named == list(Taken.__annotations__)
    assert "register_scheduler(name, choose)" in PAGE
    assert list(inspect.signature(sledsim.register_scheduler).parameters)[:2] == ["name", "choose"]


def test_files_that_it_names_are_there() -> None:
    for path in re.findall(r"`((?:tests|examples|crates)/[\w/.-]+)`", PAGE):
        assert (ROOT / path).exists(), path
