"""002-E-10: Figure 13, the four schedulers on Cello and on TPC-C."""

from ..files import PathLike
from .experiments import Result
from .trace_margins import margins


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Response time over the load on what stands for either trace."""
    return margins("002-C16", "Figure 13", "sigmetrics00", quick, traces)
