"""The chart of a comparison: response times over the speed-up of the trace, and their distribution."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from ..pages.page import Table, table
from ..runs.comparison import FRACTIONS, Comparison, Point
from .distribution import slower_rows, slower_than
from .grammar import alt, plot, ticked, tips
from .many import are_many, merged, one_by_one, scheduler_style, solid
from .style import readable

_PANEL_WIDTH, _PANEL_HEIGHT = 320, 260
#: Largest number of points drawn for all distributions together; more points would make the page slow.
_MOST_ROWS = 8000
#: Width in pixels of a row of panels, and width in pixels that an axis and the gap beside it take.
_ROW_WIDTH, _AXIS_WIDTH = 1127, 92


def comparison_chart(comparison: Comparison) -> Any:
    """Draw figures of the response per scheduler over the speed-up, and its distribution at each speed-up.

    A click on a scheduler in the legend shows only this scheduler; each shift-click adds another scheduler.
    """
    comparison = replace(comparison, points=merged(comparison.points, _drawn))
    schedulers = list(dict.fromkeys(point.scheduler for point in comparison.measured))
    style, chosen = scheduler_style(schedulers, schedulers)
    step = math.ceil(len(comparison.measured) * len(FRACTIONS) / _MOST_ROWS)
    rows: list[Any] = []
    for heading, points in _by_device(comparison):
        own = [_panels(points, style), _distributions(points, style, None if rows else chosen, step)]
        if are_many(schedulers) and len({point.scale for point in points}) > 1:
            own.append(_one_by_one(points, schedulers, style))
        rows += [alt.vconcat(*own, spacing=36).properties(title=heading)] if heading else own
    title = f"{comparison.trace} on {comparison.device}"
    return readable(alt.vconcat(*rows, spacing=36), title=title, subtitle=_subtitle(comparison))


def _by_device(comparison: Comparison) -> Iterator[tuple[str, list[Point]]]:
    """Yield the points of each pair of workload and device, with a heading for their panels.

    The heading names the device if the comparison has several devices, and the workload if it has several.
    """
    for workload in comparison.workloads:
        for device in comparison.devices:
            points = [one for one in comparison.measured if (one.workload, one.device) == (workload, device)]
            of = [device] if len(comparison.devices) > 1 else []
            of += [workload] if len(comparison.workloads) > 1 else []
            if points:
                yield ", ".join(of), points


def _drawn(point: Point) -> object:
    """Return all values of a point that the chart draws, except the policy; equal points share a line."""
    return point.device, point.workload, point.scale, point.summary, point.response_quantiles_s


def comparison_tables(comparison: Comparison) -> list[Table]:
    """Return a table with all figures of each scheduler at each speed-up."""
    rows = [{key: value for key, value in row.items() if key != "file"} for row in comparison.rows()]
    return [table("Figures of every scheduler at every speed-up", rows)]


def _subtitle(comparison: Comparison) -> list[str]:
    """Return the subtitle: the meaning of filled and open points, and a warning about saturated means."""
    lines = [
        "Filled points: the device keeps up."
        " Open points: saturated; the queue grows as long as requests arrive."
    ]
    if any(point.saturated for point in comparison.points):
        lines.append(
            "Means of saturated runs do not rank policies: a policy with more throughput may postpone far"
            " requests, which weigh most."
        )
    return lines


def _panels(points: list[Point], style: dict[str, Any]) -> Any:
    """Draw the mean, the 99th percentile and cv² of the response time over the speed-up."""
    rows = _rows(points)
    base = plot(
        rows,
        x=_speed_up(points),
        tooltip=_told(),
        **solid(style),
    )
    panels = {
        "Mean response time": (
            _log_axis(rows, "mean_ms", "Mean response time"),
            "Mean time from the arrival of a request to its completion, over the speed-up of the trace.",
        ),
        "99th percentile of response time": (
            _log_axis(rows, "p99_ms", "99th percentile"),
            "Response time that 1 % of the requests exceed.",
        ),
        "Squared coefficient of variation": (
            alt.Y("cv2:Q", title="Variance / mean²"),
            "Variability of response times, independent of their mean: 0 if all are equal.",
        ),
    }
    # Points are open where the device is saturated.
    filled = alt.when(alt.datum.state == "saturated").then(alt.value("white")).otherwise(style["color"])
    marks = base.mark_point(size=60, filled=False, strokeWidth=2, opacity=1).encode(fill=filled)
    lines = base.mark_line(strokeWidth=2).encode(strokeDash=style["strokeDash"]) + marks
    drawn = [
        lines.encode(y=y).properties(title=title, description=says, width=_PANEL_WIDTH, height=_PANEL_HEIGHT)
        for title, (y, says) in panels.items()
    ]
    return alt.hconcat(*drawn, spacing=32)


def _rows(points: Sequence[Point]) -> list[dict[str, Any]]:
    """Return one row per measured point: policy, speed-up, and the figures that the chart draws."""
    return [
        {
            "scheduler": point.scheduler,
            "scale": point.scale,
            "state": "saturated" if point.saturated else "keeps up",
            "mean_ms": point.summary["mean_response_s"] * 1e3,
            "p99_ms": point.summary["p99_response_s"] * 1e3,
            "cv2": point.summary["cv2_response"],
            "queue": point.summary["mean_queue_length"],
            "utilization": point.summary["utilization"],
        }
        for point in points
    ]


def _speed_up(points: Sequence[Point]) -> Any:
    scales = sorted({point.scale for point in points})
    x = alt.X("scale:Q", title="Speed-up of the trace (1 = as traced)")
    return x.scale(type="log", nice=False, padding=12).axis(values=scales, format="~g", grid=False)


def _told() -> list[Any]:
    return tips(
        *("scheduler:N | Scheduler", "scale:Q | Speed-up", "mean_ms:Q | Mean response (ms) | ,.3f"),
        *("p99_ms:Q | 99th percentile (ms) | ,.3f", "cv2:Q | Squared coefficient of variation | ,.2f"),
        *("queue:Q | Mean queue length | ,.2f", "utilization:Q | Utilization | .1%", "state:N | Device"),
    )


def _one_by_one(points: Sequence[Point], schedulers: Sequence[str], style: dict[str, Any]) -> Any:
    rows = _rows(points)
    y = _log_axis(rows, "mean_ms", "Mean response time")
    says = "Mean response time (ms) over the speed-up, one panel per scheduler, in the order of the command."
    own = {"color": style["color"], "tooltip": _told()}
    return one_by_one(says, rows, schedulers, _ROW_WIDTH, _speed_up(points), y, **own)


def _log_axis(rows: list[dict[str, Any]], column: str, quantity: str) -> Any:
    axis = alt.Y(f"{column}:Q", title=f"{quantity} (ms, log scale)")
    return ticked(axis, (row[column] for row in rows))


def _distributions(points: list[Point], style: dict[str, Any], chosen: Any, step: int) -> Any:
    """Draw the share of requests whose response is longer than t, over t, with one panel per speed-up."""
    scales = list(dict.fromkeys(point.scale for point in points))
    columns = 2 if len(scales) == 4 else min(len(scales), 3)
    width = (_ROW_WIDTH - _AXIS_WIDTH * (columns - 1)) // columns
    panels = []
    for scale in scales:
        own = [point for point in points if point.scale == scale]
        drawn = _distribution(own, style, step)
        title = f"Distribution of response times at speed-up {scale:g}"
        says = "Share of requests slower than a time: further left is faster, the right end is the slowest"
        says = f"{says} requests. Speed-up {scale:g}."
        panels.append(drawn.properties(title=title, description=says, width=width, height=_PANEL_HEIGHT))
    if chosen is not None:
        panels[0] = panels[0].add_params(chosen)  # One panel takes the selection; it applies to all.
    return alt.concat(*panels, columns=columns, spacing=24)


def _distribution(points: list[Point], style: dict[str, Any], step: int) -> Any:
    """Draw the share of responses longer than t at one speed-up; every `step`-th quantile has a point."""
    rows = [
        row
        for point in points
        for row in slower_rows(
            FRACTIONS[::step], point.response_quantiles_s[::step], scheduler=point.scheduler
        )
    ]
    return slower_than(rows, ["scheduler:N | Scheduler"], **style)
