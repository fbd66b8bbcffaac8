"""The chart of curves over the load: mean response with intervals, cv², and saturation of each policy."""

import math
import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..common import units
from ..common.ranking import ordered
from ..pages.page import Table, table
from ..runs.curve_points import CurvePoint
from ..runs.curves import Curves, half_width_key
from .grammar import alt, plot, tips
from .many import are_many, merged, one_by_one, scheduler_style, solid
from .style import log_ticks, readable

_WIDTH, _MEAN_HEIGHT, _CV2_HEIGHT, _BAR_STEP = 660, 420, 190, 16
#: Largest number of characters in a line of the subtitle.
_LINE = 112
#: Dash pattern in pixels (length of a stroke, length of a gap) of the dotted lines that lead from a policy's
#: highest sustained load to the load that saturates it.
_DOTS = [1, 4]
_LOADS = {
    "rate_per_s": "Arrival rate (requests/s)",
    "scale": "Speed-up of the trace (1 = as traced, log scale)",
}
_TAILS = ("p50", "p95", "p99", "p999", "max")
#: Figures that the tooltip of a point shows below the policy and the load.
_FIGURES = (
    "mean:N | Mean response (ms)",
    "cv2:Q | Squared coefficient of variation | ,.3g",
    *("p50_ms:Q | Median (ms) | ,.4g", "p95_ms:Q | 95th percentile (ms) | ,.4g"),
    *("p99_ms:Q | 99th percentile (ms) | ,.4g", "p999_ms:Q | 99.9th percentile (ms) | ,.4g"),
    *("max_ms:Q | Longest (ms) | ,.4g", "queue:Q | Mean queue length | ,.4g"),
    "utilization:Q | Utilization | .1%",
)


def curves_chart(curves: Curves) -> Any:
    """Draw three panels over the load: mean response with interval, cv² of responses, and sustained loads.

    A click on a policy in the legend shows only this policy; each shift-click adds another policy.
    """
    curves = replace(curves, points=merged(curves.points, _drawn))
    ranked = _ranked(curves)
    rows = _rows(curves)
    style, chosen = scheduler_style(curves.schedulers, ranked)
    panels = [_mean_panel(curves, rows, style)] if rows else []
    known = [row for row in rows if row["cv2"] is not None]
    panels += [_cv2_panel(curves, known, style)] if known else []
    panels.append(_saturation_panel(curves, ranked, style))
    panels += [_one_by_one(curves, rows, ranked, style)] if rows and are_many(ranked) else []
    panels[0] = panels[0].add_params(chosen)  # One panel takes the selection; it applies to all.
    lines = [line for note in curves.notes for line in textwrap.wrap(note, _LINE)]
    title = f"{curves.workload} on {curves.device}"
    return readable(alt.vconcat(*panels, spacing=24), title=title, subtitle=lines)


def _drawn(point: CurvePoint) -> object:
    """Return all values of a point that the chart draws, except the policy; equal points share a line."""
    figures = [(name, one.value, one.half_width) for name, one in point.estimates.items()]
    return point.load, point.saturated, point.unsettled, figures


def curves_tables(curves: Curves) -> list[Table]:
    """Return two tables: the load that saturates each policy, and the figures of each policy at each load."""
    ends = {name: curves.saturation(name) for name in curves.schedulers}
    saturation = [
        {
            "scheduler": name,
            f"keeps up at: {_LOADS[curves.load_key].lower()}": end.sustained,
            "saturated, or not at rest, at": end.saturated,
        }
        for name, end in ends.items()
    ]
    kept = [
        *("scheduler", curves.load_key, "saturated", "unsettled", "mean_response_s"),
        *(half_width_key("mean_response_s"), "cv2_response", "p95_response_s", "p99_response_s"),
        *("mean_queue_length", "utilization"),
    ]
    rows = [{key: row[key] for key in kept if key in row} for row in curves.rows()]
    return [
        table("Saturation of each scheduler", saturation, folded=False),
        table("Figures of every scheduler at every load", rows),
    ]


