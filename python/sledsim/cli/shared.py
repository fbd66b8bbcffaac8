"""Options as the command line has them: meaning, default and range are those of the declared options."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import typer

from ..common.declared import Declared, declared, typed
from ..exploration import question_options as rows

# Panels of a help, in which options stand that belong together.
of_device: Callable[..., Any] = partial(typer.Option, rich_help_panel="Device")
of_trace: Callable[..., Any] = partial(typer.Option, rich_help_panel="Trace")
of_address: Callable[..., Any] = partial(typer.Option, rich_help_panel="Address and contents")
of_timing: Callable[..., Any] = partial(typer.Option, rich_help_panel="Timing")
of_place: Callable[..., Any] = partial(typer.Option, rich_help_panel="Where it runs")
of_power: Callable[..., Any] = partial(typer.Option, rich_help_panel="Loss of power")
of_variation: Callable[..., Any] = partial(typer.Option, rich_help_panel="What varies")


def of_output(*names: str, **given: Any) -> Any:
    """Declare an option in the panel of outputs of a help.

    Args:
        names: The names of the option, if not that of the parameter alone.
        given: As `typer.Option` has them.
    """
    return typer.Option(*names, rich_help_panel="Output", **given)


@dataclass(frozen=True)
class Shared:
    """An option that several commands have.

    Attributes:
        name: Its name on the command line.
        row: Its declaration, with whose meaning the help of each command begins.
    """

    name: str
    row: Declared

    def __call__(self, more: str = "", *names: str, **others: Any) -> Any:
        """Declare the option for a command.

        Args:
            more: What that command adds to the meaning.
            names: Further names.
            others: As `typer.Option` has them.
        """
        given = {"min": None if self.row.low is None else int(self.row.low), **others}
        return typer.Option(self.name, *names, help=f"{_plain(self.row.meaning)}{more}.", **given)


def _plain(meaning: str) -> str:
    """A meaning without what a terminal would take for a style."""
    return meaning.replace("[", "\\[")


#: All of them.
ROWS = tuple(Shared(f"--{name}", row) for name, row in rows.SHARED.items())
(SEED, COUNT, REPLICATIONS, CONFIDENCE, PRECISION, WORKERS, SCHEDULERS, PAST_END, REPLAY, SCALE, ON) = ROWS


def option(
    group: Any, name: str, more: str = "", *, is_given: bool = True, as_option: str = "", **others: Any
) -> Any:
    """Declare an option of a group, whose default is the default of the command.

    Args:
        group: The group, a `TypedDict` of declared options.
        name: The option.
        more: What the command adds to the meaning.
        is_given: Whether the command has that default; if not, None stands for it, and its help says it.
        as_option: Its name on the command line, if another.
        others: As `typer.Option` has them.
    """
    row = declared(group)[name]
    shown = {} if is_given or row.default is None else {"show_default": typed(row.default)}
    return Shared(as_option or f"--{name.replace('_', '-')}", row)(more, **shown, **others)
