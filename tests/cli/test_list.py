"""``sledsim list``, and the subcommands of ``sledsim study``."""

import json
from collections.abc import Callable

import pytest

import sledsim
from sledsim import studies
from sledsim.cli.commands.listing import Kind, kinds
from sledsim.cli.commands.study import QUESTIONS

from ..conftest import Cli
from .test_cli_errors import refused


def test_every_kind_is_counted(cli: Cli) -> None:
    counts = json.loads(cli("list", "--json").stdout)
    assert list(counts) == [*kinds()]
    assert counts["devices"] == {"count": len(sledsim.devices()), "description": "Built-in devices"}
    lines = [line.split() for line in cli("list").stdout.splitlines()]
    for name, row in counts.items():
        assert [name, str(row["count"])] in [words[:2] for words in lines]


@pytest.mark.dear("experiments of all papers are loaded", every_change=True)
@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.name)
def test_every_kind_lists_its_names_and_explains_one(cli: Cli, kind: Kind) -> None:
    names = list(kind.rows())
    listed = cli("list", kind.name).stdout
    assert names and all(name in listed for name in names)
    first = cli("list", kind.name, names[0])
    assert first.returncode == 0 and names[0] in first.stdout
    assert names[0] in cli("list", kind.name, names[0], "--json").stdout
    refused(cli("list", kind.name, f"{names[0]}x"), 2, names[0])


def test_a_wrong_kind_names_the_nearest(cli: Cli) -> None:
    refused(cli("list", "devces"), 2, 'unknown kind "devces": did you mean "devices"')


def test_kinds_and_names_are_completed(complete: Callable[[str], str]) -> None:
    assert "power-policies" in complete("sledsim list power")
    assert "timeout" in complete("sledsim list power-policies time")
    assert "deadline" in complete("sledsim list schedulers dead")
    assert "seek-map" in complete("sledsim list studies seek-m")
    assert "002-E-1" in complete("sledsim list experiments 002-E")


def test_hints_name_what_was_typed(cli: Cli) -> None:
    assert "To explain options: sledsim list layouts NAME" in cli("list", "layouts").stdout
    assert "To explain options: sledsim layouts NAME" in cli("layouts").stdout


def test_questions_and_sheets_stand_below_study(cli: Cli, complete: Callable[[str], str]) -> None:
    words = cli("study", "--help").stdout.split()
    assert {*QUESTIONS, *(sheet.name for sheet in studies.STUDIES)} <= {*words}
    refused(cli("study", "sweeep"), 2, 'unknown study "sweeep": did you mean "sweep"')
    assert "seek-map" in complete("sledsim study seek") and "sweep" in complete("sledsim study sw")


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.dear("help of every question is printed", every_change=True)
def test_a_question_is_a_command_of_its_own_too(cli: Cli, question: str) -> None:
    new, old = (cli(*words, question, "--help").stdout for words in (["study"], []))
    begin = f"sledsim study {question}"
    assert f"Usage: {begin}" in new
    same = ["".join(text.split()).replace("sledsimstudy", "sledsim") for text in (new, old)]
    assert old.split()[2:] and same[0] == same[1]
    assert "is now" not in cli(question, "--help").stderr


def test_a_sheet_is_printed_with_or_without_its_word(cli: Cli) -> None:
    short, long = cli("study", "slew-limit", "--json"), cli("study", "sheet", "slew-limit", "--json")
    assert short.returncode == 0 and json.loads(short.stdout) == json.loads(long.stdout)
