"""The charts of 000-E-8: the zone-grouped layout over the disk-like one, by policy."""

from collections.abc import Mapping, Sequence
from typing import Any

_Rows = Sequence[Mapping[str, Any]]


def layouts_chart(rows: _Rows) -> Any:
    """The ratio of mean responses with its interval over the arrival rate, one panel an input."""
    from ...studies.drawing import alt, colour

    names = _policies(rows)
    panels = []
    for name in dict.fromkeys(row["input"] for row in rows):
        values = [
            {
                **row,
                "low": row["response_ratio"] - row["response_half_width"],
                "high": row["response_ratio"] + row["response_half_width"],
            }
            for row in rows
            if row["input"] == name
        ]
        base = alt.Chart(alt.InlineData(values=values), width=360, height=230).encode(
            x=alt.X("rate_per_s:O", title="Arrival rate (requests/s)").axis(labelAngle=0, format=","),
            xOffset=alt.XOffset("scheduler:N", sort=names),
            color=colour("scheduler", "Scheduler", names),
        )
        points = base.mark_point(filled=True, size=60).encode(
            y=alt.Y("response_ratio:Q", title="Zone-grouped over disk-like").scale(zero=False),
            tooltip=["scheduler:N", "rate_per_s:O", alt.Tooltip("response_ratio:Q", format=".3f")],
        )
        bars = base.mark_rule(strokeWidth=1.5).encode(y=alt.Y("low:Q", title=""), y2="high:Q")
        panels.append(alt.layer(_equal(), bars, points).properties(title=name))
    title = "Mean response; below 1 the zone-grouped layout is quicker"
    return _together(panels, title, columns=2)


def captures_chart(rows: _Rows) -> Any:
    """Positioning, transfer and response over those under the disk-like layout, one panel a capture."""
    from ...studies.drawing import alt, colour

    names, most = _policies(rows), max(row["outstanding"] for row in rows)
    parts = ("positioning", "transfer", "response")
    values = [
        {**row, "part": part, "ratio": row[f"{part}_ratio"]}
        for row in rows
        if row["outstanding"] == most
        for part in parts
    ]
    panels = []
    for capture in dict.fromkeys(row["capture"] for row in values):
        own = [row for row in values if row["capture"] == capture]
        points = alt.Chart(alt.InlineData(values=own), width=240, height=200).mark_point(filled=True, size=60)
        drawn = points.encode(
            x=alt.X("part:N", title=None, sort=list(parts)).axis(labelAngle=0),
            xOffset=alt.XOffset("scheduler:N", sort=names),
            y=alt.Y("ratio:Q", title="Zone-grouped over disk-like").scale(zero=False),
            color=colour("scheduler", "Scheduler", names),
            tooltip=["scheduler:N", "part:N", alt.Tooltip("ratio:Q", format=".3f")],
        )
        panels.append(alt.layer(_equal(), drawn).properties(title=capture))
    title = f"{most} requests outstanding"
    return _together(panels, title, columns=3)


def _together(panels: list[Any], title: str, columns: int) -> Any:
    from ...charts.style import alt, readable

    # Panels have different numbers of places, by which the room of a policy is measured.
    together = alt.concat(*panels, columns=columns, spacing=24).resolve_scale(xOffset="independent")
    return readable(together.properties(title=title, padding=16), legend_columns=3)


def _equal() -> Any:
    from ...studies.drawing import alt

    line = alt.Chart(alt.InlineData(values=[{"one": 1}])).mark_rule(strokeDash=[4, 4], color="#666666")
    return line.encode(y="one:Q")


def _policies(rows: _Rows) -> list[str]:
    return list(dict.fromkeys(row["scheduler"] for row in rows))
