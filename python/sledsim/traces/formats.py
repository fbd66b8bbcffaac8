"""The formats of trace files: those of the core, and Parquet, which is written here."""

import difflib

from .. import _native
from ..model.tables import Entry, table

#: The format that `parquet` reads and writes.
PARQUET = "parquet"
_SUMMARY = "sledsim's own: the columns of a trace, or the requests that a run has written, as Parquet"


def rows() -> dict[str, Entry]:
    """The formats by their names."""
    return {**table("formats"), PARQUET: Entry(PARQUET, (), _SUMMARY, "", "", (), (), is_writable=True)}


def find(name: str) -> Entry:
    """The format of a name.

    Raises:
        ParameterError: There is none; the message has the nearest name.
    """
    known = rows()
    if name not in known:
        close = difflib.get_close_matches(name, known, 1)
        hint = f'did you mean "{close[0]}"? ' if close else ""
        raise _native.ParameterError(f'unknown trace format "{name}": {hint}known: {", ".join(known)}')
    return known[name]


def formats() -> dict[str, str]:
    """The trace formats that `read_trace` knows."""
    return {name: row.summary for name, row in rows().items()}


def writable_formats() -> dict[str, str]:
    """The trace formats that `write_trace` knows."""
    return {name: row.summary for name, row in rows().items() if row.is_writable}
