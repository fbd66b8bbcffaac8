"""Commands that installed packages add to the program."""

from collections.abc import Mapping
from copy import copy
from inspect import isfunction
from typing import Any

import typer
from typer.core import TyperGroup

from ..common import packages
from .shell import App, spread

#: Heading in the main help above the commands of installed packages that state no heading.
_PANEL = "Commands of installed packages"


class Program(TyperGroup):
    """Group of all commands: built-in ones, and those of installed packages, loaded at first use.

    An entry point in ``sledsim.commands`` names a function that Typer takes, or a `typer.Typer`. The main
    help shows only the commands of the first page; completion offers all commands that are not hidden.
    """

    #: Names of the built-in commands that the main help shows, in order.
    first_page: tuple[str, ...] = ()

    #: All built-in commands by name, in the copy of the program that prints the main help; None elsewhere.
    built_in: Mapping[str, Any] | None = None

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Print the main help, which shows only the commands of the first page."""
        page = copy(self)
        page.built_in = self.commands
        page.commands = {name: self.commands[name] for name in self.first_page}
        TyperGroup.format_help(page, ctx, formatter)

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the built-in commands, followed by those of installed packages."""
        found: list[str] = []

        def add(one: packages.Added) -> None:
            if one.name in (self.built_in or self.commands):
                raise one.wrong("has the name of a built-in command")
            _made(one)
            found.append(one.name)

        packages.each("command", add)
        return [*super().list_commands(ctx), *found]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command called `cmd_name`, or None if no command has this name.

        Raises:
            ParameterError: The installed package that adds the command cannot be used.
        """
        known = super().get_command(ctx, cmd_name)
        if known is not None or cmd_name.startswith("-"):
            return known
        one = packages.added("command", cmd_name)
        return None if one is None else _made(one)


#: Commands of installed packages that have been loaded, by name.
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
        # Typer keeps the panel in the group, and drops it when the group is added.
        panel = getattr(found, "rich_help_panel", None)
        command.rich_help_panel = panel if isinstance(panel, str) else _PANEL
        _MADE[one.name] = command
    return _MADE[one.name]


def whole(app: typer.Typer) -> Program:
    """Return the program with the commands of all installed packages loaded, to visit every command.

    Args:
        app: The Typer app of the program.
    """
    found: Program = typer.main.get_command(app)  # type: ignore[assignment]
    for name in found.list_commands(None):
        found.commands.setdefault(name, found.get_command(None, name))
    return found
