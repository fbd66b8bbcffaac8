"""The chart of a condition on plausible devices: by how much it holds or fails, over one parameter."""

import textwrap
from typing import Any

from ..common.units import quantity
from ..exploration.holding import Holding
from ..exploration.optimising.phrases import shown
from ..exploration.sample import figure_name
from ..pages.page import Table, table
from .grammar import alt, colour, plot, tips
from .style import readable

_WIDTH, _HEIGHT = 560, 320
#: Largest number of characters in a line of the subtitle.
_LINE = 100
_ANSWERS = {True: "holds", False: "does not hold"}
#: Largest margin on the axis: the relative difference between the two sides of the condition. Larger margins,
#: as in saturated runs, are drawn at this value.
_MOST = 2.0


def holding_chart(found: Holding) -> Any:
    """Draw a point per run: by how much the condition holds or fails, over the most influential factor."""
    factor = found.split.factor if found.split else found.factors.names[0]
    rows = [
        {
            "factor": row[factor],
            "margin": max(-_MOST, min(_MOST, row["margin"])),
            "answer": _ANSWERS[row["holds"]],
        }
        for row in found.table().to_pylist()
        if row["holds"] is not None
    ]
    is_number = all(isinstance(row["factor"], int | float) for row in rows)
    kind, scale = ("Q", alt.Scale(zero=False)) if is_number else ("N", alt.Undefined)
    channels = {
        "x": alt.X(f"factor:{kind}", title=factor, scale=scale),
        "y": alt.Y("margin:Q", title="Margin (share of the right side)", axis=_PER_CENT),
        "color": colour("answer", "Condition", list(_ANSWERS.values())),
        "tooltip": tips(f"factor:{kind} | {factor}", "margin:Q | Margin | .1%", "answer:N | Answer"),
    }
    layers = [plot([{"at": 0}], y="at:Q").mark_rule(strokeDash=[3, 3]), plot(rows, **channels).mark_point()]
    if found.split and found.split.threshold is not None:
        layers.append(plot([{"at": found.split.threshold}], x="at:Q").mark_rule())
    says = "Each point is a run; above the dashed line the condition holds. The vertical line separates best."
    chart = alt.layer(*layers).properties(description=says, width=_WIDTH, height=_HEIGHT)
    said = [found.sentence(), *found.in_words()]
    lines = [line for sentence in said for line in textwrap.wrap(sentence, _LINE)]
    return readable(chart, title=f"{found.condition}, under {found.workload}", subtitle=lines)


def holding_tables(found: Holding) -> list[Table]:
    """Return tables of Sobol' indices, of the devices nearest to the edge on both sides, and of all runs."""
    tables = [table(f"Deciding factors: shares of the variance of {found.condition}", found.index_rows())]
    examples = [
        {
            "answer": _ANSWERS[one.holds],
            **{
                name: quantity(figure_name(name.partition("(")[0]), value)
                for name, value in one.figures.items()
            },
            "device": name,
            "parameters": ", ".join(f"{key}={shown(value)}" for key, value in changes.items()),
        }
        for one in (found.for_it, found.against)
        if one is not None
        for name, changes in one.changes.items()
    ]
    nearest = [table("Nearest devices for and against the condition", examples)] if examples else []
    looked_at = table("Runs of all devices", found.table().to_pylist(), folded=True)
    return [*(tables if found.indices_tell else []), *nearest, looked_at]


_PER_CENT = alt.Axis(format="+.0%")
