"""The charts of 001-E-7: files under four layouts, and layouts under real traces."""

from typing import Any

from ...charts.grammar import alt, colour, names, plot, side_by_side, tips
from ...charts.style import readable


def files_chart(rows: list[dict[str, Any]]) -> Any:
    """Figure 11: the mean access under each layout, by settling time."""
    layouts = names(rows, "layout")
    bars = plot(
        [
            {**row, "ms": row["mean_access_s"] * 1e3, "settling": f"{row['settle_s'] * 1e3:g} ms"}
            for row in rows
        ],
        x=alt.X("settling:N", title="Settling time", sort=None).axis(labelAngle=0),
        y=alt.Y("ms:Q", title="Mean access (ms)").scale(zero=True),
        **side_by_side("x", "layout", "Layout", layouts),
        tooltip=tips("layout:N | Layout", "ms:Q | ms | .4f", "over_random:Q | over random | .3f"),
    )
    return readable(bars.mark_bar().properties(width=110 * len(layouts), height=300))


def traces_chart(rows: list[dict[str, Any]]) -> Any:
    """The mean access under each layout over that under `streaming`, with intervals, by trace."""
    settled = [row for row in rows if row["settle_s"] > 0 and row["over_streaming"] != 1]
    layouts = names(settled, "layout")
    base = plot(
        settled,
        y=alt.Y("layout:N", title=None, sort=layouts).axis(labelLimit=260),
        color=colour("layout", "Layout", layouts).legend(None),
    )
    of_mean = alt.X("over_streaming:Q", title="Mean access over that under streaming").scale(zero=False)
    ends = {"x": alt.X("over_streaming_low:Q", title=""), "x2": "over_streaming_high:Q"}
    layers = alt.layer(base.mark_rule().encode(**ends), base.mark_point(filled=True).encode(x=of_mean))
    by_trace = alt.Facet("trace:N", title=None, sort=names(settled, "trace"))
    return readable(layers.properties(width=300, height=24 * len(layouts)).facet(by_trace, columns=2))
