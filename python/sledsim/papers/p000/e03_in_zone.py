"""000-E-3, Figure 4: policies inside the zones.

Response time and its variation under FCFS, ZFCFS, ZSPTF and ZTSPTF over the load.
"""

from ...common.files import PathLike
from ..shared.experiments import Result
from ..shared.hp_disks import HP
from ..shared.policy_curves import CV2
from .comparisons import Said, alike, claims, far_larger, larger, no_smaller
from .hours import LONGEST
from .inputs import ANY, BUSY, HEAVY, LIGHT, MODERATE, SERVER, USER, inputs, notes

_POLICIES = ("fcfs", "zfcfs", "zsptf", "ztsptf")
_SAID = {
    "000-C6": [Said("ztsptf", "zsptf", "1.31 to 2.22", BUSY, larger, USER)],
    "000-C7": [
        Said("zsptf", "ztsptf", "up to 1.15", MODERATE, larger, USER, CV2),
        Said("zsptf", "ztsptf", "alike", LIGHT + HEAVY, alike, USER, CV2),
        Said("zsptf", "ztsptf", "alike", ANY, alike, SERVER, CV2),
        Said("ztsptf", "zsptf", "alike", ANY, alike, SERVER),
    ],
    "000-C30": [Said("zsptf", "ztsptf", "more than one", BUSY, no_smaller, USER, LONGEST)],
    "000-C29": [
        Said("zfcfs", "zsptf", "alike", LIGHT, alike, USER),
        Said("zfcfs", "zsptf", "far more", BUSY, far_larger, USER),
    ],
}


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """First come, first served, and three policies inside zones of 120 x 1200 bits."""
    used = inputs(quick, traces)
    measured = [(one, one.curves(_POLICIES)) for one in used]
    return Result(
        devices=[one.device for one in used[:2]],
        claims=claims(_SAID, measured),
        tables={f"Figure 4 on {one.name}": curves.table() for one, curves in measured},
        charts={f"Figure 4 on {one.name}": curves.plot for one, curves in measured},
        notes=notes(used),
    )


#: The traces that it can use.
NEEDS = HP
