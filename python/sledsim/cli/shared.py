"""Command-line options whose help, default and range come from the options of Python functions."""

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
of_power: Callable[..., Any] = partial(typer.Option, rich_help_panel="Power failure")
of_variation: Callable[..., Any] = partial(typer.Option, rich_help_panel="Varied parameters")


def of_output(*names: str, **given: Any) -> Any:
    """Declare an option that the help of a command lists in its panel "Output".

    Args:
        names: Names of the option, such as ``--json``; without names, the name of the function's parameter.
        given: Further arguments of `typer.Option`, which makes the option.
    """
    return typer.Option(*names, rich_help_panel="Output", **given)


@dataclass(frozen=True)
class Shared:
    """An option that several commands have.

    Attributes:
        name: Name on the command line.
        row: Declaration with meaning, default and range; the help text begins with the meaning.
    """

    name: str
    row: Declared

    def __call__(self, more: str = "", *names: str, **others: Any) -> Any:
        """Declare the option for a command.

        Args:
            more: Text that the command adds to the meaning in the help.
            names: Further names of the option, such as ``-n``.
            others: Further arguments of `typer.Option`, which makes the option.
        """
        given = {"min": None if self.row.low is None else int(self.row.low), **others}
        return typer.Option(self.name, *names, help=_sentence(f"{_plain(self.row.meaning)}{more}"), **given)


def _sentence(text: str) -> str:
    """Return a help text with a full stop at its end, unless it ends with ``[default: ...]``."""
    return text if text.endswith("]") and "[default" in text else f"{text}."


def _plain(meaning: str) -> str:
    """Escape the square brackets in a meaning, because `rich` would read them as a style."""
    return meaning.replace("[", "\\[")


#: Declarations of the options that several commands have, such as ``--seed``.
ROWS = tuple(Shared(f"--{name}", row) for name, row in rows.SHARED.items())
(SEED, COUNT, REPLICATIONS, CONFIDENCE, PRECISION, WORKERS, SCHEDULERS, PAST_END, REPLAY, SCALE, ON) = ROWS


def option(
    group: Any, name: str, more: str = "", *, is_given: bool = True, as_option: str = "", **others: Any
) -> Any:
    """Declare a command-line option for an option of a function.

    Args:
        group: The `TypedDict` that declares the options of the function.
        name: Name of the option in the group.
        more: Text that the command adds to the meaning in the help.
        is_given: True if the command uses the declared default. False if the command's default is None, and
            the declared default is only shown in the help.
        as_option: Name on the command line; by default, ``--`` and the name in the group, with hyphens.
        others: Further arguments of `typer.Option`, which makes the option.
    """
    row = declared(group)[name]
    shown = {} if is_given or row.default is None else {"show_default": typed(row.default)}
    return Shared(as_option or f"--{name.replace('_', '-')}", row)(more, **shown, **others)
