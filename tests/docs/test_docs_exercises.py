"""The solutions of the exercises: their commands print the figures on the page."""

import re
import shlex

import pytest

from tests.conftest import Cli
from tests.docs.test_docs_code import BLOCKS
from tests.docs.test_docs_links import ROOT

TEXT = (ROOT / "docs" / "tutorials" / "exercises.md").read_text()
COMMANDS = [
    line for block in re.findall(r"```sh\n(.*?)```", TEXT, re.DOTALL) for line in block.splitlines() if line
]
#: Figures on the page that each command prints: patterns, with the figures as the page has them.
PRINTED = {
    "compare random": [
        r"fcfs \* .* {2285} ",
        r"sptf +1925 ◂ +{20.7} .* {217}\.\d",
        r"asptf .* {73} ± .* {163}\.\d",
        r"deadline:after_ms=50 \* +\d+ +{2020} ",
    ],
    "show osdi00": [
        "turnaround centre +{0.06935} ms",
        "edge moving out +{0.03976} ms",
        "edge moving in +{0.2596} ms",
    ],
    "study read-modify-write": [
        "osdi00 +8 +read-modify-write +{0.1286} +{0.06935} +0.1286",
        r"atlas10k +8 +read-modify-write +[\d.]+ +{5.842} ",
    ],
    "--scheduler fcfs": ["mean service +{0.7477} ms"],
    "--set access_mode=parity": ["mean service +{0.7532} ms"],
    "'thresholds_s=[0.3e-3]'": [r"\n +0 +0 +{0.3} +same .* {65} +{993} "],
    "--set settle_ms=0": [r"\n +0 +0 +0.3 +same .* {997} +{993} "],
}


@pytest.mark.dear("commands of a page run as its reader types them", every_change=True)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_prints_what_the_page_says(cli: Cli, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    done = cli(*shlex.split(command)[1:])
    assert done.returncode == 0, done.stderr
    # The last ending that fits belongs to the command.
    known = [patterns for words, patterns in PRINTED.items() if words in command]
    printed = done.stdout.replace(",", "")
    for pattern in known[-1]:
        assert re.search(re.sub(r"[{}]", "", pattern), printed), pattern
        for figure in re.findall(r"{([\d.]+)}", pattern):
            assert figure in TEXT.replace(",", ""), "the page says so"


def test_every_exercise_has_a_solution_of_commands_and_each_is_checked() -> None:
    exercises = TEXT.partition("\n## For the teacher")[0].split("\n## ")[1:]
    assert len(exercises) == 3
    for exercise in exercises:
        solution = exercise.partition("<details>")[2].partition("</details>")[0]
        assert "```sh\n" in solution
    assert all(any(words in command for words in PRINTED) for command in COMMANDS)
    assert len(COMMANDS) == len(PRINTED)


def test_places_at_the_edges_wait_twice_as_long(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(BLOCKS["exercises-1"], "exercises.md", "exec"), {})
    printed = [f"{float(line):.1f}" for line in capsys.readouterr().out.split()]
    assert printed == ["32.6", "14.3"]
    assert "32.6 ms and 14.3 ms" in TEXT
