"""The charts of 001-E-7: files under four layouts, and layouts under real traces."""

from typing import Any


def files_chart(rows: list[dict[str, Any]]) -> Any:
    """Figure 11: the mean access under each layout, by settling time."""
    from ...charts.style import COLOURS, readable
    from ...studies.drawing import alt

    names = list(dict.fromkeys(row["layout"] for row in rows))
    values = [
        {**row, "ms": row["mean_access_s"] * 1e3, "settling": f"{row['settle_s'] * 1e3:g} ms"} for row in rows
    ]
    bars = alt.Chart(alt.InlineData(values=values), width=110 * len(names), height=300).encode(
        x=alt.X("settling:N", title="Settling time", sort=None).axis(labelAngle=0),
        xOffset=alt.XOffset("layout:N", sort=names),
        y=alt.Y("ms:Q", title="Mean access (ms)").scale(zero=True),
        color=alt.Color("layout:N", title="Layout", sort=names).scale(
            domain=names, range=COLOURS[: len(names)]
        ),
        tooltip=[
            alt.Tooltip("layout:N", title="Layout"),
            alt.Tooltip("ms:Q", title="ms", format=".4f"),
            alt.Tooltip("over_random:Q", title="over random", format=".3f"),
        ],
    )
    return readable(bars.mark_bar().properties(padding=16))


def traces_chart(rows: list[dict[str, Any]]) -> Any:
    """The mean access under each layout over that under `streaming`, with intervals, by trace."""
    from ...charts.style import COLOURS, readable
    from ...studies.drawing import alt

    settled = [row for row in rows if row["settle_s"] > 0 and row["over_streaming"] != 1]
    names = list(dict.fromkeys(row["layout"] for row in settled))
    traces = list(dict.fromkeys(row["trace"] for row in settled))
    base = alt.Chart(alt.InlineData(values=settled), height=24 * len(names)).encode(
        y=alt.Y("layout:N", title=None, sort=names).axis(labelLimit=260),
        color=alt.Color("layout:N", sort=names, legend=None).scale(domain=names, range=COLOURS[: len(names)]),
    )
    of_mean = alt.X("over_streaming:Q", title="Mean access over that under streaming").scale(zero=False)
    ends = {"x": alt.X("over_streaming_low:Q", title=""), "x2": "over_streaming_high:Q"}
    layers = alt.layer(base.mark_rule().encode(**ends), base.mark_point(filled=True).encode(x=of_mean))
    panels = layers.properties(width=300).facet(alt.Facet("trace:N", title=None, sort=traces), columns=2)
    return readable(panels.properties(padding=16))
