"""000-E-8, Section 9: related data within zones.

Ratio of the mean response with the zone-grouped layout to that with the disk-like layout, by policy.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from sledsim.charts import alt, grouped, groups, names, plot, readable, rule, side_by_side, tips, unfolded
from sledsim.listings import bundled_traces
from sledsim.results import Curves

from ..shared import SHAPE, Result, columns, noted, with_ends
from . import zone_layouts as zoned
from .zone_layouts import JOINED, POLICIES, QUARTER, SERVER, USER, WHOLE

#: Title of axes that show ratios of the zone-grouped to the disk-like layout.
_OVER = "Zone-grouped over disk-like"
#: Arrival rates in requests/s by name of the input. First come, first served can serve 1,350/s of unrelated
#: requests.
_RATES: Mapping[str, tuple[int, ...]] = {
    SERVER: (800, 1200, 1600),
    USER: (1000, 1400, 1800),
    WHOLE: (800, 1200, 1600),
    QUARTER: (800, 1200, 1600),
}
_COUNT, _REPLICATIONS = (8000, 20_000), (4, 8)
_OUTSTANDING, _OUTSTANDING_QUICK = (1, 4, 16), (1, 16)

_Rows = Sequence[Mapping[str, Any]]


def run(quick: bool) -> Result:
    """Run each policy with both layouts on random requests at several rates, and on captures."""
    draws = zoned.inputs(_COUNT[not quick])
    rates = {name: own[1:] if quick else own for name, own in _RATES.items()}
    found = {
        name: zoned.measured(draw, rates[name], _REPLICATIONS[not quick]) for name, draw in draws.items()
    }
    rows = [row for name, curves in found.items() for row in zoned.layout_rows(name, curves)]
    both = _both(found)
    captured = [
        row
        for capture in bundled_traces()
        for outstanding in (_OUTSTANDING_QUICK if quick else _OUTSTANDING)
        for row in zoned.capture_rows(capture, outstanding)
    ]
    return Result(
        devices=list(zoned.layouts().values())[:1],
        tables={
            "ZSPTF, parities joined, zone-grouped, over policies on the disk-like layout": both,
            "Zone-grouped over disk-like": rows,
            "Captures, zone-grouped over disk-like": captured,
        },
        charts={
            "Zone-grouped over disk-like": partial(_layouts_chart, rows),
            "Captures, zone-grouped over disk-like": partial(_captures_chart, captured),
        },
        notes=noted("000-E-8", far=_related(both), shorter=_unrelated(rows), **_captures(captured)),
    )


def _both(found: Mapping[str, Mapping[str, Curves]]) -> list[dict[str, Any]]:
    """Compare ZSPTF on the zone-grouped layout with C-SCAN and SPTF on the disk-like layout."""
    return [
        {
            "input": name,
            "rate_per_s": rate,
            "over": f"{POLICIES[other]}, disk-like",
            **columns("response_ratio", zoned.over(found[name], JOINED, other, rate), "response_half_width"),
        }
        for name, rate in ((name, max(_RATES[name])) for name in (WHOLE, QUARTER))
        for other in ("cscan", "sptf")
    ]


def _related(both: _Rows) -> bool:
    """True if, for related requests, ZSPTF (zone-grouped) is far faster than C-SCAN (disk-like)."""
    beside = [row for row in both if row["over"].startswith(POLICIES["cscan"])]
    return all(
        row["response_ratio"] is not None and row["response_ratio"] + row["response_half_width"] < 1 - SHAPE
        for row in beside
    )


def _unrelated(rows: _Rows) -> bool:
    """True if some policy has a lower mean response on the zone-grouped layout for unrelated requests."""
    middle = {(name, sorted(_RATES[name])[1]) for name in (SERVER, USER)}
    at = [row for row in rows if (row["input"], row["rate_per_s"]) in middle]
    return any(row["response_ratio"] + row["response_half_width"] < 1 for row in at)


def _captures(rows: _Rows) -> dict[str, Any]:
    """Return values for the notes: ranges over captures of ratios, zone-grouped over disk-like."""
    most = max(row["outstanding"] for row in rows)
    own = [row for row in rows if (row["outstanding"], row["scheduler"]) == (most, POLICIES[JOINED])]
    ranges = {
        part: (min(row[f"{part}_ratio"] for row in own), max(row[f"{part}_ratio"] for row in own))
        for part in ("positioning", "transfer", "response")
    }
    words = ", ".join(f"{part} {low:.3f} to {high:.3f}" for part, (low, high) in ranges.items())
    seeks, responses = (ranges[part][1] < 1 for part in ("positioning", "response"))
    return {"most": most, "seeks": seeks, "responses": responses, "words": words}


def _layouts_chart(rows: _Rows) -> Any:
    """Draw a panel per input: mean response with the zone-grouped over that with the disk-like layout."""
    policies = names(rows, "scheduler")

    def panel(own: _Rows) -> Any:
        rate = alt.X("rate_per_s:O", title="Arrival rate (requests/s)").axis(labelAngle=0, format=",")
        base = plot(own, x=rate, **side_by_side("x", "scheduler", "Scheduler", policies))
        points = base.mark_point(filled=True, size=60).encode(
            y=alt.Y("response_ratio:Q", title=_OVER).scale(zero=False),
            tooltip=tips("scheduler:N", "rate_per_s:O", "response_ratio:Q | | .3f"),
        )
        bars = base.mark_rule(strokeWidth=1.5).encode(y=alt.Y("low:Q", title=""), y2="high:Q")
        return alt.layer(_equal(), bars, points)

    values = with_ends(rows, "response_ratio", "response_half_width")
    panels = grouped(values, "input", panel, width=360, height=230)
    return _together(panels, "Mean response; below 1 the zone-grouped layout is faster", columns=2)


def _captures_chart(rows: _Rows) -> Any:
    """Draw a panel per capture: times with the zone-grouped over those with the disk-like layout."""
    policies, most = names(rows, "scheduler"), max(names(rows, "outstanding"))
    parts = ("positioning", "transfer", "response")
    ratios = {f"{part}_ratio": part for part in parts}
    values = unfolded(groups(rows, "outstanding")[most], ratios, "part", "ratio")

    def panel(own: _Rows) -> Any:
        base = plot(
            own,
            x=alt.X("part:N", title=None, sort=list(parts)).axis(labelAngle=0),
            y=alt.Y("ratio:Q", title=_OVER).scale(zero=False),
            **side_by_side("x", "scheduler", "Scheduler", policies),
            tooltip=tips("scheduler:N", "part:N", "ratio:Q | | .3f"),
        )
        return alt.layer(_equal(), base.mark_point(filled=True, size=60))

    panels = grouped(values, "capture", panel, width=240, height=200)
    return _together(panels, f"{most} requests outstanding", columns=3)


def _together(panels: list[Any], title: str, columns: int) -> Any:
    # Panels do not share the offsets of policies, because they have different numbers of table rows.
    together = alt.concat(*panels, columns=columns, spacing=24).resolve_scale(xOffset="independent")
    return readable(together, 3, title)


_equal = partial(rule, "y", 1, strokeDash=[4, 4], color="#666666")
