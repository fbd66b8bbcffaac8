"""Tables, charts and notes shared by the experiments on schedulers."""

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
#: Size of a panel in pixels, and the smallest ratio drawn.
_WIDTH, _HEIGHT = 270, 240
_LEAST = 0.05
_RATIOS = "Ratios of policies with their intervals"
#: Note on the reference disks of 001 and 002.
DRIVE = "The drive has its cache, and SPTF knows its command overheads, like a policy inside the drive."


def policy_result(
    model: Device,
    figure: str,
    settings: Mapping[str, Curves],
    claims: Sequence[Claim],
    notes: Sequence[str],
    more: Mapping[str, pyarrow.Table] | None = None,
) -> Result:
    """Build the result of an experiment on policies.

    Args:
        model: Device of the curves.
        figure: Figure of the paper, for example ``Figure 6``.
        settings: Curves by the setting in which they differ.
        claims: Claims that the experiment decides.
        notes: Notes on this experiment only.
        more: Further tables by title.
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
    """Build the result for a device whose order of policies the paper describes without a claim.

    Args:
        id: Id of the experiment; its notes are followed by the findings on the order.
        model: Name of the device.
        figure: Figure of the paper, for example ``Figure 6``.
        setting: Name of the curves.
        rates: Arrival rates.
        quick: True to draw fewer requests.
        notes: Further notes on this experiment.
    """
    on = device(model)
    curves = policy_curves(on, rates, quick)
    result = policy_result(on, figure, {setting: curves}, [], [*noted(id), *notes])
    return replace(result, beside=order(curves))


def tables(curves: Mapping[str, Curves], ratios: Rows) -> dict[str, Any]:
    """Return tables of the curves by title, and of the ratios of their policies."""
    return {**{title: each.table() for title, each in curves.items()}, _RATIOS: ratios}


def charts(curves: Mapping[str, Curves], ratios: Rows, *texts: Any) -> dict[str, Draw]:
    """Return charts of the curves by title, and of the ratios; `texts` go to `_ratio_chart`."""
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
    """Draw a panel for each pair of policies, in one row per figure.

    Args:
        rows: Rows of `ratio_row`.
        headline: Title of the chart.
        load: Column of the load and its title.
        legend: Title of the settings.
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
    """Draw ratios as lines, their intervals as bands, and the line of equality."""
    # A logarithmic scale has no zero: an interval that reaches zero ends at the edge.
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
