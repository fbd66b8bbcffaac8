"""002-E-11, Figure 14: schedulers and the number of time constants.

Response time over the arrival rate, without settling, and with settling for one or two time constants.
"""

from sledsim.results import Curves

from ..shared import Claim, Result, device, noted
from ..shared.policy_curves import CV2, judged, policy_curves
from ..shared.policy_findings import alike, in_groups, judged_claim, large_margin, order
from ..shared.policy_results import policy_result
from .e09_scheduling import RATES, RATES_QUICK

_CONSTANTS = {0.0: "no time constant", 1.0: "one time constant", 2.0: "two time constants"}


def run(quick: bool) -> Result:
    """Compute the mean response over the arrival rate, by policy, for 0, 1 and 2 time constants."""
    model = device("sigmetrics00")
    rates = RATES_QUICK if quick else RATES
    settings = {
        name: policy_curves(model.with_parameters(settle_time_constants=constants), rates, quick)
        for constants, name in _CONSTANTS.items()
    }
    return policy_result(
        model,
        "Figure 14",
        settings,
        [_settling(*settings.values())],
        noted("002-E-11", ratios=in_groups(judged(settings[_CONSTANTS[0.0]], "clook_lbn", "sptf", CV2))),
    )


def _settling(none: Curves, default: Curves, two: Curves) -> Claim:
    return judged_claim(
        "002-C15",
        *order(default),
        alike(two, "sptf", "sstf_lbn"),
        *large_margin(none, "sptf", ("sstf_lbn", "clook_lbn")),
    )
