"""002-E-10: Figure 13, the four schedulers on Cello and on TPC-C."""

from ...common.files import PathLike
from ..shared.experiments import Result
from ..shared.trace_margins import margins


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Response time over the load on what stands for either trace."""
    return margins("002-C16", "Figure 13", "sigmetrics00", quick, traces)
