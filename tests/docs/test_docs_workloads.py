"""docs/reference/workloads.md names every workload and option, and its commands run."""

import json
import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

import sledsim
from sledsim.cli.app import app
from sledsim.model.core_tables import entry

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "workloads.md").read_text()
ROWS = [[cell.strip() for cell in row.strip("|").split("|")] for row in PAGE.splitlines() if row[:3] == "| `"]
COMMANDS = re.findall(r"`(sledsim run [^`]*)`", PAGE)
#: Rows of the table on how close the metadata workload comes, and the words of its note.
CLOSENESS = [
    ("requests", "{} requests ({});"),
    ("writes", "{} writes ({});"),
    ("metadata", "{} metadata ({});"),
    ("metadata writes", "{} metadata writes ({});"),
    ("sequentiality", "sequential {} ({});"),
    ("inter-arrival times below 10 ms", "inter-arrival times below 10 ms {} ({});"),
    ("of metadata below 1 ms", "of metadata below 1 ms {} ({});"),
    ("of metadata below 10 ms, asked for", "of metadata below 10 ms {} ({})."),
]


@pytest.mark.dear("sources and commands of a page are checked", every_change=True)
def test_every_row_is_of_an_arrival_process_or_of_a_workload_with_a_command() -> None:
    processes = [row[0].strip("`") for row in ROWS if "arrivals=" in row[-1] and len(row) == 3]
    assert processes == list(entry("workloads", "random").option("arrivals").choices)
    rows = {row[0].strip("`"): row for row in ROWS}
    assert len(rows) == len(ROWS)
    for name in rows.keys() - set(processes):
        assert name in sledsim.workloads()
        assert f"sledsim run {name}:" in rows[name][2]
    assert len(COMMANDS) >= 16


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_runs(command: str) -> None:
    done = CliRunner().invoke(app, [*shlex.split(command)[1:], "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["requests"] == 2000


@pytest.mark.dear("sources and commands of a page are checked")
def test_the_metadata_workload_comes_as_close_as_stated(device: sledsim.Device) -> None:
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in PAGE.splitlines()]
    names = [name for name, *_ in CLOSENESS]
    table = {row[0]: row[1:] for row in rows if row[0] in names}
    for at, day in ((0, "1999-01-13"), (2, "1999-01-14")):
        (note,) = sledsim.workload(f"metadata:day={day}", device).notes
        for name, words in CLOSENESS:
            published, reached = (cell.replace(",", "") for cell in table[name][at : at + 2])
            assert words.format(reached, published) in note
