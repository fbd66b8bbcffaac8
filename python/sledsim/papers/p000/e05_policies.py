"""000-E-5, Figure 5: ZSPTF and the policies of disks.

Response time and its variation under FCFS, C-SCAN, SSTF, SPTF, ASPTF(5) and ZSPTF over the load.
"""

from ...common.files import PathLike
from ..shared.claims import Claim, noted, stated
from ..shared.experiments import Result
from ..shared.findings import Statement
from ..shared.hp_disks import HP
from ..shared.policy_curves import CV2
from .aging import choice, swept
from .comparisons import Said, alike, claims, far_larger, larger, no_smaller, slightly_larger
from .inputs import ANY, BUSY, HEAVY, LIGHT, MODERATE, SERVER, USER, inputs, notes

_POLICIES = ("fcfs", "cscan", "sstf_track", "sptf", "asptf", "zsptf")
#: Section 8: the variation of SPTF in percent above that of ZSPTF; section 10: how much lower the latter is.
_HIGHER, _LOWER = (16, 700), (50, 160)

_SAID = {
    "000-C11": [
        Said(other, "zsptf", printed, bands, larger, like)
        for like, bands, printed in ((SERVER, HEAVY, "up to 2.8"), (USER, BUSY, "2 to 27"))
        for other in ("cscan", "sstf_track")
    ],
    "000-C12": [
        Said("zsptf", other, printed, bands, holds)
        for bands, printed, holds in (
            (LIGHT, "up to 1.07", slightly_larger),
            (MODERATE, "1.1 to 1.4", larger),
        )
        for other in ("sptf", "asptf")
    ],
    "000-C13": [Said("asptf", "zsptf", "1.2 to 2.6", HEAVY, larger, SERVER)],
    "000-C14": [Said("zsptf", other, "1.3 to 1.76", HEAVY, larger, USER) for other in ("sptf", "asptf")],
    "000-C15": [
        Said("zsptf", "asptf", "alike", LIGHT, alike, figure=CV2),
        Said("zsptf", "asptf", "1.08 to 1.44", BUSY, larger, figure=CV2),
    ],
    "000-C16": [
        Said("sptf", "zsptf", "1.16 to 1.45", BUSY, larger, SERVER, CV2),
        Said("sptf", "zsptf", "1.83 to 8", BUSY, larger, USER, CV2),
    ],
    "000-C17": [
        *(Said(other, "fcfs", "more than one", BUSY, larger, figure=CV2) for other in ("cscan", "zsptf")),
        Said("cscan", "zsptf", "alike", ANY, alike, figure=CV2),
    ],
    "000-C23": [Said("zsptf", "sptf", "almost one", HEAVY, alike, SERVER)],
    "000-C24": [
        Said(other, "sptf", "more than one", ANY, no_smaller)
        for other in ("fcfs", "cscan", "sstf_track", "asptf", "zsptf")
    ],
    "000-C25": [
        Said(other, "zsptf", "alike", bands, alike, like)
        for like, bands in ((SERVER, LIGHT + MODERATE), (USER, LIGHT))
        for other in ("cscan", "sstf_track")
    ],
    "000-C26": [
        Said(other, "zsptf", "more than one", ANY, no_smaller, figure=CV2) for other in ("sstf_track", "sptf")
    ],
    "000-C27": [
        Said("fcfs", "zsptf", "alike", LIGHT, alike),
        Said("fcfs", "zsptf", "far more", BUSY, far_larger),
    ],
}


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Six policies on every input."""
    used = inputs(quick, traces)
    measured = [(one, one.curves(_POLICIES)) for one in used]
    aged = swept(measured)
    return Result(
        devices=[one.device for one in used[:2]],
        claims=[*claims(_SAID, measured), _conclusion(), choice(measured, aged)],
        tables={
            **{f"Figure 5 on {one.name}": curves.table() for one, curves in measured},
            **{f"With a larger factor of ASPTF on {one.name}": curves.table() for one, curves in aged},
        },
        charts={f"Figure 5 on {one.name}": curves.plot for one, curves in measured},
        notes=[*notes(used), *noted("000-E-5")],
    )


def _conclusion() -> Claim:
    """Two sentences of the paper beside each other: no input decides."""
    least, most = (100 * higher / (100 + higher) for higher in _HIGHER)
    low, high = _LOWER
    return stated(
        "000-C21",
        Statement(
            "how much lower the variation under ZSPTF is, from section 8's SPTF 16 to 700 % higher",
            f"{low} to {high} %",
            f"{least:.0f} to {most:.0f} %",
            holds=low >= least and high <= most,
        ),
    )


#: The traces that it can use.
NEEDS = HP
