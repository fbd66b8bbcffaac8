"""The four systems that paper 003 compares, and measurements of them on the same requests."""

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sledsim import Run, estimates
from sledsim.estimates import Estimate
from sledsim.extend import Target
from sledsim.files import PathLike

from ..shared import device, simulate, volume
from .inputs import DISK, Input, inputs

#: Option of a volume: the MEMS device orders its own queue by SPTF, whatever the policy of the disk.
MEMS_QUEUE = {"mems.scheduler": "sptf"}
#: Options of the metadata's table as in paper 003: it is in memory, and places metadata in units of 1 KiB.
PAPERS_TABLE = {"table": "memory", "unit_kib": 1}
#: Option that turns off metadata flushes, for comparisons of response times (003-D5).
_NO_FLUSH = {"flush_every_s": 0}
#: Columns of the sums in `Observed.sums`: number of requests, their response times in s, and the squares of
#: these; then number and response times in s of the requests that the disk alone serves.
_COUNT, _SUM, _SQUARES, _DISK_COUNT, _DISK_SUM = range(5)
#: Function that takes sums over requests, with the columns `_COUNT` to `_DISK_SUM`, and returns a figure such
#: as the mean response.
Figure = Callable[[NDArray[np.float64]], float]


def systems(
    scheduler: str = "fcfs",
    table: Mapping[str, Any] = PAPERS_TABLE,
    disk: Mapping[str, Any] | None = None,
    **settings: Any,
) -> dict[str, Target]:
    """Build the systems DISK, MMD, MCD and MMCD (003-F1 to F5), by name.

    Args:
        scheduler: Policy of the disk.
        table: Options that place the metadata and their table.
        disk: Changed parameters of the disk; None for no change.
        settings: Options of the write buffer.
    """
    changed = disk or {}
    members = {**MEMS_QUEUE, **{f"disk.{key}": value for key, value in changed.items()}}
    return {
        "DISK": device(DISK, **changed),
        "MMD": volume("mmd", scheduler, **members, **_NO_FLUSH, **table),
        "MCD": volume("mcd", scheduler, **members, **settings),
        "MMCD": volume("mmcd", scheduler, **members, **_NO_FLUSH, **table, **settings),
    }


@dataclass(frozen=True)
class Interval:
    """A figure, or a ratio of two figures, with the ends of its interval, which are NaN if it is unknown.

    Intervals are computed for the logarithm, because all figures are positive.
    """

    value: float
    low: float
    high: float

    def columns(self, name: str, unit: str = "") -> dict[str, float]:
        """Return three table columns: ``NAME``, ``NAME_low`` and ``NAME_high``, each with `unit` appended."""
        values = {"": self.value, "_low": self.low, "_high": self.high}
        return {f"{name}{end}{unit}": value for end, value in values.items()}

    def __str__(self) -> str:
        interval = f" ({self.low:.2f} to {self.high:.2f})" if self.low < self.high else ""
        return f"{self.value:.2f}{interval}"


@dataclass(frozen=True, eq=False)
class Observed:
    """Measurements of several systems on one input.

    Attributes:
        name: Name of the input.
        kind: Kind of the input.
        is_single: True if the input is a single trace.
        sums: Array of sums by system. Each line covers the requests of a draw, of a capture, or of one of
            twenty batches of a single trace; its columns are `_COUNT` to `_DISK_SUM`.
        details: Activity of the devices in each draw or capture, by system; see `_details`.
    """

    name: str
    kind: str
    is_single: bool
    sums: Mapping[str, NDArray[np.float64]]
    details: Mapping[str, Sequence[Mapping[str, float]]]

    def mean_s(self, system: str) -> Interval:
        """Return the mean response of a system over all requests, in seconds."""
        return self._of_all(system, _mean_of)

    def cv2(self, system: str) -> Interval:
        """Return the squared coefficient of variation of a system's response times."""
        return self._of_all(system, _cv2_of)

    def speedup(self, base: str, system: str) -> Interval:
        """Return the mean response of `base` over that of `system` (003-D1)."""
        return self._compared(base, system, _mean_of)

    def variation(self, base: str, system: str) -> Interval:
        """Return the squared coefficient of variation of `base` over that of `system`."""
        return self._compared(base, system, _cv2_of)

    def averages(self, system: str) -> dict[str, float]:
        """Return the activity of the devices of a system, on average over draws or captures."""
        rows = self.details[system]
        return {key: float(np.mean([row[key] for row in rows])) for key in rows[0]}

    def disk_speedup(self, system: str) -> Interval:
        """Return the mean response in DISK over that in `system`, of requests that the disk alone serves."""
        return self._compared("DISK", system, lambda sums: float(sums[_DISK_SUM] / sums[_DISK_COUNT]))

    def row(self, system: str, about: Mapping[str, Any], **ratios: Interval) -> dict[str, Any]:
        """Return a table row of a system: columns `about`, mean response, `ratios` by name, `averages`."""
        columns = {"input": self.name, **about, **self.mean_s(system).columns("mean_response", "_s")}
        for name, ratio in ratios.items():
            columns |= ratio.columns(name)
        return columns | self.averages(system)

    def bend(self, first: str, middle: str, last: str) -> Interval:
        """Return the growth of the mean response from `middle` to `last` over that from `first` to `middle`.

        The three arguments name systems, which differ in the scale factor. A growth is a later mean over an
        earlier one.
        """
        means = [np.log([_mean_of(row) for row in self.sums[name]]) for name in (first, middle, last)]
        return _from_logarithm(estimates.mean(means[2] - 2 * means[1] + means[0]))

    def _of_all(self, system: str, figure: Figure) -> Interval:
        return _from_logarithm(estimates.jackknife(lambda sums: math.log(figure(sums)), self.sums[system]))

    def _compared(self, base: str, system: str, figure: Figure) -> Interval:
        """Return a figure of `base` over that of `system`, from pairs of sums over the same requests."""

        def log_ratio(pair: NDArray[np.float64]) -> float:
            return math.log(figure(pair[0]) / figure(pair[1]))

        pairs = np.stack([self.sums[base], self.sums[system]], axis=1)
        if self.is_single:
            found = estimates.jackknife(log_ratio, pairs)
        else:
            found = estimates.mean([log_ratio(pair) for pair in pairs])
        return _from_logarithm(found)


