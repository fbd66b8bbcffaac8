"""The chart of a trace: arrivals, addresses, times between arrivals, sizes, bursts and sequential runs."""

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..common.units import duration, size, time_scale
from ..pages.page import Table, table
from ..traces.statistics import TraceStatistics
from .grammar import alt, groups, plot
from .style import COLOURS, log_ticks, readable

_WIDTH, _HEIGHT, _WIDE_HEIGHT = 420, 260, 220
_WHOLE_WIDTH = 2 * _WIDTH + 92
#: Largest number of time steps that are drawn.
_INTERVALS = 256
#: Largest number of points of a curve; more points could not be distinguished.
_CURVE_POINTS = 240
#: Largest number of points of a curve that is drawn with a mark at each point; without marks, a curve of one
#: point would be invisible.
_FEW_POINTS = 12
_KINDS = ["reads", "writes", "discards", "flushes"]
_COLOUR = {
    **{"reads": COLOURS[0], "writes": COLOURS[1], "discards": "#999999", "flushes": COLOURS[3]},
    **{"all": "#000000", "metadata": COLOURS[2]},
}
_CLASSES = ["all", "reads", "writes", "metadata"]


def trace_chart(statistics: TraceStatistics) -> Any:
    """Draw arrivals, addresses, times between arrivals, sizes, bursts and sequential runs of a trace."""
    small = [
        panel(statistics).properties(title=title, description=says, width=_WIDTH, height=_HEIGHT)
        for title, panel, says in _SMALL
    ]
    rows = (_arrivals(statistics), _addresses(statistics), alt.concat(*small, columns=2, spacing=32))
    whole = alt.vconcat(*rows, spacing=28).resolve_scale(color="independent")
    return readable(whole, title=statistics.source, subtitle=_about(statistics))


def _about(statistics: TraceStatistics) -> str:
    overall = statistics.summary()["overall"]
    counts, hurst = overall["counts"], overall["arrivals"]["hurst"]
    about = f"{counts['requests']:,} requests in {duration(counts['span_s'])}"
    if counts["read_share"] is not None:
        about += f"; {counts['read_share']:.1%} of reads and writes are reads"
        about += f", {overall['places']['sequential_share']:.1%} sequential"
    if counts["metadata"]:
        about += f", {counts['metadata_share']:.1%} metadata"
    return about + (f"; Hurst parameter about {hurst:.2f}" if hurst is not None else "")


def _colours(kinds: Sequence[str]) -> Any:
    # Empty panels share the colours of the others, and an empty list of names would remove all colours.
    if not kinds:
        return alt.Undefined
    scale = alt.Scale(domain=list(kinds), range=[_COLOUR[kind] for kind in kinds])
    return alt.Color("kind:N", title=None, scale=scale, sort=list(kinds))


