"""Charts of a served device: the times at which it sent its replies, compared with the simulated times."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..emulator.lateness import TOLERANCE_US as TOLERATED_US
from ..emulator.timing_figures import TimingFigures
from ..pages.page import Table, table
from .grammar import alt, broken, logarithmic, marked, plot, tips, unfolded
from .style import COLOURS, readable

_WIDTH, _HEIGHT = 760, 260
_SIDE = 420
_LINES = {"p50_us": "median", "p99_us": "99th percentile", "max_us": "latest"}


class Panel(NamedTuple):
    """A chart and its caption.

    Attributes:
        title: Headline of the chart.
        chart: Altair chart.
        says: Caption of one sentence.
    """

    title: str
    chart: Any
    says: str


def timing_chart(figures: TimingFigures) -> Any:
    """Draw all charts of a recording of the server, one below the other."""
    panels = [
        panel.chart.properties(title=panel.title, description=panel.says) for panel in timing_panels(figures)
    ]
    return readable(alt.vconcat(*panels, spacing=24), title=f"Timing of {figures.device}, served")


def timing_tables(figures: TimingFigures) -> list[Table]:
    """Return a table of the lateness of replies in each time step, in microseconds."""
    return [table(f"Lateness in each {_step(figures)} (us)", figures.steps)] if figures.steps else []


def timing_panels(figures: TimingFigures) -> Sequence[Panel]:
    """Return the charts for which the recording has data."""
    panels = []
    if figures.steps:
        panels += [_over_time(figures), _distribution(figures), _responses(figures)]
    if figures.probe:
        panels.append(_at_the_probe(figures))
    panels.append(_queue(figures))
    return panels


def _over_time(figures: TimingFigures) -> Panel:
    names = list(_LINES.values())
    rows = broken(unfolded(figures.steps, _LINES, "which", "late_us"), "at_s", figures.step_s)
    late = plot(
        rows,
        x=_at(figures),
        detail="stretch:N",
        # The scale is symmetric-logarithmic, because lateness has both signs and spans orders of magnitude.
        y=alt.Y("late_us:Q", title="Lateness (us)").scale(type="symlog", constant=10, nice=False),
        color=alt.Color("which:N", title=None, sort=names, scale=alt.Scale(domain=names, range=COLOURS[:3])),
        tooltip=tips("at_s:Q | Second", "which:N | Which", "late_us:Q | Late by (us) | ,.1f"),
    )
    tolerated = marked("y", "late_us", TOLERATED_US, f"{TOLERATED_US:g} us")
    lines = late.mark_line(point=alt.OverlayMarkDef(size=18))
    chart = alt.layer(lines, *tolerated).properties(width=_WIDTH, height=_HEIGHT)
    says = (
        f"Lateness of the replies to the requests that arrived in each {_step(figures)}: median, 99th"
        " percentile and maximum. Replies below 0 were sent early."
    )
    return Panel("Lateness over time", chart, says)


def _distribution(figures: TimingFigures) -> Panel:
    rows, both = figures.lateness, ["late", "early"]
    edges = [row["from_us"] for row in rows] + [row["to_us"] for row in rows]
    scale = alt.Scale(domain=both, range=[COLOURS[0], COLOURS[1]])
    bars = plot(
        rows,
        x=logarithmic(alt.X("from_us:Q", title="Off by (us, log scale)"), edges),
        x2="to_us:Q",
        y=alt.Y("answers:Q", title="Answers").scale(zero=True),
        y2=alt.Y2Datum(0),
        color=alt.Color("which:N", title=None, sort=both, scale=scale),
        tooltip=tips(
            *("which:N | Which", "from_us:Q | From (us) | ,.3~g"),
            *("to_us:Q | To (us) | ,.3~g", "answers:Q | Answers | ,"),
        ),
    ).mark_rect(opacity=0.7, stroke="white", strokeWidth=0.5)
    layers = [bars, *(marked("x", "from_us", TOLERATED_US, f"{TOLERATED_US:g} us"))]
    within = min(edges) <= TOLERATED_US <= max(edges)
    chart = alt.layer(*layers if within else [bars]).properties(width=_WIDTH, height=_HEIGHT)
    says = (
        "Number of replies by their distance from the due time. Replies are in time within"
        f" {TOLERATED_US:g} us, or within 2 % of the response time if that is more."
    )
    return Panel("Distribution of lateness", chart, says)


def _responses(figures: TimingFigures) -> Panel:
    rows = [
        {
            **row,
            "simulated_to_us": row["simulated_us"] * figures.ratio,
            "observed_to_us": row["observed_us"] * figures.ratio,
        }
        for row in figures.responses
    ]
    edges = [row[name] for row in rows for name in ("simulated_us", "observed_us", "simulated_to_us")]
    edges += [row["observed_to_us"] for row in rows]
    x, y = (
        logarithmic(channel(f"{name}_us:Q", title=f"{title} response time (us, log scale)"), edges)
        for channel, name, title in ((alt.X, "simulated", "Simulated"), (alt.Y, "observed", "Observed"))
    )
    counts = [row["answers"] for row in rows]
    colour: Any = alt.Color("answers:Q", title="Answers", scale=alt.Scale(type="log", scheme="viridis"))
    if min(counts) == max(counts):
        colour = alt.value(COLOURS[0])
    density = plot(
        rows,
        x=x,
        x2="simulated_to_us:Q",
        y=y,
        y2="observed_to_us:Q",
        color=colour,
        tooltip=tips(
            *("simulated_us:Q | Simulated, from (us) | ,.4~g", "observed_us:Q | Observed, from (us) | ,.4~g"),
            "answers:Q | Answers | ,",
        ),
    ).mark_rect()
    chart = alt.layer(density, _diagonal("simulated_us", "observed_us", edges))
    says = (
        "Time from a request to its reply, as measured by the server, over the simulated response time:"
        " replies in time lie on the line, late ones above it."
    )
    return Panel("Simulated and observed response times", chart.properties(width=_SIDE, height=_SIDE), says)


def _at_the_probe(figures: TimingFigures) -> Panel:
    rows = figures.probe
    edges = [row[name] for row in rows for name in ("simulated_us", "seen_us")]
    points = plot(
        rows,
        x=logarithmic(alt.X("simulated_us:Q", title="Simulated response time (us, log scale)"), edges),
        y=logarithmic(alt.Y("seen_us:Q", title="Seen by the probe (us, log scale)"), edges),
        tooltip=tips(
            *("share:Q | Percentile | .0%", "simulated_us:Q | Simulated (us) | ,.4~g"),
            "seen_us:Q | Seen (us) | ,.4~g",
        ),
    ).mark_point(filled=True, size=26, color=COLOURS[2])
    chart = alt.layer(_diagonal("simulated_us", "seen_us", edges), points)
    says = (
        "Percentiles of response times of the probe, a client that the server itself runs: measured by the"
        " client, with its overheads, over those that the simulator computed."
    )
    return Panel("Response times at a client", chart.properties(width=_SIDE, height=_SIDE), says)


def _queue(figures: TimingFigures) -> Panel:
    waiting = plot(
        figures.queue,
        x=_at(figures),
        y=alt.Y("waiting:Q", title="Outstanding requests (mean)"),
        tooltip=tips("at_s:Q | Second", "waiting:Q | Waiting | ,.3f"),
    ).mark_line(color=COLOURS[3], point=alt.OverlayMarkDef(size=18, color=COLOURS[3]))
    says = f"Number of requests that waited for a reply, as a mean over each {_step(figures)}."
    return Panel("Queue over time", waiting.properties(width=_WIDTH, height=_HEIGHT // 2), says)


def _diagonal(x: str, y: str, edges: Sequence[float]) -> Any:
    ends = [{x: edge, y: edge} for edge in (min(edges), max(edges))]
    return plot(ends, x=f"{x}:Q", y=f"{y}:Q").mark_line(color="#000000", strokeWidth=1, strokeDash=[4, 3])


def _at(figures: TimingFigures) -> Any:
    last_s = max(row["at_s"] for row in figures.queue) + figures.step_s
    axis = alt.X("at_s:Q", title="Time since the server began (s)").axis(tickCount=10)
    return axis.scale(domain=[0, last_s], nice=False)


def _step(figures: TimingFigures) -> str:
    return "second" if figures.step_s == 1 else f"{figures.step_s} seconds"
