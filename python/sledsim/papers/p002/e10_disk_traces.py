"""002-E-10, Figure 13: schedulers on Cello and TPC-C.

Response time under four policies on inputs in place of the traces, and the margin of SPTF.
"""

from sledsim.files import PathLike

from ..shared import CELLO, Result
from ..shared.trace_margins import margins


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Compute the response time over the load on the inputs for both traces."""
    return margins("002-C16", "Figure 13", "sigmetrics00", quick, traces)


#: Traces that the experiment can use.
NEEDS = (CELLO,)
