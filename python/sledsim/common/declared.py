"""Declarations of options: one declaration serves Python, command line, TOML files and reference pages.

A group of options is a `TypedDict` whose keys have a `Declared`: ``seed: Annotated[int, Declared("Seed")]``.
Functions take a group as ``**how: Unpack[Group]`` and call `settled`; the command line uses `default_of` and
`Declared.meaning`.
"""

import re
import textwrap
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from typing import Any

from .. import _native

#: Types that an option's value may have in a file, and the name of these types in words, by declared type.
_KINDS: Mapping[type, tuple[Any, str]] = {
    int: (int, "a whole number"),
    float: (int | float, "a number"),
    str: (str, "a text"),
}
#: Largest width of a docstring line in characters, and indentation of continued lines of an attribute.
_WIDTH, _INDENT = 100, " " * 12


@dataclass(frozen=True)
class Declared:
    """Declaration of an option.

    Attributes:
        meaning: Noun phrase or sentence, without full stop, that begins the description of the option
            everywhere.
        default: Value of the option if the user gives no value.
        low: Least allowed value; None for no bound.
    """

    meaning: str
    default: Any = None
    low: float | None = None

    def of(self, default: Any, **others: Any) -> "Declared":
        """Return a copy of the declaration with another default, and with other attributes in `others`."""
        return replace(self, default=default, **others)

    @property
    def limits(self) -> str:
        """Least value and default in brackets, for a help text; empty if the option has neither."""
        low = "" if self.low is None else f"from {self.low:g}"
        default = "" if self.default is None else f"default: {typed(self.default)}"
        both = "; ".join(filter(None, (low, default)))
        return f" [{both}]" if both else ""


@cache
def declared(group: Any) -> dict[str, Declared]:
    """Return the declaration of each option in a group, by name of the option.

    Args:
        group: Group of options: a `TypedDict` in which the annotation of each key has a `Declared`.
    """
    hints = typing.get_type_hints(group, include_extras=True)
    return {name: _row(hint) for name, hint in hints.items()}


def plain_kinds(group: Any) -> dict[str, tuple[Any, str]]:
    """Return number and text options of a group: the type of the value in a file, and its name in words."""
    hints = typing.get_type_hints(group)
    types_of = {name: _alternatives(hint) - {type(None)} for name, hint in hints.items()}
    return {name: kind for name, those in types_of.items() for one, kind in _KINDS.items() if those == {one}}


def _alternatives(hint: Any) -> set[Any]:
    is_union = typing.get_origin(hint) in (typing.Union, types.UnionType)
    return set(typing.get_args(hint)) if is_union else {hint}


def default_of(group: Any, name: str) -> Any:
    """Return the default value of the option `name` in a group of options."""
    return declared(group)[name].default


def settled(given: Mapping[str, Any], group: Any, function: Callable[..., Any]) -> dict[str, Any]:
    """Return the value of every option of a group by name: the value in `given`, or else the default.

    Args:
        given: Values of the options in a call, by name.
        group: Group of options: a `TypedDict` in which the annotation of each key has a `Declared`.
        function: Function that was called, whose name and arguments the error message shows.

    Raises:
        TypeError: `given` has an unknown option; the message suggests the nearest name.
        ParameterError: A number is below its least value.
    """
    rows = declared(group)
    for name, value in given.items():
        if name not in rows:
            from .signatures import names_of

            near = get_close_matches(name, names_of(function), 1)
            meant = f": did you mean {near[0]!r}?" if near else ""
            raise TypeError(f"{function.__qualname__}() got an unexpected keyword argument {name!r}{meant}")
        low = rows[name].low
        if low is not None and isinstance(value, int | float) and not value >= low:
            raise _native.ParameterError(f"{name} = {value!r}: must be a whole number from {low:g}")
    return {name: given.get(name, row.default) for name, row in rows.items()}


#: Sentences that docstrings of groups add to the declared meanings, by group and name of the option.
_TEXTS: dict[Any, dict[str, str]] = {}
_TEXT = re.compile(r"^ {8}(\w+): (.+(?:\n {12}.+)*)", re.MULTILINE)


def document_options(group: Any, base: Any = None) -> None:
    """List all options of a group in its docstring: declared meaning, and sentences that the docstring adds.

    Args:
        group: The group.
        base: Another documented group, from which `group` inherits options with their sentences.
    """
    if not group.__doc__:  # Python drops docstrings under -OO.
        return
    first, _, said = group.__doc__.partition("\n\n    Attributes:\n")
    own = {name: " ".join(text.split()) for name, text in _TEXT.findall(said)}
    texts = _TEXTS[group] = {**_TEXTS.get(base, {}), **own}
    lines = [
        line for name, row in declared(group).items() for line in _described(name, row, texts.get(name, ""))
    ]
    group.__doc__ = "\n".join([first.rstrip(), "", "    Attributes:", *lines, "    "])


def _described(name: str, row: Declared, more: str) -> list[str]:
    text = f"{name}: {row.meaning}{row.limits}.{more and f' {more}'}"
    return textwrap.wrap(text, _WIDTH, initial_indent=_INDENT[4:], subsequent_indent=_INDENT)


def _row(hint: Any) -> Declared:
    return next(one for one in hint.__metadata__ if isinstance(one, Declared))


def typed(value: Any) -> str:
    """Return the default value of an option in the form in which a user types it on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