def _arrivals(statistics: TraceStatistics) -> Any:
    """Draw the rate of each operation in each time step, stacked."""
    table = statistics.timeline.to_pylist()
    folded = -(-len(table) // _INTERVALS)
    width_s = table[0]["width_s"] * folded
    unit_s, unit = time_scale(len(table) * table[0]["width_s"])
    there = [kind for kind in _KINDS if any(row[kind] for row in table)]
    rows = []
    for first in range(0, len(table), folded):
        place = {"from": table[first]["start_s"] / unit_s}
        place["to"] = place["from"] + width_s / unit_s
        low = 0.0
        for kind in there:
            high = low + sum(row[kind] for row in table[first : first + folded]) / width_s
            if high > low:
                rows.append({**place, "kind": kind, "low": low, "high": high})
            low = high
    bars = plot(
        rows,
        x=_time("from", unit),
        x2="to:Q",
        y=alt.Y("low:Q", title="Requests/s"),
        y2="high:Q",
        color=_colours(there),
    ).mark_rect()
    title = f"Arrivals, in intervals of {duration(width_s)}"
    says = "Requests per second by operation: peaks are bursts."
    return bars.properties(title=title, description=says, width=_WHOLE_WIDTH, height=_WIDE_HEIGHT)


def _time(column: str, unit: str) -> Any:
    title = f"Time since the first arrival ({unit})"
    return alt.X(f"{column}:Q", title=title).axis(grid=False).scale(nice=False)


def _log(channel: Any, rows: Iterable[dict[str, Any]], column: str, title: str, *shown: float) -> Any:
    """Return a logarithmic axis over the values of a column and the values in `shown`."""
    ticks = log_ticks([*shown, *(row[column] for row in rows)])
    axis = channel(f"{column}:Q", title=title).scale(type="log", nice=False)
    return axis.axis(format="~g", values=ticks)


def _inter_arrivals(statistics: TraceStatistics) -> Any:
    curves = groups(statistics.inter_arrivals.to_pylist(), "class")
    rows = [
        {"kind": name, "ms": max(ms, 1e-3), "share": share}
        for name, points in curves.items()
        for ms, share in _thinned([(row["seconds"] * 1e3, row["share"]) for row in points])
    ]
    title = "Time between arrivals (ms, log scale; 1 µs and less at the left edge)"
    lines = plot(
        rows,
        x=_log(alt.X, rows, "ms", title),
        y=alt.Y("share:Q", title="Cumulative share").scale(domain=[0, 1]).axis(format="%"),
        color=_colours([name for name in _CLASSES if name in curves]),
    )
    few = len(rows) <= _FEW_POINTS
    return lines.mark_line(strokeWidth=2, interpolate="step-after", point=few)


def _thinned(points: Sequence[tuple[float, float]]) -> Iterable[tuple[float, float]]:
    """Return points of a curve that are evenly spread in log x: at most `_CURVE_POINTS`, and the last."""
    if len(points) <= _CURVE_POINTS:
        return points
    places = [math.log(max(x, 1e-6)) for x, _ in points]
    step = (places[-1] - places[0]) / (_CURVE_POINTS - 1)
    wanted = {bisect_left(places, places[0] + at * step) for at in range(_CURVE_POINTS)}
    return [points[at] for at in sorted({*(min(at, len(points) - 1) for at in wanted), len(points) - 1})]


def _sizes(statistics: TraceStatistics) -> Any:
    """Draw the shares of reads and of writes in ranges of sizes; each range ends at a power of two."""
    counts: dict[str, dict[int, int]] = {"reads": {}, "writes": {}}
    for row in statistics.sizes.to_pylist():
        top = 1 << max(0, int(row["low_bytes"]) - 1).bit_length()
        for kind, of in counts.items():
            of[top] = of.get(top, 0) + row[kind]
    there = [kind for kind, of in counts.items() if any(of.values())]
    tops = sorted({top for of in counts.values() for top in of})
    rows = [
        {"kind": kind, "size": size(top), "share": counts[kind].get(top, 0) / sum(counts[kind].values())}
        for kind in there
        for top in tops
    ]
    x = alt.X("size:N", title="Size (up to this size)", sort=[size(top) for top in tops])
    return plot(
        rows,
        x=x.axis(labelAngle=-40),
        xOffset=alt.XOffset("kind:N", sort=there),
        y=alt.Y("share:Q", title="Share of reads or of writes").axis(format="%"),
        color=_colours(there),
    ).mark_bar()


def _addresses(statistics: TraceStatistics) -> Any:
    """Draw the address of each request over time, with the devices of a trace one above the other."""
    sample = statistics.sample.to_pydict()
    devices = statistics.devices.to_pydict()
    bases: dict[int | None, float] = {}
    top = 0.0
    for device, end in zip(devices["device"], devices["end_sector"], strict=True):
        bases[device] = top
        top += end
    bytes_unit, unit = next(
        (row for row in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")) if top * 512 >= 3 * row[0]), (1e3, "kB")
    )
    start_s = sample["arrival_s"][0] if sample["arrival_s"] else 0.0
    span_s = sample["arrival_s"][-1] - start_s if sample["arrival_s"] else 0.0
    unit_s, time_unit = time_scale(span_s)
    columns = (sample[name] for name in ("arrival_s", "device", "lbn", "write"))
    rows = [
        {
            "time": round((arrival_s - start_s) / unit_s, 6),
            # Devices without separate figures in the statistics share one place, and overlap.
            "place": round((bases[device if device in bases else None] + lbn) * 512 / bytes_unit, 6),
            "kind": "writes" if write else "reads",
        }
        for arrival_s, device, lbn, write in zip(*columns, strict=True)
    ]
    one_in = statistics.figures["sample"]["one_in"]
    title = "Addresses over time" + (f", one request in {one_in:,}" if one_in > 1 else "")
    if len(bases) > 1:
        title += f"; {len(bases) - (None in bases):,} devices one above another"
        if None in bases:
            title += f", {devices['name'][-1]} on top of each other"
    # Area of a point in square pixels: points are smaller if there are more of them.
    area = min(60.0, max(7.0, 20_000 / max(1, len(rows))))
    points = plot(
        rows,
        x=_time("time", time_unit),
        y=alt.Y("place:Q", title=f"Address ({unit})").scale(nice=False, zero=False),
        color=_colours(["reads", "writes"]),
    ).mark_circle(size=area, opacity=0.5)
    says = "Each point is the address of a request: horizontal lines are repeated addresses, slopes are runs."
    return points.properties(title=title, description=says, width=_WHOLE_WIDTH, height=_WIDE_HEIGHT + 60)


def _dispersion(statistics: TraceStatistics) -> Any:
    """Draw the variance over the mean of the number of arrivals in a time window, over the window's width."""
    table = statistics.windows.to_pylist()
    rows = [row for row in table if row["windows"] > 1 and row["dispersion"] > 0]
    y = _log(alt.Y, rows, "dispersion", "Variance / mean (log scale)", 1.0)
    base = plot(rows, x=_log(alt.X, rows, "window_s", "Width of the windows (s, log scale)"), y=y)
    poisson = plot([{"dispersion": 1}], y=y).mark_rule(strokeDash=[5, 3])
    points = base.mark_point(filled=True, size=30, color=COLOURS[0])
    return alt.layer(poisson, base.mark_line(color=COLOURS[0]), points)


def _runs(statistics: TraceStatistics) -> Any:
    """Draw the share of requests in sequential runs of at least n requests, over n."""
    table = statistics.runs.to_pylist()
    total = sum(row["low"] * row["count"] for row in table)
    rows, left = [], total
    for row in table:
        rows.append({"length": row["low"], "share": left / total})
        left -= row["low"] * row["count"]
    return plot(
        rows,
        x=_log(alt.X, rows, "length", "Requests in the run (log scale)"),
        y=alt.Y("share:Q", title="Share of requests in such runs").scale(domain=[0, 1]).axis(format="%"),
    ).mark_line(point=True, interpolate="step-before", color=COLOURS[0])


#: The small panels, each with its title, the function that draws it, and its caption.
_SMALL: Sequence[tuple[str, Callable[[TraceStatistics], Any], str]] = (
    (
        "Times between arrivals of a class",
        _inter_arrivals,
        "Share of the requests of a class that arrive within a time after the class's previous request.",
    ),
    ("Sizes", _sizes, "Share of the reads, and share of the writes, in each class of sizes."),
    (
        "Variability of counts in windows; dashed: Poisson",
        _dispersion,
        "Burstiness on each time scale: above the dashed line, requests come in bursts.",
    ),
    (
        "Sequential runs of at least a length",
        _runs,
        "Share of the requests that belong to sequential runs of at least this length.",
    ),
)


def trace_tables(statistics: TraceStatistics) -> list[Table]:
    """Return tables of the devices in a trace, of its requests by block class, and of its evidence."""
    return [
        table("Devices of the trace", statistics.devices.to_pylist()),
        table("Classes of requests", statistics.classes.to_pylist()),
        table("Evidence", statistics.summary()["evidence"]),
    ]
