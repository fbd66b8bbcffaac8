"""The charts of an explained request: where its time went, the decisions against it, what else could be."""

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
#: Bars are drawn to that part of the response; so many decisions, policies and parameters are drawn.
_STEPS, _DECISIONS, _ALTERNATIVES, _PARAMETERS = 1000, 2000, 40, 15
#: Whose each thing is that a time may be due to; the others are the request's own.
_OTHERS = ("volume", "room", "other_commands", "earlier", "overtaking", "bus_wait")
_SYSTEM = ("background", "pause", "device")
_WHOSE = ("others", "the system", "itself")


def explanation_chart(one: Explanation) -> Any:
    """All charts of an explanation, one above the other."""
    title = f"Request {one.row:,} of {one.trace} on {one.device_name}, {one.scheduler}"
    return readable(alt.vconcat(*explanation_panels(one)), title=title, subtitle=" ".join(one.in_words()))


def explanation_panels(one: Explanation) -> list[Any]:
    """The charts of what there is to see."""
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
    """What the response is due to, the services that were waited for, and all alternatives."""
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
        table(f"What the response of request {one.row:,} is due to", due, folded=False),
        table(f"Served while request {one.row:,} waited", served),
        table(f"What request {one.row:,} would have taken otherwise", alternatives),
        table(f"What cannot be otherwise by itself for request {one.row:,}", impossible, folded=True),
    ]
    return [each for each in found if each.rows]


def _about(one: Explanation) -> dict[str, Any]:
    return {
        "kind": "write" if one.write else "read",
        "first sector": one.lbn,
        "sectors": one.blocks,
        "arrival_s": (one.arrival_ns - one.begun_ns) * 1e-9,
        "response_s": one.response_ns * 1e-9,
    }


def _seconds(ns: int | None) -> float | None:
    return None if ns is None else ns * 1e-9


def _when(one: Explanation) -> Any:
    """A Gantt chart: a lane for each thing that the response is due to."""
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
        x=alt.X("from:Q", title="Time since it came (ms)").axis(tickCount=_TICKS),
        x2="to:Q",
        y=alt.Y("lane:N", title=None, sort=names).axis(labelLimit=240),
        color=colour("whose", "Due to", _WHOSE),
        tooltip=tips(
            *("lane:N | Due to", "from:Q | From (ms) | ,.4f", "to:Q | To (ms) | ,.4f"),
            *("all:Q | In all (ms) | ,.4f", "share:Q | Share | .1%"),
        ),
        # The edge of a bar is seen where the bar itself is less than a pixel wide.
        stroke=alt.Stroke("whose:N", scale=alt.Scale(domain=_WHOSE, range=COLOURS[: len(_WHOSE)])).legend(
            None
        ),
    ).mark_bar(strokeWidth=1)
    return bars.properties(
        title="What the response is due to, and when",
        description=f"The bars fill the {duration(one.response_ns * 1e-9)} of the response in turn.",
        width=_WIDE,
        height=_BAR * max(2, len(names)),
    )


def _whose(due: str) -> str:
    return "others" if due in _OTHERS else "the system" if due in _SYSTEM else "itself"


def _decisions(one: Explanation) -> Iterator[dict[str, Any]]:
    """Both costs at each decision against the request, the latest of too many."""
    chosen = [each for each in one.served if each.access_ns is not None][-_DECISIONS:]
    for each in chosen:
        after_ms = (each.start_ns - one.arrival_ns) * 1e-6
        costs = {"of the one that was served": each.access_ns, "of this request": each.instead_access_ns}
        for which, ns in costs.items():
            if ns is not None:
                row = "-" if each.row is None else str(each.row)
                yield {"after": after_ms, "which": which, "ms": ns * 1e-6, "served": row}


def _costs(rows: Sequence[Mapping[str, Any]]) -> Any:
    """The costs at each decision."""
    names = ("of the one that was served", "of this request")
    points = plot(
        rows,
        x=alt.X("after:Q", title="Time since it came (ms)").axis(tickCount=_TICKS),
        y=alt.Y("ms:Q", title="Access time (ms)"),
        color=colour("which", "Access time", names),
        shape=alt.Shape("which:N", title="Access time", scale=alt.Scale(domain=list(names))).legend(None),
        tooltip=tips(
            *("which:N | Access time", "ms:Q | ms | ,.4f", "served:N | Served instead"),
            "after:Q | Since it came (ms) | ,.4f",
        ),
    ).mark_point(filled=True, opacity=0.8)
    return points.properties(
        title="What serving it first would have cost",
        description="Each time another one was chosen: its access time, and what that of this request would "
        "have been in its place, as the device tells policies.",
        width=_WIDE,
        height=240,
    )


def _otherwise(one: Explanation, found: Sequence[Alternative]) -> Any:
    """The response under each other policy and with each layout."""
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
    whole = alt.layer(bars, *marked("x", "ms", was_ms, "as it was", before=was_ms > right_ms / 2))
    return whole.properties(
        title="Under other policies and layouts",
        description="What the request would have taken, with the same arrivals: those that take the same "
        "have one bar. The line is what it took.",
        width=_WIDE,
        height=_BAR * max(3, len(rows)),
    )


def _together(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _parameter_rows(one: Explanation) -> list[dict[str, Any]]:
    """The parameters that change most: the least and the most that the response would be."""
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
    return sorted(rows, key=lambda row: row["low"] - row["high"])[:_PARAMETERS]


def _parameters(one: Explanation, rows: Sequence[Mapping[str, Any]]) -> Any:
    """A tornado: how far one parameter at a time moves the response."""
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
    whole = alt.layer(bars, *marked("x", "low", was_ms, "as it was", before=was_ms > middle_ms))
    return whole.properties(
        title="With one parameter changed",
        description="Each at the ends of its range, or 10 % less and more; the line is what it took.",
        width=_WIDE,
        height=_BAR * max(3, len(rows)),
    )
