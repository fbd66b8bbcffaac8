"""The aging factor of ASPTF, which 000 chose by trying (section 8)."""

from dataclasses import replace

from sledsim.results import Curves

from ..shared import CV2, Claim
from .comparisons import Measured, Said, alike, elsewhere, larger, on_all
from .inputs import BUSY, MODERATE, Input

#: A factor four times as large as the one that was chosen.
_LARGE = "asptf:weight=20"
#: The two ends of the factor are SPTF (none) and FCFS (infinite): what each of them is bad at.
_ENDS = (
    Said("fcfs", "asptf", "more than one", BUSY, larger),
    Said("sptf", "asptf", "more than one", BUSY, larger, figure=CV2),
)
_LATER = (Said(_LARGE, "asptf", "more than one: 5 was chosen", MODERATE, larger),)
#: How near to SPTF it comes decides nothing: the paper does not say how good is good.
_BESIDE = (Said("asptf", "sptf", "", BUSY, alike),)


def swept(measured: Measured) -> list[tuple[Input, Curves]]:
    """The drawn inputs with the large factor under moderate loads, beside the policies run on them."""
    return [
        (one, replace(curves, points=[*curves.points, *one.curves([_LARGE], *MODERATE).points]))
        for one, curves in measured
        if not one.is_trace
    ]


def choice(measured: Measured, drawn: Measured) -> Claim:
    """The claim on the factor, from the curves of `000-E-5` and those of `swept`."""
    matched = [(one, curves) for one, curves in drawn if one.is_matched]
    near = "; ".join(f"{found.ours} on {found.input}" for found in on_all(_BESIDE, matched))
    return elsewhere(
        "000-C33",
        [*on_all(_ENDS, measured), *on_all(_LATER, drawn)],
        "Neither the rates nor the other factors that were tried are printed, nor what performs well: smaller"
        f" factors than 5 are not excluded. The mean response over that under SPTF is {near}.",
    )
