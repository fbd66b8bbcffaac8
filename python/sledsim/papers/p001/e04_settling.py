"""001-E-4, Figure 8: schedulers and the settling time.

Response time over the arrival rate without settling, with the default time, and with twice that time.
"""

from ..shared import Result, device
from ..shared.policy_curves import PAIRS, policy_curves
from ..shared.policy_findings import alike, judged_claim, large_margin, per_decision
from ..shared.policy_results import policy_result
from .e02_scheduling import RATES, RATES_QUICK
from .independent import BESIDE, SETTLING, about, beside_independent

_NONE_MS, _TWICE_MS = 0.0, 0.44


def run(quick: bool) -> Result:
    """Compute the mean response over the arrival rate, by policy, at three settling times."""
    model = device("osdi00")
    rates = RATES_QUICK if quick else RATES
    default_ms = round(model.characteristics()["settle_s"] * 1e3, 9)
    settings = {
        settle_ms: policy_curves(model.with_parameters(settle_ms=settle_ms), rates, quick)
        for settle_ms in (_NONE_MS, default_ms, _TWICE_MS)
    }
    nearly_equal = (alike(settings[_TWICE_MS], *pair) for pair in PAIRS)
    others = ("sstf_lbn", "clook_lbn")
    beside = beside_independent(model, SETTLING, quick)
    return policy_result(
        model,
        "Figure 8",
        {f"settling {settle_ms:g} ms": curves for settle_ms, curves in settings.items()},
        [judged_claim("001-C21", *nearly_equal, *large_margin(settings[_NONE_MS], "sptf", others))],
        [per_decision(settings[_TWICE_MS], f"{_TWICE_MS:g} ms of settling"), about(BESIDE)],
        {BESIDE: beside},
    )
