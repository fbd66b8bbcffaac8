"""Queue length, busy time and warm-up of a run, added up during the run in limited memory."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .kept_columns import transfers_of, without_flushes
from .run import Run
from .steady_state import Observation

#: Number of requests in a group, and least number of groups, for finding the warm-up (MSER-5, White 1997).
GROUP, FEWEST_GROUPS = 5, 20
#: Number of groups at which every two groups are merged into one of twice the size.
MOST_GROUPS = 1 << 18
#: Largest number of requests for which the integral of the queue length is stored; then every second one is
#: dropped.
_MOST_PLACES = 1 << 16

_Ns = NDArray[np.int64]


class Groups:
    """Sums of response times of groups of consecutive requests; many groups are merged in pairs.

    Attributes:
        size: Number of requests in a group; it doubles when groups are merged.
        sums_ns: Sum of the response times of each complete group, in nanoseconds.
    """

    def __init__(self) -> None:
        self.size = GROUP
        self._sums: list[_Ns] = []
        self._firsts: list[_Ns] = []
        self._count = 0
        self._rest = (np.empty(0, np.int64), np.empty(0, np.int64))

    def add(self, arrival_ns: _Ns, response_ns: _Ns) -> None:
        """Add the next requests in the order of arrival, with their arrivals and response times."""
        together = zip(self._rest, (arrival_ns, response_ns), strict=True)
        arrivals, responses = (np.concatenate(rows) if len(rows[0]) else rows[1] for rows in together)
        while True:
            taken = min(len(arrivals) // self.size, MOST_GROUPS - self._count)
            end = taken * self.size
            self._firsts.append(arrivals[: end : self.size].copy())
            self._sums.append(responses[:end].reshape(taken, self.size).sum(axis=1))
            self._count += taken
            arrivals, responses = arrivals[end:], responses[end:]
            if self._count < MOST_GROUPS:
                break
            self._firsts = [np.concatenate(self._firsts)[::2]]
            self._sums = [self.sums_ns.reshape(-1, 2).sum(axis=1)]
            self.size, self._count = 2 * self.size, self._count // 2
        self._rest = (arrivals.copy(), responses.copy())

    @property
    def sums_ns(self) -> _Ns:
        """Sum of the response times of each complete group, in nanoseconds."""
        return np.concatenate(self._sums)

    def until_ns(self, requests: int) -> int:
        """Return the time from the first arrival to that after `requests` requests, a multiple of `size`."""
        firsts = np.concatenate(self._firsts)
        return int(firsts[requests // self.size] - firsts[0])


class Queue:
    """Mean number of outstanding requests, from the first arrival on."""

    def __init__(self) -> None:
        self._requests = 0
        self._first_ns = self._last_ns = 0
        #: Number of arrivals, and of completions, at exactly the time of the first arrival.
        self._came = self._done = 0
        self._every = 1
        #: Number and arrival of every `_every`-th request, and the queue length integrated up to its arrival.
        self._places: list[tuple[int, int, float]] = []
        self._responses_ns = 0
        self._open = np.empty(0, np.int64)

    def add(self, arrival_ns: _Ns, completion_ns: _Ns) -> None:
        """Add the next requests in the order of arrival, with their arrivals and completions."""
        begin_ns = int(arrival_ns[0])
        if not self._requests:
            self._first_ns = begin_ns
        self._came += int((arrival_ns == self._first_ns).sum())
        self._done += int((completion_ns == self._first_ns).sum())
        self._note(arrival_ns - begin_ns, completion_ns - begin_ns, self._open - begin_ns, begin_ns)
        self._requests += len(arrival_ns)
        self._last_ns = int(arrival_ns[-1])
        self._responses_ns += int((completion_ns - arrival_ns).sum())
        together = np.concatenate([self._open, completion_ns])
        self._open = together[together > self._last_ns]

    def _note(self, arrival: _Ns, completion: _Ns, others: _Ns, begin_ns: int) -> None:
        """Store the queue length, integrated over time, at some requests; times are from `begin_ns`."""
        at = np.arange(-self._requests % self._every, len(arrival), self._every)
        if not len(at):
            return
        times = arrival[at]
        # Outstanding requests complete later.
        ends = np.sort(np.concatenate([others, completion]))
        behind = np.searchsorted(ends, times, side="right")
        late = _from(ends)[behind] - (len(ends) - behind) * times.astype(np.float64)
        later = _from(completion)[at] - (len(completion) - at) * times.astype(np.float64)
        responses = np.concatenate([[0], np.cumsum(completion - arrival)])[at]
        spent = self._responses_ns + responses - (late - later)
        numbers, came = at + self._requests, times + begin_ns
        self._places += zip(numbers.tolist(), came.tolist(), spent.tolist(), strict=True)
        while len(self._places) >= _MOST_PLACES:
            self._places, self._every = self._places[::2], 2 * self._every

    def mean_until(self, request: int) -> float:
        """Return the mean number of outstanding requests until (about) the arrival of request `request`."""
        _, came_ns, spent_ns = self._places[request // self._every]
        return spent_ns / (came_ns - self._first_ns or np.nan)

    def growth(self) -> int:
        """Return by how much the number of outstanding requests grew from the first to the last arrival."""
        return len(self._open) - (self._came - self._done)


class Busy:
    """Time in which devices serve requests, added up to the last arrival."""

    def __init__(self) -> None:
        self._busy_ns, self._until_ns = 0, 0
        self._open = np.empty((2, 0), np.int64)

    def add(self, begin_ns: _Ns, end_ns: _Ns, until_ns: int) -> None:
        """Add starts and ends of services of requests, the last of which arrived at `until_ns`."""
        found = np.concatenate([self._open, np.stack([begin_ns, end_ns])], axis=1)
        is_open = found[1] > until_ns
        over = found[:, ~is_open]
        self._busy_ns += int((over[1] - over[0]).sum())
        self._open, self._until_ns = found[:, is_open], until_ns

    def busy_ns(self) -> int:
        """Return the nanoseconds of services of all devices together, up to the last arrival."""
        until = np.minimum(self._open, self._until_ns)
        return self._busy_ns + int((until[1] - until[0]).sum())


class Course:
    """Queue length and busy time of a run; a breakdown decides with them if the device was saturated."""

    def __init__(self) -> None:
        self._queue, self._busy = Queue(), Busy()

    def add(self, columns: Mapping[str, NDArray[Any]]) -> None:
        """Add the columns of the next requests by arrival; of flushes, only the busy time counts."""
        moves, ends_ns = without_flushes(columns), columns["completion_ns"] - columns["bus_ns"]
        if len(moves["arrival_ns"]):
            self._queue.add(moves["arrival_ns"], moves["completion_ns"])
        self._busy.add(columns["start_ns"], ends_ns, int(columns["arrival_ns"][-1]))

    def observation(self, run: Run) -> Observation:
        """Return the figures of all requests, as `observe` returns them, at the end of the run."""
        nothing = np.empty(0)
        return Observation(
            figures={"utilization": self._utilization(run)},
            response_s=nothing,
            found=nothing.astype(np.int64),
            growth=self._queue.growth(),
            earlier_queue=self._queue.mean_until(transfers_of(run.totals) // 2),
            later_queue=np.nan,
            drain=run.drain_s / (run.span_s or np.inf),
            longest=np.nan,
        )

    def _utilization(self, run: Run) -> float:
        """Return the utilization over all requests, as `measure` computes it."""
        totals = run.totals
        if totals["volumes"]:
            return float(max(totals["busy_s"])) / (run.span_s or np.nan)
        window_ns = totals["last_arrival_ns"] - totals["first_arrival_ns"]
        return self._busy.busy_ns() / (window_ns or np.nan) / len(totals["busy_s"])


def _from(values: _Ns) -> NDArray[np.float64]:
    """Return for each index, and for the end, the sum of the values from there on."""
    return np.concatenate([np.cumsum(values[::-1].astype(np.float64))[::-1], [0.0]])


def settled(sums_ns: NDArray[np.int64], group: int) -> int | None:
    """Return the number of warm-up requests by the rule MSER-5; None if the warm-up exceeds half the run.

    Args:
        sums_ns: Sums of the response times of each group, in nanoseconds.
        group: Number of requests in each group.
    """
    groups = len(sums_ns)
    if groups < FEWEST_GROUPS:
        return None
    means = sums_ns / group * 1e-9
    left = np.arange(groups, 0, -1)
    sums, squares = np.cumsum(means[::-1])[::-1], np.cumsum((means**2)[::-1])[::-1]
    # Squared errors of the mean of the values after each group.
    errors = (squares - sums**2 / left) / left.astype(np.float64) ** 2
    half = groups // 2
    best = int(np.argmin(errors[: half + 1]))
    return None if best == half else best * group
