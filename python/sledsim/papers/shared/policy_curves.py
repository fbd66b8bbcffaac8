"""Response curves of the four schedulers of papers 001 and 002 under the random workload, and their ratios.

Two policies serve the same requests. They are compared by a figure, such as the mean response, under the
first policy divided by that figure under the second, with an interval. Rates at which fewer than one request
is in the system on average are left out, because a policy seldom has a choice there.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sledsim import Device
from sledsim.estimates import CurvePoint, Difference, Estimate
from sledsim.results import Curves

from .intervals import ends
from .perturbations import response_curves

#: Names that paper 001 uses for the compared policies (001-F13, 002-F15), by their names in sledsim.
POLICIES = {"fcfs": "FCFS", "sstf_lbn": "SSTF_LBN", "clook_lbn": "C-LOOK_LBN", "sptf": "SPTF"}
RESPONSE, CV2 = "mean_response_s", "cv2_response"
#: Names of the figures in which policies are compared, by column.
FIGURES = {RESPONSE: "mean response", CV2: "squared coefficient of variation"}
#: Pairs of policies that the papers compare. According to the papers, the first of each pair is faster.
PAIRS = (("sstf_lbn", "clook_lbn"), ("sptf", "sstf_lbn"), ("sptf", "clook_lbn"))
#: Minimum mean number of requests in the system at which two policies are compared.
_QUEUE = 1.0
#: Requests per replication and number of replications, for a full and for a quick run. A run has thousands of
#: requests, because a queue near saturation takes that long to build up.
_SIZE, _SIZE_QUICK = (40_000, 8), (20_000, 5)


def policy_curves(
    model: Device, rates: Sequence[float], quick: bool, policies: Sequence[str] = tuple(POLICIES)
) -> Curves:
    """Compute response curves of policies under the random workload (001-F11) at several arrival rates."""
    count, replications = _SIZE_QUICK if quick else _SIZE
    return response_curves(model, policies, rates, count=count, replications=replications)


def judged(curves: Curves, a: str, b: str, figure: str = RESPONSE) -> list[Difference]:
    """Compare policies `a` and `b` at each rate that both sustain, if requests queue there at all.

    A mean of one request in the system is required.
    """
    return [found for found in curves.difference(a, b, figure) if _queues(curves, found.load, (a, b))]


def saturated_at(curves: Curves, policy: str) -> float | None:
    """Return the lowest rate at which a policy is certainly saturated; None if there is no such rate.

    A policy whose queue has not settled at a rate may still keep up, so that rate does not count.
    """
    own = (curves.point(policy, load) for load in curves.loads)
    return next((point.load for point in own if point and point.saturated and not point.unsettled), None)


def without_mean(curves: Curves, a: str, b: str) -> list[CurvePoint]:
    """Return the points at which policy `a` is saturated (so without a mean), and policy `b` is not."""
    own = [(curves.point(a, load), curves.point(b, load)) for load in curves.loads]
    return [one for one, other in own if one and one.saturated and other and not other.saturated]


def _queues(curves: Curves, load: float, policies: Sequence[str]) -> bool:
    points = [curves.point(name, load) for name in policies]
    return all(point and point.estimates["mean_queue_length"].value >= _QUEUE for point in points)


def rounded(load: float) -> float:
    """Round an arrival rate or a scale factor to two significant digits."""
    return float(np.format_float_positional(load, 2, unique=False, fractional=False))


def ratio_row(
    setting: str, figure: str, pair: tuple[str, str], loads: Mapping[str, float | None], ratio: Estimate
) -> dict[str, Any]:
    """Return a table row with a ratio: a figure under the first policy of `pair` over the second's.

    The row also names the setting, such as a device, and has a column for each of `loads`.
    """
    return {
        "setting": setting,
        "figure": figure,
        **dict(zip(("first", "second"), pair, strict=True)),
        **loads,
        **ends("ratio", ratio),
    }


def ratio_rows(settings: Mapping[str, Curves]) -> list[dict[str, Any]]:
    """Return table rows with ratios of mean response and of cv², for each pair of policies in `PAIRS`.

    Args:
        settings: Curves by the setting in which they differ, such as the settling time.
    """
    return [
        ratio_row(setting, name, pair, {"rate_per_s": found.load}, found.ratio)
        for setting, curves in settings.items()
        for figure, name in FIGURES.items()
        for pair in PAIRS
        for found in curves.difference(*pair, figure)
    ]
