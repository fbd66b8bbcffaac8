"""001-E-2, Figure 6: schedulers under the random workload.

Response time and its variability over the arrival rate under four policies, with intervals.
"""

from typing import Any

from sledsim.results import Curves

from ..shared import Result, device, noted
from ..shared.policy_curves import CV2, judged, policy_curves
from ..shared.policy_findings import judged_claim, order
from ..shared.policy_results import policy_result
from .independent import BESIDE, DEFAULT, about, beside_independent

#: Arrival rates in requests/s, up to 3,500/s, where the axis of Figures 6 and 8 ends.
RATES = tuple(range(100, 3501, 100))
RATES_QUICK = (100, 500, 900, 1300, 1500, 1700, 1800, 1900, 2100, 2300, 2500, 3000, 3500)


def run(quick: bool) -> Result:
    """Compute mean response and squared coefficient of variation over the arrival rate, by policy."""
    model = device("osdi00")
    # A quick run has fewer rates, but as many requests, because queues need them to grow long.
    curves = policy_curves(model, RATES_QUICK if quick else RATES, quick=False)
    beside = beside_independent(model, DEFAULT, quick)
    return policy_result(
        model,
        "Figure 6",
        {"default device": curves},
        [judged_claim("001-C20", *order(curves))],
        noted("001-E-2", beside=about(BESIDE), fcfs_ms=DEFAULT[0].mean_response_ms["fcfs"], **_fcfs(curves)),
        {BESIDE: beside},
    )


def _fcfs(curves: Curves) -> dict[str, Any]:
    """Return values for the notes: cv² of C-LOOK_LBN over FCFS's at two rates, and over SPTF's at one."""
    found = judged(curves, "clook_lbn", "fcfs", CV2)
    light = curves.difference("clook_lbn", "sptf", CV2)[0]
    ends = {one.load: f"{one.ratio.value:.2f} at {one.load:,g}/s" for one in (found[0], found[-1])}
    return {"ends": " and ".join(ends.values()), "light": light}
