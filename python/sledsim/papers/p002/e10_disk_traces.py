"""002-E-10, Figure 13: schedulers on Cello and TPC-C.

Response time under four policies on what stands for the traces, and the margin of SPTF.
"""

from sledsim.files import PathLike

from ..shared import CELLO, Result
from ..shared.trace_margins import margins


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Response time over the load on what stands for either trace."""
    return margins("002-C16", "Figure 13", "sigmetrics00", quick, traces)


#: The traces that it can use.
NEEDS = (CELLO,)
