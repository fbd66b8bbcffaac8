"""001-E-1, Figure 5: schedulers on the reference disk.

Response time and its variability of a Quantum Atlas 10K over the arrival rate under four policies.
"""

from ..shared import Result
from ..shared.policy_results import DRIVE, described

#: Arrival rates in requests/s; the disk serves about 115 random requests/s.
RATES = tuple(range(10, 201, 10))
RATES_QUICK = (20, 60, 80, 100, 120, 140, 170, 200)


def run(quick: bool) -> Result:
    """Compute mean response and squared coefficient of variation over the arrival rate, by policy."""
    return described(
        "001-E-1", "atlas10k", "Figure 5", "Atlas 10K", RATES_QUICK if quick else RATES, quick, DRIVE
    )
