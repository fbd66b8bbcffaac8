"""Findings on statements of the papers about schedulers, from ratios of their curves and saturation points.

The module `doubt` has the rules that judge a ratio at one rate or at several rates.
"""

from collections.abc import Mapping, Sequence

from sledsim.estimates import CurvePoint, Difference
from sledsim.results import Curves

from . import doubt
from .claims import Claim, stated
from .figures import NEAR, SHAPE
from .findings import Finding, Statement
from .policy_curves import CV2, FIGURES, POLICIES, RESPONSE, judged, saturated_at, without_mean
from .verdicts import Verdict


def judged_claim(id: str, *findings: Finding) -> Claim:
    """Build the claim `id` from findings; its reason lists the findings that are not reproduced."""
    short = [
        f"{one.quantity[0].upper()}{one.quantity[1:]} (the paper: {one.paper}) is {one.found}."
        for one in findings
        if one.verdict is not Verdict.REPRODUCED
    ]
    return stated(id, *findings, reason=" ".join(["Not reproduced as stated.", *short] if short else []))


def order(curves: Curves) -> tuple[Statement, ...]:
    """Check each statement of papers 001 and 002 about the order of the policies (001-C20, 002-C15)."""
    return (
        saturates_first(curves, "fcfs"),
        below(curves, "sstf_lbn", "clook_lbn"),
        *(below(curves, "sptf", other) for other in POLICIES if other != "sptf"),
        *(below(curves, "clook_lbn", other, CV2) for other in ("sstf_lbn", "sptf")),
    )


def saturates_first(curves: Curves, policy: str) -> Statement:
    """Check that all other policies keep up at the lowest rate that saturates `policy`."""
    first = saturated_at(curves, policy)
    rest = [name for name in curves.schedulers if name != policy]
    others = {name: curves.saturation(name).sustained or 0.0 for name in rest}
    kept_up = ", ".join(f"{POLICIES[name]} keeps up at {load:,g}/s" for name, load in others.items())
    return Statement(
        "saturation",
        f"{POLICIES[policy]} first",
        f"{POLICIES[policy]} is saturated at {f'{first:,g}/s' if first else 'no rate'}; {kept_up}",
        holds=first is not None and min(others.values()) >= first,
    )


def below(curves: Curves, a: str, b: str, figure: str = RESPONSE) -> Statement:
    """Check by the interval of their ratio that a figure is smaller under policy `a` than under policy `b`.

    A statement that holds is right in shape only, if `a` is saturated at a rate that `b` sustains.
    """
    found = judged(curves, a, b, figure)
    holds, in_shape = doubt.is_below([one.ratio for one in found])
    missing = without_mean(curves, a, b) if figure == RESPONSE else []
    words = "; ".join([in_groups(found), *map(_no_mean, missing)])
    quantity = f"{FIGURES[figure]}, {POLICIES[a]} over {POLICIES[b]}"
    return Statement(quantity, "below 1", words, holds, in_shape or bool(missing))


def alike(curves: Curves, a: str, b: str) -> Statement:
    """Check that the mean responses under policies `a` and `b` are nearly equal (`doubt.is_nearly_one`)."""
    found = judged(curves, a, b)
    holds, in_shape = doubt.is_nearly_one([one.ratio for one in found])
    quantity = f"mean response, {POLICIES[a]} over {POLICIES[b]}"
    return Statement(quantity, "nearly 1", _in_words(_distances(found)), holds, in_shape)


def large_margin(curves: Curves, best: str, others: Sequence[str]) -> tuple[Statement, ...]:
    """Check that the policy `best` is better by more than `SHAPE`, in mean response and in sustained rate."""
    # Next to saturation, figures depend on the length of the runs: the highest of several rates is left out.
    last = [judged(curves, best, other)[-2:][:1] for other in others]
    sustained = curves.saturation(best).sustained or 0.0
    saturated = [saturated_at(curves, other) for other in others]
    beyond = [sustained / load - 1 if load else 0.0 for load in saturated]
    responses = (
        Statement(
            f"mean response, {POLICIES[best]} over {POLICIES[other]},"
            " at the highest rate but one that both sustain",
            "a large margin",
            "; ".join(f"{one.ratio.low:.3f} to {one.ratio.high:.3f} at {one.load:,g}/s" for one in found)
            or "no rate that both sustain",
            holds=bool(found) and all(doubt.below(one.ratio, 1 - SHAPE) for one in found),
        )
        for other, found in zip(others, last, strict=True)
    )
    rates = Statement(
        f"rate that {POLICIES[best]} sustains, beyond those that saturate the others",
        "a large margin",
        f"{sustained:,g}/s, {min(beyond):.0%} more",
        holds=min(beyond) > SHAPE,
    )
    return (*responses, rates)


def ratios(found: Sequence[Difference]) -> str:
    """Format ratios as text: the rates in requests/s, and the range that all their intervals cover."""
    low, high = min(one.ratio.low for one in found), max(one.ratio.high for one in found)
    loads = [f"{one.load:,g}" for one in found]
    many = f"{len(loads)} rates from {loads[0]} to {loads[-1]}" if len(loads) > 1 else loads[0]
    return f"at {many}/s ({low:.3f} to {high:.3f})"


def in_groups(found: Sequence[Difference]) -> str:
    """Format ratios as text, in three groups: below 1, indistinguishable from 1, and above 1."""
    return _in_words(_groups(found))


def per_decision(curves: Curves, setting: str) -> str:
    """Return a note on 001-D17: SPTF beats SSTF_LBN in a single decision, but not always over a run."""
    above = _groups(judged(curves, "sptf", "sstf_lbn"))["above 1"]
    runs = f"its mean response is above that of SSTF_LBN {ratios(above)}" if above else "no run shows it here"
    return (
        "001 says that SPTF should never be worse than SSTF. This holds for a single decision, which"
        f" does not see its consequences; it need not hold for a run (001-D17): with {setting} {runs}."
    )


def _no_mean(point: CurvePoint) -> str:
    state = "not at rest" if point.unsettled else "saturated"
    return f"{POLICIES[point.scheduler]} alone {state} at {point.load:,g}/s"


def _groups(found: Sequence[Difference]) -> dict[str, list[Difference]]:
    below = [one for one in found if doubt.below(one.ratio)]
    above = [one for one in found if doubt.above(one.ratio)]
    unsure = [one for one in found if one not in below and one not in above]
    return {"below 1": below, "indistinguishable from 1": unsure, "above 1": above}


def _distances(found: Sequence[Difference]) -> dict[str, list[Difference]]:
    same = [one for one in found if doubt.within(one.ratio, NEAR)]
    alike = [one for one in found if doubt.within(one.ratio, SHAPE) and one not in same]
    apart = [one for one in found if doubt.apart(one.ratio, SHAPE)]
    unsure = [one for one in found if one not in same and one not in alike and one not in apart]
    words = f"within {NEAR:.0%}", f"within {SHAPE:.0%}", f"possibly beyond {SHAPE:.0%}", "further off"
    return dict(zip(words, (same, alike, unsure, apart), strict=True))


def _in_words(groups: Mapping[str, Sequence[Difference]]) -> str:
    return "; ".join(f"{name} {ratios(found)}" for name, found in groups.items() if found)
