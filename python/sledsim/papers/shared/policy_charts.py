"""The chart of two policies' ratio over the load, with its interval; needs altair."""

from itertools import product
from typing import TYPE_CHECKING, Any

from ...charts.style import readable
from ...studies.drawing import alt, colour
from .policy_curves import PAIRS, POLICIES

if TYPE_CHECKING:
    import pyarrow

_WIDTH, _HEIGHT = 270, 240
_LEAST = 0.05


def ratio_chart(
    table: "pyarrow.Table",
    headline: str,
    load: tuple[str, str] = ("rate_per_s", "Arrival rate (requests/s)"),
    legend: str = "Device",
) -> Any:
    """A panel for each pair of policies, a row for each figure.

    Args:
        table: From `ratio_table`, or one of such rows.
        headline: The title.
        load: The column of the load, and its title.
        legend: What the settings are.
    """
    rows = table.to_pylist()
    settings = list(dict.fromkeys(row["setting"] for row in rows))
    panels = []
    for figure, pair in product(dict.fromkeys(row["figure"] for row in rows), PAIRS):
        shown = [row for row in rows if (row["figure"], row["first"], row["second"]) == (figure, *pair)]
        words = " over ".join(POLICIES[name] for name in pair)
        panels.append(_panel(shown, figure, words, load, legend, settings))
    title = alt.TitleParams(
        headline, subtitle="Below 1 the first policy is better; bands are intervals of the ratio. Log scales."
    )
    together = alt.concat(*panels, columns=len(PAIRS), spacing=20)
    return readable(together.properties(title=title, padding=16), legend_columns=len(PAIRS))


def _panel(
    rows: list[dict[str, Any]],
    figure: str,
    title: str,
    load: tuple[str, str],
    legend: str,
    settings: list[str],
) -> Any:
    """Ratios in lines, their intervals in bands, and the line of equality."""
    # An interval that goes down to zero has no place on a logarithmic scale: it ends at the edge.
    values = [row | {"ratio_low": max(row["ratio_low"], _LEAST)} for row in rows]
    ends = [row[name] for row in values for name in ("ratio_low", "ratio_high")]
    scale = alt.Scale(type="log", domain=[min(*ends, 0.9) / 1.03, max(*ends, 1.1) * 1.03], nice=False)
    axis = alt.Axis(values=[0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 3], format="~g")
    y, low = (
        alt.Y(f"{field}:Q", title=f"Ratio of {figure}", scale=scale, axis=axis)
        for field in ("ratio", "ratio_low")
    )
    column, words = load
    x = alt.X(f"{column}:Q", title=words).scale(zero=True, nice=False).axis(tickCount=5)
    base = alt.Chart(alt.InlineData(values=values)).encode(x=x, color=colour("setting", legend, settings))
    tooltip = [
        alt.Tooltip("setting:N", title=legend),
        alt.Tooltip(f"{column}:Q", title=words, format="~g"),
        *(alt.Tooltip(f"{name}:Q", format=".4f") for name in ("ratio", "ratio_low", "ratio_high")),
    ]
    equal = alt.Chart(alt.InlineData(values=[{"one": 1}])).mark_rule(strokeDash=[4, 4], color="#666666")
    band = base.mark_area(fillOpacity=0.25).encode(y=low, y2="ratio_high:Q")
    line = base.mark_line(strokeWidth=1.8).encode(y=y)
    points = base.mark_point(filled=True, size=24).encode(y=y, tooltip=tooltip)
    return alt.layer(equal.encode(y="one:Q"), band, line, points).properties(
        title=title, width=_WIDTH, height=_HEIGHT
    )
