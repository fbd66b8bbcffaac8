"""Figures of a run after its warm-up, and whether the run has a steady state.

**Warm-up.** The first `WARM_UP` of the requests of a generated workload are served but excluded: they find a
system that started empty. The share is fixed instead of found run by run, because policies are compared over
the *same* requests; a rule such as MSER-5 would exclude different requests under each policy. Runs that have
not settled by then are detected by the next rules.

**Saturation.** `is_saturated`: a device that needs a tenth of the time after the last arrival to empty its
queue is saturated; so is one that is busy practically all the time while its queue grows faster than a
queue at exactly its capacity does.

**Not at rest.** `is_at_rest`: such a busy device has figures only if its queue is known not to grow, or has
often swung between short and long. Otherwise the device may be below its capacity with a queue that needs
more requests than a run has to reach its steady length, so the mean is too low and no interval shows it;
or it may be slightly above its capacity. A queue in which a request waits for a large part of the run has
no mean either: under a policy that starves requests the queue grows with the run.
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

#: Columns that measured runs keep; fewer columns run faster.
MEASURED_COLUMNS = "times,phases"
#: Share of the requests of a generated workload that is excluded as warm-up.
WARM_UP = 0.2
#: Utilization above which a device has no spare time to catch up with the requests.
SATURATED_UTILIZATION = 0.98
#: Share of the time after the last arrival, needed to empty the queue, above which a device is saturated.
SATURATED_DRAIN = 0.1
#: Confidence of the test that a queue grows faster than at capacity: one in five queues at capacity is taken
#: for a queue that grows faster. A stricter test would miss a load 2 % beyond capacity with this number of
#: requests.
SATURATED_CONFIDENCE = 0.6
#: Growth of the mean queue in the later half above which a busy device is not at rest. If a queue approaches
#: its length exponentially, its mean after the warm-up is then 5 % too low.
RESTLESS_GROWTH = 1.1
#: Confidence of the test that a queue is at rest, which fails for one in ten queues at rest.
RESTLESS_CONFIDENCE = 0.8
#: Number of swings from short to long after which a queue counts as settled, if it does not grow on average.
SETTLED_SWINGS = 20
#: Longest response as a share of the run above which a request may be starving, so the queue has no mean.
STARVED = 1 / 4
#: Fewest requests that show a mean near saturation, or whether a device is saturated.
MIN_MEASURED = 100


@dataclass(frozen=True)
class Observation:
    """Figures of a run after its warm-up.

    Attributes:
        figures: Figures of `measure`.
        response_s: Response times in seconds, in the order of arrival.
        found: Number of requests in the system at the arrival of each measured request.
        growth: Growth of the number of requests in the system from the start to the end of measuring.
        earlier_queue: Mean number of requests in the system in the first half of the measured time.
        later_queue: Mean number of requests in the system in the second half of the measured time.
        drain: Share of the time of the run that follows the last arrival.
        longest: Longest response time as a share of the time of the run.
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
        """True if the queue takes too long to empty at the end for chance to explain it."""
        return self.drain > SATURATED_DRAIN


def observe(run: Run, warm_up: float) -> Observation:
    """Measure a run without the first part of its requests."""
    count = len(run.response_ns)
    first = int(warm_up * count)
    middle = (first + count) // 2
    begin_ns, end_ns = _window_ns(run, slice(first, count))
    span_s = run.span_s or math.inf  # In a span of 0 s all shares are 0.
    return Observation(
        figures=measure(run, slice(first, count)),
        response_s=np.asarray(run.response_ns[first:] * 1e-9, np.float64),
        found=_found(run)[first:],
        growth=_in_system(run, end_ns) - _in_system(run, begin_ns),
        earlier_queue=_queue_length(run, _window_ns(run, slice(first, middle))),
        later_queue=_queue_length(run, _window_ns(run, slice(middle, count))),
        drain=run.drain_s / span_s,
        longest=float(run.response_ns[first:].max()) * 1e-9 / span_s,
    )


def measure(run: Run, requests: slice) -> dict[str, float]:
    """Figures of consecutive requests of a run, unit in the key.

    Response times, positioning and service are those of these requests. The queue length (number of requests
    in the system) and the utilization are averages over time, from the first of their arrivals to the arrival
    of the request after them, or to the last arrival of the run: the time in which the queue empties at the
    end does not count. Averages over 0 s are NaN.
    """
    response_s = run.response_ns[requests] * 1e-9
    phases_s = {name: float(run.columns[name][requests].mean()) * 1e-9 for name in SERVICE_PHASES}
    window_ns = _window_ns(run, requests)
    return {
        "mean_response_s": float(response_s.mean()),
        "max_response_s": float(response_s.max()),
        "mean_queue_length": _queue_length(run, window_ns),
        "mean_service_s": sum(phases_s.values()),
        "mean_positioning_s": phases_s["positioning_ns"],
        "utilization": _utilization(run, window_ns),
    }


def window_s(run: Run, requests: slice) -> float:
    """Duration in seconds over which `measure` averages queue length and utilization."""
    begin_ns, end_ns = _window_ns(run, requests)
    return (end_ns - begin_ns) * 1e-9


def is_saturated(observations: Sequence[Observation], warm_up: float) -> bool:
    """Return True if requests arrive faster than the device serves them, judged over all replications.

    Figures of a saturated point depend on the length of the runs.
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
    """Return True if the queue had settled when measuring began, judged over all replications.

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
    """Growth of a queue at capacity while it is measured, relative to its mean in the first half.

    At capacity the queue has no drift and grows from zero with the root of time, like a random walk; a
    saturated queue grows in proportion to time, so its quotient is larger.
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
    """Number of requests in the system at each arrival, counting earlier rows with the same arrival."""
    arrival_ns = run.columns["arrival_ns"]
    done = np.searchsorted(np.sort(run.columns["completion_ns"]), arrival_ns, side="right")
    return np.arange(len(arrival_ns)) - done


def _in_system(run: Run, at_ns: int) -> int:
    """Number of requests that have arrived and are not complete."""
    come, done = (run.columns[name] <= at_ns for name in ("arrival_ns", "completion_ns"))
    return int(np.count_nonzero(come)) - int(np.count_nonzero(done))


def _utilization(run: Run, window_ns: tuple[int, int]) -> float:
    """Share of the time in which a device serves, averaged over the devices.

    For a volume it is that of the busiest device over the whole run: a record has only the last service of a
    request, and where one device is always busy the queue grows, however idle the others are.
    """
    if run.totals["volumes"]:
        return float(max(run.totals["busy_s"])) / (run.span_s or math.nan)
    free_ns = run.columns["completion_ns"] - run.columns["bus_ns"]
    return _overlap(run.columns["start_ns"], free_ns, window_ns) / len(run.totals["busy_s"])


def _overlap(begin_ns: NDArray[Any], end_ns: NDArray[Any], window_ns: tuple[int, int]) -> float:
    """Mean number of intervals that cover a moment of the window."""
    first, last = window_ns
    if first == last:
        return float("nan")
    inside_ns = np.clip(end_ns, first, last) - np.clip(begin_ns, first, last)
    return float(inside_ns.sum()) / (last - first)
