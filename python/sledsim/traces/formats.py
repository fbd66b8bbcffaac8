"""Trace formats: formats of the core, Parquet, and formats of installed packages."""

import difflib
from pathlib import Path

from .. import _native
from ..model import core_tables
from ..model.core_tables import Entry
from . import installed_formats
from .compression import COMPRESSED

#: Name of sledsim's own trace format, which the module `parquet` reads and writes.
PARQUET = "parquet"
_SUMMARY = "sledsim's own: the columns of a trace, or the requests of a run, as Parquet"


def built_in() -> dict[str, Entry]:
    """Return the built-in trace formats by name."""
    own = Entry(PARQUET, (), _SUMMARY, "", "", (), (), is_writable=True)
    return {**core_tables.rows("formats"), PARQUET: own}


def rows() -> dict[str, Entry]:
    """Return all trace formats by name; formats of installed packages come last."""
    known = built_in()
    installed = installed_formats.each(frozenset(known))
    return {**known, **{name: one.row for name, one in installed.items()}}


def installed(path: str, format: str | None) -> installed_formats.Installed | None:
    """Return the trace format of a file if an installed package has it; None for built-in and unknown ones.

    Args:
        path: File name; without `format`, its ending is taken as the name of the format.
        format: Name of the trace format; None takes the ending of the file name.


    Raises:
        ParameterError: The package that has the format cannot be loaded.
    """
    known = built_in()
    if format is not None:
        return None if format in known else installed_formats.find(format)
    endings = [ending for ending in Path(path).suffixes if ending not in COMPRESSED]
    ending = endings[-1].removeprefix(".") if endings else ""
    return installed_formats.find(ending) if ending and ending not in known else None


def find(name: str) -> Entry:
    """Find a trace format by name.

    Raises:
        ParameterError: No trace format has this name; the message has the most similar name.
    """
    known = built_in()
    if name in known:
        return known[name]
    if (added := installed_formats.find(name)) is not None:
        return added.row
    known = rows()
    close = difflib.get_close_matches(name, known, 1)
    hint = f'did you mean "{close[0]}"? ' if close else ""
    raise _native.ParameterError(f'unknown trace format "{name}": {hint}known: {", ".join(known)}')


def recognised_by(name: str) -> str:
    """Return, in words, by what a file of the format `name` is recognised if the user states no format."""
    if name == PARQUET:
        return "its content in a file, not through a pipe"
    return "its content" if name in built_in() else f"the ending .{name} of the file"


def formats() -> dict[str, str]:
    """List the trace formats that `read_trace` knows."""
    return {name: row.summary for name, row in rows().items()}


def writable_formats() -> dict[str, str]:
    """List the trace formats that `write_trace` knows."""
    return {name: row.summary for name, row in rows().items() if row.is_writable}
