"""The web page of several runs: a table of the runs, and charts that compare them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..common.output_files import PathLike, writing
from ..common.ranking import ordered
from ..common.shown import counted
from ..common.units import duration
from ..pages.page import Page, Table, rendered, table
from ..runs.side_by_side import Entry
from .colours import COLOURS
from .grammar import alt, colour, log_axis, names, plot, tips
from .page_figures import figures
from .rendering import libraries, specification
from .style import readable

#: Largest number of runs in a chart; of more runs, those with the longest 99th percentile are drawn.
_DRAWN = 40
_WIDTH, _STEP, _LABEL = 480, 20, 170
#: Least response time on the axis in ms (1 microsecond), as a logarithmic axis has no 0; shorter times are
#: drawn at this value.
_LEAST_MS = 1e-3
_RESPONSES = {"p50_response_s": "median", "mean_response_s": "mean", "p99_response_s": "99th percentile"}
_OTHER_USES = "other uses"
_KEPT_UP = {True: "kept up", False: "did not keep up", None: "not known"}


def write_side_by_side(entries: Sequence[Entry], path: PathLike) -> None:
    """Write the web page of several runs to a file; the page works offline.

    Raises:
        OSError: The file cannot be written; an incomplete file is removed.
    """
    text = rendered(side_by_side(entries), libraries())
    with writing(path) as file:
        file.write(text.encode())


def side_by_side(entries: Sequence[Entry]) -> Page:
    """Build the web page of several runs; at least one of the entries must be a finished run."""
    called = [one for one in zip(_called(entries), entries, strict=True) if not one[1].error]
    slowest = ordered(called, lambda one: -one[1].figures["p99_response_s"])[:_DRAWN]
    drawn = dict(slowest)
    which = f"The {_DRAWN} with the longest 99th percentile are shown. " if len(called) > _DRAWN else ""
    panels = [_responses(drawn, which), _phases(drawn, which), _busy(drawn, which), _energy(drawn, which)]
    chart = specification(readable(alt.vconcat(*panels)))
    failed = [{"trace": one.trace, "reason": one.error} for one in entries if one.error]
    devices = names(({"device": one.device} for _, one in called), "device")
    return Page(
        title=f"{counted(len(called), 'run')} on {', '.join(devices[:3])}{' ...' if devices[3:] else ''}",
        verdict=_verdict(called),
        says=[f"{counted(len(failed), 'trace')} could not be run; the reasons are below."] if failed else [],
        parts=[_table(called), *figures(chart).figures, table("Traces that failed", failed, folded=False)],
        about=[_settings([one for _, one in called])],
    )


def _called(entries: Sequence[Entry]) -> list[str]:
    """Return a short, unique name for each run: the name of its trace, and device and policy if needed."""
    short = [Path(one.trace).name or one.trace for one in entries]
    found = [name if short.count(name) == 1 else one.trace for name, one in zip(short, entries, strict=True)]
    beside = [(one.trace, one.device, one.scheduler) for one in entries]
    for at, one in enumerate(entries):
        others = [other for other in beside if other[0] == one.trace]
        if len(others) > 1:
            found[at] += f" on {one.device}, {one.scheduler}"
        if beside.count(beside[at]) > 1:
            found[at] += f", {beside[: at + 1].count(beside[at])}"
    return found


def _verdict(called: Sequence[tuple[str, Entry]]) -> str:
    """Return a sentence on the least and the greatest mean response, and on runs that did not keep up."""
    in_order = ordered(called, lambda one: one[1].figures["mean_response_s"])
    total = sum(int(one.figures["requests"]) for _, one in called)
    said = f"{total:,} requests"
    ends = [f"{duration(one.figures['mean_response_s'])} ({name})" for name, one in in_order]
    mean = f"from {ends[0]} to {ends[-1]}" if len(ends) > 1 else ends[0]
    late = [name for name, one in called if one.kept_up is False]
    kept = f"{counted(len(late), 'run')} did not keep up." if late else "Every run kept up."
    known = any(one.kept_up is not None for _, one in called)
    return f"{said}; the mean response is {mean}.{f' {kept}' if known else ''}"


def _table(called: Sequence[tuple[str, Entry]]) -> Table:
    """Return a table with a row of figures per run.

    Device, policy and "made to fit" (requests changed to fit the device) are columns only if runs differ in
    them.
    """
    rows = []
    for name, one in called:
        about = {"device": one.device, "scheduler": one.scheduler}
        rows.append({"trace": name, **about, **one.row(), "made_to_fit": one.fit})
    same = ("device", "scheduler", "made_to_fit")
    left_out = {key for key in same if len({row[key] for row in rows}) == 1}
    kept = [{key: value for key, value in row.items() if key not in left_out} for row in rows]
    return table("The runs", kept, folded=False, turns=False)


def _settings(entries: Sequence[Entry]) -> Table:
    """Return a table with a row per replay setting; it lists all values if runs differ in them."""
    found: dict[str, list[str]] = {}
    for one in entries:
        for key, value in {"device": one.device, "scheduler": one.scheduler, **one.how}.items():
            found.setdefault(key, []).append(value)
    rows = [[key, ", ".join(dict.fromkeys(values))] for key, values in found.items()]
    return Table("Replay settings", ("Setting", "Value"), rows)


def _upwards(drawn: Mapping[str, Entry]) -> Any:
    """Return a y axis with the names of the runs in the order of `drawn`."""
    return alt.Y("run:N", sort=list(drawn), title=None).axis(labelLimit=_LABEL)


def _shown(chart: Any, title: str, says: str) -> Any:
    return chart.properties(title=title, description=says, width=_WIDTH, height={"step": _STEP})


def _responses(drawn: Mapping[str, Entry], which: str) -> Any:
    """Draw median, mean and 99th percentile of the response times, with one line per run."""
    rows = [
        {"run": name, "figure": words, "ms": max(one.figures[key] * 1e3, _LEAST_MS)}
        for name, one in drawn.items()
        for key, words in _RESPONSES.items()
    ]
    x = log_axis(alt.X, rows, "ms", "Response time (ms, log scale)")
    base = plot(rows, x=x, y=_upwards(drawn))
    told = tips("run:N | Run", "figure:N | Figure", "ms:Q | Response (ms) | ,.4g")
    points = base.encode(color=colour("figure", "Figure", list(_RESPONSES.values())), tooltip=told)
    chart = alt.layer(
        base.mark_line(color="#999999", strokeWidth=1.5).encode(detail="run:N"),
        points.mark_point(filled=True, size=70, opacity=1),
    )
    says = f"{which}Response times: a long line means that slow requests are far slower than the median."
    return _shown(chart, "Response times", says)


def _phases(drawn: Mapping[str, Entry], which: str) -> Any:
    """Draw each phase's share of the mean response, with one bar per run."""
    rows = [
        {"run": name, "part": part, "ms": seconds * 1e3, "place": at}
        for name, one in drawn.items()
        for at, (part, seconds) in enumerate(one.phases.items())
        if seconds > 0
    ]
    in_order = dict.fromkeys(part for one in drawn.values() for part in one.phases)
    parts = [part for part in in_order if any(row["part"] == part for row in rows)]
    chart = plot(
        rows,
        x=alt.X("ms:Q", title="Share of the mean response time", stack="normalize").axis(format="%"),
        y=_upwards(drawn),
        color=colour("part", "Part", parts),
        order=alt.Order("place:Q"),
        tooltip=tips("run:N | Run", "part:N | Part", "ms:Q | Mean (ms) | ,.4g"),
    ).mark_bar()
    says = f"{which}Phases of the mean response: in a run with much queueing, requests come faster or"
    says = f"{says} in bursts; in a run with much positioning, they are far from each other."
    return _shown(chart, "Mean time of a request by phase", says)


