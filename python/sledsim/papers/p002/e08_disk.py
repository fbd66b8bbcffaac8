"""002-E-8, Figure 11: schedulers on the reference disk.

Response time and its variability of a Cheetah 4LP over the arrival rate under four policies.
"""

from ..shared import Result
from ..shared.policy_results import DRIVE, described

#: Arrival rates in requests/s; the disk serves about 90 random requests/s.
RATES = tuple(range(10, 151, 10))
RATES_QUICK = (20, 50, 70, 80, 90, 100, 120, 140)


def run(quick: bool) -> Result:
    """Compute mean response and squared coefficient of variation over the arrival rate, by policy."""
    return described(
        "002-E-8", "cheetah4lp", "Figure 11", "Cheetah 4LP", RATES_QUICK if quick else RATES, quick, DRIVE
    )
