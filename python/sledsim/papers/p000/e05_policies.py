"""000-E-5, Figure 5: ZSPTF and the policies of disks.

Response time and its variation under FCFS, C-SCAN, SSTF, SPTF, ASPTF(5) and ZSPTF over the load.
"""

from sledsim.files import PathLike

from ..shared import HP, Claim, Result, noted, stated
from .aging import choice, swept
from .comparisons import claims
from .inputs import inputs, notes

_POLICIES = ("fcfs", "cscan", "sstf_track", "sptf", "asptf", "zsptf")
#: Ranges in per cent that the paper prints for one difference in cv²: SPTF above ZSPTF (section 8), and ZSPTF
#: below SPTF (section 10).
_HIGHER, _LOWER = (16, 700), (50, 160)


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Run ZSPTF and five policies of disks on every input."""
    used = inputs(quick, traces)
    measured = [(one, one.curves(_POLICIES)) for one in used]
    aged = swept(measured)
    return Result(
        devices=[one.device for one in used[:2]],
        claims=[*claims("000-E-5", measured), _conclusion(), choice(measured, aged)],
        tables={
            **{f"Figure 5 on {one.name}": curves.table() for one, curves in measured},
            **{f"With a larger factor of ASPTF on {one.name}": curves.table() for one, curves in aged},
        },
        charts={f"Figure 5 on {one.name}": curves.plot for one, curves in measured},
        notes=[*notes(used), *noted("000-E-5")],
    )


def _conclusion() -> Claim:
    """Judge claim 000-C21 without a run: compare two printed ranges of the same difference in cv²."""
    least, most = (100 * higher / (100 + higher) for higher in _HIGHER)
    low, high = _LOWER
    return stated(
        "000-C21",
        (f"{least:.0f} to {most:.0f} %", low >= least and high <= most),
    )


#: Names of the real traces that the experiment can use.
NEEDS = HP
