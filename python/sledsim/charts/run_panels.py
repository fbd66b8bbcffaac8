"""Charts of a run: responses over time, distribution of responses, queue, seeks on the medium, energy."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common.units import duration, time_scale
from ..model.devices import Device
from ..model.volumes import from_parameters
from ..runs.breakdown import PHASE_COLUMNS
from ..runs.comparison import FRACTIONS
from ..runs.kept_columns import FLUSH_KIND
from ..runs.run import Run
from .colours import COLOURS
from .distribution import slower_rows, slower_than
from .grammar import alt, broken, colour, log_axis, names, plot, tips
from .phases import mean_time, time_by_class
from .power_chart import power_panels

_WIDTH, _WIDE, _HEIGHT = 480, 760, 260
#: Number of time steps, number of cells along each axis of the map, and number of seeks that are drawn.
_STEPS, _CELLS, _SEEKS = 200, 48, 240
#: Least mean number of requests per time step: for drawing quantiles of responses, and for drawing the queue.
_IN_STEP, _IN_QUEUE = 20, 5
#: Quantiles of the responses in a time step that are drawn, by name: 0.95 is the time that 95 % do not
#: exceed.
_FIGURES = {"median": 0.5, "95th percentile": 0.95, "longest": 1.0}
#: Percentiles that the summary of every run has, even of a run that kept no columns: name of the figure, and
#: share of the requests.
_KNOWN = {
    **{"p50_response_s": 0.5, "p95_response_s": 0.95},
    **{"p99_response_s": 0.99, "p999_response_s": 0.999},
}
#: Number of points from which a line is drawn without a mark at each point.
_FEW_POINTS = 10
#: Columns of a run that the charts and the table of the slowest requests need.
COLUMNS = (*PHASE_COLUMNS, "lbn", "blocks", "write")
_Ns = NDArray[np.int64]


def run_panels(run: Run) -> list[Any]:
    """Return the charts of a run for which it kept data."""
    panels = [mean_time(run)]
    if all(name in run.columns for name in COLUMNS):
        moves = run.transfers
        panels += [time_by_class(moves), over_time(moves), _queue(moves), distribution(run), *_medium(moves)]
    else:
        panels.append(distribution(run))
    return [*panels, _energy(run), *power_panels(run.power())]


def _steps(run: Run, requests: int) -> tuple[NDArray[np.float64], float, str]:
    """Return the edges of the time steps in seconds, and the unit for showing times (seconds, name).

    Time counts from the first arrival. A step has at least `requests` requests in the mean.
    """
    edges = np.linspace(0.0, run.span_s or 1e-9, min(_STEPS, max(2, run.totals["requests"] // requests)) + 1)
    return edges, *time_scale(run.span_s)


def _seconds(run: Run, column: str) -> NDArray[np.float64]:
    seconds: NDArray[np.float64] = (run.columns[column] - run.totals["first_arrival_ns"]) * 1e-9
    return seconds


def _time_axis(unit: str) -> Any:
    return alt.X("at:Q", title=f"Time since the first arrival ({unit})").scale(nice=False, domainMin=0)


def over_time(run: Run) -> Any:
    """Draw median, 95th percentile and maximum of the responses, by the time step of the arrival."""
    edges, unit_s, unit = _steps(run, _IN_STEP)
    response_ms = run.response_ns * 1e-6
    step = np.clip(np.searchsorted(edges, _seconds(run, "arrival_ns"), "right") - 1, 0, len(edges) - 2)
    order = np.argsort(step, kind="stable")
    bounds = np.searchsorted(step[order], np.arange(len(edges)))
    rows = []
    for at, (begin, end) in enumerate(pairwise(bounds.tolist())):
        if begin < end:
            figures = np.quantile(response_ms[order[begin:end]], [*_FIGURES.values()]).tolist()
            place = {"at": float(edges[at] + edges[at + 1]) / 2 / unit_s, "requests": int(end - begin)}
            rows += [{**place, "figure": name, "ms": ms} for name, ms in zip(_FIGURES, figures, strict=True)]
    shown = broken([row for row in rows if row["ms"] > 0], "at", float(edges[1]) / unit_s)
    lines = plot(
        shown,
        x=_time_axis(unit),
        y=log_axis(alt.Y, shown or [{"ms": 1.0}], "ms", "Response time (ms, log scale)"),
        detail="stretch:N",
        color=colour("figure", f"In each {duration(float(edges[1]))}", [*_FIGURES]),
        tooltip=tips(
            *(f"at:Q | Time ({unit}) | ,.4g", "figure:N | Figure", "ms:Q | Response (ms) | ,.4g"),
            "requests:Q | Requests | ,",
        ),
    )
    return lines.mark_line(strokeWidth=1.5, point=alt.OverlayMarkDef(size=10)).properties(
        title="Response over time",
        description="Response times of the requests that arrived in each time step: lines rise in bursts,"
        " and break where no request arrives.",
        width=_WIDE,
        height=_HEIGHT,
    )


def distribution(run: Run) -> Any:
    """Draw the share of requests that take longer than t, over t: all, reads, writes and flushes.

    A run with one kind of request has one line. The chart of a run without columns has only the percentiles
    that the run kept.
    """
    says = "Share of requests that respond later than t"
    if run.columns:
        rows = [
            row
            for name, response_ns in _by_operation(run).items()
            for row in slower_rows(FRACTIONS, np.quantile(response_ns, FRACTIONS) * 1e-9, requests=name)
        ]
        says += ": the right end is the slowest request."
    else:
        figures = run.summary()
        rows = [*slower_rows(_KNOWN.values(), [figures[name] for name in _KNOWN], requests="all")]
        says += ", at known percentiles."
    drawn = names(rows, "requests")
    color = alt.Color("requests:N", title=None, sort=drawn)
    color = color.scale(domain=drawn, range=["#000000", *COLOURS][: len(drawn)])
    color = color.legend(orient="bottom-left") if len(drawn) > 1 else color.legend(None)
    lines = slower_than(rows, ["requests:N | Requests"], points=len(rows) < _FEW_POINTS, color=color)
    return lines.properties(
        title="Distribution of response times", description=says, width=_WIDTH, height=_HEIGHT
    )


def _by_operation(run: Run) -> dict[str, _Ns]:
    """Return response times in ns: of all reads and writes, of each if a run has both, and of flushes."""
    moves = run.transfers
    found = {"all": moves.response_ns}
    writes = moves.columns.get("write")
    if writes is not None and writes.any() and not writes.all():
        found |= {"reads": moves.response_ns[~writes], "writes": moves.response_ns[writes]}
    if moves is not run:
        found["flushes"] = run.response_ns[run.columns["kind"] == FLUSH_KIND]
    return found


def _queue(run: Run) -> Any:
    """Draw the mean number of outstanding requests in each time step."""
    edges, unit_s, unit = _steps(run, _IN_QUEUE)
    inside = _integral(_seconds(run, "arrival_ns"), edges) - _integral(_seconds(run, "completion_ns"), edges)
    means = np.maximum(0.0, np.diff(inside) / np.diff(edges)).tolist()
    middles = ((edges[:-1] + edges[1:]) / 2 / unit_s).tolist()
    rows = [{"at": at, "requests": mean} for at, mean in zip(middles, means, strict=True)]
    base = plot(
        rows,
        x=_time_axis(unit),
        y=alt.Y("requests:Q", title="Outstanding requests (mean)").scale(zero=True),
        tooltip=tips(f"at:Q | Time ({unit}) | ,.4g", "requests:Q | Requests | ,.4g"),
    )
    return base.mark_area(color=COLOURS[0], opacity=0.5, line={"color": COLOURS[0]}).properties(
        title="Queue over time",
        description="Number of requests that waited or were served, as a mean over each time step.",
        width=_WIDE,
        height=_HEIGHT * 3 // 4,
    )


def _integral(times: NDArray[np.float64], edges: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, for each edge, the sum of (edge - time) over all `times` up to this edge."""
    times = np.sort(times)
    passed = np.searchsorted(times, edges, "right")
    sums = np.concatenate([[0.0], np.cumsum(times)])
    integral: NDArray[np.float64] = passed * edges - sums[passed]
    return integral


