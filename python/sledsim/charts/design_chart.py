"""Chart of the trade-offs between response, energy and capacity of designs (004 Figure 5); needs altair."""

import math
from operator import itemgetter
from typing import Any, TypeAlias

from ..common.ranking import groups, ordered
from ..common.shown import counted
from ..exploration.design.explored_formats import FormatSpace
from ..pages.page import Table, table
from .grammar import alt, names, plot, ticked, tips
from .style import COLOURS, readable

#: Largest number of formats outside the Pareto front that are drawn; of more formats, an even selection is
#: drawn.
_POINTS_MAX = 4000
_Rows: TypeAlias = list[dict[str, Any]]
_RESPONSE = ("response_ms", "Mean response (ms, log scale)")
_ENERGY = ("energy_j", "Energy of the whole workload (J, log scale)")


def trade_offs(space: FormatSpace) -> Any:
    """Draw mean response, energy and capacity of the formats, two at a time, one panel per pair.

    Formats on the Pareto front are filled points; the best format for each goal is marked.
    """
    rows = _merged(space, _drawn(space))
    picked = {
        "least energy": space.best("energy"),
        "least response": space.best("performance"),
        "most capacity": space.best("capacity"),
        "recommended": space.recommended,
    }
    picks = [{**_point(space, row), "pick": pick} for pick, row in picked.items()]
    judged = "capacity usable for these files" if space.is_for_files else "capacity"
    capacity = ("capacity_gib", f"{judged.capitalize()} (GiB)")
    panels = [
        _panel(
            rows, picks, {"x": _axis(alt.X, across, rows), "y": _axis(alt.Y, up, rows)}, capacity[1]
        ).properties(title=title, description=says, width=300, height=280)
        for across, up, title, says in (
            (_RESPONSE, _ENERGY, "Response and energy", "Lower left is better: faster, less energy."),
            (_RESPONSE, capacity, f"Response and {judged}", "Upper left is better: faster, larger."),
            (_ENERGY, capacity, f"Energy and {judged}", "Upper left is better: less energy, larger."),
        )
    ]
    title = f"{len(space.designs):,} formats of {space.device} under {space.workload}"
    shown, front = sum(row["on_front"] for row in rows), len(space.front)
    alike = f": {front:,} formats, of which some are equal in all three" if shown < front else ""
    about = (
        f"Filled ({shown:,}{alike}): no other format is as good in response, energy and {judged} and better"
        " in one."
    )
    return readable(alt.hconcat(*panels, spacing=32), legend_columns=8, title=title, subtitle=about)


def _drawn(space: FormatSpace) -> _Rows:
    others = [row for row in space.designs if not row["on_front"]]
    step = max(1, math.ceil(len(others) / _POINTS_MAX))
    return [*others[::step], *space.front]


def _merged(space: FormatSpace, designs: _Rows) -> _Rows:
    """Merge formats with equal response, energy and capacity into one row that states their number."""
    found = []
    for rows in groups(designs, *map(itemgetter, ("mean_response_s", "energy_j", "usable_bytes"))):
        others = f", and {counted(len(rows) - 1, 'other format')}" if len(rows) > 1 else ""
        point = _point(space, rows[0])
        found.append({**point, "format": point["format"] + others, "formats": len(rows)})
    return found


def design_tables(space: FormatSpace) -> list[Table]:
    """Return a table of the front; formats with equal response, energy and capacity share a row."""
    front = _merged(space, space.front)
    rows = [
        {
            "format": row["format"],
            "formats": row["formats"],
            "mean_response_s": row["response_ms"] * 1e-3,
            "energy_j": row["energy_j"],
            "capacity (GiB)": row["capacity_gib"],
        }
        for row in ordered(front, itemgetter("response_ms"))
    ]
    return [table("The front: no other format is as good in all three, and better in one", rows)]


def _point(space: FormatSpace, row: dict[str, Any]) -> dict[str, Any]:
    return {
        "format": space.in_words(row),
        "probes": row["probes"],
        "response_ms": row["mean_response_s"] * 1e3,
        "energy_j": row["energy_j"],
        "capacity_gib": row["usable_bytes"] / 2**30,
        "on_front": row["on_front"],
    }


def _axis(channel: Any, field: tuple[str, str], rows: _Rows) -> Any:
    name, title = field
    axis = channel(f"{name}:Q", title=title)
    if name == "capacity_gib":
        return axis.scale(zero=False, nice=False, padding=12)
    return ticked(axis, (row[name] for row in rows), "~g")


def _panel(rows: _Rows, picks: _Rows, axes: dict[str, Any], capacity: str) -> Any:
    """Draw the formats over two of the three goals (`axes`), and mark the best designs (`picks`)."""
    probes = sorted({row["probes"] for row in rows})
    # The outline has the same colours as the fill, and its legend suffices.
    inside = alt.Fill("probes:O", sort=probes, legend=None).scale(scheme="viridis")
    points = plot(
        rows,
        **axes,
        color=alt.Color("probes:O", title="Active probes", sort=probes).scale(scheme="viridis"),
        fill=alt.when(alt.datum.on_front).then(inside).otherwise(alt.value("white")),
        tooltip=tips(
            *("format:N | Format", "response_ms:Q | Mean response (ms) | ,.4g"),
            *("energy_j:Q | Energy (J) | ,.4g", f"capacity_gib:Q | {capacity} | .3f"),
        ),
    )
    marks = plot(picks, **axes, shape=alt.Shape("pick:N", title="Pick", sort=names(picks, "pick")))
    rings = marks.mark_point(size=260, strokeWidth=2.5, filled=False, color=COLOURS[3])
    return points.mark_point(size=50, strokeWidth=1.5, opacity=0.9) + rings
