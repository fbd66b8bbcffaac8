"""What pages say of the command that makes them: its words, and its options with their values."""

import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from inspect import Parameter
from typing import Any, get_args

from typer.models import ArgumentInfo

from ..pages.made_by import MADE_BY, MadeBy


@contextmanager
def noted_command() -> Iterator[None]:
    """Keep the words of the program, as a shell takes them, as long as it runs."""
    before = MADE_BY.set(MadeBy(shlex.join(["sledsim", *sys.argv[1:]]), ()))
    try:
        yield
    finally:
        MADE_BY.reset(before)


def note_options(parameters: Iterable[Parameter], values: Mapping[str, Any]) -> None:
    """Keep the options of the command, if it was typed; a value that is its default was not given."""
    if (made := MADE_BY.get()) is None:
        return
    found = []
    for one in parameters:
        about = next((about for about in get_args(one.annotation)[1:] if hasattr(about, "param_decls")), None)
        if about is None or getattr(about, "hidden", False):
            continue
        value = values.get(one.name)
        # Without a name of its own Typer takes the first as the default.
        declared = [*(about.param_decls or ()), str(about.default)]
        name = _name(one, declared, isinstance(about, ArgumentInfo), getattr(about, "metavar", None))
        found.append((name, _text(value), value != one.default))
    MADE_BY.set(made._replace(options=found))


def note_more(given: Mapping[str, Any]) -> None:
    """Keep what a file says in the place of options, first of all: the page would only name the file."""
    if (made := MADE_BY.get()) is None:
        return
    found = [
        (f"{key}.{name}" if name else key, _text(value), True)
        for key, table in given.items()
        for name, value in (table.items() if isinstance(table, Mapping) else [("", table)])
    ]
    MADE_BY.set(made._replace(options=[*found, *made.options]))


def _name(one: Parameter, declared: Iterable[str], is_argument: bool, metavar: str | None) -> str:
    """An option as it is typed; an argument by its name."""
    if is_argument:
        return (metavar or one.name.upper()).rstrip(".")
    long = [name.partition("/")[0] for name in declared if name.startswith("--")]
    return long[0] if long else f"--{one.name.replace('_', '-')}"


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)
