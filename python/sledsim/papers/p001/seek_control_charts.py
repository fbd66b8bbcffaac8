"""The charts of 001-E-13: seek times, what SPTF gains, and what placement gains, by the control of a seek."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..shared.policy_curves import POLICIES

_Rows = Sequence[Mapping[str, Any]]
_TITLE = "Seek control"


def seek_chart(rows: _Rows) -> Any:
    """Seek time over distance, which is logarithmic."""
    from ...charts.style import readable
    from ...studies.drawing import alt, colour

    values = [{**row, "um": row["distance_m"] * 1e6, "ms": row["seek_s"] * 1e3} for row in rows]
    lines = alt.Chart(alt.InlineData(values=values), width=460, height=300).mark_line(point=True)
    drawn = lines.encode(
        x=alt.X("um:Q", title="Distance in x (µm)")
        .scale(type="log", nice=False)
        .axis(values=[0.1, 1, 10, 100]),
        y=alt.Y("ms:Q", title="Seek time with settling (ms)"),
        color=colour("control", _TITLE, _names(rows)),
        tooltip=["control:N", alt.Tooltip("um:Q", format="g"), alt.Tooltip("ms:Q", format=".3f")],
    )
    return readable(drawn.properties(padding=16))


def gap_chart(rows: _Rows) -> Any:
    """The ratio of mean responses over the load, one panel a policy that SPTF is compared with."""
    from ...charts.style import readable
    from ...studies.drawing import alt, colour

    loads = [row["load"] for row in rows]
    scale = alt.Scale(domain=[min(loads), max(loads)], nice=False)
    panels = []
    for other in dict.fromkeys(row["other"] for row in rows):
        shown = [row for row in rows if row["other"] == other]
        base = alt.Chart(alt.InlineData(values=shown), width=280, height=260).encode(
            x=alt.X("load:Q", title="Arrival rate over random accesses a second", scale=scale).axis(
                tickCount=5
            ),
            color=colour("control", _TITLE, _names(rows)),
        )
        y = alt.Y("ratio:Q", title="Ratio of mean responses").scale(zero=False)
        band = base.mark_area(fillOpacity=0.2).encode(y=alt.Y("ratio_low:Q", title=""), y2="ratio_high:Q")
        line = base.mark_line(point=True).encode(
            y=y,
            tooltip=["control:N", "load:Q", *(alt.Tooltip(f"{name}:Q", format=".3f") for name in _RATIO)],
        )
        panels.append(alt.layer(band, line).properties(title=f"SPTF over {POLICIES[other]}"))
    return readable(alt.hconcat(*panels, spacing=24).properties(padding=16), legend_columns=3)


def placement_chart(regions: _Rows, layouts: _Rows) -> Any:
    """Seeks in the centremost subregion over others, and files under layouts over random places."""
    from ...charts.style import alt, readable

    shares = [
        {"control": row["control"], "what": what, "ratio": ratio}
        for row in regions
        for what, ratio in (
            ("centre over corner", 1 / row["corner_over_centre"]),
            ("centre over anywhere", row["centre_over_anywhere"]),
        )
    ]
    files = [
        {"control": row["control"], "what": row["layout"], "ratio": row["over_random"]}
        for row in layouts
        if row["layout"] != "random"
    ]
    left = _bars(shares, "Mean seek in the centremost subregion")
    right = _bars(files, "Mean access to files over random places")
    both = alt.hconcat(left, right, spacing=28).resolve_scale(x="independent", xOffset="independent")
    return readable(both.properties(padding=16), legend_columns=3)


_RATIO = ("ratio", "ratio_low", "ratio_high")


def _bars(rows: _Rows, title: str) -> Any:
    from ...studies.drawing import alt, colour

    names = _names(rows)
    bars = alt.Chart(alt.InlineData(values=list(rows)), width=400, height=260).mark_bar()
    return bars.encode(
        x=alt.X("what:N", title=None, sort=None).axis(labelAngle=0),
        xOffset=alt.XOffset("control:N", sort=names),
        y=alt.Y("ratio:Q", title="Ratio").scale(zero=True),
        color=colour("control", _TITLE, names),
        tooltip=["control:N", "what:N", alt.Tooltip("ratio:Q", format=".3f")],
    ).properties(title=title)


def _names(rows: _Rows) -> list[str]:
    return list(dict.fromkeys(row["control"] for row in rows))
