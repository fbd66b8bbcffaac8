"""The charts of 004-E-9: positioning under policies, over the load and with captures waiting."""

from collections.abc import Mapping, Sequence
from typing import Any

_Rows = Sequence[Mapping[str, Any]]


def positioning_chart(rows: _Rows) -> Any:
    """The mean positioning time over the arrival rate, one panel a design."""
    from ...charts.style import readable
    from ...studies.drawing import alt

    panels = []
    for name in dict.fromkeys(row["design"] for row in rows):
        shown = [{**row, "ms": row["mean_positioning_s"] * 1e3} for row in rows if row["design"] == name]
        lines = alt.Chart(alt.InlineData(values=shown), width=330, height=260).mark_line(point=True)
        panels.append(
            lines.encode(
                x=alt.X("rate_per_s:Q", title="Arrival rate (requests/s)").scale(zero=False),
                y=alt.Y("ms:Q", title="Mean positioning (ms)").scale(zero=False),
                color=_policies(rows),
                tooltip=[
                    "scheduler:N",
                    "rate_per_s:Q",
                    alt.Tooltip("ms:Q", format=".3f"),
                    alt.Tooltip("positioning_over_fcfs:Q", format=".3f"),
                ],
            ).properties(title=name)
        )
    return readable(alt.concat(*panels, columns=2, spacing=24).properties(padding=16))


def capture_chart(rows: _Rows) -> Any:
    """Positioning over that under FCFS by requests outstanding, one panel a capture and design."""
    from ...charts.style import readable
    from ...studies.drawing import alt

    panels = []
    for capture, name in dict.fromkeys((row["capture"], row["design"]) for row in rows):
        shown = [row for row in rows if (row["capture"], row["design"]) == (capture, name)]
        lines = alt.Chart(alt.InlineData(values=shown), width=330, height=260).mark_line(point=True)
        panels.append(
            lines.encode(
                x=alt.X("outstanding:O", title="Requests outstanding").axis(labelAngle=0),
                y=alt.Y("positioning_over_fcfs:Q", title="Mean positioning over FCFS").scale(zero=False),
                color=_policies(rows),
                tooltip=[
                    "scheduler:N",
                    "outstanding:O",
                    alt.Tooltip("positioning_over_fcfs:Q", format=".3f"),
                ],
            ).properties(title=f"{capture} on {name}")
        )
    return readable(alt.concat(*panels, columns=2, spacing=24).properties(padding=16))


def _policies(rows: _Rows) -> Any:
    from ...studies.drawing import colour

    return colour("scheduler", "Scheduler", list(dict.fromkeys(row["scheduler"] for row in rows)))
