"""What a run measures once it has warmed up, and whether it has a steady state at all.

**Warm-up.** The first `WARM_UP` of the requests of a generated workload are served and not measured: they
find a system that began empty. The part is fixed, not found run by run, because policies are compared over
the *same* requests; a rule such as MSER-5 would leave out others under each policy. Runs that have not come
to rest within it are found by the next rules.

**Saturation.** `is_saturated`: a device that needs a tenth of the time after the last arrival to empty its
queue is overloaded; so is one that is busy for practically all of the time while its queue grows faster than
a queue at exactly its capacity does.

**Not at rest.** `is_at_rest`: a device that is so busy has figures only if its queue is known not to grow, or
has often been short and long. Otherwise it may be below its capacity with a queue that needs more requests
than a run has to reach its length, so that its mean so far is too low, which no interval tells; or above it
by little. Nor has a queue a mean in which a request waits for a good part of the run: a policy that starves
some has one that grows with the run.
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

#: What runs that are measured keep, and nothing else: it is quicker.
MEASURED_COLUMNS = "times,phases"
#: The part of the requests of a generated workload that is not measured.
WARM_UP = 0.2
#: A device busy for more than this part of the time has none left to catch up with the requests.
SATURATED_UTILIZATION = 0.98
#: One that needs more than this part of the time after the last arrival to empty its queue is overloaded.
SATURATED_DRAIN = 0.1
#: That a queue grows faster than at capacity must be told from chance, which takes one at capacity in five
#: for a faster one; were it fewer, a load of two percent beyond would not be found in so few requests.
SATURATED_CONFIDENCE = 0.6
#: A busy device whose mean queue is longer by more than this factor in the later half has not come to rest.
#: Where a queue approaches its length exponentially, its mean after the warm-up is then 5 % too low.
RESTLESS_GROWTH = 1.1
#: That it does not must be told from chance, which takes one in ten for a queue at rest.
RESTLESS_CONFIDENCE = 0.8
#: That is taken for granted of a queue that has gone from short to long so often, if it does not on average.
SETTLED_SWINGS = 20
#: Nor has one in which a request waits for longer than this part of the run: it may be starving.
STARVED = 1 / 4
#: Fewer requests tell neither a mean near saturation nor whether a device is saturated.
MIN_MEASURED = 100


@dataclass(frozen=True)
class Observation:
    """One run, measured after its warm-up.

    Attributes:
        figures: As `measure` gives them.
        response_s: Response times in seconds, in the order of arrival.
        found: How many requests were in the system when each of these came.
        growth: By how many requests the system held more when measuring ended than when it began.
        earlier_queue: Mean number of requests in the system in the first half of what was measured.
        later_queue: The same in the second half.
        drain: The part of the time after the last arrival.
        longest: The longest response time as a part of the time of the run.
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
        """Whether requests come so much too fast that no chance explains it."""
        return self.drain > SATURATED_DRAIN


def observe(run: Run, warm_up: float) -> Observation:
    """Measure a run without the first part of its requests."""
    count = len(run.response_ns)
    first = int(warm_up * count)
    middle = (first + count) // 2
    begin_ns, end_ns = _window_ns(run, slice(first, count))
    span_s = run.span_s or math.inf  # Of no time at all nothing is a part.
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

    Response times, positioning and service are of these requests. The queue length (the number of requests
    in the system) and the utilization are averages over time, from the first of their arrivals to the
    arrival of the request after them, or to the last arrival of the run, so that the time in which the queue
    empties at the end does not count; they are NaN where that is no time at all.
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
    """The seconds over which `measure` takes averages."""
    begin_ns, end_ns = _window_ns(run, requests)
    return (end_ns - begin_ns) * 1e-9


def is_saturated(observations: Sequence[Observation], warm_up: float) -> bool:
    """Whether requests come faster than the device can serve them, judged by all replications together.

    Figures of a saturated point say more about the length of the runs than about the device.
    """
    if np.mean([seen.drain for seen in observations]) > SATURATED_DRAIN:
        return True
    if not _is_busy(observations):
        return False
    at_capacity = growth_at_capacity(warm_up)
    beyond = [seen.growth - at_capacity * seen.earlier_queue for seen in observations]
    faster = intervals.mean(beyond, SATURATED_CONFIDENCE)
    return (faster.value if len(beyond) == 1 else faster.low) > 0  # Of a single run, chance is not known.


def is_at_rest(observations: Sequence[Observation]) -> bool:
    """Whether the queue had reached its length when measuring began, judged by all replications together.

    If not, the figures depend on the length of the runs.
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
    """The growth of a queue while it is measured, over its mean in the first half of that, at capacity.

    There the queue has no drift, and grows from nothing with the root of time, as a random walk does;
    overloaded, it grows with time itself, so that the quotient is larger.
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
    """How many requests are in the system when each comes, those before it that come at the same time too."""
    arrival_ns = run.columns["arrival_ns"]
    done = np.searchsorted(np.sort(run.columns["completion_ns"]), arrival_ns, side="right")
    return np.arange(len(arrival_ns)) - done


def _in_system(run: Run, at_ns: int) -> int:
    """How many requests have come and are not done."""
    come, done = (run.columns[name] <= at_ns for name in ("arrival_ns", "completion_ns"))
    return int(np.count_nonzero(come)) - int(np.count_nonzero(done))


def _utilization(run: Run, window_ns: tuple[int, int]) -> float:
    """The part of the time in which a device serves, averaged over the devices.

    Of a volume it is that of its busiest device, over the whole run: a record has only the last of the
    services of a request, and where one device is always busy the queue grows however idle others are.
    """
    if run.totals["volumes"]:
        return float(max(run.totals["busy_s"])) / (run.span_s or math.nan)
    free_ns = run.columns["completion_ns"] - run.columns["bus_ns"]
    return _overlap(run.columns["start_ns"], free_ns, window_ns) / len(run.totals["busy_s"])


def _overlap(begin_ns: NDArray[Any], end_ns: NDArray[Any], window_ns: tuple[int, int]) -> float:
    """How many of the intervals hold a moment of the window, on average over the window."""
    first, last = window_ns
    if first == last:
        return float("nan")
    inside_ns = np.clip(end_ns, first, last) - np.clip(begin_ns, first, last)
    return float(inside_ns.sum()) / (last - first)