def _from_logarithm(log_ratio: Estimate) -> Interval:
    return Interval(*(math.exp(value) for value in (log_ratio.value, log_ratio.low, log_ratio.high)))


def _mean_of(sums: NDArray[np.float64]) -> float:
    return float(sums[_SUM] / sums[_COUNT])


def _cv2_of(sums: NDArray[np.float64]) -> float:
    return float(sums[_SQUARES] / sums[_COUNT] / _mean_of(sums) ** 2 - 1)


def observed(quick: bool, traces: PathLike | None = None, scheduler: str = "fcfs") -> tuple[Observed, ...]:
    """Run the four systems on every input; return the observations, cached for other experiments."""
    return _observed(quick, traces if traces is None else os.fspath(traces), scheduler)


@lru_cache(maxsize=8)
def _observed(quick: bool, traces: str | None, scheduler: str) -> tuple[Observed, ...]:
    return tuple(observe(one, systems(scheduler), scheduler) for one in inputs(quick, traces))


def observe(
    one: Input, targets: Mapping[str, Target], scheduler: str = "fcfs", scale: float = 1.0
) -> Observed:
    """Run an input on several systems, given by name, and return their measurements.

    Addresses past the end of a system are taken modulo its capacity.
    """
    sums: dict[str, list[NDArray[np.float64]]] = {name: [] for name in targets}
    details: dict[str, list[dict[str, float]]] = {name: [] for name in targets}
    for trace in one.read():
        for name, target in targets.items():
            run = simulate(target, trace, scheduler, scale, "wrap", replay=one.replay)
            count = len(run.response_ns)
            batches = [slice(count)] if one.draws else estimates.batch_slices(count)
            sums[name] += [_sums(run, batch) for batch in batches]
            details[name].append(_details(run))
    return Observed(
        one.name, one.kind, not one.draws, {name: np.array(rows) for name, rows in sums.items()}, details
    )


def _sums(run: Run, batch: slice) -> NDArray[np.float64]:
    response_s = run.response_ns[batch] * 1e-9
    of_disk = response_s[_by_disk_alone(run)[batch]]
    squares = (response_s**2).sum()
    return np.array([len(response_s), response_s.sum(), squares, len(of_disk), of_disk.sum()])


def _by_disk_alone(run: Run) -> NDArray[np.bool_]:
    """Return an array that is True for each request that the disk alone served, without the MEMS device."""
    names = [row["name"] for row in run.totals["devices"]]
    alone: NDArray[np.bool_] = run.columns["served_by"] == 1 << (names.index("disk") if len(names) > 1 else 0)
    return alone


def _details(run: Run) -> dict[str, float]:
    """Return the activity of each device in a run, and mean responses by the device that served requests.

    Mean responses are those of metadata, of other requests with the MEMS device, and of requests of the disk
    alone.
    """
    response_s = run.response_ns * 1e-9
    by_disk = _by_disk_alone(run)
    metadata = run.columns["metadata"]
    found = {
        "metadata_response_s": _mean(response_s[metadata]),
        "other_mems_response_s": _mean(response_s[~metadata & ~by_disk]),
        "disk_response_s": _mean(response_s[by_disk]),
        "served_by_disk_alone": float(by_disk.mean()),
    }
    # The only device of a system with one device is the disk.
    rows = {("mems" if row["device"] == "mems" else "disk"): row for row in run.devices}
    for device_name, row in rows.items():
        for key in ("share", "utilization", "mean_queue_length", "energy_j"):
            found[f"{device_name}_{key}"] = row[key]
    return found


def _mean(values: NDArray[np.floating[Any]]) -> float:
    return float(values.mean()) if len(values) else float("nan")


def merged(parts: Mapping[str, Observed]) -> Observed:
    """Merge observations on one input, given by label; MCD with the label ``x5`` becomes ``MCD x5``."""
    first = next(iter(parts.values()))
    return replace(
        first,
        sums={f"{name} {part}": rows for part, one in parts.items() for name, rows in one.sums.items()},
        details={f"{name} {part}": rows for part, one in parts.items() for name, rows in one.details.items()},
    )
