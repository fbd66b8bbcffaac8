"""Exceptions by kind: all are one of `ParameterError` and `TraceError`, which are a `ValueError` each.

``places`` of an exception are those that its message names, from the outside in: a file, a member, a key.
"""

from ._native import (
    NotATraceError as NotATraceError,
    ParameterError as ParameterError,
    PastEndError as PastEndError,
    TraceError as TraceError,
    UnknownNameError as UnknownNameError,
)


class NotKeptError(TraceError, KeyError):
    """A column that a result does not have: it was not kept, or there is none of that name."""

    def __str__(self) -> str:
        return str(self.args[0])  # A KeyError shows its key, in quotes.
