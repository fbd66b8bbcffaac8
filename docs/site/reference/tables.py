"""The page of the columns of tables of results: metrics of runs, keys of rows, designs."""

from collections.abc import Iterator, Mapping

from sledsim.common import units
from sledsim.runs.meanings import DESIGNS, FIGURES, POINTS, RUNS

from ..markdown import code, joined, plain, table


def pages() -> Iterator[tuple[str, str]]:
    """Yield the page of columns of tables."""
    yield (
        "generated/tables.md",
        joined(
            "# Every column of a table of results",
            "Find the meaning of each metric of `sledsim run --json` and `Run.summary()`, and of each column"
            " of the tables that `sledsim compare`, `sweep`, `design` and `optimise` write. The columns of"
            " single requests are on [another page](columns.md); each [study](studies.md) lists its columns.",
            "## Metrics",
            "The half-width of a confidence interval has `half_width` before the unit:"
            " `mean_response_half_width_s` belongs to `mean_response_s`.",
            _columns(FIGURES),
            "## Keys and state of a row",
            "Tables also have a column for each parameter that varies, named by its key.",
            _columns(POINTS),
            "## Designs",
            "`sledsim study design` and `optimise` write a row per design. A capacity belongs to the format.",
            _columns(DESIGNS),
            "## One run as JSON",
            "`sledsim run --json` has these keys beside the metrics above. A dot leads into an object, or a"
            " row of a list. `phases_s` has the phases, which are [columns of a result](columns.md), in s.",
            _columns(RUNS),
        ),
    )


def _columns(meanings: Mapping[str, str]) -> str:
    rows = ((code(key), units.of(key).stored, plain(text)) for key, text in meanings.items())
    return table(("column", "unit", "meaning"), rows)
