"""docs/workloads.md names every workload and option that there is, and its commands run."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

import sledsim
from sledsim.cli.app import app

PAGE = (Path(__file__).parents[1] / "docs" / "workloads.md").read_text()
ROWS = [[cell.strip() for cell in row.strip("|").split("|")] for row in PAGE.splitlines() if row[:3] == "| `"]
COMMANDS = re.findall(r"`(sledsim run [^`]*)`", PAGE)
#: Every option with the workloads that have it.
OPTIONS = {
    option: [name for name in sledsim.workloads() if option in sledsim.workload_options(name)]
    for name in sledsim.workloads()
    for option in sledsim.workload_options(name)
}
#: The rows of the table of how close the metadata workload comes, and what its note says.
CLOSENESS = [
    ("requests", "{} requests ({});"),
    ("writes", "{} writes ({});"),
    ("metadata", "{} metadata ({});"),
    ("metadata writes", "{} metadata writes ({});"),
    ("sequentiality", "sequential {} ({});"),
    ("inter-arrival times below 10 ms", "inter-arrival times below 10 ms {} ({});"),
    ("of metadata below 1 ms", "of metadata below 1 ms {} ({})."),
]


def row_of(name: str) -> list[str]:
    found = [row for row in ROWS if row[0] == f"`{name}`"]
    assert len(found) == 1, name
    return found[0]


def test_every_workload_has_a_row_with_a_command() -> None:
    for name in sledsim.workloads():
        assert f"sledsim run {name}:" in row_of(name)[2]


@pytest.mark.parametrize("option", OPTIONS)
def test_every_option_has_a_row_with_its_defaults(option: str) -> None:
    row = row_of(option)
    cells = " ".join(row[1:])
    having = OPTIONS[option]
    named = set(re.findall(r"`(\w+)`", cells)) & set(sledsim.workloads())
    if len(row) == 5:
        assert sorted(re.findall(r"`(\w+)`", row[1])) == sorted(having)
    elif "(not of" in cells:
        assert sorted(named) == sorted(set(sledsim.workloads()) - set(having))
    else:
        assert having == list(sledsim.workloads())
    for name in having:
        default, unit, _ = sledsim.workload_options(name)[option]
        assert (default or "has to be given") in cells
        assert unit in row


def test_nothing_else_has_a_row() -> None:
    arrivals = sledsim.workload_options("random")["arrivals"][2]
    processes = [row[0].strip("`") for row in ROWS if "arrivals=" in row[-1] and len(row) == 3]
    assert len(processes) == 6
    assert all(name in arrivals for name in processes)
    assert {row[0].strip("`") for row in ROWS} == {*sledsim.workloads(), *OPTIONS, *processes}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_runs(command: str) -> None:
    done = CliRunner().invoke(app, [*shlex.split(command)[1:], "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["requests"] == 2000


def test_there_is_a_command_for_each() -> None:
    assert len(COMMANDS) == len(sledsim.workloads()) + 6


def test_the_metadata_workload_comes_as_close_as_is_said(device: sledsim.Device) -> None:
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in PAGE.splitlines()]
    names = [name for name, *_ in CLOSENESS]
    table = {row[0]: row[1:] for row in rows if row[0] in names}
    for at, day in ((0, "1999-01-13"), (2, "1999-01-14")):
        (note,) = sledsim.workload(f"metadata:day={day}", device).notes
        for name, words in CLOSENESS:
            published, reached = (cell.replace(",", "") for cell in table[name][at : at + 2])
            assert words.format(reached, published) in note
