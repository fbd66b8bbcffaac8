"""Formats of trace files: formats of the core, Parquet, and formats of installed packages."""

import difflib
from pathlib import Path

from .. import _native
from ..model import core_tables
from ..model.core_tables import Entry
from . import installed_formats
from .compression import COMPRESSED

#: Format that `parquet` reads and writes.
PARQUET = "parquet"
_SUMMARY = "sledsim's own: the columns of a trace, or the requests of a run, as Parquet"


def built_in() -> dict[str, Entry]:
    """The formats of sledsim by name."""
    own = Entry(PARQUET, (), _SUMMARY, "", "", (), (), is_writable=True)
    return {**core_tables.rows("formats"), PARQUET: own}


def rows() -> dict[str, Entry]:
    """All formats by name, formats of installed packages last."""
    known = built_in()
    installed = installed_formats.each(frozenset(known))
    return {**known, **{name: one.row for name, one in installed.items()}}


def installed(path: str, format: str | None) -> installed_formats.Installed | None:
    """The format of an installed package by name or by the ending of a file; None for other formats.

    Raises:
        ParameterError: The package of the format cannot be used.
    """
    known = built_in()
    if format is not None:
        return None if format in known else installed_formats.find(format)
    endings = [ending for ending in Path(path).suffixes if ending not in COMPRESSED]
    ending = endings[-1].removeprefix(".") if endings else ""
    return installed_formats.find(ending) if ending and ending not in known else None


def find(name: str) -> Entry:
    """Find a format by name.

    Raises:
        ParameterError: The format does not exist; the message has the nearest name.
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
    """Feature by which a file of this format is recognised if no format is named."""
    if name == PARQUET:
        return "its content in a file, not through a pipe"
    return "its content" if name in built_in() else f"the ending .{name} of the file"


def formats() -> dict[str, str]:
    """List the trace formats that `read_trace` knows."""
    return {name: row.summary for name, row in rows().items()}


def writable_formats() -> dict[str, str]:
    """List the trace formats that `write_trace` knows."""
    return {name: row.summary for name, row in rows().items() if row.is_writable}
