"""What goes away warns in one version, says what to use, and is gone in the next."""

from pathlib import Path

import pytest

import sledsim
from sledsim import moved
from sledsim.common.deprecation import COMMANDS, GOING, command, notice

from ..conftest import Cli

#: How each is met on the command line.
TYPED = {
    **{command(name): name for name in COMMANDS},
    "--explain of 'sledsim show'": "show osdi00 --explain",
    "--resume of 'sledsim design'": "design random:rate=100,count=20 --resume",
    "--device of 'sledsim trace slice'": "trace slice demo --device 0 -o old.spc",
}
IN_PYTHON = {"write_plots(out=...)"}


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_nothing_stays_longer_than_it_was_said() -> None:
    last = {name: old.gone_in for name, old in GOING.items()} | {"old names of modules": moved.GONE_IN}
    assert not [name for name, gone in last.items() if numbers(sledsim.__version__) >= numbers(gone)]


def test_everything_that_goes_away_is_tried_here() -> None:
    assert {*TYPED, *IN_PYTHON} == GOING.keys()


@pytest.mark.parametrize("name", TYPED)
def test_a_word_still_works_and_says_what_to_use(cli: Cli, name: str) -> None:
    done = cli(*TYPED[name].split())
    assert done.returncode == 0, done.stderr
    assert " ".join(done.stderr.split()).count(notice(name)) == 1


@pytest.mark.parametrize("old", COMMANDS)
def test_an_old_command_prints_the_same_as_the_new_one(cli: Cli, old: str) -> None:
    before, now = (cli(*words.split(), "--json") for words in (old, COMMANDS[old]))
    assert before.stdout == now.stdout and now.returncode == 0
    assert now.stderr == ""
    assert f"│ {old} " not in cli("--help").stdout


@pytest.mark.dear("commands and results of every kind are made")
def test_an_argument_still_works_and_says_what_to_use(tmp_path: Path) -> None:
    pytest.importorskip("altair", reason="plots need an extra: pip install 'sledsim[plot]'")
    found = sledsim.validate(sledsim.device("osdi00"), sledsim.demo_trace())
    said = r"is now write_plots\(folder=\.\.\.\) \(gone in sledsim "
    with pytest.warns(DeprecationWarning, match=said):
        assert found.write_plots(out=tmp_path)
