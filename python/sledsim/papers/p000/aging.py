"""Verdict on claim 000-C33: paper 000 chose the aging factor 5 of the policy ASPTF by trial (section 8)."""

from dataclasses import replace

from sledsim.results import Curves

from ..shared import CV2, Claim
from .comparisons import Measured, Said, alike, elsewhere, larger, on_all
from .inputs import BUSY, MODERATE, Input

#: ASPTF with an aging factor of 20; paper 000 chose the factor 5.
_LARGE = "asptf:weight=20"
#: Comparisons of ASPTF(5) with the two extremes of its factor: FCFS (an infinite factor) by mean response,
#: and SPTF (a factor of 0) by cv².
_ENDS = (
    Said("fcfs", "asptf", "more than one", BUSY, larger),
    Said("sptf", "asptf", "more than one", BUSY, larger, figure=CV2),
)
_LATER = (Said(_LARGE, "asptf", "more than one: 5 was chosen", MODERATE, larger),)
#: Comparison of ASPTF(5) with SPTF by mean response. It is only shown, because the paper states no bound.
_BESIDE = (Said("asptf", "sptf", "", BUSY, alike),)


def swept(measured: Measured) -> list[tuple[Input, Curves]]:
    """Return the random inputs of `measured`; their curves also have ASPTF with a factor of 20."""
    return [
        (one, replace(curves, points=[*curves.points, *one.curves([_LARGE], *MODERATE).points]))
        for one, curves in measured
        if not one.is_trace
    ]


def choice(measured: Measured, drawn: Measured) -> Claim:
    """Judge claim 000-C33 from curves of 000-E-5 (`measured`) and the result of `swept` (`drawn`)."""
    matched = [(one, curves) for one, curves in drawn if one.is_matched]
    near = "; ".join(f"{found.ours} on {found.input}" for found in on_all(_BESIDE, matched))
    return elsewhere(
        "000-C33",
        [*on_all(_ENDS, measured), *on_all(_LATER, drawn)],
        "The paper prints neither the rates, nor the other factors tried, nor a bound for good performance:"
        f" factors below 5 may be as good. The mean response under ASPTF(5) over SPTF's is {near}.",
    )
