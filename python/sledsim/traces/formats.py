"""The formats of trace files: those of the core, and Parquet, which is written here."""

from .. import _native
from ..model.tables import table

#: The format that `parquet` reads and writes.
PARQUET = "parquet"


def formats() -> dict[str, str]:
    """The trace formats that `read_trace` knows."""
    of_the_core = {name: row.summary for name, row in table("formats").items()}
    own = "sledsim's own: the columns of a trace, or the requests that a run has written, as Parquet"
    return {**of_the_core, PARQUET: own}


def writable_formats() -> dict[str, str]:
    """The trace formats that `write_trace` knows."""
    can_be_read_only = table("formats").keys() - _native.writable_formats()
    return {name: text for name, text in formats().items() if name not in can_be_read_only}
