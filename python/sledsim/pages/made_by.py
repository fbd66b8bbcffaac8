"""The command that makes pages, where there is one: it is known only to the command line."""

from collections.abc import Sequence
from contextvars import ContextVar
from typing import NamedTuple


class MadeBy(NamedTuple):
    """A command.

    Attributes:
        command: As a shell takes it.
        options: The name of each option, its value, and whether it was given.
    """

    command: str
    options: Sequence[tuple[str, str, bool]]


#: None where a program calls the library.
MADE_BY: ContextVar[MadeBy | None] = ContextVar("MADE_BY", default=None)
