"""Figures of a run after its warm-up; tests of saturation and of a settled queue.

**Warm-up.** The first part of the requests of a generated workload, a share of `WARM_UP`, is served but
excluded, as the system starts empty. The share is fixed, because policies are compared over the *same*
requests; a rule such as MSER-5 would exclude different requests under each policy. The following rules
detect runs that have not settled after this share.

**Saturation.** `is_saturated`: a device is saturated if more than a tenth of the run passes after the last
arrival, until the queue is empty. A device is also saturated if it is busy practically all the time and its
queue grows faster than the queue of a device whose load is exactly its capacity.
**Not at rest.** `is_at_rest`: a device that is busy practically all the time has figures only if its queue
is known not to grow, or has often swung between short and long. Otherwise the load may be just above its
capacity; or just below, with a queue that reaches its steady length only after the end of the run, so that
the mean is too low and no interval shows it. If a request waits for a large part of the run, there is no
mean either: under a policy that starves requests, the queue grows with the length of the run.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import intervals
from .run import SERVICE_PHASES, Run
from .tails import count_swings

#: Sets of columns that a run must keep so that `measure` can compute its figures.
MEASURED_COLUMNS = "times,phases"
#: Share of the requests of a random workload that is excluded as warm-up.
WARM_UP = 0.2
#: Utilization above which a device is taken as busy all the time.
SATURATED_UTILIZATION = 0.98
#: Share of a run that lies after the last arrival, above which the device is taken as saturated.
SATURATED_DRAIN = 0.1
#: Confidence of the test for saturation: that the queue grows faster than at capacity. One in five queues
#: exactly at capacity counts as saturated. A stricter test would miss a load 2 % beyond capacity.
SATURATED_CONFIDENCE = 0.6
#: Mean queue length in the second half of a run divided by that in the first half, above which a queue has
#: not settled. If the queue approaches its final length exponentially, the measured mean is then 5 % too low.
RESTLESS_GROWTH = 1.1
#: Confidence of the test for a settled queue; one in ten settled queues fails it.
RESTLESS_CONFIDENCE = 0.8
#: Number of swings from a short to a long queue from which on a queue counts as settled if it does not grow
#: on average.
SETTLED_SWINGS = 20
#: Longest response time, as a share of the run, above which requests may be starving, so that no mean exists.
STARVED = 1 / 4
#: Least number of requests after the warm-up that show a mean near saturation, or saturation itself.
MIN_MEASURED = 100


@dataclass(frozen=True)
class Observation:
    """Figures of a run after its warm-up.

    Attributes:
        figures: Figures of `measure`, by name.
        response_s: Response times in seconds, in the order of arrival.
        found: Number of outstanding requests at the arrival of each request after the warm-up.
        growth: Increase of the number of outstanding requests from the end of the warm-up to the last
            arrival.
        earlier_queue: Mean number of outstanding requests while the first half of the requests after the
            warm-up arrives.
        later_queue: Mean number of outstanding requests while the second half of these requests arrives.
        drain: Time from the last arrival to the last completion, divided by the duration of the run.
        longest: Longest response time divided by the duration of the run.
    """

    figures: dict[str, float]
    response_s: NDArray[np.float64]
    found: NDArray[np.int64]
    growth: int
    earlier_queue: float
    later_queue: float
    drain: float
    longest: float

    @property
    def is_overloaded(self) -> bool:
        """True if the queue needs more than a tenth of the run to empty after the last arrival."""
        return self.drain > SATURATED_DRAIN


def observe(run: Run, warm_up: float) -> Observation:
    """Return the figures of a run after its warm-up, the first `warm_up` (a share) of reads and writes."""
    moves = run.transfers
    count = len(moves.response_ns)
    first = int(warm_up * count)
    middle = (first + count) // 2
    begin_ns, end_ns = _window_ns(moves, slice(first, count))
    span_s = run.span_s or math.inf  # In a span of 0 s all shares are 0.
    return Observation(
        figures=measure(run, slice(first, count)),
        response_s=np.asarray(moves.response_ns[first:] * 1e-9, np.float64),
        found=_found(moves)[first:],
        growth=_in_system(moves, end_ns) - _in_system(moves, begin_ns),
        earlier_queue=_queue_length(moves, _window_ns(moves, slice(first, middle))),
        later_queue=_queue_length(moves, _window_ns(moves, slice(middle, count))),
        drain=run.drain_s / span_s,
        longest=float(moves.response_ns[first:].max()) * 1e-9 / span_s,
    )


def measure(run: Run, requests: slice) -> dict[str, float]:
    """Return figures of consecutive reads and writes, by name with the unit in the name.

    The slice `requests` selects them among the reads and writes of the run.

    Response, positioning and service times are means over the requests. Queue length (number of outstanding
    requests) and utilization are averages over time, from the first arrival to the arrival of the next
    request after them, or to the last arrival of the run; the time after it, in which the queue empties, does
    not count. Averages over 0 s are NaN.
    """
    moves = run.transfers
    response_s = moves.response_ns[requests] * 1e-9
    phases_s = {name: float(moves.columns[name][requests].mean()) * 1e-9 for name in SERVICE_PHASES}
    window_ns = _window_ns(moves, requests)
    return {
        "mean_response_s": float(response_s.mean()),
        "max_response_s": float(response_s.max()),
        "mean_queue_length": _queue_length(moves, window_ns),
        "mean_service_s": sum(phases_s.values()),
        "mean_positioning_s": phases_s["positioning_ns"],
        "utilization": _utilization(run, window_ns),
    }


def window_s(run: Run, requests: slice) -> float:
    """Return the time in seconds over which `measure` averages queue length and utilization."""
    begin_ns, end_ns = _window_ns(run.transfers, requests)
    return (end_ns - begin_ns) * 1e-9


def is_saturated(observations: Sequence[Observation], warm_up: float) -> bool:
    """Return True if requests arrive faster than the device serves them, judged over all replications.

    Figures of a saturated point depend on the length of the runs.

    Args:
        observations: Figures of each replication, from `observe`.
        warm_up: Share of the requests at the start that `observe` excluded as warm-up.
    """
    if np.mean([seen.drain for seen in observations]) > SATURATED_DRAIN:
        return True
    if not _is_busy(observations):
        return False
    at_capacity = growth_at_capacity(warm_up)
    beyond = [seen.growth - at_capacity * seen.earlier_queue for seen in observations]
    faster = intervals.mean(beyond, SATURATED_CONFIDENCE)
    return (faster.value if len(beyond) == 1 else faster.low) > 0  # The chance of a single run is unknown.


def is_at_rest(observations: Sequence[Observation]) -> bool:
    """Return True if the queue no longer grew after the warm-up, judged over all replications.

    Otherwise the figures depend on the length of the runs.
    """
    if np.mean([seen.longest for seen in observations]) > STARVED:
        return False
    if not _is_busy(observations):
        return True
    beyond = [seen.later_queue - RESTLESS_GROWTH * seen.earlier_queue for seen in observations]
    growth = intervals.mean(beyond, RESTLESS_CONFIDENCE)
    often = count_swings([seen.found for seen in observations]) >= SETTLED_SWINGS
    return (growth.value if often else growth.high) < 0


def growth_at_capacity(warm_up: float) -> float:
    """Return how a queue grows if requests arrive exactly as fast as they are served, relative to its mean.

    At capacity the queue has no drift and grows from zero with the root of time, like a random walk. A
    saturated queue grows in proportion to time, so its ratio is larger. `warm_up` is a share of the requests.
    """
    middle = (1 + warm_up) / 2
    earlier = (middle**1.5 - warm_up**1.5) / 1.5 / (middle - warm_up)
    return float((1 - warm_up**0.5) / earlier)


def _is_busy(observations: Sequence[Observation]) -> bool:
    busy = np.mean([seen.figures["utilization"] for seen in observations])
    return bool(busy > SATURATED_UTILIZATION)


def _window_ns(run: Run, requests: slice) -> tuple[int, int]:
    arrival_ns = run.columns["arrival_ns"]
    last = min(requests.stop, len(arrival_ns) - 1)
    return int(arrival_ns[requests.start]), int(arrival_ns[last])


def _queue_length(run: Run, window_ns: tuple[int, int]) -> float:
    return _overlap(run.columns["arrival_ns"], run.columns["completion_ns"], window_ns)


def _found(run: Run) -> NDArray[np.int64]:
    """Return the number of outstanding requests at each arrival, simultaneous earlier arrivals included."""
    arrival_ns = run.columns["arrival_ns"]
    done = np.searchsorted(np.sort(run.columns["completion_ns"]), arrival_ns, side="right")
    return np.arange(len(arrival_ns)) - done


def _in_system(run: Run, at_ns: int) -> int:
    """Return the number of outstanding requests at the time `at_ns`."""
    come, done = (run.columns[name] <= at_ns for name in ("arrival_ns", "completion_ns"))
    return int(np.count_nonzero(come)) - int(np.count_nonzero(done))


def _utilization(run: Run, window_ns: tuple[int, int]) -> float:
    """Return the share of the time in which a device serves, averaged over the devices.

    For a volume, return the utilization of its busiest device over the whole run: the columns only have the
    last service of each request, and the queue grows if one device is always busy, however idle the others.
    """
    if run.totals["volumes"]:
        return float(max(run.totals["busy_s"])) / (run.span_s or math.nan)
    free_ns = run.columns["completion_ns"] - run.columns["bus_ns"]
    return _overlap(run.columns["start_ns"], free_ns, window_ns) / len(run.totals["busy_s"])


def _overlap(begin_ns: NDArray[Any], end_ns: NDArray[Any], window_ns: tuple[int, int]) -> float:
    """Return the mean number of intervals (`begin_ns` to `end_ns`) that are open during a time window."""
    first, last = window_ns
    if first == last:
        return float("nan")
    inside_ns = np.clip(end_ns, first, last) - np.clip(begin_ns, first, last)
    return float(inside_ns.sum()) / (last - first)
