"""The command that makes a page, set only by the command line."""

from collections.abc import Sequence
from contextvars import ContextVar
from typing import NamedTuple


class MadeBy(NamedTuple):
    """A command.

    Attributes:
        command: The command, quoted for a shell.
        options: Name and value of each option, and True if the user gave the option.
    """

    command: str
    options: Sequence[tuple[str, str, bool]]


#: The running command; None if a program calls the library.
MADE_BY: ContextVar[MadeBy | None] = ContextVar("MADE_BY", default=None)
