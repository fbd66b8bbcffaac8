"""000-E-3, Figure 4: policies inside the zones.

Response time and its variation under FCFS, ZFCFS, ZSPTF and ZTSPTF over the load.
"""

from sledsim.files import PathLike

from ..shared import HP, Result
from .comparisons import claims
from .inputs import inputs, notes

_POLICIES = ("fcfs", "zfcfs", "zsptf", "ztsptf")


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Run FCFS, ZFCFS, ZSPTF and ZTSPTF on every input; the latter three serve one zone after the other."""
    used = inputs(quick, traces)
    measured = [(one, one.curves(_POLICIES)) for one in used]
    return Result(
        devices=[one.device for one in used[:2]],
        claims=claims("000-E-3", measured),
        tables={f"Figure 4 on {one.name}": curves.table() for one, curves in measured},
        charts={f"Figure 4 on {one.name}": curves.plot for one, curves in measured},
        notes=notes(used),
    )


#: Names of the real traces that the experiment can use.
NEEDS = HP
