"""002-E-9, Figure 12: schedulers under the random workload.

Response time and its variability over the arrival rate under four policies, with intervals.
"""

from ..shared.experiments import Experiment, Result
from ..shared.policy_results import described

RATES = tuple(range(50, 1201, 50))
RATES_QUICK = (50, 150, 250, 350, 450, 500, 550, 600, 650, 700, 750, 900, 1000, 1200)


def run(quick: bool) -> Result:
    """Response time and its squared coefficient of variation over the arrival rate."""
    return described(
        "sigmetrics00",
        "Figure 12",
        "one time constant",
        RATES_QUICK if quick else RATES,
        quick,
        "The text prints no figure. It says that FCFS saturates first, SPTF is the quickest, SSTF_LBN"
        " quicker than C-LOOK, and that C-LOOK resists starvation best. 002-C15 joins that with what"
        " settling does, and 002-E-11 decides it.",
    )


ROW = Experiment.of(run)
