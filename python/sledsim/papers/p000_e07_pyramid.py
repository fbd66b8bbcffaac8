"""000-E-7: section 9 and Figure 6, whether zones that are merged close half of the gap to ASPTF(5)."""

from collections.abc import Sequence
from typing import Any

import pyarrow

from .. import intervals
from ..curves import Curves
from ..files import PathLike
from ..intervals import Estimate
from ..runs import check_options
from .claims import Claim, claim
from .experiments import Result
from .figures import SHAPE
from .findings import Elsewhere
from .p000_comparisons import MEAN
from .p000_inputs import REASON, Input, inputs, notes, zoned_device

_FIXED, _FIXED_JOINED, _AGED = "zsptf", "zsptf:parity=joined", "asptf"
#: Lengths of the queue from which on the grid is medium and fine; the last ones are those of the verdict.
_THRESHOLDS = ((30, 120), (100, 400), (400, 1600))
_USED = _THRESHOLDS[-1]
#: Section 9: the part of the difference that is gone.
_HALF = 0.5


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """ZSPTF with fixed zones, ASPTF(5), and pyramids with several thresholds, over the load."""
    used = inputs(quick, traces)
    tried = _THRESHOLDS[-1:] if quick else _THRESHOLDS
    pyramids = [pyramid(parity, thresholds) for parity in ("split", "joined") for thresholds in tried]
    policies = (_FIXED, _AGED, _FIXED_JOINED, *pyramids)
    measured = [(one, one.curves(policies)) for one in used]
    closed = [row for one, curves in measured for row in closed_gaps(one, curves, policies[2:])]
    return Result(
        devices=[one.device for one in used[:2]],
        claims=[_half(measured)],
        tables={
            "Part of the gap between ZSPTF and ASPTF(5) that is closed": pyarrow.Table.from_pylist(closed),
            **{f"Pyramids on {one.name}": curves.table() for one, curves in measured},
        },
        charts={
            "Part of the gap that is closed": lambda: _chart(closed),
            **{f"Pyramids on {one.name}": curves.plot for one, curves in measured},
        },
        notes=[
            *notes(used),
            "Closed is the part of the difference in mean response between ZSPTF(120, 1200) and ASPTF(5) that"
            " a policy takes away, with an interval by the delta method. The paper does not say at which"
            " lengths of the queue the grid changes, nor whether the even and odd columns of merged zones"
            f" stay apart. The verdict uses {_USED[0]} and {_USED[1]:,} and columns together; the table of a"
            " full run has others.",
        ],
    )


def pyramid(parity: str, thresholds: tuple[int, int] = _USED) -> str:
    """The policy, as results name it."""
    medium, fine = thresholds
    name = f"pyramid:medium_from={medium},fine_from={fine},parity={parity}"
    return check_options(zoned_device(1), name, 1.0, "error")


def closed_gap(curves: Curves, policy: str, load: float) -> Estimate | None:
    """The part of the gap between ZSPTF and ASPTF(5) that a policy closes; None where one is saturated."""
    points = [curves.point(name, load) for name in (_FIXED, _AGED, policy)]
    samples = [point.samples[MEAN] for point in points if point and not point.saturated]
    if len(samples) < len(points):
        return None
    fixed, aged, own = samples
    return intervals.ratio(fixed - own, fixed - aged)


def closed_gaps(one: Input, curves: Curves, policies: Sequence[str]) -> list[dict[str, Any]]:
    """`closed_gap` of some policies at every moderate and heavy load; one row each."""
    rows = []
    for load in (*one.loads["moderate"], *one.loads["heavy"]):
        for policy in policies:
            closed = closed_gap(curves, policy, load)
            if closed is not None:
                row = {"input": one.name, "load": load, "scheduler": policy}
                rows.append(row | {"closed": closed.value, "closed_half_width": closed.half_width})
    return rows


def _half(measured: Sequence[tuple[Input, Curves]]) -> Claim:
    apart = "; ".join(f"on {one.name} {_text(_moderate(one, curves, 'split'))}" for one, curves in measured)
    return claim(
        "000-C19",
        "Merging up to 16 neighbouring zones takes away half of the difference between ZSPTF and ASPTF(5)"
        " under moderate loads. Read as: half, less 15 %, or more, and even and odd columns are merged, too.",
        *(_finding(one, curves) for one, curves in measured),
        reason=f"{REASON} While even and odd columns stay apart, merging closes less: {apart}.",
    )


def _finding(one: Input, curves: Curves) -> Elsewhere:
    closed = _moderate(one, curves, "joined")
    return Elsewhere(
        "part of the gap that is closed, moderate load",
        f"{_HALF:g}",
        one.name,
        _text(closed),
        bool(closed) and all(found.value >= _HALF * (1 - SHAPE) and found.low > 0 for _, found in closed),
    )


def _moderate(one: Input, curves: Curves, parity: str) -> list[tuple[str, Estimate]]:
    """What the pyramid closes at each moderate load, which is written out."""
    found = [(load, closed_gap(curves, pyramid(parity), load)) for load in one.loads["moderate"]]
    return [(f"x{load:,g}" if one.is_trace else f"{load:,g}/s", closed) for load, closed in found if closed]


def _text(closed: Sequence[tuple[str, Estimate]]) -> str:
    return ", ".join(f"{found.value:.2f} ± {found.half_width:.2f} at {load}" for load, found in closed)


def _chart(rows: Sequence[dict[str, Any]]) -> Any:
    """What each policy closes at each load, with its interval; one panel an input."""
    from ..plots import COLOURS, alt, readable

    values = [
        row
        | {"low": row["closed"] - row["closed_half_width"], "high": row["closed"] + row["closed_half_width"]}
        for row in rows
    ]
    panels = []
    for name in dict.fromkeys(row["input"] for row in values):
        own = [row for row in values if row["input"] == name]
        colour = alt.Color("scheduler:N", title="Scheduler").scale(range=list(COLOURS)).legend(labelLimit=420)
        base = alt.Chart(alt.InlineData(values=own)).encode(
            x=alt.X("load:O", title="Arrival rate (requests/s), or scale factor").axis(labelAngle=0),
            xOffset="scheduler:N",
            color=colour,
        )
        points = base.mark_point(filled=True, size=50).encode(y=alt.Y("closed:Q", title="Closed"))
        bars = base.mark_rule(strokeWidth=1.5).encode(y="low:Q", y2="high:Q")
        half = (
            alt.Chart(alt.InlineData(values=[{"half": _HALF}]))
            .mark_rule(strokeDash=[4, 4])
            .encode(y="half:Q")
        )
        panels.append(alt.layer(half, bars, points).properties(title=f"On {name}", width=520, height=220))
    title = "Part of the gap between ZSPTF and ASPTF(5) that is closed; dashed: half"
    return readable(alt.vconcat(*panels).properties(title=title, padding=16))
