"""docs/reference/schedulers.md names every policy and option correctly."""

import inspect
import re
from pathlib import Path

import sledsim
from sledsim.model.core_tables import table
from sledsim.model.scheduling import Taken

from ..conftest import BUILT_IN_SCHEDULERS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "schedulers.md").read_text()


def test_names_in_the_text_are_policies_wrappers_and_options() -> None:
    text = PAGE.partition("## Policies")[2].partition("## How SPTF")[0]
    known = {*BUILT_IN_SCHEDULERS, *sledsim.listings.scheduler_wrappers()}
    known |= {option for name in known for option in sledsim.listings.scheduler_options(name)}
    assert set(re.findall(r"`(\w+)`", text)) <= known


def test_disksims_policies_are_listed_by_number() -> None:
    numbers = [row.disksim.partition(", ") for row in table("schedulers").values() if row.disksim]
    assert len(numbers) == 15 and all(number.isdecimal() and name.isupper() for number, _, name in numbers)


def test_every_name_that_is_shown_can_be_given(device: sledsim.Device, workload: sledsim.Trace) -> None:
    shown = re.findall(r"--scheduler (\S+)", PAGE.split("```")[1])
    assert len(shown) == 5
    for name in shown:
        assert sledsim.simulate(device, workload, name).settings.scheduler == name


def test_what_policies_in_python_see_is_what_there_is() -> None:
    words = " ".join(PAGE.split())
    told = words.partition("receives every request")[2].partition(")")[0]
    named = re.findall(r"`(\w+)`", words.partition("A request is a dictionary of ")[2].partition(".")[0])
    assert told
    assert named == list(Taken.__annotations__)
    assert "register_scheduler(name, choose)" in PAGE
    assert list(inspect.signature(sledsim.extend.register_scheduler).parameters)[:2] == ["name", "choose"]


def test_files_that_it_names_are_there() -> None:
    for path in re.findall(r"`((?:tests|examples|crates)/[\w/.-]+)`", PAGE):
        assert (ROOT / path).exists(), path
