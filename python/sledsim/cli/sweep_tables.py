"""Tables of sweeps for people."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table

from ..common import units
from .output import table

if TYPE_CHECKING:
    from ..exploration.status import Status
    from ..exploration.sweep import Sweep

#: Up to so many points are all printed; of more only the best.
_ALL, _BEST = 40, 10
#: Points that are kept until the best of them are taken.
_KEPT = 1000
#: Heading, figure, and what it is multiplied by.
_FIGURES = (
    ("Mean ms", "mean_response_s", 1e3),
    ("p99 ms", "p99_response_s", 1e3),
    ("Queue", "mean_queue_length", 1.0),
    ("Busy %", "utilization", 1e2),
    ("mJ a request", "energy_per_request_j", 1e3),
)


def points_table(found: "Sweep") -> tuple[str, Table]:
    """A title and the points with their figures: all, or those with the least mean response."""
    if found.done <= _ALL:
        title, shown = f"{found.done:,} point{'s' if found.done != 1 else ''}", list(found.rows())
    else:
        measured = (row for row in found.rows() if row["figures"].get("mean_response_s") is not None)
        shown = _best(measured)
        title = f"The {len(shown)} of {found.done:,} points with the least mean response"
    varied = found.study.varied or ["scheduler"]
    headings = [heading for heading, *_ in _FIGURES]
    made = table(*varied, *headings, numbers=tuple(headings))
    for row in shown:
        values = [_value(row["point"][name]) for name in varied]
        made.add_row(*values, *_cells(row))
    return title, made


def _best(measured: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The points with the least mean response, of more than fit into memory."""
    from ..common.ranking import ordered

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


def status_table(found: Sequence["Status"]) -> Table:
    """A row a study: how far it is, and what it took."""
    headings = ("Points", "Done", "Failed", "CPU time", "Left, on one processor", "Machines")
    made = table("Study", "Of what", *headings, numbers=headings)
    for one in found:
        left = one.left_cpu_s
        made.add_row(
            one.study if one.batches == 1 else f"{one.study} and {one.batches - 1:,} more",
            one.about,
            f"{one.points:,}",
            f"{one.done / one.points:.1%}",
            f"{one.counts.get('failed', 0):,}",
            units.duration(one.cpu_s),
            "?" if left is None else units.duration(left),
            f"{len(one.hosts):,}",
        )
    return made


def reasons_table(reasons: Mapping[str, int]) -> Table | None:
    """Why points failed, a row a reason; None if none did."""
    if not reasons:
        return None
    headings = ("Points", "Why they have no figures")
    return table(
        *headings, numbers=headings[:1], rows=((f"{count:,}", text) for text, count in reasons.items())
    )
