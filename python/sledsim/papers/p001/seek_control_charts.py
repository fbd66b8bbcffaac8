"""The charts of 001-E-13: seek times, what SPTF gains, and what placement gains, by the control of a seek."""

from collections.abc import Mapping, Sequence
from typing import Any

from ...charts.grammar import alt, colour, grouped, names, plot, side_by_side, tips
from ...charts.style import readable
from ..shared.policy_curves import POLICIES

_Rows = Sequence[Mapping[str, Any]]
_TITLE = "Seek control"


def seek_chart(rows: _Rows) -> Any:
    """Seek time over distance, which is logarithmic."""
    distance = alt.X("um:Q", title="Distance in x (µm)").scale(type="log", nice=False)
    base = plot(
        [{**row, "um": row["distance_m"] * 1e6, "ms": row["seek_s"] * 1e3} for row in rows],
        x=distance.axis(values=[0.1, 1, 10, 100]),
        y=alt.Y("ms:Q", title="Seek time with settling (ms)"),
        color=colour("control", _TITLE, names(rows, "control")),
        tooltip=tips("control:N", "um:Q | | g", "ms:Q | | .3f"),
    )
    return readable(base.mark_line(point=True).properties(width=460, height=300))


def gap_chart(rows: _Rows) -> Any:
    """The ratio of mean responses over the load, one panel a policy that SPTF is compared with."""
    loads = names(rows, "load")
    scale = alt.Scale(domain=[min(loads), max(loads)], nice=False)
    load = alt.X("load:Q", title="Arrival rate over random accesses a second", scale=scale)
    channels = {"x": load.axis(tickCount=5), "color": colour("control", _TITLE, names(rows, "control"))}
    ratio = alt.Y("ratio:Q", title="Ratio of mean responses").scale(zero=False)
    told = tips("control:N", "load:Q", "ratio:Q | | .3f", "ratio_low:Q | | .3f", "ratio_high:Q | | .3f")

    def panel(own: _Rows) -> Any:
        base = plot(own, **channels)
        band = base.mark_area(fillOpacity=0.2).encode(y=alt.Y("ratio_low:Q", title=""), y2="ratio_high:Q")
        return alt.layer(band, base.mark_line(point=True).encode(y=ratio, tooltip=told))

    over = [{**row, "over": f"SPTF over {POLICIES[row['other']]}"} for row in rows]
    return readable(alt.hconcat(*grouped(over, "over", panel, width=280, height=260), spacing=24), 3)


def placement_chart(regions: _Rows, layouts: _Rows) -> Any:
    """Seeks in the centremost subregion over others, and files under layouts over random places."""
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
    both = alt.hconcat(left, right, spacing=28)
    return readable(both.resolve_scale(x="independent", xOffset="independent"), 3)


def _bars(rows: _Rows, title: str) -> Any:
    bars = plot(
        rows,
        x=alt.X("what:N", title=None, sort=None).axis(labelAngle=0),
        y=alt.Y("ratio:Q", title="Ratio").scale(zero=True),
        **side_by_side("x", "control", _TITLE, names(rows, "control")),
        tooltip=tips("control:N", "what:N", "ratio:Q | | .3f"),
    ).mark_bar()
    return bars.properties(title=title, width=400, height=260)
