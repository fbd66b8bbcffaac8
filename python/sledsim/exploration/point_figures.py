"""The figures of a point, measured in its runs, with intervals.

A random workload is run under several seeds, and measured after a warm-up, as in `response_curves`. Without a
steady state, the point has no figures, because they would depend on the length of the runs. A trace is run
once and measured as a whole; the intervals of its means come from batches of consecutive requests.
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
from ..runs.kept_columns import flush_figures, transfers_of
from ..runs.meanings import FIGURES
from ..runs.run import Run
from ..runs.steady_state import MEASURED_COLUMNS, WARM_UP, Observation, is_at_rest, is_saturated, observe
from ..runs.tails import VARIATION, figures as tail_figures

#: Columns of a run from which its figures are measured.
COLUMNS = MEASURED_COLUMNS
#: The figures of points with their meanings, in the order of the columns of tables.
MEANINGS: Mapping[str, str] = {
    name: FIGURES[name]
    for name in (
        *("mean_response_s", VARIATION, "p50_response_s", "p95_response_s", "p99_response_s"),
        *("p999_response_s", "max_response_s", "mean_queue_length", "mean_service_s", "mean_positioning_s"),
        *("utilization", "throughput_per_s", "energy_per_request_j", "mean_power_w"),
        *("flushes", "mean_flush_s", "p50_flush_s", "p99_flush_s", "capacity_bytes"),
    )
}
#: States of a point: `OK` if the point has figures; the other three states are reasons for having none.
OK, SATURATED, UNSETTLED, FAILED = "ok", "saturated", "not at rest", "failed"
#: Largest number of times that the number of replications is doubled to reach a precision: from 5, for
#: example, to 10, 20 and 40.
DOUBLINGS = 3
#: Units of figures by the ending of the figure's name; a longer ending stands before a shorter one.
_UNITS = {"_per_s": "1/s", "_bytes": "bytes", "_gib": "GiB", "_s": "s", "_j": "J", "_w": "W"}
#: Smallest half-width of an interval, as a share of the figure, that is not a rounding error; a smaller one
#: counts as 0.
_ROUNDING = 1e-12
#: Number of significant digits of a half-width; further digits depend on the processor.
_DIGITS = 9


@dataclass(frozen=True)
class Measured:
    """The measured figures of a point.

    Attributes:
        status: State of the point, one of `OK`, `SATURATED`, `UNSETTLED` and `FAILED`.
        estimates: Figures with their intervals, by name.
        replications: Number of runs.
        is_precise: True if the intervals reach the requested precision; None if no precision was requested.
        more: Further fields for the row of the point, by name.
    """

    status: str
    estimates: Mapping[str, Estimate]
    replications: int
    is_precise: bool | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    def is_within(self, precision: float, judged: Sequence[str]) -> bool:
        """Return True if no `judged` figure has an interval wider than `precision`.

        `precision` is the largest half-width as a share of the figure, such as 0.01.
        """
        found = [self.estimates[name] for name in judged if name in self.estimates]
        return all(one.half_width <= precision * abs(one.value) for one in found)

    def figures(self) -> dict[str, float | None]:
        """Return the figures by name; None stands for a figure that the runs are too short to estimate."""
        return {name: _known(one.value) for name, one in self.estimates.items()}

    def half_widths(self) -> dict[str, float]:
        """Return the half-widths, by name, of the figures that have an interval."""
        found = {}
        for name, one in self.estimates.items():
            if math.isfinite(one.half_width):
                # Means of batches with equal values may differ by rounding errors.
                is_rounding = one.half_width <= _ROUNDING * abs(one.value)
                found[name] = 0.0 if is_rounding else float(f"{one.half_width:.{_DIGITS - 1}e}")
        return found


def unit_of(name: str) -> str:
    """Return the unit in which a figure is measured and compared; empty if the figure has no unit."""
    for ending, unit in _UNITS.items():
        if name.endswith(ending):
            return unit
    return ""


def look_confidence(confidence: float, looks: int) -> float:
    """Return the confidence level of one check, so that `looks` checks together have `confidence`.

    Each check gets an equal share of the error. An interval at which the sampling stopped, by luck or not,
    then contains the figure with at least the given confidence (Bonferroni).
    """
    return 1 - (1 - confidence) / looks


def of_replications(
    name: str, load: float, runs: Sequence[tuple[Observation, Mapping[str, float]]], confidence: float
) -> Measured:
    """Return the figures of a random workload, estimated over its replications.

    `runs` has the results of the function `seen` for each replication.
    """
    observations = [observation for observation, _ in runs]
    if len(runs) == 1:
        return _of_one(*runs[0])
    point = replicated_point(name, load, observations, confidence)
    if point.saturated:
        return Measured(UNSETTLED if point.unsettled else SATURATED, {}, len(runs))
    more = {key: intervals.mean([others[key] for _, others in runs], confidence) for key in runs[0][1]}
    return Measured(OK, joined(point.estimates, more), len(runs))


def _of_one(observation: Observation, others: Mapping[str, float]) -> Measured:
    """Return the figures of a point with a single run, which gives no intervals."""
    if is_saturated([observation], WARM_UP):
        return Measured(SATURATED, {}, 1)
    if not is_at_rest([observation]):
        return Measured(UNSETTLED, {}, 1)
    found = joined(observation.figures, tail_figures(observation.response_s), others)
    return Measured(OK, {name: Estimate(value, math.nan, 1) for name, value in found.items()}, 1)


def of_trace(run: Run, batches: int, confidence: float) -> Measured:
    """Return the figures of the run of a trace.

    If the trace overloads the device, the status is `SATURATED`; the figures are still given, for this trace.
    """
    whole, others = seen(run, 0.0)
    name = run.settings.scheduler
    found = joined(whole.figures, tail_figures(whole.response_s), others)
    half: dict[str, float] = {}
    status = OK
    if len(run.transfers.response_ns) >= 2 * batches:
        point = batched_point(run, name, batches, confidence)
        status = SATURATED if point.saturated else OK
        half = {key: one.half_width for key, one in point.estimates.items()}
        if run.totals["volumes"]:
            half.pop("utilization", None)  # The value of a volume covers the whole run, which has no batches.
    estimates = {key: Estimate(value, half.get(key, math.nan), 1) for key, value in found.items()}
    return Measured(status, estimates, 1)


def seen(run: Run, warm_up: float = WARM_UP) -> tuple[Observation, dict[str, float]]:
    """Return the observation of a run after its warm-up, and further figures over the whole run."""
    requests = transfers_of(run.totals)
    energy_j = math.fsum(run.energy_by_use_j.values())
    span_s = run.span_s or math.nan
    return observe(run, warm_up), {
        "throughput_per_s": requests / span_s,
        "energy_per_request_j": energy_j / requests,
        "mean_power_w": energy_j / span_s,
        **flush_figures(run.totals),
    }


def in_order(figures: Mapping[str, object]) -> list[str]:
    """Return the names of figures in the order of `MEANINGS`, with unknown names at the end."""
    return [name for name in MEANINGS if name in figures] + sorted(set(figures) - set(MEANINGS))


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
