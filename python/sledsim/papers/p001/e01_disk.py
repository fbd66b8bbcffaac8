"""001-E-1, Figure 5: schedulers on the reference disk.

Response time and its variability of a Quantum Atlas 10K over the arrival rate under four policies.
"""

from ..shared.experiments import Experiment, Result
from ..shared.perturbations import device
from ..shared.policy_curves import policy_curves
from ..shared.policy_findings import order
from ..shared.policy_results import policy_result

#: The disk serves some 115 random requests a second.
RATES = tuple(range(10, 201, 10))
RATES_QUICK = (20, 60, 80, 100, 120, 140, 170, 200)


def run(quick: bool) -> Result:
    """Response time and its squared coefficient of variation over the arrival rate."""
    model = device("atlas10k")
    curves = policy_curves(model, RATES_QUICK if quick else RATES, quick)
    found = "; ".join(f"{one.quantity}: {one.found}" for one in order(curves))
    return policy_result(
        model,
        "Figure 5",
        {"Atlas 10K": curves},
        [],
        [
            "The figure is drawn for reference and prints no number. The text says that FCFS saturates first,"
            " SSTF_LBN is quicker than C-LOOK_LBN, SPTF the quickest, and that C-LOOK_LBN starves nobody as"
            f" the two greedy policies do. Here: {found}.",
            "The drive has its cache, and SPTF knows its command overheads, as one inside the drive does.",
        ],
    )


ROW = Experiment.of(run)
