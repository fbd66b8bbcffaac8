"""Tables and sentences that show a sweep."""

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..common import units
from ..common.grids import Grid
from ..common.ranking import ordered
from ..exploration.sweeping import Sweep

#: Largest number of points of a sweep of which all are printed; number of the best points printed of a larger
#: sweep.
_ALL, _BEST = 40, 10
#: Number of rows that are held in memory before all but the best of them are dropped.
_KEPT = 1000
#: Columns of figures: heading, name of the figure, and factor to the unit of the heading.
_FIGURES = (
    ("Mean ms", "mean_response_s", 1e3),
    ("p99 ms", "p99_response_s", 1e3),
    ("Queue", "mean_queue_length", 1.0),
    ("Busy %", "utilization", 1e2),
    ("mJ a request", "energy_per_request_j", 1e3),
)


def parts(found: Sweep) -> Iterator[Grid | str]:
    """Yield the tables and sentences that show a sweep: its points, its progress, and its errors."""
    counts, reasons = found.counts(), found.reasons()
    yield _points(found)
    of_each = ", ".join(f"{count:,} {name}" for name, count in counts.items())
    yield f"{found.done:,} of {len(found):,} points: {of_each}."
    failed = reasons_grid(reasons)
    if failed is not None:
        yield failed
    if found.imprecise:
        yield f"Points that miss the precision after the maximum number of replications: {found.imprecise:,}."
    yield from (f"{trace}: doubtful: {text}" for trace, told in found.doubts().items() for text in told)


def reasons_grid(reasons: Mapping[str, int]) -> Grid | None:
    """Return a table of error messages with the number of points of each; None if no point failed."""
    rows = [(f"{count:,}", text) for text, count in reasons.items()]
    return Grid((">Points", "Error"), [*rows]) if rows else None


def _points(found: Sweep) -> Grid:
    """Return a table of finished points: all points, or only the best if they are too many to print."""
    if found.done <= _ALL:
        title, shown = f"{found.done:,} point{'s' if found.done != 1 else ''}", list(found.rows())
    else:
        measured = (row for row in found.rows() if row["figures"].get("mean_response_s") is not None)
        shown = _best(measured)
        title = f"The {len(shown)} of {found.done:,} points with the least mean response"
    varied = found.study.varied or ["scheduler"]
    made = Grid((*varied, *(f">{heading}" for heading, *_ in _FIGURES)), [], title)
    for row in shown:
        values = [_value(row["point"][name]) for name in varied]
        made.add_row(*values, *_cells(row))
    return made


def _best(measured: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the points with the least mean response, and hold only a limited number of rows in memory."""

    def mean_s(row: dict[str, Any]) -> float:
        return float(row["figures"]["mean_response_s"])

    kept: list[dict[str, Any]] = []
    for row in measured:
        kept.append(row)
        if len(kept) == _KEPT:
            kept = ordered(kept, mean_s)[:_BEST]
    return ordered(kept, mean_s)[:_BEST]


def _cells(row: dict[str, Any]) -> list[str]:
    if row["status"] != "ok" and "mean_response_s" not in row["figures"]:
        return [row["status"]]
    cells = [_cell(row, name, times) for _, name, times in _FIGURES]
    return [f"{cells[0]} *", *cells[1:]] if row["status"] != "ok" else cells


def _cell(row: dict[str, Any], name: str, times: float) -> str:
    value = row["figures"].get(name)
    if value is None:
        return "too short"
    return units.estimate(value * times, row["half_widths"].get(name, math.nan) * times)


def _value(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
