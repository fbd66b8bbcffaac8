"""Renamed options, whose old names warn."""

from typing import TypeVar

import typer

from ..common.deprecation import notice
from .output import print_note

_Value = TypeVar("_Value")


def taken(value: _Value | None, old: _Value | None, name: str, option: str) -> _Value | None:
    """Return the value of an option, given by its new or its old name; the old name warns.

    Args:
        value: Value given by the new name.
        old: Value given by the old name.
        name: The old name, as in `GOING`.
        option: The new name.

    Raises:
        BadParameter: Both are given.
    """
    if old is None:
        return value
    print_note(notice(name))
    if value is not None:
        raise typer.BadParameter(f"expected {option} alone, found its old name, too")
    return old