def _medium(run: Run) -> Iterator[Any]:
    """Yield a chart of the places of accesses: a map of the tip region for a sled, cylinders for a disk.

    Other devices and volumes have no such chart.
    """
    if "volume" in run.settings.parameters:
        return
    device = from_parameters(run.settings.parameters)
    order = np.argsort(run.columns["start_ns"], kind="stable")
    if not isinstance(device, Device):
        return
    try:
        places = device.locate(run.columns["lbn"][order])
    except (ValueError, TypeError):  # Requests to flash have no place on a medium.
        return
    if "x_m" in places:
        yield _map(places["x_m"] * 1e6, places["y_m"] * 1e6)
    elif "cylinder" in places:
        yield _cylinders(run, order, places["cylinder"])


def _map(x_um: NDArray[np.float64], y_um: NDArray[np.float64]) -> Any:
    """Draw the number of accesses that begin in each cell of the tip region, and a sample of the seeks."""
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
        "Places on the tip region where accesses begin, with brighter cells where more begin; the lines are"
        f" {len(seeks):,} of the seeks, each from the start of one request to the start of the next."
    )
    return alt.layer(rects.mark_rect(), lines).properties(
        title="Seeks on the medium", description=says, width=420, height=420
    )


def _cylinders(run: Run, order: _Ns, cylinders: _Ns) -> Any:
    """Draw the cylinder of accesses over time, for an evenly spaced sample of accesses."""
    unit_s, unit = time_scale(run.span_s)
    step = max(1, len(order) // 2000)
    at = (_seconds(run, "start_ns")[order] / unit_s)[::step].tolist()
    rows = [
        {"at": time, "cylinder": int(one)} for time, one in zip(at, cylinders[::step].tolist(), strict=True)
    ]
    told = tips(f"at:Q | Time ({unit}) | ,.4g", "cylinder:Q | Cylinder | ,")
    points = plot(rows, x=_time_axis(unit), y=alt.Y("cylinder:Q", title="Cylinder"), tooltip=told)
    says = "Cylinders of accesses over time: a long jump is a long seek."
    return points.mark_circle(size=10, opacity=0.6, color=COLOURS[0]).properties(
        title="Seeks on the medium", description=says, width=_WIDTH, height=_HEIGHT
    )


def _energy(run: Run) -> Any:
    """Draw one bar per use of energy, in joules over the whole run."""
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
        description="Energy of all devices by use, over the whole run.",
        width=_WIDE,
        height=_HEIGHT,
    )
