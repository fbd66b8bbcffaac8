"""Repetition of a run's requests at their recorded arrivals, on the same or another device."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...model.volumes import Target
from ...traces.trace import Trace
from ..batches import TRACE_COLUMNS
from ..kept_columns import Columns

#: Columns of requests besides the arrival, in the order of the arguments of `Simulation.submit`.
_ASKED = ("lbn", "blocks", "kind", "metadata", "device")
#: Number of requests that are given to the core together.
_AT_ONCE = 1 << 14

#: Callback that takes numbers of requests and their completions in nanoseconds, in the order of completion.
Completed = Callable[[NDArray[np.int64], NDArray[np.int64]], object]


class Requests:
    """Requests of a run with their arrivals, to be run again.

    Args:
        columns: Results of the run's requests, as columns by name.

    Raises:
        NotKeptError: The run did not keep a column of the requests; the message names it.
        TraceError: A request is invalid.
    """

    def __init__(self, columns: Columns) -> None:
        for name in TRACE_COLUMNS:
            columns[name]
        trace = Trace.from_columns(columns, source="rows")
        self._columns: list[NDArray[Any]] = [trace.arrival_ns, *(getattr(trace, name) for name in _ASKED)]
        self.count = len(self._columns[0])
        self.devices = int(self._columns[-1].max()) + 1

    def run_until(
        self,
        target: Target,
        scheduler: str,
        rows: Sequence[int],
        completed: Completed | None = None,
        progress: Callable[[int], object] | None = None,
        watch: bool = False,
    ) -> tuple[dict[int, int], Mapping[str, Any]]:
        """Run the requests until those in `rows` are complete.

        Args:
            target: Device or volume that serves the requests.
            scheduler: Policy of the run.
            rows: Numbers of the requests to be completed, counted from 0 in the order of arrival.
            completed: Callback that takes each request that completes in the run, with its completion.
            progress: Callback for the number of requests that have arrived.
            watch: True to record services and waits of the requests in `rows`.

        Returns:
            The completion of each request in `rows` in nanoseconds, and the record (see `Parts`).

        Raises:
            ParameterError: The policy is invalid.
            TraceError: A request is past the end of the device.
        """
        simulation = _native.Simulation(target._native, scheduler, self.devices)
        if watch:
            simulation.watch(list(rows))
        ends: dict[int, int] = {}

        def note(ids: NDArray[np.int64], times: NDArray[np.int64]) -> None:
            for at in np.flatnonzero(np.isin(ids, np.asarray(rows))):
                ends[int(ids[at])] = int(times[at])
            if completed is not None:
                completed(ids, times)

        for first in range(0, self.count, _AT_ONCE):
            some = slice(first, first + _AT_ONCE)
            simulation.submit(*(column[some] for column in self._columns))
            note(*simulation.advance(int(self._columns[0][some][-1])))
            if progress is not None:
                progress(min(first + _AT_ONCE, self.count))
            if len(ends) == len(rows):
                break
        else:
            note(*simulation.drain(None))
        return ends, simulation.watched() if watch else {}


def as_recorded(recorded_ns: NDArray[np.int64], version: str) -> Completed:
    """Return a callback that checks, during a repetition, that each request completes as in the result.

    The callback raises a `TraceError` that names the first request with another completion.

    Args:
        recorded_ns: Recorded completion of each request in the result, in nanoseconds.
        version: Version of sledsim that made the result.
    """

    def same(ids: NDArray[np.int64], times: NDArray[np.int64]) -> None:
        wrong = np.flatnonzero(recorded_ns[ids] != times)
        if wrong.size:
            first = wrong[np.argmin(ids[wrong])]
            row = int(ids[first])
            raise _native.TraceError(
                f"request {row}: expected completion at {int(recorded_ns[row])} ns, as in the result of"
                f" sledsim {version}, found {int(times[first])} ns when run again by"
                f" sledsim {_native.__version__}: another version made the result, or the result was changed"
            )

    return same
