"""000-E-7, Figure 6: pyramids of zones.

Share of the difference in mean response between ZSPTF and ASPTF(5) that zones of variable size remove.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sledsim import estimates, simulate, workload
from sledsim.charts import alt, colour, grouped, names, plot, readable, rule
from sledsim.estimates import Estimate
from sledsim.files import PathLike
from sledsim.results import Curves

from ..shared import (
    HP,
    RESPONSE,
    Claim,
    Effect,
    OnInput,
    Result,
    columns,
    doubt,
    is_as_said,
    noted,
    with_ends,
)
from .comparisons import elsewhere
from .inputs import SLEDS, Input, hour, inputs, notes, synthetic, zoned_device

#: Share of the gap in mean response between ZSPTF and ASPTF(5) that a pyramid of zones closes, as printed in
#: section 9.
_HALF = 0.5
_FIXED, _FIXED_JOINED, _AGED = "zsptf", "zsptf:parity=joined", "asptf"
#: Pairs of queue lengths from which a pyramid uses its medium and its fine grid of zones. The verdict uses
#: the last pair.
_THRESHOLDS = ((30, 120), (100, 400), (400, 1600))
_USED = _THRESHOLDS[-1]
#: First seed and number of replications of the runs that decide the verdict. The thresholds were chosen on
#: streams with the seeds from 1, so that other seeds decide.
_SEED, _REPLICATIONS = 1001, 8
_JUDGED = {"server": (1200.0, 1300.0, 1500.0, 1600.0), "user": (1650.0, 1750.0, 1800.0)}


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Run ZSPTF with fixed zones, ASPTF(5), and pyramid policies with several thresholds, over the load."""
    used = inputs(quick, traces)
    # Bursty hours are left out, because they would add no information on the grid.
    shown = [one for one in used if one.is_trace or not one.is_bursty]
    tried = _THRESHOLDS[-1:] if quick else _THRESHOLDS
    pyramids = [pyramid(parity, thresholds) for parity in ("split", "joined") for thresholds in tried]
    policies = (_FIXED, _AGED, _FIXED_JOINED, *pyramids)
    measured = [(one, one.curves(policies)) for one in shown]
    closed = [row for one, curves in measured for row in closed_gaps(one, curves, policies[2:])]
    fresh = [
        *(
            replace(
                synthetic(like, quick, None, _REPLICATIONS, _SEED), loads={"moderate": judged, "heavy": ()}
            )
            for like, judged in _JUDGED.items()
        ),
        *(hour(like, quick, _SEED) for like in SLEDS),
        *(one for one in used if one.is_trace),
    ]
    both = (_FIXED, _AGED, pyramid("split"), pyramid("joined"))
    judged = [(one, one.curves(both, "moderate")) for one in fresh]
    return Result(
        devices=[one.device for one in used[:2]],
        claims=[_half(judged)],
        tables={
            "Share of the gap that is closed, on other seeds": [
                row for one, curves in judged for row in closed_gaps(one, curves, both[2:])
            ],
            "Share of the gap between ZSPTF and ASPTF(5) that is closed": closed,
            **{f"Pyramids on {one.name}": curves.table() for one, curves in measured},
        },
        charts={
            "Share of the gap that is closed": lambda: _chart(closed),
            **{f"Pyramids on {one.name}": curves.plot for one, curves in measured},
        },
        notes=[*notes(used), *noted("000-E-7", medium=_USED[0], fine=_USED[1])],
    )


def pyramid(parity: str, thresholds: tuple[int, int] = _USED) -> str:
    """Return the full name of a pyramid policy, with a parity and the queue lengths that change its grid."""
    medium, fine = thresholds
    name = f"pyramid:medium_from={medium},fine_from={fine},parity={parity}"
    model = zoned_device(1)
    return simulate(model, workload("random", model, rate=1, count=1), name).settings.scheduler


