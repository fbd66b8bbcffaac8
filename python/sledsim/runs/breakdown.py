"""What people ask first of a run: who waited how long, where the time went, whether the device kept up."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..common import units
from ..common.shown import Form, Shown, counted
from ..traces.trace import BLOCK_CLASSES, Trace
from .run import SERVICE_PHASES, Run
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
#: A warm-up is looked for in groups of so many requests, of which it may be half (MSER-5, White 1997).
GROUP, _FEWEST_GROUPS = 5, 20
#: Where there would be as many groups, they are twice as large, and so on.
MOST_GROUPS = 1 << 18
_SECTOR_BYTES = 512
#: Of more groups than that of devices or classes only the busiest are told.
_MOST_PARTS = 12


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

    def _in_line(self) -> str:
        return f"of {counted(self.parts[0].requests, 'request')}: {counted(len(self.parts), 'part')}"

    def _form(self) -> Form:
        return Form(
            "Breakdown of a run",
            figures={f"{PHASES[name]}_s": seconds for name, seconds in self.phases.items()},
            rows=[asdict(one) for one in self.parts],
            calls=("parts", "phases", "kept_up", "in_words(device_name, utilization)"),
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
        if self.parts[0].requests < GROUP * _FEWEST_GROUPS:
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
        trace: Its requests, whose classes are told of where they are in the order of the run.

    Raises:
        NotKeptError: It has not kept the columns.
    """
    saturated = is_saturated([observe(run, warm_up=0)], warm_up=0)
    warm_up = _warm_up(run.response_ns)
    arrivals = run.columns["arrival_ns"]
    warm_up_s = np.nan if warm_up is None else float(arrivals[warm_up] - arrivals[0]) * 1e-9
    return Breakdown(
        parts=tuple(_parts(run, trace)),
        phases=mean_phases_s(run),
        is_volume="volume" in run.settings.parameters,
        # Of a few requests the service of the last one takes a large part of the time.
        kept_up=not saturated or not any(found_at_last(run.columns).values()),
        drain_s=run.drain_s,
        warm_up=warm_up,
        warm_up_s=warm_up_s,
    )


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


def mean_phases_s(run: Run) -> dict[str, float]:
    """Seconds of the mean response by phase, in the order of `PHASES`.

    Where the columns of `PHASE_COLUMNS` were not kept, the phases are those of all services, and what is no
    service is one phase, ``rest``.
    """
    requests = run.totals["requests"]
    if all(name in run.columns for name in PHASE_COLUMNS):
        return {name: int(spent.sum()) * 1e-9 / requests for name, spent in phases_ns(run.columns).items()}
    sums_ns = run.totals["phases_ns"]
    found = {name.removesuffix("_ns"): int(sums_ns[name]) * 1e-9 / requests for name in SERVICE_PHASES}
    # Services of a volume may overlap.
    return {"rest": max(0.0, run.summary()["mean_response_s"] - sum(found.values())), **found}


def found_at_last(columns: Mapping[str, NDArray[Any]]) -> dict[int, int]:
    """How many others the last request of each traced device found there, by the number of the device."""
    devices, last = np.unique(columns["device"][::-1], return_index=True)
    return dict(zip(devices.tolist(), columns["queue_length"][::-1][last].tolist(), strict=True))


def _parts(run: Run, trace: Trace | None) -> Iterator[Part]:
    columns = run.columns
    everything = np.ones(len(run.response_ns), np.bool_)
    yield _part(run, "all", "all", everything)
    for by, name, rows in _groups(columns, trace):
        yield _part(run, by, name, rows)


def _groups(
    columns: Mapping[str, NDArray[Any]], trace: Trace | None
) -> Iterator[tuple[str, str, NDArray[np.bool_]]]:
    write, metadata, device = columns["write"], columns["metadata"], columns["device"]
    if (~write).any():
        yield "operation", "reads", ~write
    if write.any():
        yield "operation", "writes", write
    if metadata.any() and not metadata.all():
        yield "metadata", "metadata", metadata
        yield "metadata", "other data", ~metadata
    names: Mapping[int, str] = {} if trace is None else trace.device_names
    for number in _busiest(device):
        yield "device", group_name("device", number, names), device == number
    moves = None if trace is None else trace.transfers()
    # A closed replay has an order of its own.
    if moves is not None and len(moves) == len(write) and bool((moves.lbn == columns["lbn"]).all()):
        for number in _busiest(moves.block_class):
            yield "class", group_name("class", number, names), moves.block_class == number


def group_name(by: str, number: int, device_names: Mapping[int, str]) -> str:
    """What the requests are called that have this in common."""
    if by == "device":
        return f"device {device_names.get(number) or number}"
    if by == "class":
        return BLOCK_CLASSES.get(number, f"class {number}") if number else "unknown class"
    return {"operation": ("reads", "writes"), "metadata": ("metadata", "other data")}[by][number]


def _busiest(column: NDArray[Any]) -> list[int]:
    return busiest(*np.unique(column, return_counts=True))


def busiest(values: NDArray[Any], counts: NDArray[Any]) -> list[int]:
    """The values that come most often, in their order; none where there is one alone."""
    if len(values) < 2:
        return []
    return sorted(int(value) for value in values[np.argsort(-counts, kind="stable")][:_MOST_PARTS])


def _part(run: Run, by: str, name: str, rows: NDArray[np.bool_]) -> Part:
    response_s = run.response_ns[rows] * 1e-9
    span_s = run.span_s or np.nan
    p50, p99 = np.percentile(response_s, [50, 99]).tolist()
    return Part(
        by=by,
        name=name,
        requests=len(response_s),
        rate_per_s=len(response_s) / span_s,
        rate_bytes_per_s=int(run.columns["blocks"][rows].sum()) * _SECTOR_BYTES / span_s,
        mean_response_s=float(response_s.mean()),
        p50_response_s=p50,
        p99_response_s=p99,
        max_response_s=float(response_s.max()),
    )


def _warm_up(response_ns: NDArray[np.int64]) -> int | None:
    group = GROUP
    while len(response_ns) // group >= MOST_GROUPS:
        group *= 2
    groups = len(response_ns) // group
    return settled(response_ns[: groups * group].reshape(groups, group).sum(axis=1), group)


def settled(sums_ns: NDArray[np.int64], group: int) -> int | None:
    """How many requests at the beginning MSER-5 leaves out; None if half of them were not enough.

    Args:
        sums_ns: Of the response times of each group.
        group: Requests in each.
    """
    groups = len(sums_ns)
    if groups < _FEWEST_GROUPS:
        return None
    means = sums_ns / group * 1e-9
    left = np.arange(groups, 0, -1)
    sums, squares = np.cumsum(means[::-1])[::-1], np.cumsum((means**2)[::-1])[::-1]
    # The squared error of the mean of what is left behind each group.
    errors = (squares - sums**2 / left) / left.astype(np.float64) ** 2
    half = groups // 2
    best = int(np.argmin(errors[: half + 1]))
    return None if best == half else best * group
