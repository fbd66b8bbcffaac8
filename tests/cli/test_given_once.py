"""An option that is no list is accepted once: every option of every command is tried."""

from collections.abc import Iterator
from typing import Any

import pytest
import typer

import sledsim
from sledsim.cli.app import app
from sledsim.cli.installed_commands import whole
from sledsim.cli.shell import Command

from ..conftest import Cli
from .test_cli_errors import refused


def _commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    inner = getattr(command, "commands", {})
    if not inner:
        yield words, command
    for name, one in inner.items():
        yield from _commands(one, (*words, name))


ROOT = whole(app)
COMMANDS = dict(_commands(ROOT))
_ASKS_FOR_WORDS = {"help"}


def _options(words: tuple[str, ...], are_lists: bool) -> Iterator[tuple[str, list[str]]]:
    """Yield the names of the options of a command, and how to type each."""
    for option in COMMANDS[words].params:
        if option.param_type_name == "option" and option.name not in _ASKS_FOR_WORDS:
            for name in (*option.opts, *option.secondary_opts):
                if option.multiple == are_lists:
                    yield name, [name] if option.is_flag else [name, "1"]


def _call(*words: str) -> None:
    ROOT.main([*words], prog_name="sledsim", standalone_mode=False)


def test_every_command_looks_at_what_it_is_given() -> None:
    assert len(COMMANDS) > 40
    assert [words for words, command in COMMANDS.items() if not isinstance(command, Command)] == []
    assert sum(len([*_options(words, are_lists=False)]) for words in COMMANDS) > 300


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_single_value_is_given_once(words: tuple[str, ...]) -> None:
    for name, given in _options(words, are_lists=False):
        with pytest.raises(sledsim.ParameterError) as found:
            _call(*words, *given, *given)
        assert "is given twice: expected it once" in str(found.value), name


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_list_is_given_as_often_as_it_has_values(words: tuple[str, ...]) -> None:
    for name, given in _options(words, are_lists=True):
        with pytest.raises(typer.TyperException) as found:
            _call(*words, *given, *given, "--no-such-option")
        assert "No such option" in str(found.value), name


def test_an_option_given_twice_is_a_line(cli: Cli) -> None:
    refused(
        cli("run", "demo", "-d", "osdi00", "--device=cf-card"),
        2,
        "--device is given twice: expected it once\n",
    )
    refused(cli("run", "demo", *(3 * ("--scale", "2"))), 2, "--scale is given 3 times: expected it once")
    scaled = cli("trace", "scale", "demo", "-2", "--out", "a.spc", "--out", "b.spc")
    refused(scaled, 2, "--out is given twice")
    assert cli("list", "--help", "--help").returncode == 0
