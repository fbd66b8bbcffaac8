"""Breakdown of a run: response times of groups of requests, time by phase, and signs of saturation.

Figures are added up over batches of requests; a run in memory is one batch. Quantiles over several batches
are exact for groups of less than a million requests, and within 0.01 % for larger groups.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common import units
from ..common.output_files import PathLike
from ..common.shown import Form, Shown, counted, parts_by
from ..model.volumes import Target
from ..traces.streams import TraceStream
from ..traces.trace import BLOCK_CLASSES, Trace
from .batches import Options
from .block_classes import block_classes
from .kept_columns import FLUSH_KIND, transfers_of, without_flushes
from .over_time import FEWEST_GROUPS, GROUP, Course, Groups, settled
from .run import SERVICE_PHASES, Run, Watch, simulate_batches
from .steady_state import is_saturated, observe

#: Sets of columns that a run must keep for a breakdown.
BREAKDOWN_COLUMNS = "times,phases,request"
#: Meaning of each phase of a response, in the order of time; ``rest`` is all time outside the other phases.
PHASES: Mapping[str, str] = {
    "rest": "queueing and bus",
    "overhead": "command + shared bus",
    "queue": "queueing",
    "command": "command",
    "wait": "waiting until the device is ready",
    "positioning": "positioning",
    "hold": "waiting for write data",
    "switch": "switches",
    "transfer": "transfer",
    "bus": "waiting for the bus, and the rest of the transfer on it",
}
#: Columns from which the phases of each request are computed.
PHASE_COLUMNS = ("arrival_ns", "start_ns", "completion_ns", "overhead_ns", *SERVICE_PHASES)
#: Columns that `simulate_in_parts` needs during a run, whether or not the run keeps them.
_GATHERED_COLUMNS = ",".join(
    (*PHASE_COLUMNS, "bus_ns", "blocks", "write", "metadata", "device", "queue_length")
)
#: Properties by which requests are grouped, in the order in which reports list the groups.
_BY = ("operation", "metadata", "device", "class")
_SECTOR_BYTES = 512
_Ns = NDArray[np.int64]
_Rows = NDArray[np.bool_] | slice
_ALL: _Rows = slice(None)
#: Number of the group of flushes among the groups by operation.
_FLUSHES = 2


@dataclass(frozen=True)
class Part:
    """Figures of a group of requests, such as all reads or all requests to one traced device.

    Attributes:
        by: Property by which requests are grouped: ``all`` (no property), ``operation``, ``metadata``,
            ``device`` or ``class`` (HP-UX block class).
        name: Name of the group, such as ``reads``.
        requests: Number of requests in the group.
        rate_per_s: Throughput of the group in requests per second, over the time of the whole run.
        rate_bytes_per_s: Throughput of the group in bytes per second, over the time of the whole run.
        mean_response_s: Mean response time in seconds.
        p50_response_s: Median response time in seconds.
        p99_response_s: 99th percentile of the response time in seconds.
        max_response_s: Longest response time in seconds.
    """

    by: str
    name: str
    requests: int
    rate_per_s: float
    rate_bytes_per_s: float
    mean_response_s: float
    p50_response_s: float
    p99_response_s: float
    max_response_s: float


@dataclass(frozen=True, repr=False)
class Breakdown(Shown):
    """Response times of a run, by groups of requests and by the phases of a response.

    Attributes:
        parts: Figures of groups: all requests, reads, and writes. If the run has several of them, also of
            metadata and other data, of each traced device, and of each HP-UX block class.
        phases: Mean time of a request in each phase, in seconds, by phase. The times add up to the mean
            response time (`mean_phases_s`).
        is_volume: True if the run was on a volume.
        kept_up: True if the device served requests as fast as they arrived, or if no other request was
            outstanding when the last one arrived.
        drain_s: Seconds from the last arrival to the last completion.
        warm_up: Number of requests in the warm-up, as the rule MSER-5 finds it; None if response times do not
            settle, or the run is too short.
        warm_up_s: Duration of the warm-up in seconds; NaN if unknown.
    """

    parts: tuple[Part, ...]
    phases: Mapping[str, float]
    is_volume: bool
    kept_up: bool
    drain_s: float
    warm_up: int | None
    warm_up_s: float

    def _form(self) -> Form:
        return Form(
            "Breakdown of a run",
            parts_by("of_breakdown", self),
            calls=("parts", "phases", "kept_up", "in_words(device_name, utilization)"),
            line=f"of {counted(self.parts[0].requests, 'request')}: {counted(len(self.parts), 'part')}",
        )

    def in_words(self, device_name: str, utilization: float) -> list[str]:
        """Return sentences that state if the device kept up, and how long the warm-up is.

        Args:
            device_name: Name of the device in the sentences.
            utilization: Fraction of the time in which the device was busy; NaN if unknown.
        """
        # A single request that takes no time leaves a span of zero.
        busy = "" if np.isnan(utilization) else f"busy for {utilization:.1%} of the time, and "
        late = f"the last request completed {units.duration(self.drain_s)} after its arrival"
        if self.kept_up:
            found = [f"{device_name} kept up: {busy}{late}."]
        else:
            return [
                f"{device_name} did not keep up: {busy}{late}. Requests arrive faster than the device"
                " serves them, so response times grow with the length of the run."
            ]
        if self.parts[0].requests < GROUP * FEWEST_GROUPS:
            return found
        if self.warm_up is None:
            return [*found, "The warm-up cannot be determined: response times do not settle."]
        if self.warm_up:
            span = units.duration(self.warm_up_s)
            found.append(f"The first {self.warm_up:,} requests ({span}) differ from the rest: a warm-up.")
        return found

    def row(self) -> dict[str, Any]:
        """Return all fields by name, as numbers, texts and lists for JSON."""
        return {
            "parts": [asdict(one) for one in self.parts],
            "phases_s": dict(self.phases),
            "kept_up": self.kept_up,
            "drain_s": self.drain_s,
            "warm_up_requests": self.warm_up,
            "warm_up_s": self.warm_up_s,
        }


def breakdown(run: Run, trace: Trace | None = None) -> Breakdown:
    """Return the response times of a run by groups of requests and by phases.

    Args:
        run: Run that kept the columns in `BREAKDOWN_COLUMNS`.
        trace: Trace that the run replayed, from which HP-UX block classes are taken. They are left out
            without a trace, or if the run's requests or their order are not those of the trace.

    Raises:
        NotKeptError: The run did not keep the columns of `BREAKDOWN_COLUMNS`.
    """
    is_late = is_saturated([observe(run, warm_up=0)], warm_up=0)
    gathered = Gathered(is_whole=True)
    gathered.add(run.columns, None if trace is None else block_classes(run, trace.replayed()))
    return gathered.breakdown(run, is_late, {} if trace is None else trace.device_names)


def simulate_in_parts(
    device: Target,
    stream: TraceStream,
    options: Options,
    out: PathLike | None,
    progress: Callable[[int], object] | None,
) -> tuple[Run, Breakdown]:
    """Replay a stream at its recorded times, as `simulate` does, and add up the breakdown meanwhile.

    Memory: at most 8 MB per group of requests, plus the outstanding requests.

    Raises:
        ParameterError, TraceError, OSError: The same errors as `simulate`.
    """
    gathered, course = Gathered(), Course()
    # A run does not know the classes of its requests; its rows follow the order of the stream.
    classes = [np.empty(0, np.uint8)]

    def note(batch: Trace) -> Trace:
        classes.append(batch.replayed().block_class)
        return batch

    def add(rows: Mapping[str, NDArray[Any]], _: object) -> None:
        if count := len(rows["arrival_ns"]):
            ahead = np.concatenate(classes)
            classes[:] = [ahead[count:]]
            course.add(rows)
            gathered.add(rows, ahead[:count])

    watch = Watch(add, _GATHERED_COLUMNS)
    run = simulate_batches(device, stream.changed(note), options, out, progress, watch)
    names = stream.about().get("device_names") or {}
    is_late = is_saturated([course.observation(run)], warm_up=0)
    return run, gathered.breakdown(run, is_late, names)


def phases_ns(columns: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.int64]]:
    """Return the nanoseconds of each request in each phase, in the order of `PHASES`.

    The phases of a request add up to its response time. On a volume, they are the phases of the part that was
    served last.

    Args:
        columns: Columns of a run by name, among them those in `PHASE_COLUMNS`.

    Raises:
        NotKeptError: A column is missing.
    """
    found = {
        "overhead": columns["overhead_ns"],
        "queue": columns["start_ns"] - columns["arrival_ns"] - columns["overhead_ns"],
        **{name.removesuffix("_ns"): columns[name] for name in SERVICE_PHASES},
    }
    response_ns = columns["completion_ns"] - columns["arrival_ns"]
    return {**found, "bus": response_ns - sum(found.values())}


def mean_phases_s(run: Run, added_ns: Mapping[str, int] | None = None) -> dict[str, float]:
    """Return the mean seconds of a request in each phase, in the order of `PHASES`.

    Without the columns of `PHASE_COLUMNS` and without `added_ns` (total time of each phase in nanoseconds),
    the phases come from totals over all services, and the rest of the response is one phase, ``rest``.
    """
    requests = transfers_of(run.totals) or math.nan
    if spent_ns := added_ns or _sums_ns(run.transfers.columns):
        return {name: ns * 1e-9 / requests for name, ns in spent_ns.items()}
    sums_ns = run.totals["phases_ns"]
    found = {name.removesuffix("_ns"): int(sums_ns[name]) * 1e-9 / requests for name in SERVICE_PHASES}
    # Services of a volume may overlap.
    return {"rest": max(0.0, run.summary()["mean_response_s"] - sum(found.values())), **found}


def _sums_ns(columns: Mapping[str, NDArray[Any]]) -> dict[str, int]:
    """Return the nanoseconds of all requests together in each phase; empty if a column is missing."""
    if not all(name in columns for name in PHASE_COLUMNS):
        return {}
    return {name: int(spent.sum()) for name, spent in phases_ns(columns).items()}


def group_name(by: str, number: int, device_names: Mapping[int, str]) -> str:
    """Return the name that reports give a group of requests.

    Args:
        by: Property by which requests are grouped: ``operation``, ``metadata``, ``device`` or ``class``.
        number: Value of the property for this group, as in the column of a run.
        device_names: Name of each traced device, by its number.
    """
    if by == "device":
        return f"device {device_names.get(number) or number}"
    if by == "class":
        return BLOCK_CLASSES.get(number, f"class {number}") if number else "unknown class"
    return {"operation": ("reads", "writes", "flushes"), "metadata": ("metadata", "other data")}[by][number]


def _groups(column: NDArray[Any]) -> Iterator[tuple[int, _Rows]]:
    """Yield each value in a column, with a mask of the requests that have this value."""
    if (column == column[0]).all():
        yield int(column[0]), _ALL
        return
    for value in np.unique(column).tolist():
        yield int(value), column == value


class _Sums:
    """Figures of one group of requests, added up batch by batch.

    Args:
        is_whole: True if all requests come in one batch. False for several batches; percentiles of large
            groups are then approximate.
    """

    def __init__(self, is_whole: bool) -> None:
        self.requests = self._blocks = 0
        self._added = None if is_whole else _native.Responses()
        self._response_ns, self._rows = np.empty(0, np.int64), _ALL

    def add(self, response_ns: _Ns, blocks: NDArray[Any], rows: _Rows) -> None:
        found = blocks[rows]
        self.requests += len(found)
        self._blocks += int(found.sum())
        if self._added is None:
            self._response_ns, self._rows = response_ns, rows
        else:
            self._added.add(np.ascontiguousarray(response_ns[rows]))

    def part(self, by: str, name: str, span_s: float) -> Part:
        rates = (self.requests / span_s, self._blocks * _SECTOR_BYTES / span_s)
        if self._added is None:
            response_s = self._response_ns[self._rows] * 1e-9
            mean_s, max_s = float(response_s.mean()), float(response_s.max())
            p50_s, p99_s = np.percentile(response_s, [50, 99]).tolist()
        else:
            mean_s, max_s = self._added.sum_ns() * 1e-9 / self.requests, self._added.max_ns() * 1e-9
            p50_s, p99_s = (ns * 1e-9 for ns in self._added.quantiles_ns([0.5, 0.99]))
        return Part(by, name, self.requests, *rates, mean_s, p50_s, p99_s, max_s)


class Gathered:
    """Figures of all groups of requests, added up batch by batch, from which a breakdown is made.

    Args:
        is_whole: True if all requests come in one batch.
    """

    def __init__(self, is_whole: bool = False) -> None:
        self._is_whole = is_whole
        self._sums: dict[tuple[str, int], _Sums] = {}
        self._phases_ns: Counter[str] = Counter()
        self._found_at_last: dict[int, int] = {}
        self._groups = Groups()

    def add(self, columns: Mapping[str, NDArray[Any]], block_class: NDArray[Any] | None) -> None:
        """Add a batch of requests in the order of arrival; `block_class` is None without HP-UX classes.

        Flushes are a group of their own, and in no other group.
        """
        moves = without_flushes(columns)
        if moves is not columns:
            flushes = columns["kind"] == FLUSH_KIND
            block_class = None if block_class is None else block_class[~flushes]
            flushed_ns = (columns["completion_ns"] - columns["arrival_ns"])[flushes]
            self._part("operation", _FLUSHES, flushed_ns, columns["blocks"][flushes], _ALL)
        if len(moves["arrival_ns"]):
            self._add(moves, block_class)

    def _add(self, columns: Mapping[str, NDArray[Any]], block_class: NDArray[Any] | None) -> None:
        """Add reads and writes in the order of arrival."""
        arrival_ns, blocks, device = (columns[name] for name in ("arrival_ns", "blocks", "device"))
        response_ns = columns["completion_ns"] - arrival_ns
        self._phases_ns.update(_sums_ns(columns))
        self._groups.add(arrival_ns, response_ns)
        found = columns["queue_length"]
        self._found_at_last |= {number: int(found[rows][-1]) for number, rows in _groups(device)}
        self._part("all", 0, response_ns, blocks, _ALL)
        keys = (columns["write"], ~columns["metadata"], device, block_class)
        for by, column in zip(_BY, keys, strict=True):
            for value, rows in () if column is None else _groups(column):
                self._part(by, value, response_ns, blocks, rows)

    def _part(self, by: str, value: int, response_ns: _Ns, blocks: NDArray[Any], rows: _Rows) -> None:
        self._sums.setdefault((by, value), _Sums(self._is_whole)).add(response_ns, blocks, rows)

    def breakdown(self, run: Run, is_late: bool, device_names: Mapping[int, str]) -> Breakdown:
        """Return the breakdown at the end of the run; `is_late` is True if the run was saturated."""
        span_s = run.span_s or np.nan
        warm_up = settled(self._groups.sums_ns, self._groups.size)
        return Breakdown(
            parts=(self._sums["all", 0].part("all", "all", span_s), *self._parts(device_names, span_s)),
            phases=mean_phases_s(run, self._phases_ns),
            is_volume="volume" in run.settings.parameters,
            # The service of the last of a few requests takes a large share of the time.
            kept_up=not is_late or not any(self._found_at_last.values()),
            drain_s=run.drain_s,
            warm_up=warm_up,
            warm_up_s=np.nan if warm_up is None else self._groups.until_ns(warm_up) * 1e-9,
        )

    def _parts(self, device_names: Mapping[int, str], span_s: float) -> Iterator[Part]:
        for by in _BY:
            sums = {value: found for (other, value), found in sorted(self._sums.items()) if other == by}
            if len(sums) < 2 and by != "operation":
                continue
            for value in sorted(sums):
                yield sums[value].part(by, group_name(by, value, device_names), span_s)
