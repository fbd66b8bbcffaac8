"""Judgement on the aging factor of ASPTF, which paper 000 chose by trial (section 8)."""

from dataclasses import replace

from sledsim.results import Curves

from ..shared import CV2, Claim
from .comparisons import Measured, Said, alike, elsewhere, larger, on_all
from .inputs import BUSY, MODERATE, Input

#: Policy with four times the factor that the paper chose.
_LARGE = "asptf:weight=20"
#: Comparisons with the extremes of the factor, SPTF (0) and FCFS (infinite), in figures where these are weak.
_ENDS = (
    Said("fcfs", "asptf", "more than one", BUSY, larger),
    Said("sptf", "asptf", "more than one", BUSY, larger, figure=CV2),
)
_LATER = (Said(_LARGE, "asptf", "more than one: 5 was chosen", MODERATE, larger),)
#: Comparison with SPTF in the mean response, for information: the paper states no bound for it.
_BESIDE = (Said("asptf", "sptf", "", BUSY, alike),)


def swept(measured: Measured) -> list[tuple[Input, Curves]]:
    """Return `measured` completed by runs with the large factor on random inputs, under moderate loads."""
    return [
        (one, replace(curves, points=[*curves.points, *one.curves([_LARGE], *MODERATE).points]))
        for one, curves in measured
        if not one.is_trace
    ]


def choice(measured: Measured, drawn: Measured) -> Claim:
    """Judge the claim on the factor, from the curves of `000-E-5` and those that `swept` adds."""
    matched = [(one, curves) for one, curves in drawn if one.is_matched]
    near = "; ".join(f"{found.ours} on {found.input}" for found in on_all(_BESIDE, matched))
    return elsewhere(
        "000-C33",
        [*on_all(_ENDS, measured), *on_all(_LATER, drawn)],
        "The paper prints neither the rates, nor the other factors tried, nor a bound for good performance:"
        f" factors below 5 are not excluded. The mean response over that under SPTF is {near}.",
    )
