"""Charts of one request: causes of its response time, requests served before it, and other choices."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..common.units import duration
from ..pages.page import Table, figures_table, table
from ..runs.explanations import DUE, Alternative, Explanation
from ..runs.explanations.gantt import lanes
from ..runs.explanations.segments import IN_SHORT
from ..runs.explanations.served_meanwhile import WHICH
from .colours import COLOURS
from .grammar import alt, colour, marked, plot, tips
from .style import readable

_WIDE, _BAR, _TICKS = 760, 22, 7
#: Number of steps into which time is divided; largest numbers of decisions, of alternatives (policies and
#: layouts) and of parameters that are drawn.
_STEPS, _DECISIONS, _ALTERNATIVES, _PARAMETERS = 1000, 2000, 40, 15
#: Causes of waiting that are due to other requests, and causes that are due to the system. All other causes
#: are due to the explained request.
_OTHERS = ("volume", "room", "other_commands", "earlier", "overtaking", "bus_wait")
_SYSTEM = ("background", "pause", "device")
_WHOSE = ("others", "the system", "itself")


def explanation_chart(one: Explanation) -> Any:
    """Draw all charts of an explanation, one above the other."""
    title = f"Request {one.row:,} of {one.trace} on {one.device_name}, {one.scheduler}"
    return readable(alt.vconcat(*explanation_panels(one)), title=title, subtitle=" ".join(one.in_words()))


def explanation_panels(one: Explanation) -> list[Any]:
    """Return the charts for which the explanation has data."""
    panels = [_when(one)]
    if decisions := list(_decisions(one)):
        panels.append(_costs(decisions))
    others = [each for kind in ("policy", "layout") for each in one.of_kind(kind)]
    if others:
        panels.append(_otherwise(one, others))
    if parameters := _parameter_rows(one):
        panels.append(_parameters(one, parameters))
    return panels


def explanation_tables(one: Explanation) -> list[Table]:
    """Return tables of the causes of the response, the services before the request, and all alternatives."""
    due = [
        {"due to": DUE[due], "time_s": ns * 1e-9, "share": ns / one.response_ns}
        for due, ns in one.due_ns.items()
    ]
    served = [
        {
            "request": each.row,
            "which": WHICH[each.due],
            "after_s": (each.start_ns - one.arrival_ns) * 1e-9,
            "waited_s": each.waited_ns * 1e-9,
            "queue": each.waiting,
            "its_access_s": _seconds(each.access_ns),
            "instead_s": _seconds(each.instead_access_ns),
            "more_s": _seconds(each.more_ns),
            "device": each.device,
        }
        for each in one.served
    ]
    alternatives = [
        {
            "what": each.kind,
            "name": each.name,
            "value": each.value,
            "response_s": each.response_ns * 1e-9,
        }
        for each in one.alternatives
    ]
    impossible = [
        {"what": each.kind, "name": each.name, "value": each.value, "why not": each.error}
        for each in one.impossible
    ]
    found = [
        figures_table(f"Request {one.row:,}", _about(one)),
        table(f"Causes of the response of request {one.row:,}", due, folded=False),
        table(f"Services while request {one.row:,} waited", served),
        table(f"Response of request {one.row:,} under alternatives", alternatives),
        table(f"Alternatives that cannot be tried alone for request {one.row:,}", impossible, folded=True),
    ]
    return [each for each in found if each.rows]


def _about(one: Explanation) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "first sector": one.lbn,
        "sectors": one.blocks,
        "arrival_s": (one.arrival_ns - one.begun_ns) * 1e-9,
        "response_s": one.response_ns * 1e-9,
    }


def _seconds(ns: int | None) -> float | None:
    return None if ns is None else ns * 1e-9


def _when(one: Explanation) -> Any:
    """Draw the response on a time axis, with a row of bars for each cause of waiting."""
    begun_ns = one.arrival_ns
    rows: list[dict[str, Any]] = [
        {
            "lane": IN_SHORT[due],
            "whose": _whose(due),
            "from": (from_ns - begun_ns) * 1e-6,
            "to": (until_ns - begun_ns) * 1e-6,
            "all": one.due_ns[due] * 1e-6,
            "share": one.due_ns[due] / one.response_ns,
        }
        for due, times in lanes(one.segments, _STEPS).items()
        for from_ns, until_ns in times
    ]
    names = list(dict.fromkeys(row["lane"] for row in rows))
    bars = plot(
        rows,
        x=alt.X("from:Q", title="Time since arrival (ms)").axis(tickCount=_TICKS),
        x2="to:Q",
        y=alt.Y("lane:N", title=None, sort=names).axis(labelLimit=240),
        color=colour("whose", "Due to", _WHOSE),
        tooltip=tips(
            *("lane:N | Due to", "from:Q | From (ms) | ,.4f", "to:Q | To (ms) | ,.4f"),
            *("all:Q | In all (ms) | ,.4f", "share:Q | Share | .1%"),
        ),
        # The outline keeps a bar visible if it is less than a pixel wide.
        stroke=alt.Stroke("whose:N", scale=alt.Scale(domain=_WHOSE, range=COLOURS[: len(_WHOSE)])).legend(
            None
        ),
    ).mark_bar(strokeWidth=1)
    return bars.properties(
        title="Causes of the response over time",
        description=f"Bars divide the response of {duration(one.response_ns * 1e-9)} by cause.",
        width=_WIDE,
        height=_BAR * max(2, len(names)),
    )


def _whose(due: str) -> str:
    return "others" if due in _OTHERS else "the system" if due in _SYSTEM else "itself"


def _decisions(one: Explanation) -> Iterator[dict[str, Any]]:
    """Yield, per request served before the explained one, the access times of that and of this request."""
    chosen = [each for each in one.served if each.access_ns is not None][-_DECISIONS:]
    for each in chosen:
        after_ms = (each.start_ns - one.arrival_ns) * 1e-6
        costs = {"of the request served": each.access_ns, "of this request": each.instead_access_ns}
        for which, ns in costs.items():
            if ns is not None:
                row = "-" if each.row is None else str(each.row)
                yield {"after": after_ms, "which": which, "ms": ns * 1e-6, "served": row}


def _costs(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Draw, per request served before the explained one, the access times of that and of this request."""
    names = ("of the request served", "of this request")
    points = plot(
        rows,
        x=alt.X("after:Q", title="Time since arrival (ms)").axis(tickCount=_TICKS),
        y=alt.Y("ms:Q", title="Access time (ms)"),
        color=colour("which", "Access time", names),
        shape=alt.Shape("which:N", title="Access time", scale=alt.Scale(domain=list(names))).legend(None),
        tooltip=tips(
            *("which:N | Access time", "ms:Q | ms | ,.4f", "served:N | Served instead"),
            "after:Q | Since arrival (ms) | ,.4f",
        ),
    ).mark_point(filled=True, opacity=0.8)
    return points.properties(
        title="Cost of serving this request first",
        description="At each decision for another request: the access time of the chosen"
        " request, and the access time of this request at that moment, as estimated for policies.",
        width=_WIDE,
        height=240,
    )


