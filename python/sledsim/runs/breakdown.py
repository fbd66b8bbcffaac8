"""What people ask first of a run: who waited how long, where the time went, whether the device kept up.

All is added up over batches of rows; a run in memory is one batch. Quantiles of several batches are those of
the summary of such a run: exact below a million requests of a part, and within 0.01 % from there on.
"""

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
from .over_time import FEWEST_GROUPS, GROUP, Course, Groups, settled
from .run import SERVICE_PHASES, Run, Watch, simulate_batches
from .steady_state import is_saturated, observe

#: What a run has to keep for it.
BREAKDOWN_COLUMNS = "times,phases,request"
#: Phases in words, in the order in which a request meets them; what is not known apart is the first.
PHASES: Mapping[str, str] = {
    "rest": "before its service, and bus",
    "overhead": "command and shared bus, before it queues",
    "queue": "waits for its turn",
    "command": "command",
    "wait": "waits for the device to be ready",
    "positioning": "positioning",
    "hold": "held back until its data are there",
    "switch": "switches",
    "transfer": "transfer",
    "bus": "rest of the bus transfer, and the wait for it",
}
#: What a run has to keep for the phases of each request.
PHASE_COLUMNS = ("arrival_ns", "start_ns", "completion_ns", "overhead_ns", *SERVICE_PHASES)
#: What is gathered of a run as its rows become final, besides what it keeps at any rate.
_GATHERED_COLUMNS = ",".join(
    (*PHASE_COLUMNS, "bus_ns", "blocks", "write", "metadata", "device", "queue_length")
)
#: What requests have in common, in the order in which it is told.
_BY = ("operation", "metadata", "device", "class")
_SECTOR_BYTES = 512
#: Of more groups than that of devices or classes only the busiest are told.
_MOST_PARTS = 12
_Ns = NDArray[np.int64]
_Rows = NDArray[np.bool_] | slice
_ALL: _Rows = slice(None)


@dataclass(frozen=True)
class Part:
    """Some of the requests.

    Attributes:
        by: What they have in common: ``all``, ``operation``, ``metadata``, ``device``, ``class``.
        name: Which of these they are.
        requests: How many.
        rate_per_s: Of them, over the time of the run.
        rate_bytes_per_s: Of their data.
        mean_response_s: Of them; so are the others.
        p50_response_s: Half of them took no longer.
        p99_response_s: Nor 99 % of them.
        max_response_s: The longest.
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
    """What people ask first of a run.

    Attributes:
        parts: All requests; reads and writes; metadata and others, traced devices, and block classes, where
            there are several.
        phases: Where the time of a request goes, in seconds of the mean response, by name; they add up to it
            (`mean_phases_s`).
        is_volume: Whether it was a volume.
        kept_up: Whether the device served requests as fast as they came; so it did where nothing else was
            there when the last one came.
        drain_s: Seconds from the last arrival to the last completion.
        warm_up: How many requests at the beginning differ from the rest (MSER-5); None where the run does not
            come to rest, or is too short.
        warm_up_s: How long that took; NaN where it is not known.
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
        """Whether the device kept up, and how long the run warmed up, in sentences."""
        # A single request that takes no time leaves none to be busy in.
        busy = "" if np.isnan(utilization) else f"busy for {utilization:.1%} of the time, and "
        late = f"the last request was complete {units.duration(self.drain_s)} after it came"
        if self.kept_up:
            found = [f"{device_name} kept up: {busy}{late}."]
        else:
            return [
                f"{device_name} did not keep up: {busy}{late}. Requests come faster than it serves"
                " them, so that response times grow with the length of the run."
            ]
        if self.parts[0].requests < GROUP * FEWEST_GROUPS:
            return found
        if self.warm_up is None:
            return [*found, "No warm-up can be told from the rest: response times do not come to rest."]
        if self.warm_up:
            span = units.duration(self.warm_up_s)
            found.append(f"The first {self.warm_up:,} requests ({span}) differ from the rest: a warm-up.")
        return found

    def row(self) -> dict[str, Any]:
        """All of it by name, as JSON has it."""
        return {
            "parts": [asdict(one) for one in self.parts],
            "phases_s": dict(self.phases),
            "kept_up": self.kept_up,
            "drain_s": self.drain_s,
            "warm_up_requests": self.warm_up,
            "warm_up_s": self.warm_up_s,
        }


def breakdown(run: Run, trace: Trace | None = None) -> Breakdown:
    """Take a run apart.

    Args:
        run: With the columns of `BREAKDOWN_COLUMNS`.
        trace: Its requests; parts by class are left out where the run has others, or another order.

    Raises:
        NotKeptError: It has not kept the columns.
    """
    is_late = is_saturated([observe(run, warm_up=0)], warm_up=0)
    gathered = Gathered(is_whole=True)
    gathered.add(run.columns, None if trace is None else _classes(run, trace.transfers()))
    return gathered.breakdown(run, is_late, {} if trace is None else trace.device_names)


def _classes(run: Run, moves: Trace) -> NDArray[Any] | None:
    """The classes of the reads and writes of a run, unless it has others, or another order."""
    columns = run.columns
    if np.array_equal(moves.lbn, columns["lbn"]):
        return moves.block_class
    if len(moves) != len(columns["lbn"]):
        return None
    # Requests past the end of the device were moved; nothing else of them was changed.
    moved = np.count_nonzero(moves.lbn != columns["lbn"]) == run.totals["remapped"]
    kept = ("blocks", "write", "metadata", "device")
    alike = moved and all(np.array_equal(getattr(moves, name), columns[name]) for name in kept)
    return moves.block_class if alike and _is_in_order(run, moves.arrival_ns) else None


