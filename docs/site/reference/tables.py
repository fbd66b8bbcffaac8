"""The page of the columns of tables of results: figures of runs, what a row is of, designs."""

from collections.abc import Iterator, Mapping

from sledsim.common import units
from sledsim.runs.meanings import DESIGNS, FIGURES, POINTS, RUNS

from ..markdown import code, joined, plain, table


def pages() -> Iterator[tuple[str, str]]:
    """One page."""
    yield (
        "generated/tables.md",
        joined(
            "# Every figure of a table of results",
            "Look up here what a figure of `sledsim run --json` and `Run.summary()` means, or a column of the"
            " tables that `sledsim compare`, `sweep`, `design` and `optimise` write. What stands in the row"
            " of a request is on [another page](columns.md); a [study](studies.md) says what its table has.",
            "## Figures",
            "Half of an interval has `half_width` before the unit: `mean_response_half_width_s` is that of"
            " `mean_response_s`.",
            _columns(FIGURES),
            "## What a row is of, and its state",
            "Tables have a column, too, for what varies, under its key.",
            _columns(POINTS),
            "## Designs",
            "`sledsim study design` and `optimise` write a row a design. A capacity is that of the format.",
            _columns(DESIGNS),
            "## One run as JSON",
            "`sledsim run --json` has this beside the figures above. A dot leads into an object, or a row"
            " of a list. `phases_s` has the phases that are [columns of a result](columns.md), in seconds.",
            _columns(RUNS),
        ),
    )


def _columns(meanings: Mapping[str, str]) -> str:
    rows = ((code(key), units.of(key).stored, plain(text)) for key, text in meanings.items())
    return table(("column", "unit", "meaning"), rows)
