"""Tables, charts and notes of response curves, which all experiments on schedulers share."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import pyarrow

from sledsim import Device
from sledsim.charts import alt, colour, names, plot, readable, rule, tips
from sledsim.results import Curves

from .claims import Claim, noted
from .experiments import Draw, Result
from .perturbations import device
from .policy_curves import PAIRS, POLICIES, policy_curves, ratio_rows
from .policy_findings import order

Rows = Sequence[Mapping[str, Any]]
#: Width and height of a panel in pixels, and the smallest ratio drawn.
_WIDTH, _HEIGHT = 270, 240
_LEAST = 0.05
_RATIOS = "Ratios of policies with their intervals"
#: Note on the reference disks of papers 001 and 002.
DRIVE = "The drive's cache is on, and SPTF knows the command overheads, like a policy inside the drive."


def policy_result(
    model: Device,
    figure: str,
    settings: Mapping[str, Curves],
    claims: Sequence[Claim],
    notes: Sequence[str],
    more: Mapping[str, pyarrow.Table] | None = None,
) -> Result:
    """Build the result of an experiment that compares policies by their response curves.

    Args:
        model: Device of the curves.
        figure: Figure of the paper, for example ``Figure 6``.
        settings: Curves by setting; settings, such as the settling time, are the lines of a chart.
        claims: Claims that the experiment decides.
        notes: Notes on this experiment; the notes shared by all experiments on policies follow them.
        more: Further tables of the result, by title.
    """
    curves = {f"{figure}: {setting}": curves for setting, curves in settings.items()}
    ratios = ratio_rows(settings)
    return Result(
        devices=[model],
        claims=claims,
        tables={**tables(curves, ratios), **(more or {})},
        charts=charts(curves, ratios, f"Policies compared: {model.name}"),
        notes=[*notes, *noted("schedulers"), *next(iter(settings.values())).notes],
    )


def described(
    id: str, model: str, figure: str, setting: str, rates: Sequence[float], quick: bool, *notes: str
) -> Result:
    """Build the result of an experiment on a figure about which the paper makes no claim.

    The order of the policies in the figure is compared with ours, but no verdict depends on the comparison.

    Args:
        id: Id of the experiment, under which ``statements.toml`` has its notes.
        model: Name of the device.
        figure: Figure of the paper, for example ``Figure 6``.
        setting: Name of the curves in tables and charts, such as that of the device.
        rates: Arrival rates in requests/s.
        quick: True to draw fewer requests.
        notes: Further notes on this experiment.
    """
    on = device(model)
    curves = policy_curves(on, rates, quick)
    result = policy_result(on, figure, {setting: curves}, [], [*noted(id), *notes])
    return replace(result, beside=order(curves))


def tables(curves: Mapping[str, Curves], ratios: Rows) -> dict[str, Any]:
    """Return tables by title: one for each of `curves`, and one of the rows `ratios` (of `ratio_row`)."""
    return {**{title: each.table() for title, each in curves.items()}, _RATIOS: ratios}


def charts(curves: Mapping[str, Curves], ratios: Rows, *texts: Any) -> dict[str, Draw]:
    """Return charts by title: one for each of `curves`, and one of `ratios` with the titles `texts`."""
    return {
        **{title: each.plot for title, each in curves.items()},
        _RATIOS: partial(_ratio_chart, ratios, *texts),
    }


def _ratio_chart(
    rows: Rows,
    headline: str,
    load: tuple[str, str] = ("rate_per_s", "Arrival rate (requests/s)"),
    legend: str = "Device",
) -> Any:
    """Draw a grid of panels: a column per pair of policies, and a row per compared figure.

    Args:
        rows: Table rows made by `ratio_row`.
        headline: Title of the chart.
        load: Column of the load, and title of its axis.
        legend: Title of the legend, which lists the settings.
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
        "Below 1 the first policy is better. Bands are intervals. Vertical axes are logarithmic.",
    )


def _panel(rows: Rows, channels: Mapping[str, Any], texts: Sequence[Any], title: str) -> Any:
    """Draw a panel: ratios as lines, their intervals as bands, and a dashed line at the ratio 1."""
    # A logarithmic scale has no zero, so an interval that reaches zero is cut at `_LEAST`.
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
