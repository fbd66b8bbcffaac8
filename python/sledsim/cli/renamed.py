"""Options with a new name: the old name still works, and prints a warning."""

from typing import TypeVar

import typer

from ..common.deprecation import notice
from .output import print_note

_Value = TypeVar("_Value")


def taken(value: _Value | None, old: _Value | None, name: str, option: str) -> _Value | None:
    """Return the value of an option that has a new name; its old name prints a warning.

    Args:
        value: Value given with the new name, or None.
        old: Value given with the old name, or None.
        name: The old name with its command, as in `GOING`.
        option: The new name.

    Raises:
        BadParameter: The option is given with both names.
    """
    if old is None:
        return value
    print_note(notice(name))
    if value is not None:
        raise typer.BadParameter(f"expected {option} alone, found also its old name: remove the old name")
    return old
