"""The charts of a run: where the time of a request goes, responses, queue, seeks on the medium, energy."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common.units import time_scale
from ..model.devices import Device
from ..model.systems import from_parameters
from ..runs.comparisons import FRACTIONS
from ..runs.run import SERVICE_PHASES, Run
from .colours import COLOURS
from .grammar import alt, colour, log_axis, plot, tips, unfolded
from .power import power_panels

_WIDTH, _WIDE, _HEIGHT = 480, 760, 260
#: Steps of time, cells of the map along each axis, and seeks that are drawn.
_STEPS, _CELLS, _SEEKS = 200, 48, 240
#: The columns that the charts and the table of the slowest requests need.
COLUMNS = (
    *("arrival_ns", "start_ns", "completion_ns", "overhead_ns", *SERVICE_PHASES),
    *("lbn", "blocks", "write"),
)
#: Classes of requests by how slow they are: up to which part of all, and what they are called.
_CLASSES = ((0.5, "fastest half"), (0.9, "next 40 %"), (0.99, "next 9 %"), (1.0, "slowest 1 %"))
_WAITING = "waiting for others"
_REST = "bus, and other parts"
_Ns = NDArray[np.int64]


def run_panels(run: Run) -> list[Any]:
    """The charts that can be drawn of what a run kept."""
    panels = [_mean_time(run)]
    if all(name in run.columns for name in COLUMNS):
        panels += [_time_by_class(run), _over_time(run), _queue(run), _distribution(run), *_medium(run)]
    else:
        panels.append(_quantiles(run))
    return [*panels, _energy(run), *power_panels(run.power())]


def phases_ns(run: Run) -> dict[str, NDArray[np.float64]]:
    """What the time of each request was spent with, by its name; columns have to be there."""
    columns = run.columns
    found = {_WAITING: columns["start_ns"] - columns["arrival_ns"] - columns["overhead_ns"]}
    found["overhead"] = columns["overhead_ns"]
    found |= {name.removesuffix("_ns"): columns[name] for name in SERVICE_PHASES}
    found[_REST] = run.response_ns - sum(found.values())
    # Parts of a volume overlap, so that one may hide another.
    return {name: np.maximum(0, values).astype(np.float64) for name, values in found.items()}


def _mean_time(run: Run) -> Any:
    """A bar for what the mean response time is made of."""
    if all(name in run.columns for name in COLUMNS):
        parts = {name: float(values.mean()) * 1e-6 for name, values in phases_ns(run).items()}
    else:
        requests = run.totals["requests"]
        sums = run.totals["phases_ns"].items()
        parts = {name.removesuffix("_ns"): int(sum_ns) * 1e-6 / requests for name, sum_ns in sums}
        others = run.summary()["mean_response_s"] * 1e3 - sum(parts.values())
        parts = {"waiting, overhead and bus": max(0.0, others), **parts}
    whole = sum(parts.values()) or 1.0
    rows = [{"part": name, "ms": ms, "share": ms / whole} for name, ms in parts.items() if ms > 0]
    base = plot(
        rows,
        x=alt.X("ms:Q", title="Mean time of a request (ms)"),
        y=alt.Y("part:N", sort=list(parts), title=None).axis(labelLimit=170),
        tooltip=tips("part:N | Part", "ms:Q | Mean (ms) | ,.4g", "share:Q | Share | .1%"),
    )
    return base.mark_bar(color=COLOURS[0]).properties(
        title="Where the time of a request goes",
        description="What the mean response time is made of, in the order in which a request meets it.",
        width=_WIDTH,
        height=_HEIGHT,
    )


def _time_by_class(run: Run) -> Any:
    """What the time of fast and of slow requests is made of."""
    order = np.argsort(run.response_ns, kind="stable")
    parts = {name: values[order] for name, values in phases_ns(run).items()}
    rows, begin = list[dict[str, Any]](), 0
    for share, name in _CLASSES:
        end = int(np.ceil(share * len(order)))
        if end > begin:
            ms = {part: float(values[begin:end].mean()) * 1e-6 for part, values in parts.items()}
            rows += [{"class": name, "part": part, "ms": value} for part, value in ms.items()]
        begin = max(begin, end)
    names = [part for part in parts if any(row["part"] == part and row["ms"] > 0 for row in rows)]
    bars = plot(
        [row for row in rows if row["part"] in names],
        x=alt.X("ms:Q", title="Share of their response time", stack="normalize").axis(format="%"),
        y=alt.Y("class:N", sort=[name for _, name in _CLASSES], title=None),
        color=colour("part", "Part", names),
        order=alt.Order("place:Q"),
        tooltip=tips("class:N | Requests", "part:N | Part", "ms:Q | Mean (ms) | ,.4g"),
    )
    places = alt.LookupData(
        data=alt.InlineData(values=[{"part": name, "place": at} for at, name in enumerate(names)]),
        key="part",
        fields=["place"],
    )
    return (
        bars.transform_lookup(lookup="part", from_=places)
        .mark_bar()
        .properties(
            title="What makes slow requests slow",
            description="The parts of the response times of fast requests and of slow ones: what grows"
            " downwards is what the slow ones wait for.",
            width=_WIDTH,
            height=_HEIGHT,
        )
    )


def _steps(run: Run) -> tuple[NDArray[np.float64], float, str]:
    """The edges of steps of time in seconds since the first arrival, and the unit in which they are shown."""
    edges = np.linspace(0.0, run.span_s or 1e-9, min(_STEPS, max(2, run.totals["requests"] // 5)) + 1)
    return edges, *time_scale(run.span_s)


def _seconds(run: Run, column: str) -> NDArray[np.float64]:
    seconds: NDArray[np.float64] = (run.columns[column] - run.totals["first_arrival_ns"]) * 1e-9
    return seconds


def _time_axis(unit: str) -> Any:
    return alt.X("at:Q", title=f"Time since the first arrival ({unit})").scale(nice=False)


def _over_time(run: Run) -> Any:
    """Median, 99th percentile and longest response of the requests that came in each step."""
    edges, unit_s, unit = _steps(run)
    response_ms = run.response_ns * 1e-6
    step = np.clip(np.searchsorted(edges, _seconds(run, "arrival_ns"), "right") - 1, 0, len(edges) - 2)
    order = np.argsort(step, kind="stable")
    bounds = np.searchsorted(step[order], np.arange(len(edges)))
    figures = {"p50": "median", "p99": "99th percentile", "longest": "longest"}
    rows = []
    for at, (begin, end) in enumerate(pairwise(bounds.tolist())):
        if begin < end:
            p50, p99, longest = np.quantile(response_ms[order[begin:end]], [0.5, 0.99, 1]).tolist()
            place = {"at": float(edges[at] + edges[at + 1]) / 2 / unit_s, "requests": int(end - begin)}
            rows.append({**place, "p50": p50, "p99": p99, "longest": longest})
    shown = [row for row in unfolded(rows, figures, "which", "ms") if row["ms"] > 0]
    lines = plot(
        [{key: row[key] for key in ("at", "which", "ms", "requests")} for row in shown],
        x=_time_axis(unit),
        y=log_axis(alt.Y, shown or [{"ms": 1.0}], "ms", "Response time (ms, log scale)"),
        color=colour("which", "", list(figures.values())),
        tooltip=tips(
            *(f"at:Q | Time ({unit}) | ,.4g", "which:N | Which", "ms:Q | Response (ms) | ,.4g"),
            "requests:Q | Requests | ,",
        ),
    )
    return lines.mark_line(strokeWidth=1.5, point=alt.OverlayMarkDef(size=10)).properties(
        title="Response over time",
        description="How long the requests took that came in each step of time: bursts make lines rise.",
        width=_WIDE,
        height=_HEIGHT,
    )


def _distribution(run: Run) -> Any:
    """Which part of the requests takes longer than a time."""
    times_ms = np.quantile(run.response_ns * 1e-6, FRACTIONS).tolist()
    rows = [
        {"ms": ms, "slower": 1 - fraction}
        for fraction, ms in zip(FRACTIONS.tolist(), times_ms, strict=True)
        if ms > 0
    ]
    return _slower(rows, "Which part of the requests takes longer than a time: the right end is the slowest.")


def _quantiles(run: Run) -> Any:
    """As `_distribution`, of the percentiles that are added up on the way."""
    shares = {"p50": 0.5, "p95": 0.05, "p99": 0.01, "p999": 0.001}
    found = run.summary()
    rows = [
        {"ms": found[f"{name}_response_s"] * 1e3, "slower": share}
        for name, share in shares.items()
        if found[f"{name}_response_s"] > 0
    ]
    return _slower(rows, "Which part of the requests takes longer than a time, at known percentiles.")


def _slower(rows: list[dict[str, float]], says: str) -> Any:
    y = alt.Y("slower:Q", title="Requests slower than that (log scale)").scale(type="log", domain=[1e-4, 1])
    lines = plot(
        rows,
        x=log_axis(alt.X, rows or [{"ms": 1.0}], "ms", "Response time (ms, log scale)"),
        y=y.axis(format="~%", values=[1, 0.1, 0.01, 0.001, 0.0001]),
        order="slower:Q",
        tooltip=tips("ms:Q | Response time (ms) | ,.4g", "slower:Q | Slower requests | .2%"),
    )
    mark = {"point": True} if len(rows) < 10 else {}
    return lines.mark_line(strokeWidth=2, clip=True, color=COLOURS[0], **mark).properties(
        title="Distribution of response times", description=says, width=_WIDTH, height=_HEIGHT
    )


def _queue(run: Run) -> Any:
    """The mean number of requests in the system in each step."""
    edges, unit_s, unit = _steps(run)
    inside = _integral(_seconds(run, "arrival_ns"), edges) - _integral(_seconds(run, "completion_ns"), edges)
    means = np.maximum(0.0, np.diff(inside) / np.diff(edges)).tolist()
    middles = ((edges[:-1] + edges[1:]) / 2 / unit_s).tolist()
    rows = [{"at": at, "requests": mean} for at, mean in zip(middles, means, strict=True)]
    base = plot(
        rows,
        x=_time_axis(unit),
        y=alt.Y("requests:Q", title="Requests in the system (mean)").scale(zero=True),
        tooltip=tips(f"at:Q | Time ({unit}) | ,.4g", "requests:Q | Requests | ,.4g"),
    )
    return base.mark_area(color=COLOURS[0], opacity=0.5, line={"color": COLOURS[0]}).properties(
        title="Queue over time",
        description="How many requests waited or were served, as a mean over each step of time.",
        width=_WIDE,
        height=_HEIGHT * 3 // 4,
    )


def _integral(times: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """The integral, from the beginning to each edge, of how many of the times have passed."""
    times = np.sort(times)
    passed = np.searchsorted(times, edges, "right")
    sums = np.concatenate([[0.0], np.cumsum(times)])
    integral: NDArray[np.float64] = passed * edges - sums[passed]
    return integral


def _medium(run: Run) -> Iterator[Any]:
    """Where seeks go: over the tip region of a sled, or over the cylinders of a disk."""
    if "volume" in run.settings.parameters:
        return
    device = from_parameters(run.settings.parameters)
    order = np.argsort(run.columns["start_ns"], kind="stable")
    if not isinstance(device, Device):
        return
    try:
        places = device.locate(run.columns["lbn"][order])
    except (ValueError, TypeError):  # Flash has no places.
        return
    if "x_m" in places:
        yield _map(places["x_m"] * 1e6, places["y_m"] * 1e6)
    elif "cylinder" in places:
        yield _cylinders(run, order, places["cylinder"])


def _map(x_um: NDArray[np.float64], y_um: NDArray[np.float64]) -> Any:
    """How many accesses begin in each cell of the tip region, and some of the seeks between them."""
    most = float(max(np.abs(x_um).max(), np.abs(y_um).max(), 1e-3)) * 1.001
    edges = np.linspace(-most, most, _CELLS + 1)
    counts, _, _ = np.histogram2d(x_um, y_um, bins=(edges, edges))
    cells = [
        {"x": edges[i], "x2": edges[i + 1], "y": edges[j], "y2": edges[j + 1], "accesses": int(counts[i, j])}
        for i, j in zip(*(where.tolist() for where in np.nonzero(counts)), strict=True)
    ]
    chosen = np.unique(np.linspace(0, max(0, len(x_um) - 2), min(_SEEKS, max(0, len(x_um) - 1))).astype(int))
    seeks = [
        {"x": float(x_um[at]), "y": float(y_um[at]), "x2": float(x_um[at + 1]), "y2": float(y_um[at + 1])}
        for at in chosen
    ]
    scale = alt.Scale(domain=[-most, most], nice=False)
    axes = {
        "x": alt.X("x:Q", title="x of the sled (µm)", scale=scale).axis(tickCount=5),
        "y": alt.Y("y:Q", title="y of the sled (µm)", scale=scale).axis(tickCount=5),
        "x2": "x2:Q",
        "y2": "y2:Q",
    }
    shade = (
        alt.Color("accesses:Q", title="Accesses").scale(scheme="viridis", domainMin=0).legend(orient="bottom")
    )
    rects = plot(cells, **axes, color=shade, tooltip=tips("accesses:Q | Accesses | ,"))
    lines = plot(seeks, **axes).mark_rule(strokeWidth=0.7, opacity=0.45, color=COLOURS[3])
    says = (
        "Where accesses begin on the tip region, whose cells are brighter where more begin; the lines are"
        f" {len(seeks):,} of the seeks, each from where one request begins to where the next one does."
    )
    return alt.layer(rects.mark_rect(), lines).properties(
        title="Seeks on the medium", description=says, width=420, height=420
    )


def _cylinders(run: Run, order: _Ns, cylinders: _Ns) -> Any:
    """The cylinder of each access over time, of an even choice of them."""
    _, unit_s, unit = _steps(run)
    step = max(1, len(order) // 2000)
    at = (_seconds(run, "start_ns")[order] / unit_s)[::step].tolist()
    rows = [
        {"at": time, "cylinder": int(one)} for time, one in zip(at, cylinders[::step].tolist(), strict=True)
    ]
    told = tips(f"at:Q | Time ({unit}) | ,.4g", "cylinder:Q | Cylinder | ,")
    points = plot(rows, x=_time_axis(unit), y=alt.Y("cylinder:Q", title="Cylinder"), tooltip=told)
    says = "The cylinder of each access over time: long jumps are long seeks."
    return points.mark_circle(size=10, opacity=0.6, color=COLOURS[0]).properties(
        title="Seeks on the medium", description=says, width=_WIDTH, height=_HEIGHT
    )


def _energy(run: Run) -> Any:
    """A bar for each use of energy."""
    uses = {use: joules for use, joules in run.energy_by_use_j.items() if joules}
    whole = sum(uses.values()) or 1.0
    rows = [{"use": use, "joules": joules, "share": joules / whole} for use, joules in uses.items()]
    bars = plot(
        rows,
        x=alt.X("joules:Q", title="Energy (J)"),
        y=alt.Y("use:N", sort=list(uses), title=None),
        tooltip=tips("use:N | Use", "joules:Q | Energy (J) | ,.4g", "share:Q | Share | .1%"),
    )
    return bars.mark_bar(color=COLOURS[2]).properties(
        title="Energy by use",
        description="What the energy of all devices was used for, over the whole run.",
        width=_WIDE,
        height=_HEIGHT,
    )