def _ranked(curves: Curves) -> list[str]:
    """Return the policies by saturating load, highest first; ties by mean response at the highest load."""

    def mean_s(name: str) -> float:
        sustained = curves.saturation(name).sustained
        last = curves.point(name, sustained) if sustained is not None else None
        return last.estimates["mean_response_s"].value if last else math.inf

    return ordered(curves.schedulers, lambda name: -(curves.saturation(name).saturated or math.inf), mean_s)


def _rows(curves: Curves) -> list[dict[str, Any]]:
    """Return a row for each load that a policy sustains; means of 0 are skipped on the logarithmic axis."""
    rows = []
    for point in curves.points:
        if point.saturated or not point.estimates["mean_response_s"].value > 0:
            continue
        value = {name: _known(estimate.value) for name, estimate in point.estimates.items()}
        mean = point.estimates["mean_response_s"]
        half_ms = 0.0 if math.isnan(mean.half_width) else mean.half_width * 1e3
        row = {"scheduler": point.scheduler, "load": point.load, "cv2": value["cv2_response"] or None}
        row |= {"mean_ms": mean.value * 1e3, "half_ms": half_ms, "high_ms": mean.value * 1e3 + half_ms}
        row |= {f"{name}_ms": _known(point.estimates[f"{name}_response_s"].value * 1e3) for name in _TAILS}
        row |= {"queue": value["mean_queue_length"], "utilization": value["utilization"]}
        rows.append(row | {"mean": units.estimate(mean.value * 1e3, half_ms)})
    return rows


def _known(value: float) -> float | None:
    """Return a figure, or None for NaN (the run was too short for the figure), because JSON has no NaN."""
    return None if math.isnan(value) else value


def _x(curves: Curves) -> Any:
    """Return the load axis of all panels: linear from 0 for rates, logarithmic for speed-ups."""
    x = alt.X("load:Q", title=_LOADS[curves.load_key])
    if curves.load_key == "scale":
        scale = alt.Scale(type="log", domain=[min(curves.loads) / 1.1, max(curves.loads) * 1.1], nice=False)
        return x.scale(scale).axis(values=curves.loads, format="~g", grid=False)
    return x.scale(domain=[0, max(curves.loads) * 1.02], nice=False).axis(grid=False, tickCount=10)


def _lines(curves: Curves, rows: list[dict[str, Any]], y: Any, style: dict[str, Any]) -> list[Any]:
    """Return layers with a line per policy and its points; the tooltip of a point lists all its figures."""
    told = tips("scheduler:N | Scheduler", f"load:Q | {_LOADS[curves.load_key]} | ~g", *_FIGURES)
    base = plot(rows, x=_x(curves), y=y)
    return [
        base.mark_line(strokeWidth=1.8).encode(**style),
        base.mark_point(filled=True, size=26).encode(tooltip=told, **solid(style)),
    ]


def _log_y(field: str, title: str, low: float, high: float) -> Any:
    y = alt.Y(f"{field}:Q", title=f"{title} (log scale)")
    ticks = log_ticks((low, high), least=5)
    return y.scale(type="log", domain=[low, high], nice=False).axis(format="~g", values=ticks)


def _mean_panel(curves: Curves, rows: list[dict[str, Any]], style: dict[str, Any]) -> Any:
    """Draw the mean response over the load for each policy, with the confidence interval as a band.

    A dotted line leads from the highest sustained load of a policy to the load that saturates it.
    """
    low, high = min(row["mean_ms"] for row in rows) / 1.15, 1.3 * max(row["high_ms"] for row in rows)
    # The band of an interval that reaches 0 ends at the lower edge of the logarithmic axis.
    bands = [row | {"low_ms": max(row["mean_ms"] - row["half_ms"], low)} for row in rows]
    y, low_y = (_log_y(name, "Mean response time, ms", low, high) for name in ("mean_ms", "low_ms"))
    # With many policies, bands are nearly transparent: else they would hide the lines.
    fill = 0.04 if are_many(curves.schedulers) else 0.22
    band = plot(bands, x=_x(curves), y=low_y, y2="high_ms:Q", **solid(style)).mark_area(fillOpacity=fill)
    layers = [band, *_lines(curves, rows, y, style)]
    towards = _towards_saturation(curves, rows, high)
    if towards:
        dots = plot(towards, x=_x(curves), y=y, **solid(style))
        layers.append(dots.mark_line(strokeWidth=1.3, strokeDash=_DOTS))
    title = "Mean response time with its interval; dotted lines lead to saturation"
    says = "Mean time from the arrival of a request to its completion; the band is the confidence interval."
    return alt.layer(*layers).properties(title=title, description=says, width=_WIDTH, height=_MEAN_HEIGHT)


