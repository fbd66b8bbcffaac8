"""Code of 001-E-3 and 002-E-10: the lead of SPTF over other policies, on TPC-C against Cello."""

from collections.abc import Sequence
from typing import Any

from sledsim.estimates import Estimate
from sledsim.files import PathLike

from . import doubt
from .claims import Claim, noted, stated
from .disk_traces import HIGH, LIKE_CELLO, LIKE_TPCC, PARTS, Input, inputs
from .experiments import Result
from .figures import SHAPE
from .findings import OnInput, together
from .intervals import over_independent
from .perturbations import device
from .policy_curves import FIGURES, PAIRS, POLICIES, RESPONSE, ratio_row
from .policy_results import charts, tables

#: Trace on which SPTF leads by more according to each paper; the two papers contradict each other.
LARGER = {"001-C22": LIKE_CELLO, "002-C16": LIKE_TPCC}
_BEST, _OTHERS = "sptf", ("sstf_lbn", "clook_lbn")
_PART = "part_of_fcfs"
_REASON = "Neither trace is published: other traces can show which margin is larger, not how large it is."


def margins(id: str, figure: str, model: str, quick: bool, traces: PathLike | None) -> Result:
    """Compare policies on requests like TPC-C and Cello, and judge on which of them SPTF leads by more.

    Args:
        id: Id of the claim.
        figure: Figure of the paper, for example ``Figure 7``.
        model: Name of the device.
        quick: True to draw fewer requests.
        traces: Folder of the real traces; None for runs without real traces.
    """
    used = inputs(model, quick, traces)
    ratios = [row for one in used for row in _rows(one)]
    curves = {f"{figure} on {one.name} (for {one.like})": one.curves for one in used}
    notes = noted("margins", parts=_list(PARTS), orders="; ".join(map(_order, used)))
    load = (_PART, "Load (1 = capacity of FCFS)")
    return Result(
        devices=[device(model)],
        claims=[_claim(id, used)],
        tables=tables(curves, ratios),
        charts=charts(curves, ratios, f"Policies on traces: {model}", load, "Requests"),
        notes=[*notes, *(noted("margins-drawn") if traces is None else [])],
    )


def _claim(id: str, used: Sequence[Input]) -> Claim:
    larger = LARGER[id]
    pairs = [
        (one, other)
        for one in used
        for other in used
        if one.like == larger != other.like and one.is_drawn is other.is_drawn
    ]
    findings = [
        found for other in _OTHERS for found in together([_margin(one, two, other) for one, two in pairs])
    ]
    return stated(id, *findings, reason=_REASON)


def _margin(larger: Input, smaller: Input, other: str) -> OnInput:
    """Compare the lead of SPTF over the policy `other` on two inputs, by the quotient of both ratios."""
    found = {
        part: over_independent(one, two)
        for part in HIGH
        if (one := _ratio(larger, _BEST, other, part)) and (two := _ratio(smaller, _BEST, other, part))
    }
    words = [f"{one} at {part:.0%}" for part, one in found.items()]
    return OnInput(
        f"{POLICIES[_BEST]} over {POLICIES[other]} on the input for {larger.like}, relative to that for"
        f" {smaller.like}",
        f"well below 1: below {1 - SHAPE:g}",
        f"{larger.name} and {smaller.name}",
        ", ".join(words) or "no high load that both policies sustain",
        _told(list(found.values())),
    )


def _told(ratios: Sequence[Estimate]) -> bool | None:
    """Return True if all ratios are clearly below 0.85, False if one is clearly above, else None."""
    smaller = bool(ratios) and all(doubt.below(ratio, 1 - SHAPE) for ratio in ratios)
    return doubt.told(smaller, any(doubt.above(ratio, 1 - SHAPE) for ratio in ratios))


def _ratio(on: Input, a: str, b: str, part: float) -> Estimate | None:
    found = [one.ratio for one in on.curves.difference(a, b, RESPONSE) if one.load == on.loads[part]]
    return found[0] if found else None


def _rows(on: Input) -> list[dict[str, Any]]:
    setting = f"{on.name} (for {on.like})"
    return [
        ratio_row(
            setting,
            FIGURES[RESPONSE],
            pair,
            {_PART: part, "rate_per_s": load if on.is_drawn else None},
            ratio,
        )
        for pair in PAIRS
        for part, load in on.loads.items()
        if (ratio := _ratio(on, *pair, part))
    ]


def _order(on: Input) -> str:
    """Return a text with the order of each pair of policies on an input: ratio "below 1" or "above 1"."""
    words = []
    for first, second in PAIRS:
        ratios = [ratio for part in HIGH if (ratio := _ratio(on, first, second, part))]
        told = "below 1" if ratios and all(map(doubt.below, ratios)) else "not clearly below 1"
        told = "above 1" if any(map(doubt.above, ratios)) else told
        words.append(f"{POLICIES[first]} over {POLICIES[second]} {told}")
    return f"on {on.name}, {', '.join(words)}"


def _list(parts: Sequence[float]) -> str:
    *first, last = (f"{part:.0%}" for part in parts)
    return f"{', '.join(first)} and {last}"
