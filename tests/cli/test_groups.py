"""Groups of options: the options of a command, the object that it receives, and short signatures."""

import ast
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Annotated

import typer
from typer.testing import CliRunner

import sledsim
from sledsim.cli.shell import App, Group, spread

#: Most parameters of a function.
MOST_PARAMETERS = 9


@dataclass(frozen=True)
class Size:
    width: Annotated[int, typer.Option(help="How wide.")]
    depth: Annotated[int, typer.Option(help="How deep.")] = 2


@dataclass(frozen=True)
class Box(Size):
    height: Annotated[int, typer.Option(help="How high.")] = 3


def test_a_group_stands_for_its_options() -> None:
    found: list[tuple[str, Box, bool]] = []

    def command(
        *, name: Annotated[str, typer.Argument(help="Of it.")], box: Box, is_open: bool = False
    ) -> None:
        """Make a box."""
        found.append((name, box, is_open))

    made = spread(command)
    assert list(signature(made).parameters) == ["name", "width", "depth", "height", "is_open"]
    app = typer.Typer()
    app.command()(made)
    assert CliRunner().invoke(app, ["case", "--height", "9", "--width", "1", "--is-open"]).exit_code == 0
    assert CliRunner().invoke(app, ["case"]).exit_code == 2
    assert found == [("case", Box(1, 2, 9), True)]


def test_no_function_of_the_command_line_has_a_long_signature() -> None:
    folder = Path(sledsim.__file__).parent / "cli"
    functions = {
        f"{path.name} {node.name}": len([*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs])
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef)
    }
    assert len(functions) > 300
    long = {name: count for name, count in functions.items() if count > MOST_PARAMETERS}
    assert long == {}, "make what belongs together a group: a dataclass of options"


def test_the_help_of_a_group_shows_what_is_typed_next() -> None:
    """Help lists the options of the command whose name may be left out, after the commands."""
    app = App(cls=Group)

    def run(*, box: Box) -> None:
        """Make a box."""

    def status() -> None:
        """Look at boxes."""

    for command in (run, status):
        app.command(command.__name__)(spread(command))
    for words in (["--help"], ["--width", "1", "--help"]):
        shown = CliRunner().invoke(app, words).output
        assert [option in shown for option in ("--width", "--depth", "--height")] == [True] * 3
        assert ("Look at boxes." in shown) is (words == ["--help"])
