"""The charts of 004-E-9: positioning under policies, over the load and with captures waiting."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...charts.grammar import alt, colour, grouped, names, plot, tips
from ...charts.style import readable

_Rows = Sequence[Mapping[str, Any]]


def positioning_chart(rows: _Rows) -> Any:
    """The mean positioning time over the arrival rate, one panel a design."""
    shown = [{**row, "ms": row["mean_positioning_s"] * 1e3} for row in rows]
    x = alt.X("rate_per_s:Q", title="Arrival rate (requests/s)").scale(zero=False)
    y = alt.Y("ms:Q", title="Mean positioning (ms)").scale(zero=False)
    return _policies(shown, "design", x, y, "rate_per_s:Q", "ms:Q | | .3f")


def capture_chart(rows: _Rows) -> Any:
    """Positioning over that under FCFS by requests outstanding, one panel a capture and design."""
    shown = [{**row, "on": f"{row['capture']} on {row['design']}"} for row in rows]
    x = alt.X("outstanding:O", title="Requests outstanding").axis(labelAngle=0)
    y = alt.Y("positioning_over_fcfs:Q", title="Mean positioning over FCFS").scale(zero=False)
    return _policies(shown, "on", x, y, "outstanding:O")


def _policies(rows: _Rows, panel: str, x: Any, y: Any, *told: str) -> Any:
    """A line a policy."""
    color = colour("scheduler", "Scheduler", names(rows, "scheduler"))
    texts = tips("scheduler:N", *told, "positioning_over_fcfs:Q | | .3f")
    panels = grouped(
        rows,
        panel,
        lambda own: plot(own, x=x, y=y, color=color, tooltip=texts).mark_line(point=True),
        width=330,
        height=260,
    )
    return readable(alt.concat(*panels, columns=2, spacing=24))
