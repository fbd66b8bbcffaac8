"""Verdict on a claim of paper 000 about the aging factor of the policy ASPTF, chosen by trial (section 8)."""

from dataclasses import replace

from sledsim.results import Curves

from ..shared import CV2, Claim
from .comparisons import Measured, Said, alike, elsewhere, larger, on_all
from .inputs import BUSY, MODERATE, Input

#: ASPTF with an aging factor of 20, four times the factor that the paper chose.
_LARGE = "asptf:weight=20"
#: Comparisons with FCFS (an infinite factor) by mean response, and with SPTF (a factor of 0) by variation.
_ENDS = (
    Said("fcfs", "asptf", "more than one", BUSY, larger),
    Said("sptf", "asptf", "more than one", BUSY, larger, figure=CV2),
)
_LATER = (Said(_LARGE, "asptf", "more than one: 5 was chosen", MODERATE, larger),)
#: Comparison of ASPTF with SPTF by mean response; no verdict uses it, because the paper states no bound.
_BESIDE = (Said("asptf", "sptf", "", BUSY, alike),)


def swept(measured: Measured) -> list[tuple[Input, Curves]]:
    """Return the random inputs of `measured`, with curves of the policy `_LARGE` added at moderate loads."""
    return [
        (one, replace(curves, points=[*curves.points, *one.curves([_LARGE], *MODERATE).points]))
        for one, curves in measured
        if not one.is_trace
    ]


def choice(measured: Measured, drawn: Measured) -> Claim:
    """Judge claim 000-C33 from the curves of experiment 000-E-5 and the result of `swept`, `drawn`."""
    matched = [(one, curves) for one, curves in drawn if one.is_matched]
    near = "; ".join(f"{found.ours} on {found.input}" for found in on_all(_BESIDE, matched))
    return elsewhere(
        "000-C33",
        [*on_all(_ENDS, measured), *on_all(_LATER, drawn)],
        "The paper prints neither the rates, nor the other factors tried, nor a bound for good performance:"
        f" factors below 5 may be as good. The mean response under ASPTF(5) over SPTF's is {near}.",
    )
