"""002-E-9, Figure 12: schedulers under the random workload.

Response time and its variability over the arrival rate under four policies, with intervals.
"""

from ..shared.experiments import Experiment, Result
from ..shared.perturbations import device
from ..shared.policy_curves import policy_curves
from ..shared.policy_findings import order
from ..shared.policy_results import policy_result

RATES = tuple(range(50, 1201, 50))
RATES_QUICK = (50, 150, 250, 350, 450, 500, 550, 600, 650, 700, 750, 900, 1000, 1200)


def run(quick: bool) -> Result:
    """Response time and its squared coefficient of variation over the arrival rate."""
    model = device("sigmetrics00")
    curves = policy_curves(model, RATES_QUICK if quick else RATES, quick)
    found = "; ".join(f"{one.quantity}: {one.found}" for one in order(curves))
    return policy_result(
        model,
        "Figure 12",
        {"one time constant": curves},
        [],
        [
            "The text prints no figure. It says that FCFS saturates first, SPTF is the quickest, SSTF_LBN"
            " quicker than C-LOOK, and that C-LOOK resists starvation best. 002-C15 joins that with what"
            f" settling does, and 002-E-11 decides it. Here: {found}."
        ],
    )


ROW = Experiment.of(run)
