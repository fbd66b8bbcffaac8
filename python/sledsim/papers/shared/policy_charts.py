"""The chart of two policies' ratio over the load, with its interval."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from ...charts.grammar import alt, colour, names, plot, rule, tips
from ...charts.style import readable
from .policy_curves import PAIRS, POLICIES

Rows = Sequence[Mapping[str, Any]]
_WIDTH, _HEIGHT = 270, 240
_LEAST = 0.05


def ratio_chart(
    rows: Rows,
    headline: str,
    load: tuple[str, str] = ("rate_per_s", "Arrival rate (requests/s)"),
    legend: str = "Device",
) -> Any:
    """A panel for each pair of policies, a row for each figure.

    Args:
        rows: As `ratio_row` has them.
        headline: The title.
        load: The column of the load, and its title.
        legend: What the settings are.
    """
    column, words = load
    told = ("ratio:Q | | .4f", "ratio_low:Q | | .4f", "ratio_high:Q | | .4f")
    texts = tips(f"setting:N | {legend}", f"{column}:Q | {words} | ~g", *told)
    channels = {
        "x": alt.X(f"{column}:Q", title=words).scale(zero=True, nice=False).axis(tickCount=5),
        "color": colour("setting", legend, names(rows, "setting")),
    }
    panels = []
    for figure, pair in product(names(rows, "figure"), PAIRS):
        shown = [row for row in rows if (row["figure"], row["first"], row["second"]) == (figure, *pair)]
        title = " over ".join(POLICIES[name] for name in pair)
        panels.append(_panel(shown, channels, texts, f"Ratio of {figure}").properties(title=title))
    return readable(
        alt.concat(*panels, columns=len(PAIRS), spacing=20),
        len(PAIRS),
        headline,
        "Below 1 the first policy is better; bands are intervals of the ratio. Log scales.",
    )


def _panel(rows: Rows, channels: Mapping[str, Any], texts: Sequence[Any], title: str) -> Any:
    """Ratios in lines, their intervals in bands, and the line of equality."""
    # An interval that goes down to zero has no place on a logarithmic scale: it ends at the edge.
    values = [{**row, "ratio_low": max(row["ratio_low"], _LEAST)} for row in rows]
    ends = [row[name] for row in values for name in ("ratio_low", "ratio_high")]
    scale = alt.Scale(type="log", domain=[min(*ends, 0.9) / 1.03, max(*ends, 1.1) * 1.03], nice=False)
    axis = alt.Axis(values=[0.1, 0.2, 0.3, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 3], format="~g")
    y, low = (alt.Y(f"{field}:Q", title=title, scale=scale, axis=axis) for field in ("ratio", "ratio_low"))
    base = plot(values, **channels)
    return alt.layer(
        rule("y", 1, strokeDash=[4, 4], color="#666666"),
        base.mark_area(fillOpacity=0.25).encode(y=low, y2="ratio_high:Q"),
        base.mark_line(strokeWidth=1.8).encode(y=y),
        base.mark_point(filled=True, size=24).encode(y=y, tooltip=texts),
    ).properties(width=_WIDTH, height=_HEIGHT)
