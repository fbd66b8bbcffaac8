"""001-E-3, Figure 7: schedulers on Cello and TPC-C.

Response time under four policies on inputs in place of the traces, and the margin of SPTF.
"""

from dataclasses import replace

from sledsim.files import PathLike

from ..shared import CELLO, Result, stated
from ..shared.trace_margins import margins


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Compute the response time over the load on the inputs for both traces."""
    found = margins("001-C22", "Figure 7", "osdi00", quick, traces)
    return replace(found, claims=[*found.claims, stated("001-C29", "the trace of Cello by its disks")])


#: Traces that the experiment can use.
NEEDS = (CELLO,)
