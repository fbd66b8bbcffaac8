"""What a run consists of, added up while its rows become final: of runs that are longer than memory.

Figures are those of `breakdown`; but quantiles are those of the summary of such a run: exact below a million
requests of a part, and within 0.01 % from there on.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.files import PathLike
from ..model.systems import Target
from ..traces.streams import TraceStream
from ..traces.trace import Trace
from .breakdown import PHASE_COLUMNS, Breakdown, Part, busiest, found_at_last, group_name, phases_ns, settled
from .over_time import Busy, Groups, Queue
from .run import Run, simulate_stream
from .steady_state import Observation, is_saturated
from .streamed_run import RowSink

#: The columns that it is made of, besides those that a run keeps at any rate.
COLUMNS = ",".join((*PHASE_COLUMNS, "bus_ns", "blocks", "write", "metadata", "device", "queue_length"))
#: What requests have in common, in the order in which it is told.
_BY = ("operation", "metadata", "device", "class")
_QUANTILES = [0.5, 0.99]
_SECTOR_BYTES = 512
_Ns = NDArray[np.int64]


def simulate_in_parts(
    device: Target,
    stream: TraceStream,
    scheduler: str | None,
    scale: float,
    past_end: str,
    columns: str,
    out: PathLike | None,
    progress: Callable[[int], object] | None,
) -> tuple[Run, Breakdown]:
    """Replay a stream at its recorded times, as `simulate` does, and take the run apart on the way.

    Raises:
        ParameterError, TraceError, OSError: As `simulate`.
    """
    gathered = Gathered()
    options = (scheduler, scale, past_end, columns)
    run = simulate_stream(device, gathered.watched(stream), options, out, progress, gathered)
    return run, gathered.breakdown(run, stream.about().get("device_names") or {})


@dataclass
class _Sums:
    """Of the requests that have something in common."""

    responses: _native.Responses = field(default_factory=_native.Responses)
    blocks: int = 0

    def part(self, by: str, name: str, span_s: float) -> Part:
        count = self.responses.count()
        p50_s, p99_s = (ns * 1e-9 for ns in self.responses.quantiles_ns(_QUANTILES))
        return Part(
            by=by,
            name=name,
            requests=count,
            rate_per_s=count / span_s,
            rate_bytes_per_s=self.blocks * _SECTOR_BYTES / span_s,
            mean_response_s=self.responses.sum_ns() * 1e-9 / count,
            p50_response_s=p50_s,
            p99_response_s=p99_s,
            max_response_s=self.responses.max_ns() * 1e-9,
        )


class Gathered:
    """What is known of the rows so far. Memory: at most 8 MB a part, and what is in the system."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, int], _Sums] = {}
        self._classes: deque[NDArray[Any]] = deque()
        self._phases_ns: Counter[str] = Counter()
        self._found_at_last: dict[int, int] = {}
        self._groups, self._queue, self._busy = Groups(), Queue(), Busy()

    def watched(self, stream: TraceStream) -> TraceStream:
        """The same stream; the classes of its requests, which a run does not know, are noted."""

        def note(batch: Trace) -> Trace:
            self._classes.append(batch.transfers().block_class)
            return batch

        return stream.changed(note)

    def columns(self, kept: str) -> str:
        """Those that a run has to keep for it, and what else is kept."""
        return COLUMNS if kept.strip() == "none" else f"{kept},{COLUMNS}"

    def beside(self, sink: RowSink, kept: str) -> RowSink:
        """Take rows, and hand the columns that are kept on."""
        names = _native.selected_columns(kept)

        def take(columns: dict[str, NDArray[Any]], devices: list[str]) -> None:
            self.add(columns)
            sink({name: columns[name] for name in names}, devices)

        return take

    def add(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """The next rows, in order of arrival."""
        arrival_ns, start_ns, completion_ns = (
            columns[name] for name in ("arrival_ns", "start_ns", "completion_ns")
        )
        if not len(arrival_ns):
            return
        response_ns, blocks = completion_ns - arrival_ns, columns["blocks"]
        self._phases_ns.update({name: int(spent.sum()) for name, spent in phases_ns(columns).items()})
        self._found_at_last.update(found_at_last(columns))
        self._groups.add(arrival_ns, response_ns)
        self._queue.add(arrival_ns, completion_ns)
        self._busy.add(start_ns, completion_ns - columns["bus_ns"], int(arrival_ns[-1]))
        self._part("all", 0, response_ns, blocks)
        keys = {
            "operation": columns["write"],
            "metadata": ~columns["metadata"],
            "device": columns["device"],
            "class": self._classes_of(len(arrival_ns)),
        }
        for by, column in keys.items():
            for value in np.unique(column).tolist():
                rows = column == value
                self._part(by, int(value), response_ns[rows], blocks[rows])

    def _part(self, by: str, value: int, response_ns: _Ns, blocks: NDArray[Any]) -> None:
        sums = self._sums.setdefault((by, value), _Sums())
        sums.responses.add(np.ascontiguousarray(response_ns))
        sums.blocks += int(blocks.sum())

    def _classes_of(self, rows: int) -> NDArray[Any]:
        """The classes of the next requests, which come in the order of the stream."""
        taken: list[NDArray[Any]] = []
        while rows:
            first = self._classes.popleft()
            taken.append(first[:rows])
            if len(first) > rows:
                self._classes.appendleft(first[rows:])
            rows -= len(taken[-1])
        return np.concatenate(taken)

    def breakdown(self, run: Run, device_names: Mapping[int, str]) -> Breakdown:
        """What the run consists of, now that it is over."""
        whole, span_s = self._sums["all", 0], run.span_s or np.nan
        warm_up = settled(self._groups.sums_ns, self._groups.size)
        return Breakdown(
            parts=(whole.part("all", "all", span_s), *self._parts(device_names, span_s)),
            phases={name: spent * 1e-9 / whole.responses.count() for name, spent in self._phases_ns.items()},
            is_volume="volume" in run.settings.parameters,
            kept_up=not is_saturated([self._observed(run)], warm_up=0)
            or not any(self._found_at_last.values()),
            drain_s=run.drain_s,
            warm_up=warm_up,
            warm_up_s=np.nan if warm_up is None else self._groups.until_ns(warm_up) * 1e-9,
        )

    def _parts(self, device_names: Mapping[int, str], span_s: float) -> Iterator[Part]:
        for by in _BY:
            values = sorted(value for other, value in self._sums if other == by)
            counts = np.array([self._sums[by, value].responses.count() for value in values])
            for value in values if by == "operation" else busiest(np.array(values), counts):
                yield self._sums[by, value].part(by, group_name(by, value, device_names), span_s)

    def _observed(self, run: Run) -> Observation:
        """As much of an observation as tells whether the device kept up."""
        count = run.totals["requests"]
        nothing = np.empty(0)
        return Observation(
            figures={"utilization": self._utilization(run)},
            response_s=nothing,
            found=nothing.astype(np.int64),
            growth=self._queue.growth(),
            earlier_queue=self._queue.mean_until(count // 2),
            later_queue=np.nan,
            drain=run.drain_s / (run.span_s or np.inf),
            longest=np.nan,
        )

    def _utilization(self, run: Run) -> float:
        """As `measure` has it of all requests."""
        totals = run.totals
        if totals["volumes"]:
            return float(max(totals["busy_s"])) / (run.span_s or np.nan)
        window_ns = totals["last_arrival_ns"] - totals["first_arrival_ns"]
        return self._busy.busy_ns() / (window_ns or np.nan) / len(totals["busy_s"])
