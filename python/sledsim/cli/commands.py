"""Commands and their groups: options given once, a first word that may be no command."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from .. import _native
from ..common.claims import registered
from .groups import spread
from .paths import claim_paths


class Command(TyperCommand):
    """A command that refuses what would be lost: an option given twice, a file given for two purposes."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the words of a command line.

        Raises:
            ParameterError: An option that is no list is given more than once, or two name one file.
        """
        if not ctx.resilient_parsing:
            *_, given = self.make_parser(ctx).parse_args(args=[*args])
            for option, times in Counter(given).items():
                if times > 1 and option.param_type_name == "option" and not _may_repeat(option):
                    name, often = max(option.opts, key=len), "twice" if times == 2 else f"{times} times"
                    raise _native.ParameterError(f"{name} is given {often}: expected it once")
        left = super().parse_args(ctx, args)
        if not ctx.resilient_parsing:
            register = ctx.with_resource(registered())
            claim_paths(register, self.get_params(ctx), ctx.params)
        return left


def _may_repeat(option: Any) -> bool:
    """Whether nothing is lost where an option comes again: it is a list, or only asks for words as help."""
    return bool(option.multiple or option.count or option.is_eager)


class Group(TyperGroup):
    """A group whose first word may be no command: then it is the first argument of a default command.

    Attributes:
        default: The name of that command.
        may_be_empty: Whether it is also meant where no word is given.
    """

    default = "run"
    may_be_empty = False

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Name the default command where another word or an option comes first."""
        is_default = args[0] not in self.commands if args else self.may_be_empty
        if is_default and not {*args[:1]} & {*ctx.help_option_names} and (args or not ctx.resilient_parsing):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


class App(typer.Typer):
    """A program, or a group of its commands, each of which is a `Command`."""

    def command(
        self, name: str | None = None, *, cls: type[TyperCommand] | None = None, **others: Any
    ) -> Callable[[Any], Any]:
        """As Typer has it."""
        return super().command(name, cls=cls or Command, **others)

    def add(
        self,
        name: str,
        one: "Callable[..., None] | App",
        panel: str | None = None,
        hidden: bool = False,
        cls: type[Command] | None = None,
    ) -> None:
        """Add a command or a group of commands to a panel of the help; groups of options are spread."""
        if isinstance(one, App):
            self.add_typer(one, name=name, rich_help_panel=panel, hidden=hidden)
        else:
            self.command(name, cls=cls, rich_help_panel=panel, hidden=hidden)(spread(one))
