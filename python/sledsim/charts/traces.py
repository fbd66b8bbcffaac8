"""The plot page of a trace: when requests arrive, how large they are, where they go."""

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any

from ..common.units import duration, size, time_scale
from ..traces.statistics import TraceStatistics
from .style import COLOURS, alt, log_ticks, readable

_WIDTH, _HEIGHT, _WIDE_HEIGHT = 420, 260, 220
_WHOLE_WIDTH = 2 * _WIDTH + 92
#: Intervals of the time that are drawn at the most.
_INTERVALS = 256
#: Points of a curve; more are not seen.
_CURVE_POINTS = 240
#: So few points of a curve are drawn as such: a line is nothing with one.
_FEW_POINTS = 12
_KINDS = ["reads", "writes", "others"]
_COLOUR = dict(
    zip(
        ("reads", "writes", "others", "all", "metadata"),
        (*COLOURS[:2], "#999999", "#000000", COLOURS[2]),
        strict=True,
    )
)
_CLASSES = ["all", "reads", "writes", "metadata"]


def trace_chart(statistics: TraceStatistics) -> alt.VConcatChart:
    """Arrivals and addresses over time; times between arrivals by class, sizes, bursts, and runs."""
    panels: list[Any] = [panel(statistics) for panel in (_inter_arrivals, _sizes, _dispersion, _runs)]
    rows: list[Any] = [
        _arrivals(statistics),
        _addresses(statistics),
        alt.concat(*panels, columns=2, spacing=32),
    ]
    title = alt.TitleParams(statistics.source, subtitle=_about(statistics))
    whole = alt.vconcat(*rows, spacing=28).resolve_scale(color="independent")
    chart: alt.VConcatChart = readable(whole.properties(title=title, padding=16))
    return chart


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


def _colours(kinds: Sequence[str], title: str | None = None) -> Any:
    if not kinds:  # Panels share their colours, of which an empty one would leave none.
        return alt.Undefined
    scale = alt.Scale(domain=list(kinds), range=[_COLOUR[kind] for kind in kinds])
    return alt.Color("kind:N", title=title, scale=scale, sort=list(kinds))


def _arrivals(statistics: TraceStatistics) -> alt.Chart:
    """The rate of each operation in intervals, one above another."""
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
    x = alt.X("from:Q", title=f"Time since the first arrival ({unit})")
    chart: alt.Chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_rect()
        .encode(
            x=x.axis(grid=False).scale(nice=False),
            x2="to:Q",
            y=alt.Y("low:Q", title="Requests/s"),
            y2="high:Q",
            color=_colours(there),
        )
        .properties(
            title=f"Arrivals, in intervals of {duration(width_s)}", width=_WHOLE_WIDTH, height=_WIDE_HEIGHT
        )
    )
    return chart


def _inter_arrivals(statistics: TraceStatistics) -> alt.LayerChart:
    rows: list[dict[str, Any]] = []
    curves: dict[str, list[tuple[float, float]]] = {}
    for row in statistics.inter_arrivals.to_pylist():
        curves.setdefault(row["class"], []).append((row["seconds"] * 1e3, row["share"]))
    for name, points in curves.items():
        rows += [{"kind": name, "ms": max(ms, 1e-3), "share": share} for ms, share in _thinned(points)]
    there = [name for name in _CLASSES if name in curves]
    x = alt.X("ms:Q", title="Time between arrivals (ms, log scale; 1 µs and less at the left edge)")
    lines = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(strokeWidth=2, interpolate="step-after", point=len(rows) <= _FEW_POINTS)
        .encode(
            x=x.scale(type="log", nice=False).axis(format="~g", values=log_ticks(row["ms"] for row in rows)),
            y=alt.Y("share:Q", title="Share that is no longer").scale(domain=[0, 1]).axis(format="%"),
            color=_colours(there),
        )
    )
    layers: alt.LayerChart = alt.layer(lines).properties(
        title="Times between arrivals of a class", width=_WIDTH, height=_HEIGHT
    )
    return layers


def _thinned(points: Sequence[tuple[float, float]]) -> Iterable[tuple[float, float]]:
    """No more points than are seen, evenly over the logarithm of x, with the first and the last."""
    if len(points) <= _CURVE_POINTS:
        return points
    places = [math.log(max(x, 1e-6)) for x, _ in points]
    step = (places[-1] - places[0]) / (_CURVE_POINTS - 1)
    wanted = {bisect_left(places, places[0] + at * step) for at in range(_CURVE_POINTS)}
    return [points[at] for at in sorted({*(min(at, len(points) - 1) for at in wanted), len(points) - 1})]


