"""The page of the columns of a result."""

from collections.abc import Iterator

from sledsim import _native
from sledsim.model.catalogue import column_sets

from ..markdown import code, joined, plain, table

#: Columns that are made of others where a result is shown or written.
_DERIVED = (("response_ns", "times", "i64", "ns"), ("where", "phases", "text", ""))


def pages() -> Iterator[tuple[str, str]]:
    """One page."""
    meanings = dict(_native.selectable_columns())
    rows = [(name, of, values, unit, text) for name, of, values, unit, _, text in _native.result_columns()]
    rows += [(*cells, meanings[cells[0]]) for cells in _DERIVED]
    sets = ((code(name), plain(meanings[name])) for name in (*column_sets(), "all", "none"))
    yield (
        "generated/columns.md",
        joined(
            "# Every column of a result",
            "Look up here what a column of `Run.requests`, or of the Parquet file of a run, means."
            " There is one row a request, in order of arrival. Times count from the start of the trace.",
            "In every row"
            " `completion - start = command + wait + positioning + hold + switch + transfer + bus`.",
            "On a [volume](volumes/index.md) start and phases are those of the part that was served last.",
            "## Columns",
            table(
                ("column", "set", "type", "unit", "meaning"),
                ((code(name), of, values, unit, plain(text)) for name, of, values, unit, text in rows),
            ),
            "## Sets of columns",
            "Sets are named together, as in `sledsim run demo --columns times,energy_j --out run.parquet`.",
            table(("set", "columns of"), sets),
        ),
    )
