"""Options with a new name, whose old name warns."""

from typing import TypeVar

import typer

from ..common.deprecation import notice
from .output import print_note

_Value = TypeVar("_Value")


def taken(value: _Value | None, old: _Value | None, name: str, option: str) -> _Value | None:
    """The value of an option, or of its old name, which warns.

    Args:
        value: As given by the name of now.
        old: As given by the old name.
        name: The old name, as `GOING` has it.
        option: The name of now.

    Raises:
        BadParameter: Both are given.
    """
    if old is None:
        return value
    print_note(notice(name))
    if value is not None:
        raise typer.BadParameter(f"expected {option} alone, found its old name, too")
    return old
