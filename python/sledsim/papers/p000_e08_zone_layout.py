"""000-E-8: section 9, a layout that groups related data within zones, and scheduling by zones."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import pyarrow

from ..curves import Curves
from ..intervals import Estimate
from ..trace_files import bundled_traces
from .experiments import Result
from .figures import SHAPE
from .p000_zone_layout_charts import captures_chart, layouts_chart
from .p000_zone_layouts import (
    JOINED,
    POLICIES,
    QUARTER,
    SERVER,
    USER,
    WHOLE,
    both_over,
    capture_rows,
    inputs,
    layout_rows,
    layouts,
    measured,
)

#: Arrival rates: first come, first served keeps up with 1,350/s of unrelated requests.
_RATES: Mapping[str, tuple[int, ...]] = {
    SERVER: (800, 1200, 1600),
    USER: (1000, 1400, 1800),
    WHOLE: (800, 1200, 1600),
    QUARTER: (800, 1200, 1600),
}
_COUNT, _REPLICATIONS = (8000, 20_000), (4, 8)
_OUTSTANDING, _OUTSTANDING_QUICK = (1, 4, 16), (1, 16)

#: The policies that are put in words.
_IN_WORDS = tuple(POLICIES[name] for name in ("fcfs", "cscan", "sptf", JOINED))

_Rows = Sequence[Mapping[str, Any]]


def run(quick: bool) -> Result:
    """Each policy under both layouts on the same requests, and captures with several requests at a time."""
    draws = inputs(_COUNT[not quick])
    rates = {name: own[1:] if quick else own for name, own in _RATES.items()}
    found = {name: measured(draw, rates[name], _REPLICATIONS[not quick]) for name, draw in draws.items()}
    rows = [row for name, curves in found.items() for row in layout_rows(name, curves)]
    captured = [
        row
        for capture in bundled_traces()
        for outstanding in (_OUTSTANDING_QUICK if quick else _OUTSTANDING)
        for row in capture_rows(capture, outstanding)
    ]
    return Result(
        devices=list(layouts().values())[:1],
        tables={
            "Zone-grouped over disk-like": pyarrow.Table.from_pylist(rows),
            "Captures, zone-grouped over disk-like": pyarrow.Table.from_pylist(captured),
        },
        charts={
            "Zone-grouped over disk-like": partial(layouts_chart, rows),
            "Captures, zone-grouped over disk-like": partial(captures_chart, captured),
        },
        notes=[
            "000 leaves the layout to later work. Here zones of 120 x 1200 bits are numbered one after the"
            " other, up one column of zones and down the next; the disk-like layout is that of 001. Related"
            " requests are random ones of which nine in ten stay in the group of neighbouring blocks of the"
            " one before.",
            _related(rows, found),
            _unrelated(rows),
            _captures(captured),
        ],
    )


def _related(rows: _Rows, found: Mapping[str, Mapping[str, Curves]]) -> str:
    """Whether grouping and zones are far better where requests are related, and what each of them does."""
    parts, alone, far = [], [], []
    for name in (WHOLE, QUARTER):
        rate = max(_RATES[name])
        over = {other: both_over(found[name], other, rate) for other in ("cscan", "sptf")}
        far.append(over["cscan"] is not None and over["cscan"].high < 1 - SHAPE)
        beside = [f"{_number(each)} of that of {POLICIES[other]}" for other, each in over.items()]
        parts.append(f"{' and '.join(beside)} with {name} at {rate:,}/s")
        alone.append(f"{_listed(rows, name, rate)} with {name}")
    return (
        "000 expects grouping within zones with scheduling by zones to be considerably better than policies"
        f" that go by block numbers. Where requests are related it is: {_yes(all(far))}. The mean response of"
        f" ZSPTF with parities joined, zone-grouped, is {', '.join(parts)}, disk-like. The layout alone"
        f" makes, under the same policy, {'; '.join(alone)}. Groups become half as high and twice as wide:"
        " seeks in y become shorter by more than those in x longer."
    )


def _unrelated(rows: _Rows) -> str:
    """Whether the layout gains anything where requests are not related."""
    middle = {name: sorted(_RATES[name])[1] for name in (SERVER, USER)}
    at = [row for name, rate in middle.items() for row in _at(rows, name, rate).values()]
    shorter = any(row["response_ratio"] + row["response_half_width"] < 1 for row in at)
    parts = [f"{name} at {rate:,}/s {_listed(rows, name, rate)}" for name, rate in middle.items()]
    return f"Where they are not, the layout shortens responses: {_yes(shorter)}. {'; '.join(parts)}."


def _captures(rows: _Rows) -> str:
    """What captures make of it: seeks, transfers, responses."""
    most = max(row["outstanding"] for row in rows)
    own = [row for row in rows if (row["outstanding"], row["scheduler"]) == (most, POLICIES[JOINED])]
    ranges = {
        part: (min(row[f"{part}_ratio"] for row in own), max(row[f"{part}_ratio"] for row in own))
        for part in ("positioning", "transfer", "response")
    }
    words = ", ".join(f"{part} {low:.3f} to {high:.3f}" for part, (low, high) in ranges.items())
    return (
        f"On captures with {most} requests outstanding under ZSPTF with parities joined the layout shortens"
        f" seeks: {_yes(ranges['positioning'][1] < 1)}; responses: {_yes(ranges['response'][1] < 1)}. Over"
        f" the disk-like layout: {words}. A track of a zone is half as long: long requests have twice as many"
        " switches."
    )


def _at(rows: _Rows, name: str, rate: float) -> dict[str, Mapping[str, Any]]:
    return {row["scheduler"]: row for row in rows if (row["input"], row["rate_per_s"]) == (name, rate)}


def _listed(rows: _Rows, name: str, rate: float) -> str:
    at = _at(rows, name, rate)
    return ", ".join(
        f"{title} {at[title]['response_ratio']:.3f} ± {at[title]['response_half_width']:.3f}"
        for title in _IN_WORDS
        if title in at
    )


def _number(found: Estimate | None) -> str:
    return f"{found.value:.3f} ± {found.half_width:.3f}" if found else "an unknown part"


def _yes(holds: bool) -> str:
    return "yes" if holds else "no"
