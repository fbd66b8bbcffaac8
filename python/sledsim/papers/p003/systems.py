"""The four systems of 003, and what is measured of them on the same requests."""

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

#: The MEMS device orders its own queue, whatever the disk's driver does.
MEMS_QUEUE = {"mems.scheduler": "sptf"}
#: The driver keeps the table of MMD in memory, and places what a request wants as it comes, in one piece.
PAPERS_TABLE = {"table": "memory", "unit_kib": 1}
#: Flushing metadata is off where response times are compared (003-D5).
_NO_FLUSH = {"flush_every_s": 0}
#: What is added up over requests: how many, response times in s, their squares; the first two of those that
#: the disk alone serves.
_COUNT, _SUM, _SQUARES, _DISK_COUNT, _DISK_SUM = range(5)
#: A figure from these sums.
Figure = Callable[[NDArray[np.float64]], float]


def systems(
    scheduler: str = "fcfs",
    table: Mapping[str, Any] = PAPERS_TABLE,
    disk: Mapping[str, Any] | None = None,
    **settings: Any,
) -> dict[str, Target]:
    """DISK, MMD, MCD and MMCD (003-F1 to F5).

    Args:
        scheduler: The policy of the disk.
        table: How metadata are placed, and where that is kept.
        disk: Changed parameters of the disk.
        settings: Those of the write buffer.
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
    """A figure or a ratio of two with the ends of its interval, NaN where there is none.

    All are of logarithms, as nothing here is below nothing.
    """

    value: float
    low: float
    high: float

    def columns(self, name: str, unit: str = "") -> dict[str, float]:
        """As columns of a table: ``name``, ``name_low`` and ``name_high``, with the ending of the unit."""
        values = {"": self.value, "_low": self.low, "_high": self.high}
        return {f"{name}{end}{unit}": value for end, value in values.items()}

    def __str__(self) -> str:
        interval = f" ({self.low:.2f} to {self.high:.2f})" if self.low < self.high else ""
        return f"{self.value:.2f}{interval}"


@dataclass(frozen=True, eq=False)
class Observed:
    """Several systems on one input.

    Attributes:
        name: Of the input.
        kind: Of the input.
        is_single: Whether it is a single trace.
        sums: Of each system, one row an observation, with the sums above. An observation is a draw or a
            capture; of a single trace, one of twenty batches.
        details: Of each system, one row a draw or capture: what each device did; see `_details`.
    """

    name: str
    kind: str
    is_single: bool
    sums: Mapping[str, NDArray[np.float64]]
    details: Mapping[str, Sequence[Mapping[str, float]]]

    def mean_s(self, system: str) -> Interval:
        """The mean response over all requests."""
        return self._of_all(system, _mean_of)

    def cv2(self, system: str) -> Interval:
        """The squared coefficient of variation of response times over all requests."""
        return self._of_all(system, _cv2_of)

    def speedup(self, base: str, system: str) -> Interval:
        """The mean response of one over that of another (003-D1)."""
        return self._compared(base, system, _mean_of)

    def variation(self, base: str, system: str) -> Interval:
        """The squared coefficient of variation of one over that of another."""
        return self._compared(base, system, _cv2_of)

    def averages(self, system: str) -> dict[str, float]:
        """What each device did, on average over the draws or captures."""
        rows = self.details[system]
        return {key: float(np.mean([row[key] for row in rows])) for key in rows[0]}

    def disk_speedup(self, system: str) -> Interval:
        """The mean response of what the disk serves in DISK over that in another system."""
        return self._compared("DISK", system, lambda sums: float(sums[_DISK_SUM] / sums[_DISK_COUNT]))

    def row(self, system: str, about: Mapping[str, Any], **ratios: Interval) -> dict[str, Any]:
        """Of a table: what the row is about, the mean response, ratios by their names, and `averages`."""
        columns = {"input": self.name, **about, **self.mean_s(system).columns("mean_response", "_s")}
        for name, ratio in ratios.items():
            columns |= ratio.columns(name)
        return columns | self.averages(system)

    def bend(self, first: str, middle: str, last: str) -> Interval:
        """How much more the mean response grows from the middle one to the last than up to the middle one."""
        means = [np.log([_mean_of(row) for row in self.sums[name]]) for name in (first, middle, last)]
        return _from_logarithm(estimates.mean(means[2] - 2 * means[1] + means[0]))

    def _of_all(self, system: str, figure: Figure) -> Interval:
        return _from_logarithm(estimates.jackknife(lambda sums: math.log(figure(sums)), self.sums[system]))

    def _compared(self, base: str, system: str, figure: Figure) -> Interval:
        """Observations are in pairs of the same requests."""

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
    """The four systems on every input; kept, as two experiments ask for the same."""
    return _observed(quick, traces if traces is None else os.fspath(traces), scheduler)


@lru_cache(maxsize=8)
def _observed(quick: bool, traces: str | None, scheduler: str) -> tuple[Observed, ...]:
    return tuple(observe(one, systems(scheduler), scheduler) for one in inputs(quick, traces))


def observe(
    one: Input, targets: Mapping[str, Target], scheduler: str = "fcfs", scale: float = 1.0
) -> Observed:
    """Run an input on each of some systems; requests past the end of one start again at its beginning."""
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
    """Which requests nothing but the disk has served; where there is one device, it is the disk."""
    names = [row["name"] for row in run.totals["devices"]]
    alone: NDArray[np.bool_] = run.columns["served_by"] == 1 << (names.index("disk") if len(names) > 1 else 0)
    return alone


def _details(run: Run) -> dict[str, float]:
    """What each device did; how long requests took for metadata, others on the MEMS device, and the disk."""
    response_s = run.response_ns * 1e-9
    by_disk = _by_disk_alone(run)
    metadata = run.columns["metadata"]
    found = {
        "metadata_response_s": _mean(response_s[metadata]),
        "other_mems_response_s": _mean(response_s[~metadata & ~by_disk]),
        "disk_response_s": _mean(response_s[by_disk]),
        "served_by_disk_alone": float(by_disk.mean()),
    }
    # The one device of a system without others is its disk.
    rows = {("mems" if row["device"] == "mems" else "disk"): row for row in run.devices}
    for device_name, row in rows.items():
        for key in ("share", "utilization", "mean_queue_length", "energy_j"):
            found[f"{device_name}_{key}"] = row[key]
    return found


def _mean(values: NDArray[np.floating[Any]]) -> float:
    return float(values.mean()) if len(values) else float("nan")


def merged(parts: Mapping[str, Observed]) -> Observed:
    """The systems of several observations of one input in one: as ``MCD x5`` for the part ``x5``."""
    first = next(iter(parts.values()))
    return replace(
        first,
        sums={f"{name} {part}": rows for part, one in parts.items() for name, rows in one.sums.items()},
        details={f"{name} {part}": rows for part, one in parts.items() for name, rows in one.details.items()},
    )
