"""002-E-10, Figure 13: schedulers on Cello and TPC-C.

Response time under four policies on requests that replace both traces, and the lead of SPTF.
"""

from sledsim.files import PathLike

from ..shared import CELLO, Result
from ..shared.trace_margins import margins


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Compute the mean response over the load, on requests that replace Cello and TPC-C."""
    return margins("002-C16", "Figure 13", "sigmetrics00", quick, traces)


#: Names of the real traces that the experiment can use.
NEEDS = (CELLO,)
