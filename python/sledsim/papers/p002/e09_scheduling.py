"""002-E-9, Figure 12: schedulers under the random workload.

Response time and its variability over the arrival rate under four policies, with intervals.
"""

from ..shared import Result
from ..shared.policy_results import described

RATES = tuple(range(50, 1201, 50))
RATES_QUICK = (50, 150, 250, 350, 450, 500, 550, 600, 650, 700, 750, 900, 1000, 1200)


def run(quick: bool) -> Result:
    """Compute mean response and squared coefficient of variation over the arrival rate, by policy."""
    return described(
        "002-E-9", "sigmetrics00", "Figure 12", "one time constant", RATES_QUICK if quick else RATES, quick
    )