def closed_gap(curves: Curves, policy: str, load: float) -> Estimate | None:
    """Return the share of the gap in mean response between ZSPTF and ASPTF(5) that a policy closes.

    The result is None if one of the three policies has no mean at the load.
    """
    points = [curves.point(name, load) for name in (_FIXED, _AGED, policy)]
    samples = [point.samples[RESPONSE] for point in points if point and not point.saturated]
    if len(samples) < len(points):
        return None
    fixed, aged, own = samples
    return estimates.ratio(fixed - own, fixed - aged)


def closed_gaps(one: Input, curves: Curves, policies: Sequence[str]) -> list[dict[str, Any]]:
    """Return a table row with `closed_gap` for each policy and each moderate or heavy load of an input."""
    return [
        {"input": one.name, "load": load, "scheduler": policy, **columns("closed", closed)}
        for load in (*one.loads["moderate"], *one.loads["heavy"])
        for policy in policies
        if (closed := closed_gap(curves, policy, load))
    ]


def _half(measured: Sequence[tuple[Input, Curves]]) -> Claim:
    apart = "; ".join(
        f"on {one.name} {_text(found)}"
        for one, curves in measured
        if (found := _moderate(one, curves, "split"))
    )
    return elsewhere(
        "000-C19",
        half_or_more([(one, _moderate(one, curves, "joined")) for one, curves in measured]),
        f"If even and odd columns remain separate zones, the pyramid closes {apart}.",
    )


def half_or_more(found: Sequence[tuple[Input, Sequence[tuple[str, Estimate | None]]]]) -> list[OnInput]:
    """Return a finding per load: a closed share from half to twice the printed one agrees with the paper.

    A load without a known share stays open.
    """
    return [
        OnInput(
            f"share of the gap that is closed, {load}",
            f"{_HALF:g}",
            one.name,
            _number(closed),
            _told(closed) if closed else None,
            is_matched=one.is_matched,
        )
        for one, loads in found
        for load, closed in loads
    ]


def _told(closed: Estimate) -> bool | None:
    least, most = _HALF / 2, 2 * _HALF
    effect = Effect(
        "", f"{100 * _HALF:g}", Estimate(100 * closed.value, 100 * closed.half_width, closed.count)
    )
    return doubt.told(is_as_said(effect), closed.high < least or closed.low > most)


def _moderate(one: Input, curves: Curves, parity: str) -> list[tuple[str, Estimate | None]]:
    """Return pairs of a moderate load, as text, and the share of the gap that the pyramid closes there."""
    found = [(load, closed_gap(curves, pyramid(parity), load)) for load in one.loads["moderate"]]
    return [(f"x{load:,g}" if one.is_bursty else f"{load:,g}/s", closed) for load, closed in found]


def _text(closed: Sequence[tuple[str, Estimate | None]]) -> str:
    return ", ".join(f"{_number(found)} at {load}" for load, found in closed)


def _number(closed: Estimate | None) -> str:
    return str(closed or "not known, because a policy has no mean")


def _chart(rows: Sequence[dict[str, Any]]) -> Any:
    """Draw a panel per input: the closed share of the gap at each load, by policy, with its interval."""
    on_inputs = [{**row, "on": f"On {row['input']}"} for row in with_ends(rows, "closed")]
    panels = grouped(on_inputs, "on", _panel, width=520, height=220)
    # Panels do not share the offsets of policies, because inputs have different numbers of loads.
    stacked = alt.vconcat(*panels).resolve_scale(xOffset="independent")
    return readable(stacked, title="Share of the gap between ZSPTF and ASPTF(5) that is closed; dashed: half")


def _panel(rows: Sequence[dict[str, Any]]) -> Any:
    base = plot(
        rows,
        x=alt.X("load:O", title="Arrival rate (requests/s), or speed-up of the trace").axis(
            labelAngle=0, format=","
        ),
        xOffset="scheduler:N",
        color=colour("scheduler", "Scheduler", names(rows, "scheduler")),
    )
    return alt.layer(
        rule("y", _HALF, strokeDash=[4, 4]),
        base.mark_rule(strokeWidth=1.5).encode(y="low:Q", y2="high:Q"),
        base.mark_point(filled=True, size=50).encode(y=alt.Y("closed:Q", title="Share of the gap")),
    )


#: Names of the real traces that the experiment can use.
NEEDS = HP
