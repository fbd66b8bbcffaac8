"""Figures of one policy at one load, computed from several replications or from batches of one run."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import intervals
from .intervals import Estimate
from .run import Run
from .steady_state import WARM_UP, Observation, is_at_rest, is_saturated, measure, observe, window_s
from .tails import PERCENTILES, VARIATION, count_swings, figures, tails

#: Figures that are means, over requests or over time, and so get a confidence interval from batches of a
#: single run.
_MEANS = ("mean_response_s", "mean_queue_length", "mean_service_s", "mean_positioning_s", "utilization")
#: Figures in `_MEANS` that are averages over time.
_OF_TIME = ("mean_queue_length", "utilization")
#: Figures that must reach a requested precision. Percentiles above the 99th depend on too few requests for
#: this.
PRECISE = ("mean_response_s", VARIATION, "p50_response_s", "p95_response_s", "p99_response_s")


@dataclass(frozen=True, eq=False)
class CurvePoint:
    """Figures of one policy at one load, which is one point of a curve.

    Attributes:
        scheduler: Name of the policy.
        load: Arrival rate in requests per second, or the speed-up of a trace.
        saturated: True if the device was saturated or `unsettled`: the point then has no figures, as they
            would depend on the length of the runs.
        estimates: Figures of `steady_state.measure` and `tails` by name, with confidence intervals; NaN if
            the runs are too short for a figure.
        samples: Figures by name: an array with a value for each replication, in the order of seeds, or for
            each batch.
        unsettled: True if the runs are too short to show whether the device is saturated: the queue may still
            grow, or a request waited for a large part of a run.
    """

    scheduler: str
    load: float
    saturated: bool
    estimates: Mapping[str, Estimate] = field(default_factory=dict)
    samples: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    unsettled: bool = False

    def is_within(self, precision: float | None) -> bool:
        """Return True if the half-width of each figure in `PRECISE` is at most `precision` of its value."""
        precise = [self.estimates[name] for name in PRECISE if name in self.estimates]
        return precision is None or all(one.half_width <= precision * abs(one.value) for one in precise)

    def row(self) -> dict[str, Any]:
        """Return the point as a row for a ledger, by column name."""
        estimates = self.estimates
        return {
            "status": "not at rest" if self.unsettled else "saturated" if self.saturated else "ok",
            "figures": {name: _json(one.value) for name, one in estimates.items()},
            "half_widths": {name: _json(one.half_width) for name, one in estimates.items()},
            "counts": {name: one.count for name, one in estimates.items()},
            "samples": {name: [*map(_json, one.tolist())] for name, one in self.samples.items()},
            "error": None,
        }

    @classmethod
    def of_row(cls, scheduler: str, load: float, row: Mapping[str, Any]) -> "CurvePoint":
        """Make the point of a policy at a load from a row of a ledger."""
        half_widths, counts = row["half_widths"], row["counts"]
        estimates = {
            name: Estimate(_number(value), _number(half_widths[name]), counts[name])
            for name, value in row["figures"].items()
        }
        samples = {name: np.array([*map(_number, values)]) for name, values in row["samples"].items()}
        status = row["status"]
        return cls(scheduler, load, status != "ok", estimates, samples, status == "not at rest")


def replicated_point(name: str, rate: float, seen: Sequence[Observation], confidence: float) -> CurvePoint:
    """Make the point of a policy at an arrival rate, from the figures of several replications."""
    if is_saturated(seen, WARM_UP):
        return CurvePoint(name, rate, saturated=True)
    if not is_at_rest(seen):
        return CurvePoint(name, rate, saturated=True, unsettled=True)
    samples = {key: np.array([one.figures[key] for one in seen]) for key in seen[0].figures}
    estimates = {key: intervals.mean(values, confidence) for key, values in samples.items()}
    swings = count_swings([one.found for one in seen])
    of_tails, samples_of_tails = tails([one.response_s for one in seen], swings, confidence)
    return CurvePoint(name, rate, False, _ordered(estimates | of_tails), samples | samples_of_tails)


def batched_point(run: Run, name: str, batches: int, confidence: float) -> CurvePoint:
    """Make the point of a policy at a speed-up from one run, which is divided into batches."""
    whole = observe(run, warm_up=0)
    scale = run.settings.scale
    if is_saturated([whole], warm_up=0):
        return CurvePoint(name, scale, saturated=True)
    slices = intervals.batch_slices(len(run.transfers.response_ns), batches)
    parts = [measure(run, batch) for batch in slices]
    samples = {key: np.array([part[key] for part in parts]) for key in _MEANS}
    spans_s = np.array([window_s(run, batch) for batch in slices])
    half = {
        key: intervals.correlated_mean(
            _of_time(values, spans_s, whole.figures[key]) if key in _OF_TIME else values, confidence
        ).half_width
        for key, values in samples.items()
    }
    estimates = {
        key: Estimate(value, half.get(key, math.nan), batches if key in half else 1)
        for key, value in (whole.figures | figures(whole.response_s)).items()
    }
    return CurvePoint(name, scale, False, _ordered(estimates), samples)


def _of_time(values: NDArray[np.float64], spans_s: NDArray[np.float64], whole: float) -> NDArray[np.float64]:
    """Return averages of batches over time, each weighted by the duration of the batch relative to others.

    Batches with equal numbers of requests are shorter when requests arrive faster. The overall average is a
    ratio of two sums; the values returned are its first-order expansion (the delta method).
    """
    lasting = np.where(spans_s > 0, (values - whole) * spans_s, 0.0)
    found: NDArray[np.float64] = whole + lasting / spans_s.mean()
    return found


def _ordered(estimates: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """Sort figures: mean response time, variation and percentiles come first, then all others."""
    first = ("mean_response_s", VARIATION, *PERCENTILES)
    return {key: estimates[key] for key in dict.fromkeys((*first, *estimates))}


def _json(value: float) -> float | str | None:
    """Return a number for JSON: None for NaN, a text for infinity, other numbers unchanged."""
    if math.isnan(value):
        return None
    return value if math.isfinite(value) else str(value)


def _number(value: float | str | None) -> float:
    return math.nan if value is None else float(value)