def _is_in_order(run: Run, recorded_ns: _Ns) -> bool:
    """Whether the requests of a run come in the order of the trace: only think-time replays have others."""
    if run.settings.replay.startswith("closed"):
        return True
    since_ns, recorded_since_ns = (times - times[0] for times in (run.columns["arrival_ns"], recorded_ns))
    scale = (since_ns[-1] or 1) / (recorded_since_ns[-1] or 1)
    # The last one is rounded, and so is each.
    return np.allclose(since_ns, recorded_since_ns * scale, rtol=1e-12, atol=2)


def simulate_in_parts(
    device: Target,
    stream: TraceStream,
    options: Options,
    out: PathLike | None,
    progress: Callable[[int], object] | None,
) -> tuple[Run, Breakdown]:
    """Replay a stream at its recorded times, as `simulate` does, and take the run apart on the way.

    Memory: at most 8 MB a part, and what is in the system.

    Raises:
        ParameterError, TraceError, OSError: As `simulate`.
    """
    gathered, course = Gathered(), Course()
    # A run does not know the classes of its requests, whose rows come in the order of the stream.
    classes = [np.empty(0, np.uint8)]

    def note(batch: Trace) -> Trace:
        classes.append(batch.transfers().block_class)
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
    """Nanoseconds that each request spends in each phase, in the order of `PHASES`.

    They add up to its response. Of a volume they are those of the part of a request that was served last.

    Args:
        columns: Of a run, those of `PHASE_COLUMNS` among them.

    Raises:
        NotKeptError: One of them is missing.
    """
    found = {
        "overhead": columns["overhead_ns"],
        "queue": columns["start_ns"] - columns["arrival_ns"] - columns["overhead_ns"],
        **{name.removesuffix("_ns"): columns[name] for name in SERVICE_PHASES},
    }
    response_ns = columns["completion_ns"] - columns["arrival_ns"]
    return {**found, "bus": response_ns - sum(found.values())}


def mean_phases_s(run: Run, added_ns: Mapping[str, int] | None = None) -> dict[str, float]:
    """Seconds of the mean response by phase, in the order of `PHASES`.

    Where the columns of `PHASE_COLUMNS` were neither kept nor added up, the phases are those of all
    services, and what is no service is one phase, ``rest``.
    """
    requests = run.totals["requests"]
    if spent_ns := added_ns or _sums_ns(run.columns):
        return {name: ns * 1e-9 / requests for name, ns in spent_ns.items()}
    sums_ns = run.totals["phases_ns"]
    found = {name.removesuffix("_ns"): int(sums_ns[name]) * 1e-9 / requests for name in SERVICE_PHASES}
    # Services of a volume may overlap.
    return {"rest": max(0.0, run.summary()["mean_response_s"] - sum(found.values())), **found}


def _sums_ns(columns: Mapping[str, NDArray[Any]]) -> dict[str, int]:
    """Nanoseconds of all requests by phase; none where columns are missing."""
    if not all(name in columns for name in PHASE_COLUMNS):
        return {}
    return {name: int(spent.sum()) for name, spent in phases_ns(columns).items()}


def group_name(by: str, number: int, device_names: Mapping[int, str]) -> str:
    """What the requests are called that have this in common."""
    if by == "device":
        return f"device {device_names.get(number) or number}"
    if by == "class":
        return BLOCK_CLASSES.get(number, f"class {number}") if number else "unknown class"
    return {"operation": ("reads", "writes"), "metadata": ("metadata", "other data")}[by][number]


def _groups(column: NDArray[Any]) -> Iterator[tuple[int, _Rows]]:
    """The values of a column, and where each is."""
    if (column == column[0]).all():
        yield int(column[0]), _ALL
        return
    for value in np.unique(column).tolist():
        yield int(value), column == value


class _Sums:
    """Of the requests that have something in common.

    Args:
        is_whole: Whether they come in one batch, of which response times are exact; else they are added up.
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
    """What is known of the rows so far.

    Args:
        is_whole: Whether all come in one batch.
    """

    def __init__(self, is_whole: bool = False) -> None:
        self._is_whole = is_whole
        self._sums: dict[tuple[str, int], _Sums] = {}
        self._phases_ns: Counter[str] = Counter()
        self._found_at_last: dict[int, int] = {}
        self._groups = Groups()

    def add(self, columns: Mapping[str, NDArray[Any]], block_class: NDArray[Any] | None) -> None:
        """The next rows, in order of arrival, and their classes, where these are known."""
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
        """What the run consists of, now that it is over; it is late where requests came too fast."""
        span_s = run.span_s or np.nan
        warm_up = settled(self._groups.sums_ns, self._groups.size)
        return Breakdown(
            parts=(self._sums["all", 0].part("all", "all", span_s), *self._parts(device_names, span_s)),
            phases=mean_phases_s(run, self._phases_ns),
            is_volume="volume" in run.settings.parameters,
            # Of a few requests the service of the last one takes a large part of the time.
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
            busiest = sorted(sums, key=lambda value: -sums[value].requests)[:_MOST_PARTS]
            for value in sorted(busiest):
                yield sums[value].part(by, group_name(by, value, device_names), span_s)