def _sizes(statistics: TraceStatistics) -> alt.Chart:
    """Shares of reads and of writes, in doublings of size."""
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
    x = alt.X("size:N", title="Size (up to, from half of it)", sort=[size(top) for top in tops])
    chart: alt.Chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_bar()
        .encode(
            x=x.axis(labelAngle=-40),
            xOffset=alt.XOffset("kind:N", sort=there),
            y=alt.Y("share:Q", title="Share of the reads, of the writes").axis(format="%"),
            color=_colours(there),
        )
        .properties(title="Sizes", width=_WIDTH, height=_HEIGHT)
    )
    return chart


def _point_size(points: int) -> float:
    """The area of a point in square pixels: few are seen if they are large, many if they are small."""
    return min(60.0, max(7.0, 20_000 / max(1, points)))


def _addresses(statistics: TraceStatistics) -> alt.Chart:
    """A point a request; devices one above another."""
    sample = statistics.sample.to_pydict()
    devices = statistics.devices.to_pydict()
    bases: dict[int, float] = {}
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
            "place": round((bases[device] + lbn) * 512 / bytes_unit, 6),
            "kind": "writes" if write else "reads",
        }
        for arrival_s, device, lbn, write in zip(*columns, strict=True)
    ]
    one_in = statistics.figures["sample"]["one_in"]
    title = "Addresses over time" + (f", one request in {one_in:,}" if one_in > 1 else "")
    if len(bases) > 1:
        title += f"; {len(bases)} devices one above another"
    chart: alt.Chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_circle(size=_point_size(len(rows)), opacity=0.5)
        .encode(
            x=alt.X("time:Q", title=f"Time since the first arrival ({time_unit})")
            .axis(grid=False)
            .scale(nice=False),
            y=alt.Y("place:Q", title=f"Address ({unit})").scale(nice=False, zero=False),
            color=_colours(["reads", "writes"]),
        )
        .properties(title=title, width=_WHOLE_WIDTH, height=_WIDE_HEIGHT + 60)
    )
    return chart


def _dispersion(statistics: TraceStatistics) -> alt.LayerChart:
    """How the counts of windows vary with their width."""
    table = statistics.windows.to_pylist()
    rows = [row for row in table if row["windows"] > 1 and row["dispersion"] > 0]
    x = alt.X("window_s:Q", title="Width of the windows (s, log scale)").scale(type="log", nice=False)
    y = alt.Y("dispersion:Q", title="Variance / mean (log scale)").scale(type="log", nice=False)
    base = alt.Chart(alt.InlineData(values=rows)).encode(
        x=x.axis(format="~g", values=log_ticks(row["window_s"] for row in rows)),
        y=y.axis(format="~g", values=log_ticks([1.0, *(row["dispersion"] for row in rows)])),
    )
    poisson = alt.Chart(alt.InlineData(values=[{"dispersion": 1}])).mark_rule(strokeDash=[5, 3]).encode(y=y)
    points = base.mark_point(filled=True, size=30, color=COLOURS[0])
    panel: alt.LayerChart = alt.layer(poisson, base.mark_line(color=COLOURS[0]), points).properties(
        title="Variability of counts in windows; dashed: Poisson", width=_WIDTH, height=_HEIGHT
    )
    return panel


def _runs(statistics: TraceStatistics) -> alt.Chart:
    """Which share of the requests is in sequential runs of a length or more."""
    table = statistics.runs.to_pylist()
    total = sum(row["low"] * row["count"] for row in table)
    rows, left = [], total
    for row in table:
        rows.append({"length": row["low"], "share": left / total})
        left -= row["low"] * row["count"]
    x = alt.X("length:Q", title="Requests in the run (log scale)").scale(type="log", nice=False)
    chart: alt.Chart = (
        alt.Chart(alt.InlineData(values=rows))
        .mark_line(point=True, interpolate="step-before", color=COLOURS[0])
        .encode(
            x=x.axis(format="~g", values=log_ticks(row["length"] for row in rows)),
            y=alt.Y("share:Q", title="Share of requests in runs as long")
            .scale(domain=[0, 1])
            .axis(format="%"),
        )
        .properties(title="Sequential runs, of as many requests or more", width=_WIDTH, height=_HEIGHT)
    )
    return chart