def _towards_saturation(curves: Curves, rows: list[dict[str, Any]], top_ms: float) -> list[dict[str, Any]]:
    """Return the two end points of each policy's dotted line from its last point to saturation.

    The second point lies at the upper edge of the panel, `top_ms` (milliseconds).
    """
    last = {row["scheduler"]: row for row in rows}
    lines = []
    for name, row in last.items():
        end = curves.saturation(name).saturated
        if end is not None:
            places = ((row["load"], row["mean_ms"]), (end, top_ms))
            lines += [{"scheduler": name, "load": load, "mean_ms": mean_ms} for load, mean_ms in places]
    return lines


def _cv2_panel(curves: Curves, rows: list[dict[str, Any]], style: dict[str, Any]) -> Any:
    values = [row["cv2"] for row in rows if row["cv2"]] or [1.0]
    y = _log_y("cv2", "Variance / mean²", min(values) / 1.15, max(values) * 1.15)
    title = "Squared coefficient of variation of the response time"
    says = "Variability of response times, independent of their mean: 0 if all are equal."
    return alt.layer(*_lines(curves, rows, y, style)).properties(
        title=title, description=says, width=_WIDTH, height=_CV2_HEIGHT
    )


def _saturation_panel(curves: Curves, ranked: Sequence[str], style: dict[str, Any]) -> Any:
    """Draw a line per policy up to the highest load it sustains, then a bar up to the saturating load."""
    start = 0.0 if curves.load_key == "rate_per_s" else min(curves.loads)
    rows = []
    for name in ranked:
        ends = curves.saturation(name)
        place = {"load": start if ends.sustained is None else ends.sustained}
        rows.append({"scheduler": name, "start": start, **place, "end": ends.saturated or place["load"]})
    y = alt.Y("scheduler:N", sort=list(ranked), title=None).axis(labelLimit=240, grid=False)
    base = plot(rows, x=_x(curves), y=y, **solid(style))
    told = tips(
        *("scheduler:N | Scheduler", "load:Q | Keeps up at | ~g"),
        "end:Q | Saturated at, or not at rest | ~g",
    )
    layers = [
        base.mark_rule(strokeWidth=1.5).encode(x2="start:Q"),
        base.mark_bar(size=9).encode(x2="end:Q", tooltip=told),
    ]
    title = "Sustained along the line; saturated, or not at rest, at the end of the bar"
    says = "Range of loads that the device sustains under each policy: the longest line is the best."
    return alt.layer(*layers).properties(
        title=title, description=says, width=_WIDTH, height=alt.Step(_BAR_STEP)
    )


def _one_by_one(
    curves: Curves, rows: list[dict[str, Any]], ranked: Sequence[str], style: dict[str, Any]
) -> Any:
    """Draw a small panel per policy with the other policies in grey, for charts with too many lines."""
    low, high = min(row["mean_ms"] for row in rows) / 1.15, 1.3 * max(row["mean_ms"] for row in rows)
    y = alt.Y("mean_ms:Q", title="Mean response time, ms (log scale)")
    y = y.scale(type="log", domain=[low, high], nice=False)
    y = y.axis(values=log_ticks((low, high)), format="~g", titleFontSize=11)
    x = _x(curves).axis(tickCount=3, grid=False, labelFontSize=10)
    told = tips("scheduler:N | Scheduler", f"load:Q | {_LOADS[curves.load_key]} | ~g", *_FIGURES)
    says = "Mean response time (ms) over the load; the scheduler that saturates last is first."
    return one_by_one(says, rows, ranked, _WIDTH, x, y, color=style["color"], tooltip=told)
