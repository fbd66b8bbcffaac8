"""Options of the command line, with meaning, default and range of the declared options."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import typer

from ..common.declared import Declared, declared, typed
from ..exploration import question_options as rows

# Panels of a help, with options of one subject each.
of_device: Callable[..., Any] = partial(typer.Option, rich_help_panel="Device")
of_trace: Callable[..., Any] = partial(typer.Option, rich_help_panel="Trace")
of_address: Callable[..., Any] = partial(typer.Option, rich_help_panel="Address and contents")
of_timing: Callable[..., Any] = partial(typer.Option, rich_help_panel="Timing")
of_place: Callable[..., Any] = partial(typer.Option, rich_help_panel="Execution")
of_power: Callable[..., Any] = partial(typer.Option, rich_help_panel="Loss of power")
of_variation: Callable[..., Any] = partial(typer.Option, rich_help_panel="Varied parameters")


def of_output(*names: str, **given: Any) -> Any:
    """Declare an option in the panel of outputs of a help.

    Args:
        names: Names of the option, if they differ from the parameter.
        given: Arguments of `typer.Option`.
    """
    return typer.Option(*names, rich_help_panel="Output", **given)


@dataclass(frozen=True)
class Shared:
    """An option that several commands have.

    Attributes:
        name: Name on the command line.
        row: Declaration of the option; the help of each command begins with its meaning.
    """

    name: str
    row: Declared

    def __call__(self, more: str = "", *names: str, **others: Any) -> Any:
        """Declare the option for a command.

        Args:
            more: Text that the command adds to the meaning.
            names: Further names.
            others: Further arguments of `typer.Option`.
        """
        given = {"min": None if self.row.low is None else int(self.row.low), **others}
        return typer.Option(self.name, *names, help=_sentence(f"{_plain(self.row.meaning)}{more}"), **given)


def _sentence(text: str) -> str:
    """End a text with a full stop, unless it ends with its default in brackets."""
    return text if text.endswith("]") and "[default" in text else f"{text}."


def _plain(meaning: str) -> str:
    """Escape the brackets in a meaning, which a terminal would take for a style."""
    return meaning.replace("[", "\\[")


#: All shared options.
ROWS = tuple(Shared(f"--{name}", row) for name, row in rows.SHARED.items())
(SEED, COUNT, REPLICATIONS, CONFIDENCE, PRECISION, WORKERS, SCHEDULERS, PAST_END, REPLAY, SCALE, ON) = ROWS


def option(
    group: Any, name: str, more: str = "", *, is_given: bool = True, as_option: str = "", **others: Any
) -> Any:
    """Declare an option of a group, with the default of the declaration.

    Args:
        group: The group, a `TypedDict` of declared options.
        name: The option.
        more: Text that the command adds to the meaning.
        is_given: True if the command has that default; otherwise its default is None and its help shows the
            default.
        as_option: Name on the command line, if it differs.
        others: Further arguments of `typer.Option`.
    """
    row = declared(group)[name]
    shown = {} if is_given or row.default is None else {"show_default": typed(row.default)}
    return Shared(as_option or f"--{name.replace('_', '-')}", row)(more, **shown, **others)
