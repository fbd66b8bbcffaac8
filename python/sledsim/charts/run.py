"""The chart of a run: response times over time, their distribution, and where the time goes."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common.shown import counted
from ..common.units import duration, time_scale
from ..pages.page import Table, figures_table
from ..runs.comparisons import FRACTIONS
from ..runs.run import Run
from .grammar import alt, colour, log_axis, plot, tips
from .style import COLOURS, readable

_WIDTH, _HEIGHT, _GAP = 400, 260, 100
_WHOLE_WIDTH = 2 * _WIDTH + _GAP
#: Intervals of time that are drawn at the most, however long the run, and requests in one at the least.
_INTERVALS, _IN_INTERVAL = 200, 20
#: So few points of a line are drawn as such: a line is nothing with one.
_FEW_POINTS = 12
#: What is quicker is at the edge of a logarithmic axis: 1 microsecond.
_LEAST_MS = 1e-3
#: What becomes of a request, in the order in which it happens; the first and the last are in columns.
_PHASES = {
    "command_ns": "command",
    "wait_ns": "wait for the medium",
    "positioning_ns": "positioning",
    "hold_ns": "wait for data to write",
    "switch_ns": "switches",
    "transfer_ns": "transfer",
}
_KINDS = ("all", "reads", "writes")


def run_chart(run: Run) -> Any:
    """Response times in intervals of time, their distribution, and the mean time of each phase.

    A run without columns in memory has the last of these alone.
    """
    rows = [_phases(run)]
    if "completion_ns" in run.columns:
        below = alt.hconcat(_distribution(run), *rows, spacing=_GAP // 2)
        rows = [_over_time(run), below.resolve_scale(color="independent")]
    whole = alt.vconcat(*rows, spacing=28).resolve_scale(color="independent")
    title = f"{run.settings.trace} on {run.device_name}, {run.settings.scheduler}"
    return readable(whole, title=title, subtitle=_about(run))


def run_tables(run: Run) -> list[Table]:
    """All figures."""
    return [figures_table("Figures", run.summary())]


def _about(run: Run) -> str:
    figures = run.summary()
    return (
        f"{counted(run.totals['requests'], 'request')} in {duration(run.span_s)}:"
        f" mean response {duration(figures['mean_response_s'])},"
        f" 99 % within {duration(figures['p99_response_s'])}, utilization {figures['utilization']:.1%}"
    )


def _over_time(run: Run) -> Any:
    """Median, 95th percentile and longest response in each interval, by the time of arrival."""
    arrival_s = (run.columns["arrival_ns"] - run.totals["first_arrival_ns"]) * 1e-9
    span_s = float(arrival_s[-1]) or 1e-9
    unit_s, unit = time_scale(span_s)
    count = min(_INTERVALS, max(1, len(arrival_s) // _IN_INTERVAL))
    edges_s = np.linspace(0, span_s, count + 1)
    ends = np.searchsorted(arrival_s, edges_s[1:-1])
    rows = [
        {"time": float(from_s + to_s) / 2 / unit_s, "figure": figure, "ms": ms}
        for from_s, to_s, own in zip(
            edges_s, edges_s[1:], np.split(run.response_ns * 1e-6, ends), strict=False
        )
        if len(own)
        for figure, ms in _figures(own)
    ]
    lines = plot(
        rows,
        x=alt.X("time:Q", title=f"Time of arrival since the first ({unit})").axis(grid=False),
        y=log_axis(alt.Y, rows, "ms", "Response time (ms, log scale)"),
        color=colour("figure", "In each interval", [figure for figure, _ in _figures(np.ones(1))]),
        tooltip=tips(
            *("figure:N | Figure", "ms:Q | Response (ms) | ,.3f", f"time:Q | Time of arrival ({unit}) | ,.3f")
        ),
    ).mark_line(strokeWidth=1.5, point=count <= _FEW_POINTS)
    title = "Response times" + (f", in intervals of {duration(span_s / count)}" if count > 1 else "")
    says = "How long the requests took that came in each interval: bursts make lines rise."
    return lines.properties(title=title, description=says, width=_WHOLE_WIDTH, height=_HEIGHT)


def _figures(responses_ms: NDArray[np.float64]) -> Iterator[tuple[str, float]]:
    """What is drawn of the response times in an interval."""
    found = np.percentile(responses_ms, [50, 95, 100]).tolist()
    for figure, ms in zip(("median", "95th percentile", "longest"), found, strict=True):
        yield figure, max(ms, _LEAST_MS)


def _distribution(run: Run) -> Any:
    """How many requests take longer than a time: all, and reads and writes where there are both."""
    parts = {"all": run.response_ns}
    if "write" in run.columns:
        writes = run.columns["write"]
        parts |= {"reads": run.response_ns[~writes], "writes": run.response_ns[writes]}
    there = [kind for kind in _KINDS if len(parts.get(kind, ()))]
    there = there if len(there) == len(_KINDS) else there[:1]
    rows = [
        {"kind": kind, "ms": max(ms, _LEAST_MS), "slower": 1 - fraction}
        for kind in there
        for fraction, ms in zip(
            FRACTIONS.tolist(), (np.quantile(parts[kind], FRACTIONS) * 1e-6).tolist(), strict=True
        )
    ]
    scale = alt.Scale(domain=there, range=["#000000", *COLOURS][: len(there)])
    y = alt.Y("slower:Q", title="Requests slower than t (log scale)").scale(type="log", domain=[1e-4, 1])
    lines = plot(
        rows,
        x=log_axis(alt.X, rows, "ms", "Response time t (ms, log scale)"),
        y=y.axis(format="~%", values=[1, 0.1, 0.01, 0.001, 0.0001]),
        color=alt.Color("kind:N", title=None, scale=scale, sort=there).legend(orient="bottom-left"),
        order="slower:Q",
        tooltip=tips(
            "kind:N | Requests", "ms:Q | Response time (ms) | ,.3f", "slower:Q | Slower requests | .2%"
        ),
    ).mark_line(strokeWidth=2, clip=True)
    return lines.properties(
        title="Distribution of response times",
        description="Which part of the requests takes longer than a time: the right end is the slowest.",
        width=_WIDTH,
        height=_HEIGHT,
    )


def _phases(run: Run) -> Any:
    """The mean time of a request in each phase: what a volume lets several devices do is added up."""
    requests = run.totals["requests"]
    spent_ms = {words: run.totals["phases_ns"][name] * 1e-6 / requests for name, words in _PHASES.items()}
    if {"start_ns", "arrival_ns", "bus_ns"} <= {*run.columns}:
        queued_ns = run.columns["start_ns"] - run.columns["arrival_ns"]
        spent_ms = {"queue": float(queued_ns.mean()) * 1e-6, **spent_ms}
        spent_ms["bus"] = float(run.columns["bus_ns"].mean()) * 1e-6
    rows = [{"phase": words, "ms": ms} for words, ms in spent_ms.items() if ms > 0]
    y = alt.Y("phase:N", title=None, sort=[row["phase"] for row in rows]).axis(labelLimit=200)
    base = plot(
        rows,
        x=alt.X("ms:Q", title="Mean time of a request (ms)"),
        y=y,
        tooltip=tips("phase:N | Phase", "ms:Q | Mean time (ms) | ,.4f"),
    )
    texts = base.mark_text(align="left", dx=4).encode(text=alt.Text("ms:Q", format=",.3f"))
    bars = alt.layer(base.mark_bar(color=COLOURS[0]), texts)
    return bars.properties(
        title="Where the time goes",
        description="What the mean response time is made of, in the order in which a request meets it.",
        width=_WIDTH,
        height=_HEIGHT,
    )
