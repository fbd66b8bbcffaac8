"""003-E-2, Figure 3: times between arrivals.

Share of requests that arrive within a given time of the previous one, for reads, writes, metadata and all.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from sledsim import Trace, trace_statistics
from sledsim.files import PathLike

from ..shared import HPLAJW, Calibrated, Claim, Figure, Result, Statement, device, noted, stated
from .charts import lines
from .inputs import DAYS, DISK, DRAWN, MEMS, Input, inputs, notes

#: Shares that the text prints for Figure 3, by day: of times between arrivals below 10 ms, and of times
#: between arrivals of metadata requests below 1 ms (None if not printed).
_PRINTED = {DAYS[0]: (0.788, 0.15), DAYS[1]: (0.529, None)}
_TEN_MS_S, _ONE_MS_S = 1e-2, 1e-3
_CLASSES = {"all": "requests", "metadata": "requests for metadata"}
#: Times between arrivals in seconds at which the table and the chart have the share of times up to them.
_TIMES_S = tuple(step * 10.0**decade for decade in range(-4, 2) for step in (1, 2, 5))


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Compute how times between arrivals are distributed, for one draw of each day and other inputs."""
    used = inputs(quick, traces)
    rows = [row for one in used for row in _rows(one, next(one.read()))]
    days = {one.name.partition(" ")[2]: one.name for one in used if one.kind == DRAWN}
    x, y = ("seconds", "Time between arrivals (s, log scale)"), ("share", "Share of times that are no longer")
    return Result(
        devices=[device(DISK), device(MEMS)],
        claims=[_printed(rows, days), _burstier(rows, days)],
        beside=[_light_day(rows, days)],
        tables={"Shares of times between arrivals that are no longer": rows},
        charts={"Figure 3: times between arrivals": partial(lines, rows, x, y, "class", y_format="%")},
        notes=[*notes(used), *noted("003-E-2")],
    )


def _printed(rows: Sequence[Mapping[str, Any]], days: Mapping[str, str]) -> Claim:
    """Judge claim 003-C15: drawn days have the printed shares of short times, with which they were drawn."""
    findings = []
    for day, (below, metadata) in _PRINTED.items():
        found = [("all", _TEN_MS_S, below), *([("metadata", _ONE_MS_S, metadata)] if metadata else [])]
        findings += [
            Calibrated(
                Figure(
                    f"{_CLASSES[kind]} within {time_s * 1e3:g} ms of the previous one, {day}",
                    f"{100 * part:g}",
                    100 * _at(rows, days[day], kind, time_s),
                    "%",
                ),
                "days drawn by it",
            )
            for kind, time_s, part in found
        ]
    return stated("003-C15", *findings)


def _burstier(rows: Sequence[Mapping[str, Any]], days: Mapping[str, str]) -> Claim:
    """Judge claim 003-C16: writes follow each other faster than reads, and reads faster than metadata."""
    findings = []
    for pair in (("writes", "reads"), ("writes", "metadata"), ("reads", "metadata")):
        for name in days.values():
            above, below = (_at(rows, name, kind, _TEN_MS_S) for kind in pair)
            findings.append((name, f"{above:.1%} and {below:.1%}", above > below))
    return stated("003-C16", *findings)


def _light_day(rows: Sequence[Mapping[str, Any]], days: Mapping[str, str]) -> Statement:
    """Test a statement on Figure 3(b): the lead of writes in short times is larger on the light day."""
    more = {
        day: _at(rows, name, "writes", _TEN_MS_S) - _at(rows, name, "reads", _TEN_MS_S)
        for day, name in days.items()
    }
    busy, light = (more[day] for day in DAYS)
    return Statement(
        "writes over reads within 10 ms of the previous one, light day and busy day",
        "more on the light day",
        f"{100 * light:.1f} and {100 * busy:.1f} points",
        holds=light > busy,
        in_shape=True,
    )


def _at(rows: Sequence[Mapping[str, Any]], name: str, kind: str, time_s: float) -> float:
    return next(
        float(row["share"])
        for row in rows
        if (row["input"], row["class"]) == (name, kind) and abs(row["seconds"] - time_s) < 1e-9
    )


def _rows(one: Input, trace: Trace) -> list[dict[str, Any]]:
    name = one.name if one.kind == DRAWN else trace.source
    found: dict[str, list[tuple[float, float]]] = {}
    for row in trace_statistics(trace).inter_arrivals.to_pylist():
        found.setdefault(row["class"], []).append((row["seconds"], row["share"]))
    return [
        {"input": name, "class": kind, "seconds": time_s, "share": _share(points, time_s)}
        for kind, points in found.items()
        for time_s in _TIMES_S
    ]


def _share(points: Sequence[tuple[float, float]], time_s: float) -> float:
    """Return the share of times up to `time_s`, given the points (seconds, share of times up to them)."""
    return max((share for seconds, share in points if seconds <= time_s), default=0.0)


#: Names of the real traces that the experiment can use.
NEEDS = (HPLAJW,)
