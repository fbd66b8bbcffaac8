"""The figures of a point: what its runs measured, with intervals.

A workload that is drawn is run under several seeds, and measured after a warm-up, as `response_curves` does.
Where it has no steady state there are no figures: they would say more about the length of the runs. A trace
is one run, measured as a whole; the intervals of its means come from batches of consecutive requests.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..common.tabular import joined
from ..runs import intervals
from ..runs.curve_points import batched_point, replicated_point
from ..runs.intervals import Estimate
from ..runs.meanings import FIGURES
from ..runs.run import Run
from ..runs.steady_state import MEASURED_COLUMNS, WARM_UP, Observation, is_at_rest, is_saturated, observe
from ..runs.tails import VARIATION, figures as tail_figures

#: What a run keeps in order to be measured.
COLUMNS = MEASURED_COLUMNS
#: The figures of every point, in the order of tables; `MEANINGS` says what they are.
MEANINGS: Mapping[str, str] = {
    name: FIGURES[name]
    for name in (
        *("mean_response_s", VARIATION, "p50_response_s", "p95_response_s", "p99_response_s"),
        *("p999_response_s", "max_response_s", "mean_queue_length", "mean_service_s", "mean_positioning_s"),
        *("utilization", "throughput_per_s", "energy_per_request_j", "mean_power_w", "capacity_bytes"),
    )
}
#: The states of a point: it has figures, or why it has none.
OK, SATURATED, UNSETTLED, FAILED = "ok", "saturated", "not at rest", "failed"
#: How often the number of replications is doubled at most: 5, 10, 20, 40.
DOUBLINGS = 3
#: The units of figures by the end of their names, the longest ends first.
_UNITS = {"_per_s": "1/s", "_bytes": "bytes", "_gib": "GiB", "_s": "s", "_j": "J", "_w": "W"}
#: A half width of such a part of its figure is none.
_ROUNDING = 1e-12
#: A half width is kept with so many digits: further ones depend on the processor that computes them.
_DIGITS = 9


@dataclass(frozen=True)
class Measured:
    """What is known of a point.

    Attributes:
        status: One of the states.
        estimates: Figures with their intervals.
        replications: How many runs there were.
        is_precise: Whether the intervals are as narrow as was asked for; None where nothing was asked.
        more: What else the row of the point has, by name.
    """

    status: str
    estimates: Mapping[str, Estimate]
    replications: int
    is_precise: bool | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    def is_within(self, precision: float, judged: Sequence[str]) -> bool:
        """Whether half of each interval is at most this part of its figure."""
        found = [self.estimates[name] for name in judged if name in self.estimates]
        return all(one.half_width <= precision * abs(one.value) for one in found)

    def figures(self) -> dict[str, float | None]:
        """The figures; None where the runs were too short for one."""
        return {name: _known(one.value) for name, one in self.estimates.items()}

    def half_widths(self) -> dict[str, float]:
        """Half of the intervals, of the figures that have one."""
        found = {}
        for name, one in self.estimates.items():
            if math.isfinite(one.half_width):
                # Batches of equal ones differ by the rounding of their sums.
                is_none = one.half_width <= _ROUNDING * abs(one.value)
                found[name] = 0.0 if is_none else float(f"{one.half_width:.{_DIGITS - 1}e}")
        return found


def unit_of(name: str) -> str:
    """The unit in which a figure is measured and compared; empty where it has none."""
    for ending, unit in _UNITS.items():
        if name.endswith(ending):
            return unit
    return ""


def look_confidence(confidence: float, looks: int) -> float:
    """The confidence of each of several looks, any of which may be the last one.

    Each has an equal share of the error: then an interval at which somebody stopped, because it was narrow
    enough by luck or not, is right at least as often as was asked for (Bonferroni).
    """
    return 1 - (1 - confidence) / looks


def of_replications(
    name: str, load: float, runs: Sequence[tuple[Observation, Mapping[str, float]]], confidence: float
) -> Measured:
    """What the replications of a drawn workload measured; each is what `seen` gives."""
    observations = [observation for observation, _ in runs]
    if len(runs) == 1:
        return _of_one(*runs[0])
    point = replicated_point(name, load, observations, confidence)
    if point.saturated:
        return Measured(UNSETTLED if point.unsettled else SATURATED, {}, len(runs))
    more = {key: intervals.mean([others[key] for _, others in runs], confidence) for key in runs[0][1]}
    return Measured(OK, joined(point.estimates, more), len(runs))


def _of_one(observation: Observation, others: Mapping[str, float]) -> Measured:
    """What a single run measured: figures of its requests, without intervals."""
    if is_saturated([observation], WARM_UP):
        return Measured(SATURATED, {}, 1)
    if not is_at_rest([observation]):
        return Measured(UNSETTLED, {}, 1)
    found = joined(observation.figures, tail_figures(observation.response_s), others)
    return Measured(OK, {name: Estimate(value, math.nan, 1) for name, value in found.items()}, 1)


def of_trace(run: Run, batches: int, confidence: float) -> Measured:
    """What the run of a trace measured.

    One that comes faster than the device serves it is said to be saturated, and has figures all the same:
    they are those of this trace.
    """
    whole, others = seen(run, 0.0)
    name = run.settings.scheduler
    found = joined(whole.figures, tail_figures(whole.response_s), others)
    half: dict[str, float] = {}
    status = OK
    if len(run.response_ns) >= 2 * batches:
        point = batched_point(run, name, batches, confidence)
        status = SATURATED if point.saturated else OK
        half = {key: one.half_width for key, one in point.estimates.items()}
        if run.totals["volumes"]:
            half.pop("utilization", None)  # Of a volume it is that of the whole run, which has no batches.
    estimates = {key: Estimate(value, half.get(key, math.nan), 1) for key, value in found.items()}
    return Measured(status, estimates, 1)


def seen(run: Run, warm_up: float = WARM_UP) -> tuple[Observation, dict[str, float]]:
    """What one run shows: its observation after a warm-up, and figures of the whole of it."""
    requests = run.totals["requests"]
    energy_j = math.fsum(run.energy_by_use_j.values())
    span_s = run.span_s or math.nan
    return observe(run, warm_up), {
        "throughput_per_s": requests / span_s,
        "energy_per_request_j": energy_j / requests,
        "mean_power_w": energy_j / span_s,
    }


def in_order(figures: Mapping[str, object]) -> list[str]:
    """The names of figures, those that are known first in their order."""
    return [name for name in MEANINGS if name in figures] + sorted(set(figures) - set(MEANINGS))


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
