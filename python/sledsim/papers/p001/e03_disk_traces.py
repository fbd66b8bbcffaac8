"""001-E-3, Figure 7: schedulers on Cello and TPC-C.

Response time under four policies on requests that replace both traces, and the lead of SPTF.
"""

from dataclasses import replace

from sledsim.files import PathLike

from ..shared import CELLO, Result, stated
from ..shared.trace_margins import margins


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Compute the mean response over the load, on requests that replace Cello and TPC-C."""
    found = margins("001-C22", "Figure 7", "osdi00", quick, traces)
    return replace(found, claims=[*found.claims, stated("001-C29", "the trace of Cello by its disks")])


#: Names of the real traces that the experiment can use.
NEEDS = (CELLO,)
