"""The command that wrote a page; only the command line sets it."""

from collections.abc import Sequence
from contextvars import ContextVar
from typing import NamedTuple


class MadeBy(NamedTuple):
    """A command of the user, which a page shows.

    Attributes:
        command: The whole command, quoted for a shell.
        options: Options of the command: name, value, and True if the user set the option, False if the value
            is the default.
    """

    command: str
    options: Sequence[tuple[str, str, bool]]


#: The command that is running; None if a Python program calls the library.
MADE_BY: ContextVar[MadeBy | None] = ContextVar("MADE_BY", default=None)
