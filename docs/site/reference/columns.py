"""The page of the columns of a result."""

from collections.abc import Iterator

from sledsim import _native
from sledsim.model.catalogue import column_sets

from ..markdown import code, joined, plain, table

#: Columns derived from others when a result is shown or written.
_DERIVED = (("response_ns", "times", "i64", "ns"), ("where", "phases", "text", ""))


def pages() -> Iterator[tuple[str, str]]:
    """Yield the page of columns."""
    meanings = dict(_native.selectable_columns())
    rows = [(name, of, values, unit, text) for name, of, values, unit, _, text in _native.result_columns()]
    rows += [(*cells, meanings[cells[0]]) for cells in _DERIVED]
    sets = ((code(name), plain(meanings[name])) for name in (*column_sets(), "all", "none"))
    yield (
        "generated/columns.md",
        joined(
            "# Every column of a result",
            "Find the meaning of each column of `Run.requests` and of the Parquet file of a run."
            " A row is a request, in order of arrival. Times count from the start of the trace.",
            "In every row"
            " `completion - start = command + wait + positioning + hold + switch + transfer + bus`.",
            "On a [volume](volumes/index.md) start and phases belong to the part that was served last.",
            "## Columns",
            table(
                ("column", "set", "type", "unit", "meaning"),
                ((code(name), of, values, unit, plain(text)) for name, of, values, unit, text in rows),
            ),
            "## Sets of columns",
            "Select sets and columns by name: `sledsim run demo --columns times,energy_j --out run.parquet`.",
            table(("set", "columns of"), sets),
        ),
    )