def _otherwise(one: Explanation, found: Sequence[Alternative]) -> Any:
    """Draw the response under each policy and layout in `found`, and a line at the response in the run."""
    same: dict[tuple[int, str], list[str]] = {}
    for each in sorted(found, key=lambda each: (each.response_ns, each.kind, each.name)):
        same.setdefault((each.response_ns, each.kind), []).append(each.name)
    rows: list[dict[str, Any]] = [
        {"name": _together(those), "all": ", ".join(those), "kind": kind, "ms": ns * 1e-6}
        for (ns, kind), those in list(same.items())[:_ALTERNATIVES]
    ]
    bars = plot(
        rows,
        x=alt.X("ms:Q", title="Response (ms)").axis(tickCount=_TICKS),
        y=alt.Y("name:N", title=None, sort=[row["name"] for row in rows]).axis(labelLimit=240),
        color=colour("kind", "Other", ("policy", "layout")),
        tooltip=tips("all:N | Which", "kind:N | What", "ms:Q | Response (ms) | ,.4f"),
    ).mark_bar()
    was_ms, right_ms = one.response_ns * 1e-6, max(row["ms"] for row in rows)
    whole = alt.layer(bars, *marked("x", "ms", was_ms, "in the run", before=was_ms > right_ms / 2))
    return whole.properties(
        title="Response under other policies and layouts",
        description="Response of the request in repeated runs with the same arrivals;"
        " alternatives with equal responses share a bar. The line is the response in the original run."
        + _left_out(len(same), _ALTERNATIVES),
        width=_WIDE,
        height=_BAR * max(3, len(rows)),
    )


def _together(names: Sequence[str]) -> str:
    """Join names into a short label, such as ``sptf and 3 more``."""
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _parameter_rows(one: Explanation) -> list[dict[str, Any]]:
    """Return a row per parameter: least and greatest response over its values; largest range first."""
    found: dict[str, list[Alternative]] = {}
    for each in one.of_kind("parameter"):
        found.setdefault(each.name, []).append(each)
    rows: list[dict[str, Any]] = []
    for name, those in found.items():
        responses = [one.response_ns, *(each.response_ns for each in those)]
        if min(responses) < max(responses):
            values = " to ".join(
                f"{each.value:.4g}" for each in sorted(those, key=lambda each: each.value or 0)
            )
            low, high = min(responses) * 1e-6, max(responses) * 1e-6
            rows.append({"name": name, "low": low, "high": high, "values": values})
    return sorted(rows, key=lambda row: row["low"] - row["high"])


def _left_out(count: int, most: int) -> str:
    return f" The {most} first of {count} are drawn." if count > most else ""


def _parameters(one: Explanation, rows: Sequence[Mapping[str, Any]]) -> Any:
    """Draw a tornado chart: a bar per parameter from the least to the greatest response."""
    left_out, rows = _left_out(len(rows), _PARAMETERS), rows[:_PARAMETERS]
    bars = plot(
        rows,
        x=alt.X("low:Q", title="Response (ms)").scale(zero=False).axis(tickCount=_TICKS),
        x2="high:Q",
        y=alt.Y("name:N", title=None, sort=[row["name"] for row in rows]).axis(labelLimit=240),
        tooltip=tips(
            *("name:N | Parameter", "values:N | Values"),
            *("low:Q | Least response (ms) | ,.4f", "high:Q | Most (ms) | ,.4f"),
        ),
    ).mark_bar(color=COLOURS[5])
    was_ms = one.response_ns * 1e-6
    middle_ms = (min(row["low"] for row in rows) + max(row["high"] for row in rows)) / 2
    whole = alt.layer(bars, *marked("x", "low", was_ms, "in the run", before=was_ms > middle_ms))
    return whole.properties(
        title="Response with one parameter changed",
        description=f"Each parameter at the ends of its range, or 10 % off; the line is the run.{left_out}",
        width=_WIDE,
        height=_BAR * max(3, len(rows)),
    )
