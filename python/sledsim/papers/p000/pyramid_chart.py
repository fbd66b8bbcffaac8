"""The chart of what pyramids of zones close of the gap between ZSPTF and ASPTF(5)."""

from collections.abc import Sequence
from typing import Any

from ...charts.grammar import alt, grouped, plot, rule
from ...charts.style import COLOURS, readable
from ..shared.intervals import with_ends

#: 000, section 9: the part of the difference that is gone.
HALF = 0.5


def closed_chart(rows: Sequence[dict[str, Any]]) -> Any:
    """What each policy closes at each load, with its interval; one panel an input."""
    on_inputs = [{**row, "on": f"On {row['input']}"} for row in with_ends(rows, "closed")]
    panels = grouped(on_inputs, "on", _panel, width=520, height=220)
    # Inputs have different numbers of loads, by which the room of a policy is measured.
    stacked = alt.vconcat(*panels).resolve_scale(xOffset="independent")
    return readable(stacked, title="Part of the gap between ZSPTF and ASPTF(5) that is closed; dashed: half")


def _panel(rows: Sequence[dict[str, Any]]) -> Any:
    base = plot(
        rows,
        x=alt.X("load:O", title="Arrival rate (requests/s), or speed-up of the trace").axis(
            labelAngle=0, format=","
        ),
        xOffset="scheduler:N",
        color=alt.Color("scheduler:N", title="Scheduler").scale(range=COLOURS).legend(labelLimit=420),
    )
    return alt.layer(
        rule("y", HALF, strokeDash=[4, 4]),
        base.mark_rule(strokeWidth=1.5).encode(y="low:Q", y2="high:Q"),
        base.mark_point(filled=True, size=50).encode(y=alt.Y("closed:Q", title="Part of the gap")),
    )
