"""Mean responses of an independent simulation, compared with ours (for claims 001-C20 and 001-C21)."""

import math
from dataclasses import dataclass
from typing import Any

from sledsim import Device

from ..shared import columns
from ..shared.policy_curves import RESPONSE, policy_curves

#: Title of the table that compares both simulations.
BESIDE = "Beside an independent simulation, without command overhead"
#: Resonant frequency in Hz of the sled of paper 001, from Table 1 of 000. The time constant that follows is
#: 0.2154 ms.
_RESONANT_FREQUENCY_HZ = 739.0


@dataclass(frozen=True)
class IndependentRun:
    """A run of 20,000 random requests in an independent simulation, without command overhead.

    Attributes:
        settle_ms: Settling time in ms.
        rate_per_s: Arrival rate in requests/s.
        mean_response_ms: Mean response in ms, by policy.
    """

    settle_ms: float
    rate_per_s: float
    mean_response_ms: dict[str, float]


_AT_1600 = {"fcfs": 1284.0, "sstf_lbn": 5.54, "clook_lbn": 5.88, "sptf": 4.92}
_TIME_CONSTANT_MS = 1e3 / (2 * math.pi * _RESONANT_FREQUENCY_HZ)
#: Independent runs for claim 001-C20, which states no settling time: ours use 0.22 ms, and one time constant.
DEFAULT = (
    IndependentRun(0.22, 1600.0, _AT_1600),
    IndependentRun(round(_TIME_CONSTANT_MS, 4), 1600.0, _AT_1600),
)
#: Independent runs for 001-C21, with twice the default settling time and without settling.
SETTLING = (
    IndependentRun(0.44, 1250.0, {"clook_lbn": 8.56, "sstf_lbn": 8.26, "sptf": 8.40}),
    IndependentRun(0.0, 2000.0, {"clook_lbn": 15.2, "sstf_lbn": 14.0, "sptf": 2.7}),
)


def beside_independent(model: Device, runs: tuple[IndependentRun, ...], quick: bool) -> list[dict[str, Any]]:
    """Return a table row per independent run and policy, with our mean response and the independent one.

    Our mean is without command overhead and bus time; the shortest and the longest mean of a run follow.
    """
    rows = []
    for run in runs:
        alone = model.with_parameters(settle_ms=run.settle_ms, overhead_ms=0.0, bus_mb_per_s=0.0)
        curves = policy_curves(alone, [run.rate_per_s], quick, tuple(run.mean_response_ms))
        for point in curves.points:
            single_s = point.samples.get(RESPONSE)
            rows.append(
                {
                    "settle_s": run.settle_ms * 1e-3,
                    "rate_per_s": point.load,
                    "scheduler": point.scheduler,
                    "saturated": point.saturated,
                    **columns(RESPONSE, point.estimates.get(RESPONSE), "mean_response_half_width_s"),
                    "shortest_run_s": None if single_s is None else float(single_s.min()),
                    "longest_run_s": None if single_s is None else float(single_s.max()),
                    "independent_run_s": run.mean_response_ms[point.scheduler] * 1e-3,
                }
            )
    return rows


def about(title: str) -> str:
    """Return a note that describes the table with the title `title`."""
    return (
        f'The table "{title}" has results of an independent simulation: single runs of 20,000 requests, with'
        " a shorter warm-up and without command overhead."
    )
