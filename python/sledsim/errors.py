"""Exceptions by kind: each is a `ParameterError` or a `TraceError`, and both are a `ValueError`.

The attribute ``places`` lists the places in the message, from the outside in: a file, a member, a key.
"""

from ._native import (
    NotATraceError as NotATraceError,
    ParameterError as ParameterError,
    PastEndError as PastEndError,
    TraceError as TraceError,
    UnknownNameError as UnknownNameError,
)


class NotKeptError(TraceError, KeyError):
    """A column that a result does not have: excluded from the run, or unknown."""

    def __str__(self) -> str:
        return str(self.args[0])  # A KeyError shows its key, in quotes.
