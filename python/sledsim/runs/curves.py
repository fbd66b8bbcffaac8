"""Curves of response time over load, with confidence intervals: their points, tables and files."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .. import _native
from ..common import units
from ..common.arrow import pyarrow
from ..common.charted import Charted
from ..common.output_files import PathLike, write_table
from ..common.shown import Form, Result, counted, parts_by, quoted
from ..model.volumes import from_parameters
from . import intervals
from .curve_points import CurvePoint
from .intervals import Estimate
from .run import settings_of

_METADATA_KEY = b"sledsim"
#: Names, without endings, of the file with the points and of the file with the replications.
NAME, SAMPLES_NAME = "curves", "curves-samples"
_RESTLESS = (
    "Not at rest: the queue may still have been growing when the runs ended, or a request waited for a"
    " quarter of a run, so the mean is unknown; longer runs (a larger count) may find a mean."
)
_TOO_SHORT = (
    "Too short: the runs had too few long queues, so the figure would be too low;"
    " more replications or longer runs find the figure."
)


@dataclass(frozen=True)
class Saturation:
    """Highest load that a device with one policy sustains, and the next higher one, which saturates it.

    Attributes:
        sustained: Highest simulated load that does not saturate the device; None if all saturate it.
        saturated: Next higher simulated load, which saturates the device; None if no load saturates it.
    """

    sustained: float | None
    saturated: float | None


@dataclass(frozen=True)
class Difference:
    """Difference of a figure between two policies that serve the same requests at one load.

    Attributes:
        load: Arrival rate in requests per second, or the speed-up of a trace.
        difference: Figure of the first policy minus the figure of the second policy.
        ratio: Figure of the first policy divided by the figure of the second policy.
    """

    load: float
    difference: Estimate
    ratio: Estimate


@dataclass(frozen=True, eq=False, repr=False)
class Curves(Charted, Result):
    """Curves of response time over load for several policies, from `response_curves` or `trace_curves`.

    Attributes:
        device: The name of the device.
        workload: Name of the trace or workload.
        load_key: Meaning of `CurvePoint.load`: ``rate_per_s`` (requests per second) or ``scale`` (speed-up of
            a trace).
        points: Points of all policies, in ascending order of load; each policy ends at its lowest load that
            saturates the device.
        origin: All inputs of the curves, with which they can be computed again, and the version of sledsim.
    """

    device: str
    workload: str
    load_key: str
    points: Sequence[CurvePoint]
    origin: Mapping[str, Any]

    @property
    def schedulers(self) -> list[str]:
        """Names of the policies, in the order given."""
        return list(dict.fromkeys(point.scheduler for point in self.points))

    @property
    def loads(self) -> list[float]:
        """Loads of all points, ascending, each once."""
        return list(dict.fromkeys(point.load for point in self.points))

    @property
    def notes(self) -> list[str]:
        """Sentences that explain the confidence intervals, and why figures are missing."""
        about = self.origin
        how = (
            f"the means of {about['batches']} batches of consecutive requests"
            if "batches" in about
            else f"{self._replications()} replications with the same requests for every policy"
        )
        interval = f"±: half-width of the {about['confidence'] * 100:g} % confidence interval, from {how}"
        warm_up = f"; the first {about['warm_up'] * 100:g} % of the requests of each run are warm-up"
        return [
            interval + (warm_up if about["warm_up"] else "") + ".",
            "Saturated: the queue grows as long as requests arrive, so there is no mean;"
            " higher loads are not run.",
            *([_RESTLESS] if any(point.unsettled for point in self.points) else []),
            *([_TOO_SHORT] if any(_is_short(point) for point in self.points) else []),
            *self._not_precise(),
        ]

    def _replications(self) -> str:
        """Return how many replications the points have, as text: one number, or a range such as "5 to 20"."""
        found = {point.estimates["mean_response_s"].count for point in self.points if not point.saturated}
        counts = sorted(found or {self.origin["replications"]})
        return " to ".join(str(count) for count in dict.fromkeys((counts[0], counts[-1])))

    def _not_precise(self) -> list[str]:
        precision = self.origin.get("precision")
        wide = [point for point in self.points if not point.is_within(precision)]
        where = ", ".join(f"{point.scheduler} at {point.load:,g}/s" for point in wide)
        note = f"Precision {precision} not reached with the largest number of replications: {where}."
        return [note] if wide else []

    def point(self, scheduler: str, load: float) -> CurvePoint | None:
        """Return the point of a policy at a load; None if this point was not simulated."""
        name = self._named(scheduler)
        return next((point for point in self.points if (point.scheduler, point.load) == (name, load)), None)

    def saturation(self, scheduler: str) -> Saturation:
        """Return the highest load that a policy sustains, and the next higher load, which saturates.

        Raises:
            ParameterError: The curves have no such policy.
        """
        own = self._of(scheduler)
        sustained = max((point.load for point in own if not point.saturated), default=None)
        above = [point.load for point in own if sustained is None or point.load > sustained]
        return Saturation(sustained, min(above, default=None))

    def conclusions(self) -> list[str]:
        """Return a sentence with the policies that sustain the highest and the lowest load."""
        ends = {name: self.saturation(name).sustained or 0.0 for name in self.schedulers}
        most, least = max(ends.values(), default=0.0), min(ends.values(), default=0.0)
        if not most:
            return ["Every policy is saturated at all of these loads."] if ends else []
        longest = [name for name, end in ends.items() if end == most]
        found = f"Highest sustained load: {', '.join(longest)}, at {self._load(most)}"
        tried = " (the highest load tried)" if most == max(self.loads) else ""
        if least == most:
            return [f"{found}{tried}."]
        shortest = [name for name, end in ends.items() if end == least]
        up_to = f"at {self._load(least)}" if least else "at no load tried"
        return [f"{found}{tried}; lowest: {', '.join(shortest)}, {up_to}."]

    def _load(self, load: float) -> str:
        return f"{load:,g} requests/s" if self.load_key == "rate_per_s" else f"speed-up {load:g}"

    def difference(self, a: str, b: str, figure: str = "mean_response_s") -> list[Difference]:
        """Return the difference of a figure between policies `a` and `b` at each load at which both have it.

        Args:
            a: Name of the first policy, in any spelling.
            b: Name of the second policy, in any spelling.
            figure: Name of a figure in `CurvePoint.samples`.

        Raises:
            ParameterError: The curves have no such policy or figure.
        """
        confidence = self.origin["confidence"]
        others = {point.load: point for point in self._of(b) if not point.saturated}
        found = []
        for point in self._of(a):
            if point.saturated or point.load not in others:
                continue
            if figure not in point.samples:
                known = ", ".join(point.samples)
                raise _native.ParameterError(f"figure {figure!r} is unknown: expected one of {known}")
            pair = point.samples[figure], others[point.load].samples[figure]
            if not all(np.isfinite(samples).all() for samples in pair):
                continue  # Runs are too short for this figure.
            found.append(
                Difference(point.load, *intervals.paired(*pair, confidence, "batches" in self.origin))
            )
        return found

    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each point: policy, load, status, figures, and half-widths of intervals.

        The half-width of ``mean_response_s`` has the key ``mean_response_half_width_s``. Unknown figures are
        None: all figures of saturated and unsettled points, and half-widths from a single observation.
        """
        names = list(dict.fromkeys(name for point in self.points for name in point.estimates))
        rows = []
        for point in self.points:
            row: dict[str, Any] = {"scheduler": point.scheduler, self.load_key: point.load}
            row |= {"saturated": point.saturated and not point.unsettled, "unsettled": point.unsettled}
            for name in names:
                estimate = point.estimates.get(name)
                row[name] = _known(estimate.value) if estimate else None
                row[half_width_key(name)] = _known(estimate.half_width) if estimate else None
            rows.append(row)
        return rows

    def table(self) -> "pyarrow.Table":
        """Return `rows` as an Arrow table, with `origin` as JSON in its metadata (key ``sledsim``)."""
        return _table(self.rows(), self.origin)

    def samples(self) -> "pyarrow.Table":
        """Return an Arrow table with a row per replication or batch: policy, load, seed or batch, figures."""
        what = "batch" if "batches" in self.origin else "seed"
        first = self.origin.get("seed", 0)
        rows = [
            {"scheduler": point.scheduler, self.load_key: point.load, what: first + at}
            | {name: _known(float(values[at])) for name, values in point.samples.items()}
            for point in self.points
            for at in range(max((len(values) for values in point.samples.values()), default=0))
        ]
        return _table(rows, self.origin)

    def _form(self) -> Form:
        line = f"of {quoted(self.workload)} on {quoted(self.device)}: {counted(len(self.points), 'point')}"
        calls = ("plot()", "difference(a, b)", "saturation(scheduler)", "to_pandas()")
        title = f"{self.workload} on {self.device}"
        return Form(title, parts_by("of_curves", self), calls=calls, line=line)

    def write(self, folder: PathLike) -> list[Path]:
        """Write `table` and `samples` as Parquet and CSV into a folder, which is created if needed.

        Raises:
            OSError: A file cannot be written; no part of it is left.
        """
        return write_table(self.table(), folder, NAME) + write_table(self.samples(), folder, SAMPLES_NAME)

    def _of(self, scheduler: str) -> list[CurvePoint]:
        name = self._named(scheduler)
        own = [point for point in self.points if point.scheduler == name]
        if not own:
            known = ", ".join(self.schedulers)
            raise _native.ParameterError(
                f"scheduler {scheduler!r}: the curves do not include it; expected one of {known}"
            )
        return own

    def _named(self, scheduler: str) -> str:
        """Return the name under which the points have a policy, whose options may be spelled differently."""
        if scheduler in self.schedulers:
            return scheduler
        try:
            return settings_of(from_parameters(self.origin["parameters"]), scheduler).scheduler
        except _native.ParameterError:
            return scheduler


def _is_short(point: CurvePoint) -> bool:
    return any(math.isnan(estimate.value) for estimate in point.estimates.values())


def half_width_key(name: str) -> str:
    """Return the key for the half-width of a figure's interval: ``x_half_width_s`` for ``x_s``."""
    suffix = units.of(name).suffix
    return f"{name.removesuffix(suffix)}_half_width{suffix}"


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value


def _table(rows: Sequence[Mapping[str, Any]], origin: Mapping[str, Any]) -> "pyarrow.Table":
    kinds = {"scheduler": pyarrow.string(), "saturated": pyarrow.bool_(), "unsettled": pyarrow.bool_()}
    kinds |= {"seed": pyarrow.uint64(), "batch": pyarrow.uint64()}
    names = list(rows[0]) if rows else ["scheduler"]
    schema = pyarrow.schema(
        [(name, kinds.get(name, pyarrow.float64())) for name in names],
        metadata={_METADATA_KEY: json.dumps(dict(origin)).encode()},
    )
    return pyarrow.Table.from_pylist(list(rows), schema=schema)
