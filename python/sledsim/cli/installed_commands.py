"""Commands of installed packages, beside those of the program."""

from collections.abc import Mapping
from copy import copy
from inspect import isfunction
from typing import Any

import typer
from typer.core import TyperGroup

from ..common import packages
from .shell import App, spread

#: The heading in the help of the program, of commands that name none.
_PANEL = "Commands of installed packages"


class Program(TyperGroup):
    """The commands of the program, and those of installed packages, which are loaded when they are named.

    What an entry point in ``sledsim.commands`` names is a function that Typer takes, or a `typer.Typer`. The
    help is the first page, where a group that names a panel stands in it. Completion knows all commands that
    are not hidden.
    """

    #: The built-in commands of the first page, in their order.
    first_page: tuple[str, ...] = ()

    #: The built-in commands, those that are not on the first page included; None before there is a page.
    built_in: Mapping[str, Any] | None = None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the first page."""
        page = copy(self)
        page.built_in = self.commands
        page.commands = {name: self.commands[name] for name in self.first_page}
        TyperGroup.format_help(page, ctx, formatter)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all, those of packages last."""
        found: list[str] = []

        def add(one: packages.Added) -> None:
            if one.name in (self.built_in or self.commands):
                raise one.wrong("has the name of a built-in command")
            _made(one)
            found.append(one.name)

        packages.each("command", add)
        return [*super().list_commands(ctx), *found]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name; None if there is none.

        Raises:
            ParameterError: The package that has it cannot be used.
        """
        known = super().get_command(ctx, cmd_name)
        if known is not None or cmd_name.startswith("-"):
            return known
        one = packages.added("command", cmd_name)
        return None if one is None else _made(one)


#: The commands that were made, by name.
_MADE: dict[str, Any] = {}


def _made(one: packages.Added) -> Any:
    if one.name not in _MADE:
        found, around = one.load(), App(add_completion=False)
        if isinstance(found, typer.Typer):
            around.add_typer(found, name=one.name)
            command: Any = typer.main.get_group(around).commands[one.name]
        elif isfunction(found):
            around.command(one.name)(spread(found))
            command = typer.main.get_command(around)
        else:
            raise one.wrong(f"expected a function or a typer.Typer, found {found!r}")
        said = (command.help or "").strip().partition("\n")[0]
        command.short_help = said if one.package == packages.OWN else one.marked(said.rstrip("."))
        # Typer keeps that of a group in the group, and forgets it where the group is added.
        panel = getattr(found, "rich_help_panel", None)
        command.rich_help_panel = panel if isinstance(panel, str) else _PANEL
        _MADE[one.name] = command
    return _MADE[one.name]


def whole(app: typer.Typer) -> Program:
    """The program with the commands of installed packages among its own, for whoever walks over all of them.

    Args:
        app: The one of the program.
    """
    found: Program = typer.main.get_command(app)  # type: ignore[assignment]
    for name in found.list_commands(None):
        found.commands.setdefault(name, found.get_command(None, name))
    return found
