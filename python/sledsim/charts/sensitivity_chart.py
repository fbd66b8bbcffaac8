"""The chart of Sobol' indices: the share of a figure's variance that each factor causes."""

import math
import textwrap
from typing import Any

from ..common.ranking import ordered
from ..exploration.sobol_sensitivity import Sensitivity
from ..pages.page import Table, table
from .grammar import alt, plot, tips, unfolded
from .style import COLOURS, readable

_WIDTH, _STEP = 560, 44
#: Largest number of characters in a line of the subtitle.
_LINE = 112
_KINDS = {"first": "alone (first index)", "total": "with all others (total index)"}


def sensitivity_chart(found: Sensitivity) -> Any:
    """Draw a panel per figure: the Sobol' indices of each factor, and those of a dummy factor without effect.

    The indices of the dummy factor show the size of the noise.
    """
    inert = {(figure, name) for figure, indices in found.indices.items() for name in indices.inert}
    left_out = {*inert, *((figure, "sum of first") for figure in found.indices)}
    rows = [row for row in found.rows() if (row["figure"], row["factor"]) not in left_out]
    panels = [_panel([row for row in rows if row["figure"] == figure], figure) for figure in found.indices]
    subtitle = [line for sentence in found.in_words() for line in textwrap.wrap(sentence, _LINE)]
    title = f"{found.workload} on {found.samples:,} devices like {found.device}"
    return readable(alt.vconcat(*panels, spacing=24), title=title, subtitle=subtitle)


def _panel(rows: list[dict[str, Any]], figure: str) -> Any:
    known = [row for row in rows if row["total"] is not None and math.isfinite(row["total"])]
    order = [row["factor"] for row in ordered(known, lambda row: -row["total"], size=1)]
    flat = [
        {
            "factor": row["factor"],
            "kind": row["kind"],
            "index": row["index"],
            "low": row[f"{row['of']}_low"],
            "high": row[f"{row['of']}_high"],
        }
        for row in (
            {**row, "of": of} for of in _KINDS for row in unfolded(known, {of: _KINDS[of]}, "kind", "index")
        )
    ]
    color = alt.Color("kind:N", title="Share of the variance", scale=_scale()).legend(labelLimit=400)
    offset = alt.YOffset("kind:N", sort=list(_KINDS.values()))
    base = plot(flat, y=alt.Y("factor:N", sort=order, title=None), yOffset=offset, color=color)
    told = tips("factor:N", "kind:N", "index:Q | Index | .3f", "low:Q | From | .3f", "high:Q | To | .3f")
    axis = alt.X("low:Q", title=f"Part of the variance of {figure}, with its 95 % interval")
    bars = base.encode(x=axis, x2="high:Q", tooltip=told).mark_rule(strokeWidth=2)
    points = base.encode(x="index:Q", tooltip=told).mark_point(filled=True, size=70)
    zero = plot([{"at": 0}], x="at:Q").mark_rule(strokeDash=[3, 3])
    says = f"Share of the variance of {figure} due to each parameter; the dummy has no effect."
    return alt.layer(zero, bars, points).properties(
        title=f"Causes of variation of {figure}", description=says, width=_WIDTH, height={"step": _STEP / 2}
    )


def sensitivity_tables(found: Sensitivity) -> list[Table]:
    """Return a table of all indices with their intervals, and a table of the factors."""
    varied = [{"parameter": one.name, "values": str(one)} for one in found.factors.varied]
    derived = [{"parameter": key, "values": f"= {how}"} for key, how in found.factors.derived.items()]
    return [
        table("Indices of each parameter, with 95 % intervals", found.rows()),
        table("Factors", varied + derived),
    ]


def _scale() -> Any:
    return alt.Scale(domain=list(_KINDS.values()), range=COLOURS[:2])
