"""The four schedulers of 001 and 002 over the arrival rate of the random workload, and their ratios.

Two policies are compared over the same requests, by the ratio of a figure under the one to that under the
other, with its interval. They are judged where requests queue: below one request in the system on average
there is seldom anything to choose from.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sledsim import Device
from sledsim.estimates import CurvePoint, Difference, Estimate
from sledsim.results import Curves

from .intervals import ends
from .perturbations import response_curves

#: The policies of 001-F13 and 002-F15 by the names under which 001 has them.
POLICIES = {"fcfs": "FCFS", "sstf_lbn": "SSTF_LBN", "clook_lbn": "C-LOOK_LBN", "sptf": "SPTF"}
RESPONSE, CV2 = "mean_response_s", "cv2_response"
#: The figures that are compared, and what they are called.
FIGURES = {RESPONSE: "mean response", CV2: "squared coefficient of variation"}
#: The pairs that the papers compare, the one that they find quicker first.
PAIRS = (("sstf_lbn", "clook_lbn"), ("sptf", "sstf_lbn"), ("sptf", "clook_lbn"))
#: Mean number of requests in the system from which policies are judged.
_QUEUE = 1.0
#: Requests of a replication, and replications; near saturation a queue takes thousands of requests to build.
_SIZE, _SIZE_QUICK = (40_000, 8), (20_000, 5)


def policy_curves(
    model: Device, rates: Sequence[float], quick: bool, policies: Sequence[str] = tuple(POLICIES)
) -> Curves:
    """Curves of the random workload (001-F11), each policy up to the first rate that saturates it."""
    count, replications = _SIZE_QUICK if quick else _SIZE
    return response_curves(model, policies, rates, count=count, replications=replications)


def judged(curves: Curves, a: str, b: str, figure: str = RESPONSE) -> list[Difference]:
    """Two policies compared at every rate that both sustain, with a queue under either."""
    return [found for found in curves.difference(a, b, figure) if _queues(curves, found.load, (a, b))]


def saturated_at(curves: Curves, policy: str) -> float | None:
    """The lowest rate that saturates a policy beyond doubt: where it is not at rest it may yet keep up."""
    own = (curves.point(policy, load) for load in curves.loads)
    return next((point.load for point in own if point and point.saturated and not point.unsettled), None)


def without_mean(curves: Curves, a: str, b: str) -> list[CurvePoint]:
    """The points of one policy that have no mean, at rates that another sustains."""
    own = [(curves.point(a, load), curves.point(b, load)) for load in curves.loads]
    return [one for one, other in own if one and one.saturated and other and not other.saturated]


def _queues(curves: Curves, load: float, policies: Sequence[str]) -> bool:
    points = [curves.point(name, load) for name in policies]
    return all(point and point.estimates["mean_queue_length"].value >= _QUEUE for point in points)


def rounded(load: float) -> float:
    """An arrival rate or a scale factor to two significant digits."""
    return float(np.format_float_positional(load, 2, unique=False, fractional=False))


def ratio_row(
    setting: str, figure: str, pair: tuple[str, str], loads: Mapping[str, float | None], ratio: Estimate
) -> dict[str, Any]:
    """The ratio of a figure under one policy to that under another, with its interval."""
    return {
        "setting": setting,
        "figure": figure,
        **dict(zip(("first", "second"), pair, strict=True)),
        **loads,
        **ends("ratio", ratio),
    }


def ratio_rows(settings: Mapping[str, Curves]) -> list[dict[str, Any]]:
    """The ratio of each pair with its interval: response time and its squared coefficient of variation.

    Args:
        settings: Curves by what they differ in, such as the settling time.
    """
    return [
        ratio_row(setting, name, pair, {"rate_per_s": found.load}, found.ratio)
        for setting, curves in settings.items()
        for figure, name in FIGURES.items()
        for pair in PAIRS
        for found in curves.difference(*pair, figure)
    ]
