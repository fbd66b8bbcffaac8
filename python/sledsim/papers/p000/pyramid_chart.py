"""The chart of what pyramids of zones close of the gap between ZSPTF and ASPTF(5)."""

from collections.abc import Sequence
from typing import Any

#: 000, section 9: the part of the difference that is gone.
HALF = 0.5


def closed_chart(rows: Sequence[dict[str, Any]]) -> Any:
    """What each policy closes at each load, with its interval; one panel an input; needs altair."""
    from ...charts.style import COLOURS, alt, readable

    values = [
        row
        | {"low": row["closed"] - row["closed_half_width"], "high": row["closed"] + row["closed_half_width"]}
        for row in rows
    ]
    panels = []
    for name in dict.fromkeys(row["input"] for row in values):
        own = [row for row in values if row["input"] == name]
        colour = alt.Color("scheduler:N", title="Scheduler").scale(range=list(COLOURS)).legend(labelLimit=420)
        base = alt.Chart(alt.InlineData(values=own)).encode(
            x=alt.X("load:O", title="Arrival rate (requests/s), or speed-up of the trace").axis(
                labelAngle=0, format=","
            ),
            xOffset="scheduler:N",
            color=colour,
        )
        points = base.mark_point(filled=True, size=50).encode(y=alt.Y("closed:Q", title="Part of the gap"))
        bars = base.mark_rule(strokeWidth=1.5).encode(y="low:Q", y2="high:Q")
        half = (
            alt.Chart(alt.InlineData(values=[{"half": HALF}])).mark_rule(strokeDash=[4, 4]).encode(y="half:Q")
        )
        panels.append(alt.layer(half, bars, points).properties(title=f"On {name}", width=520, height=220))
    title = "Part of the gap between ZSPTF and ASPTF(5) that is closed; dashed: half"
    # Inputs have different numbers of loads, by which the room of a policy is measured.
    stacked = alt.vconcat(*panels).resolve_scale(xOffset="independent")
    return readable(stacked.properties(title=title, padding=16))