def _busy(drawn: Mapping[str, Entry], which: str) -> Any:
    """Draw the utilization of the device in each run."""
    rows = [
        {"run": name, "busy": one.figures["utilization"], "state": _KEPT_UP[one.kept_up]}
        for name, one in drawn.items()
    ]
    states = [state for state in _KEPT_UP.values() if any(row["state"] == state for row in rows)]
    chart = plot(
        rows,
        x=alt.X("busy:Q", title="Busy time (share of the run)").axis(format="%").scale(domain=[0, 1]),
        y=_upwards(drawn),
        color=colour("state", "The device", states),
        tooltip=tips("run:N | Run", "busy:Q | Busy | .1%", "state:N | The device"),
    ).mark_bar()
    says = f"{which}Busy share of the time: near 100 % a queue grows, and a run that did"
    says = f"{says} not keep up has figures that depend on the length of the trace."
    return _shown(chart, "Utilization of the device", says)


def _energy(drawn: Mapping[str, Entry], which: str) -> Any:
    """Draw the energy per request by use, with one bar per run."""
    uses = _uses(drawn)
    rows = [
        {"run": name, "use": uses.get(use, _OTHER_USES), "mj": joules * 1e3 / one.figures["requests"]}
        for name, one in drawn.items()
        for use, joules in one.energy_by_use_j.items()
        if joules > 0
    ]
    chart = plot(
        rows,
        x=alt.X("mj:Q", title="Energy of a request (mJ)"),
        y=_upwards(drawn),
        color=colour("use", "Use", names(rows, "use")),
        tooltip=tips("run:N | Run", "use:N | Use", "mj:Q | Energy (mJ) | ,.4g"),
    ).mark_bar()
    says = f"{which}Energy of the run divided by the number of its requests, by use: if requests are rare,"
    says = f"{says} idle devices take most of the energy."
    return _shown(chart, "Energy of a request", says)


def _uses(drawn: Mapping[str, Entry]) -> dict[str, str]:
    """Return the uses of energy that get their own colour, as a mapping from name to name.

    If there are more uses than colours, the chart sums the smallest as "other uses".
    """
    total_j: dict[str, float] = {}
    for one in drawn.values():
        for use, joules in one.energy_by_use_j.items():
            total_j[use] = total_j.get(use, 0.0) + joules / one.figures["requests"]
    most = ordered((use for use, joules in total_j.items() if joules > 0), lambda use: -total_j[use])
    return {use: use for use in (most if len(most) <= len(COLOURS) else most[: len(COLOURS) - 1])}
