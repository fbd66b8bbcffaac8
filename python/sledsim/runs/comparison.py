"""Comparison of devices, volumes and policies under the same requests: its points, tables and files."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..common import units
from ..common.charted import Charted
from ..common.checked import finite
from ..common.endings import CSV, write_rows
from ..common.output_files import PathLike
from ..common.ranking import best_of
from ..common.shown import Form, Result, counted, parts_by, quoted
from .intervals import Estimate, correlated_ratio
from .prices import Prices

#: Fractions of the requests for which a point stores the response time that they do not exceed; closer
#: together near 1.
FRACTIONS = np.unique(np.concatenate([np.linspace(0, 0.9, 46), 1 - np.logspace(-1, -4, 61)]))
#: Estimate of an unknown figure.
_NONE = Estimate(math.nan, math.nan, 0)


@dataclass(frozen=True)
class Point:
    """Figures of one policy on one device, for one workload at one speed-up.

    Attributes:
        scheduler: Name of the policy; ``own`` if each member of a volume has its own policy.
        scale: Speed-up: the times between arrivals are divided by this number.
        summary: Figures of `Run.summary`; empty if the simulation failed.
        mean_response_s: Mean response time in seconds with a confidence interval, from means of batches; a
            short trace has no interval.
        saturated: True if requests arrive faster than the device serves them (`steady_state.is_saturated`):
            the response times then depend on the length of the trace.
        response_quantiles_s: Response times in seconds that the fractions `FRACTIONS` of the requests do not
            exceed.
        file: File with the results of the requests; None if no file was written.
        device: Name of the device or volume.
        workload: Name of the trace or workload.
        capacity_bytes: Capacity of the device in bytes.
        copies: Number of copies of the device that were simulated: one for each traced device of the trace.
        batch_means_s: Mean response time, in seconds, of each of the batches into which the requests are
            divided, equally for all devices.
        error: Reason why the simulation failed, such as requests past the end of the device.
        doubts: Sentences on why results of the recording may be wrong.
    """

    scheduler: str
    scale: float
    summary: Mapping[str, float | int]
    mean_response_s: Estimate
    saturated: bool
    response_quantiles_s: Sequence[float]
    file: Path | None = None
    device: str = ""
    workload: str = ""
    capacity_bytes: int = 0
    copies: int = 1
    batch_means_s: Sequence[float] = ()
    error: str | None = None
    doubts: Sequence[str] = ()

    @property
    def rate_per_s(self) -> float:
        """Requests completed per second, from the first arrival to the last completion; NaN over 0 s."""
        return self.summary["requests"] / (self.summary["span_s"] or math.nan)

    @property
    def energy_per_request_j(self) -> float:
        """Total energy divided by the number of requests, in joules."""
        return self.summary["energy_j"] / self.summary["requests"]


@dataclass(frozen=True, repr=False)
class Comparison(Charted, Result):
    """Comparison of devices and policies that serve the same requests, for each workload and speed-up.

    Attributes:
        device: Names of all compared devices and volumes, as one text.
        trace: Names of all workloads, as one text.
        points: All points, including those that could not be run (`Point.error`).
        notes: Sentences about the whole comparison, which are printed after its findings.
        prices: Prices of the devices and of energy.
    """

    device: str
    trace: str
    points: Sequence[Point]
    notes: Sequence[str] = ()
    prices: Prices = field(default_factory=Prices)

    @property
    def devices(self) -> list[str]:
        """Names of the devices and volumes, in the order given."""
        return list(dict.fromkeys(point.device for point in self.points))

    @property
    def workloads(self) -> list[str]:
        """Names of the workloads, in the order given."""
        return list(dict.fromkeys(point.workload for point in self.points))

    @property
    def measured(self) -> list[Point]:
        """Points whose simulation did not fail."""
        return [point for point in self.points if point.error is None]

    def baseline(self, point: Point) -> Point | None:
        """Return the first point that ran with the workload and speed-up of `point`; None without one."""
        of = (point.workload, point.scale)
        return next((one for one in self.measured if (one.workload, one.scale) == of), None)

    def against_first(self, point: Point) -> Estimate:
        """Return the mean response time of a point relative to that of its `baseline`, with an interval.

        The confidence interval pairs the same batches of requests at the two points; it is missing if one of
        them is saturated. The result is NaN if one of them could not be run.
        """
        first = self.baseline(point)
        if first is None or point.error is not None or not first.mean_response_s.value:
            return _NONE
        if first is point:
            return Estimate(1.0, math.nan, 0)
        value, half_width = point.mean_response_s.value / first.mean_response_s.value, math.nan
        own, its = point.batch_means_s, first.batch_means_s
        if not (point.saturated or first.saturated) and len(own) == len(its) > 1:
            half_width = correlated_ratio(own, its).half_width
        return Estimate(value, half_width, len(own))

    def cost_per_request(self, point: Point) -> float | None:
        """Return the cost of a request at a point, from `prices`; None if the device has no price."""
        if point.error is not None:
            return None
        rate_per_s, energy_j = point.rate_per_s, point.energy_per_request_j
        rate_of_one_per_s = rate_per_s / point.copies
        return self.prices.cost_per_request(point.device, point.capacity_bytes, rate_of_one_per_s, energy_j)

    def conclusions(self) -> list[str]:
        """Return sentences: the fastest points, `notes`, `reasons`, and doubts about traces."""
        doubts = [f"{one.workload}: doubtful: {text}" for one in self.points for text in one.doubts]
        quickest = filter(None, map(self._quickest, self.workloads))
        return [*quickest, *self.notes, *self.reasons(), *dict.fromkeys(doubts)]

    def reasons(self) -> list[str]:
        """Return why simulations failed: sentences that begin with the device, and perhaps the workload."""
        found = dict.fromkeys((one.device, one.workload, one.error) for one in self.points if one.error)
        is_one = len(self.workloads) == 1
        return [
            f"{device}: {error}" if is_one else f"{device}, {workload}: {error}"
            for device, workload, error in found
        ]

    def _quickest(self, workload: str) -> str:
        """Return a sentence with the fastest point (mean response) at each speed-up; empty without points."""
        scales = list(dict.fromkeys(point.scale for point in self.points))
        found = []
        for scale in scales:
            own = [one for one in self.measured if (one.workload, one.scale) == (workload, scale)]
            kept_up = [point for point in own if not point.saturated]
            if len(own) < 2:
                continue
            at = f" at speed-up {scale:g}" if scales != [1.0] else ""
            if not kept_up:
                found.append(f"every policy is saturated{at}")
                continue
            best = best_of(kept_up, lambda point: point.mean_response_s.value)
            on = f"{best.device} under " if len(self.devices) > 1 else ""
            mean = best.mean_response_s
            told = units.estimate(mean.value * 1e3, mean.half_width * 1e3)
            found.append(f"{on}{best.scheduler}{at} ({told} ms)")
        of = f"{workload}: " if len(self.workloads) > 1 else ""
        return f"{of}Least mean response: {', '.join(found)}." if found else ""

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each point: names, figures of `Run.summary`, derived figures, file name.

        ``mean_response_half_width_s`` is the half-width of the 95 % confidence interval. Unknown figures are
        None.
        """
        names = dict.fromkeys(name for point in self.points for name in point.summary)
        return [finite(self._row(point, list(names))) for point in self.points]

    def _row(self, point: Point, names: Sequence[str]) -> dict[str, Any]:
        is_there, against = point.error is None, self.against_first(point)
        return {
            "device": point.device,
            "workload": point.workload,
            "scheduler": point.scheduler,
            "scale": float(point.scale),
            "saturated": point.saturated if is_there else None,
            **{name: point.summary.get(name) for name in names},
            "mean_response_half_width_s": point.mean_response_s.half_width,
            "throughput_per_s": point.rate_per_s if is_there else None,
            "energy_per_request_j": point.energy_per_request_j if is_there else None,
            "mean_response_over_first": against.value,
            "mean_response_over_first_half_width": against.half_width,
            "cost_per_request": self.cost_per_request(point),
            "error": point.error,
            "doubts": "; ".join(point.doubts) or None,
            "file": point.file.name if point.file else "",
        }

    def write(self, path: PathLike) -> Path:
        """Write `rows` as CSV, Parquet or JSON, depending on the ending of the file name.

        Raises:
            ParameterError: The file name ends in none of ``.csv``, ``.parquet`` and ``.json``.
            OSError: The file cannot be written; no part of it is left.
        """
        return write_rows(path, self.rows())

    def _form(self) -> Form:
        line = f"of {quoted(self.trace)} on {quoted(self.device)}: {counted(len(self.points), 'point')}"
        title = f"{self.trace} on {self.device}"
        calls = ("plot()", "points", "rows()", "to_pandas()")
        return Form(title, parts_by("of_comparison", self), calls=calls, line=line)

    def write_csv(self, path: PathLike) -> Path:
        """Write `rows` as CSV to a file name with any ending.

        Raises:
            OSError: The file cannot be written; no part of it is left.
        """
        return write_rows(path, self.rows(), CSV)
