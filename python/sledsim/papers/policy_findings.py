"""What the papers say of their schedulers in words, beside ratios with intervals and saturation points.

A statement about a range of rates holds if it does at more than half of those that are judged, and in shape
only unless it does at all of them.
"""

from collections.abc import Mapping, Sequence

from ..curves import Curves, Difference
from .figures import NEAR, SHAPE
from .findings import Statement
from .policy_curves import CV2, FIGURES, POLICIES, RESPONSE, judged


def order(curves: Curves) -> tuple[Statement, ...]:
    """Everything that both papers say about the order of the policies (001-C20, 002-C15)."""
    return (
        saturates_first(curves, "fcfs"),
        below(curves, "sstf_lbn", "clook_lbn"),
        *(below(curves, "sptf", other) for other in POLICIES if other != "sptf"),
        *(below(curves, "clook_lbn", other, CV2) for other in ("sstf_lbn", "sptf")),
    )


def saturates_first(curves: Curves, policy: str) -> Statement:
    """Whether the other policies keep up at the rate that saturates this one."""
    ends = {name: curves.saturation(name) for name in curves.schedulers}
    first = ends[policy].saturated
    others = {name: found.sustained or 0.0 for name, found in ends.items() if name != policy}
    kept_up = ", ".join(f"{POLICIES[name]} keeps up at {load:,g}/s" for name, load in others.items())
    return Statement(
        "saturation",
        f"{POLICIES[policy]} first",
        f"{POLICIES[policy]} is saturated at {first:,g}/s; {kept_up}" if first else "none saturates",
        holds=first is not None and min(others.values()) >= first,
    )


def below(curves: Curves, a: str, b: str, figure: str = RESPONSE) -> Statement:
    """Whether a figure is smaller under one policy than under another: the interval of its ratio tells."""
    found = judged(curves, a, b, figure)
    smaller = _groups(found)["below 1"]
    return Statement(
        f"{FIGURES[figure]}, {POLICIES[a]} over {POLICIES[b]}",
        "below 1",
        in_groups(found),
        holds=2 * len(smaller) > len(found),
        in_shape=len(smaller) < len(found),
    )


def alike(curves: Curves, a: str, b: str) -> Statement:
    """Whether mean responses are nearly equal: the ratio is within what is allowed for figures."""
    found = judged(curves, a, b)
    near = [one for one in found if _distance(one) <= NEAR]
    apart = [one for one in found if _distance(one) > SHAPE]
    between = [one for one in found if one not in near and one not in apart]
    groups = {f"within {NEAR:.0%}": near, f"within {SHAPE:.0%}": between, "further off": apart}
    return Statement(
        f"mean response, {POLICIES[a]} over {POLICIES[b]}",
        "nearly 1",
        _in_words(groups),
        holds=2 * len(apart) < len(found),
        in_shape=len(near) < len(found),
    )


def large_margin(curves: Curves, best: str, others: Sequence[str]) -> tuple[Statement, ...]:
    """Whether one policy is far better: by more than figures may differ that are alike in shape."""
    last = [judged(curves, best, other)[-1] for other in others]
    sustained = curves.saturation(best).sustained or 0.0
    saturated = [curves.saturation(other).saturated for other in others]
    beyond = [sustained / load - 1 if load else 0.0 for load in saturated]
    responses = (
        Statement(
            f"mean response, {POLICIES[best]} over {POLICIES[other]}, at the highest rate that both sustain",
            "a large margin",
            f"{one.ratio.low:.3f} to {one.ratio.high:.3f} at {one.load:,g}/s",
            holds=one.ratio.high < 1 - SHAPE,
        )
        for other, one in zip(others, last, strict=True)
    )
    rates = Statement(
        f"rate that {POLICIES[best]} sustains, beyond those that saturate the others",
        "a large margin",
        f"{sustained:,g}/s, {min(beyond):.0%} more",
        holds=min(beyond) > SHAPE,
    )
    return (*responses, rates)


def ratios(found: Sequence[Difference]) -> str:
    """At how many rates, and the intervals of the ratios from the lowest end to the highest."""
    low, high = min(one.ratio.low for one in found), max(one.ratio.high for one in found)
    loads = [f"{one.load:,g}" for one in found]
    many = f"{len(loads)} rates from {loads[0]} to {loads[-1]}" if len(loads) > 1 else loads[0]
    return f"at {many}/s ({low:.3f} to {high:.3f})"


def in_groups(found: Sequence[Difference]) -> str:
    """The ratios that are below 1, those not told from 1, and those above."""
    return _in_words(_groups(found))


def per_decision(curves: Curves, setting: str) -> str:
    """That SPTF is never worse than SSTF_LBN is true of a decision, not of a run (001-D17)."""
    above = _groups(judged(curves, "sptf", "sstf_lbn"))["above 1"]
    runs = f"its mean response is above that of SSTF_LBN {ratios(above)}" if above else "no run shows it here"
    return (
        "001 says that SPTF should never be worse than SSTF. That is so of a decision, whose consequences"
        f" it does not see; of a run it need not be (001-D17): with {setting} {runs}."
    )


def _groups(found: Sequence[Difference]) -> dict[str, list[Difference]]:
    below = [one for one in found if one.ratio.high < 1]
    above = [one for one in found if one.ratio.low > 1]
    unsure = [one for one in found if one not in below and one not in above]
    return {"below 1": below, "not told from 1": unsure, "above 1": above}


def _in_words(groups: Mapping[str, Sequence[Difference]]) -> str:
    return "; ".join(f"{name} {ratios(found)}" for name, found in groups.items() if found)


def _distance(found: Difference) -> float:
    """How far from 1 the interval of the ratio reaches."""
    return max(abs(found.ratio.low - 1), abs(found.ratio.high - 1))
