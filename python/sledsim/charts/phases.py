"""Charts of the time that requests spend in each phase: in the mean, and in fast and slow requests."""

from typing import Any

import numpy as np

from ..runs.breakdown import PHASES, mean_phases_s, phases_ns
from ..runs.run import Run
from .colours import COLOURS
from .grammar import alt, names, plot, tips

_WIDTH, _HEIGHT = 480, 260
#: Colour of each phase in all charts; the phases that vary most between requests contrast most.
_COLOUR = {
    "queue": COLOURS[0],
    "overhead": COLOURS[1],
    "positioning": COLOURS[2],
    "hold": COLOURS[3],
    "switch": COLOURS[4],
    "transfer": COLOURS[5],
    "wait": COLOURS[6],
    "command": COLOURS[7],
    "bus": "#999999",
    "rest": "#bbbbbb",
}
#: Classes of requests by response time, fastest first: the share of all requests that belong to a class or to
#: a faster one, and the name of the class.
_CLASSES = ((0.5, "fastest half"), (0.9, "next 40 %"), (0.99, "next 9 %"), (1.0, "slowest 1 %"))


def mean_time(run: Run) -> Any:
    """Draw one bar per phase of the mean response time."""
    phases_ms = {name: seconds * 1e3 for name, seconds in mean_phases_s(run).items() if seconds}
    whole = sum(phases_ms.values()) or 1.0
    rows: list[dict[str, Any]] = [
        {"phase": PHASES[name], "ms": ms, "share": ms / whole} for name, ms in phases_ms.items()
    ]
    base = plot(
        rows,
        x=alt.X("ms:Q", title="Mean time of a request (ms)"),
        y=alt.Y("phase:N", sort=names(rows, "phase"), title=None).axis(labelLimit=240),
        tooltip=tips("phase:N | Phase", "ms:Q | Mean time (ms) | ,.4g", "share:Q | Share | .1%"),
    )
    # The axis names each phase, so that the colours need no legend.
    bars = base.mark_bar().encode(color=_colour([*phases_ms]).legend(None))
    texts = base.mark_text(align="left", dx=4).encode(text=alt.Text("ms:Q", format=",.3f"))
    return alt.layer(bars, texts).properties(
        title="Mean time of a request by phase",
        description="Phases of the mean response time, in the order in which a request meets them.",
        width=_WIDTH,
        height=_HEIGHT,
    )


def time_by_class(run: Run) -> Any:
    """Draw each phase's share of the response, by class of requests; the run must have kept phase columns."""
    order = np.argsort(run.response_ns, kind="stable")
    spent = {name: values[order] for name, values in phases_ns(run.columns).items() if values.any()}
    places = {name: at for at, name in enumerate(spent)}
    rows, begin = list[dict[str, Any]](), 0
    for share, name in _CLASSES:
        end = int(np.ceil(share * len(order)))
        if end > begin:
            means_ms = {phase: float(values[begin:end].mean()) * 1e-6 for phase, values in spent.items()}
            rows += [
                {"class": name, "phase": PHASES[phase], "ms": ms, "place": places[phase]}
                for phase, ms in means_ms.items()
            ]
        begin = max(begin, end)
    bars = plot(
        rows,
        x=alt.X("ms:Q", title="Share of their response time", stack="normalize").axis(format="%"),
        y=alt.Y("class:N", sort=[name for _, name in _CLASSES], title=None),
        color=_colour([*spent]),
        order=alt.Order("place:Q"),
        tooltip=tips("class:N | Requests", "phase:N | Phase", "ms:Q | Mean time (ms) | ,.4g"),
    )
    return bars.mark_bar().properties(
        title="Phases of fast and of slow requests",
        description="Share of each phase in the response, from the fastest class of requests to"
        " the slowest: a phase that grows downwards makes slow requests slow.",
        width=_WIDTH,
        height=_HEIGHT,
    )


def _colour(phases: list[str]) -> Any:
    scale = alt.Scale(domain=[PHASES[name] for name in phases], range=[_COLOUR[name] for name in phases])
    return alt.Color("phase:N", title="Phase", scale=scale).legend(labelLimit=400, symbolOpacity=1)
