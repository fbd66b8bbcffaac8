"""Response curves and ratios of the four schedulers of 001 and 002 under the random workload.

Two policies are compared over the same requests, by the ratio of a figure under the first policy to the
same figure under the second, with its interval. The rates are those with a queue: with less than one
request in the system on average, a policy seldom has a choice.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sledsim import Device
from sledsim.estimates import CurvePoint, Difference, Estimate
from sledsim.results import Curves

from .intervals import ends
from .perturbations import response_curves

#: Policies of 001-F13 and 002-F15 with their names in 001.
POLICIES = {"fcfs": "FCFS", "sstf_lbn": "SSTF_LBN", "clook_lbn": "C-LOOK_LBN", "sptf": "SPTF"}
RESPONSE, CV2 = "mean_response_s", "cv2_response"
#: Compared figures and their names.
FIGURES = {RESPONSE: "mean response", CV2: "squared coefficient of variation"}
#: Pairs that the papers compare, the quicker policy first.
PAIRS = (("sstf_lbn", "clook_lbn"), ("sptf", "sstf_lbn"), ("sptf", "clook_lbn"))
#: Mean number of requests in the system from which policies are compared.
_QUEUE = 1.0
#: Requests per replication, and replications; a queue near saturation needs thousands of requests to build.
_SIZE, _SIZE_QUICK = (40_000, 8), (20_000, 5)


def policy_curves(
    model: Device, rates: Sequence[float], quick: bool, policies: Sequence[str] = tuple(POLICIES)
) -> Curves:
    """Compute curves of the random workload (001-F11), each policy up to the first rate that saturates it."""
    count, replications = _SIZE_QUICK if quick else _SIZE
    return response_curves(model, policies, rates, count=count, replications=replications)


def judged(curves: Curves, a: str, b: str, figure: str = RESPONSE) -> list[Difference]:
    """Compare two policies at every rate that both sustain, with a queue under either."""
    return [found for found in curves.difference(a, b, figure) if _queues(curves, found.load, (a, b))]


def saturated_at(curves: Curves, policy: str) -> float | None:
    """Return the lowest rate that certainly saturates a policy; a policy not at rest may still keep up."""
    own = (curves.point(policy, load) for load in curves.loads)
    return next((point.load for point in own if point and point.saturated and not point.unsettled), None)


def without_mean(curves: Curves, a: str, b: str) -> list[CurvePoint]:
    """Return the points of one policy without a mean, at rates that another policy sustains."""
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
    """Return the ratio of a figure under one policy to the same figure under another, with its interval."""
    return {
        "setting": setting,
        "figure": figure,
        **dict(zip(("first", "second"), pair, strict=True)),
        **loads,
        **ends("ratio", ratio),
    }


def ratio_rows(settings: Mapping[str, Curves]) -> list[dict[str, Any]]:
    """Return the ratio of each pair with its interval, for response time and its squared CV.

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
