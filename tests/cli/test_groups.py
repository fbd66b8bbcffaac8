"""Groups of options: what a command has of them, and what it is handed."""

from dataclasses import dataclass
from inspect import signature
from typing import Annotated

import typer
from typer.testing import CliRunner

from sledsim.cli.groups import spread


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
