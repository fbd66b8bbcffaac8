"""What a run measures once it has warmed up, and whether it has a steady state at all.

**Warm-up.** The first `WARM_UP` of the requests of a generated workload are served and not measured: they
find a system that began empty. The part is fixed, not found run by run, because policies are compared over
the *same* requests; a rule such as MSER-5 would leave out others under each policy. Runs that have not come
to rest within it are found by the next rules.

**Saturation.** `is_saturated`: a device that needs a tenth of the time after the last arrival to empty its
queue is overloaded; so is one that is busy for practically all of the time while its queue grows as a queue
at exactly its capacity does, or faster. Both are judged over all replications together.

**Not at rest.** `is_at_rest`: below its capacity, but near it, a queue may need more requests than a run has
to reach its length. Its mean so far is too low, which no interval tells. Nor has a queue in which a request
waits for a good part of the run: a policy that starves some requests has a mean that grows with the run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import intervals
from .runs import SERVICE_PHASES, Run

#: The part of the requests of a generated workload that is not measured.
WARM_UP = 0.2
#: A device busy for more than this part of the time has none left to catch up with the requests.
SATURATED_UTILIZATION = 0.98
#: One that needs more than this part of the time after the last arrival to empty its queue is overloaded.
SATURATED_DRAIN = 0.1
#: A busy device whose mean queue is longer by more than this factor in the later half has not come to rest.
#: Where a queue approaches its length exponentially, its mean after the warm-up is then 5 % too low.
RESTLESS_GROWTH = 1.1
#: That it grows must be told from chance, which takes one queue at rest in twenty for a growing one.
RESTLESS_CONFIDENCE = 0.9
#: Nor has one in which a request waits for longer than this part of the run: it may be starving.
STARVED = 1 / 4
#: Fewer requests tell neither a mean near saturation nor whether a device is saturated.
MIN_MEASURED = 100


@dataclass(frozen=True)
class Observation:
    """One run, measured after its warm-up.

    Attributes:
        figures: As `measure` gives them.
        earlier_queue: Mean number of requests in the system in the first half of what was measured.
        later_queue: The same in the second half.
        drain: The part of the time after the last arrival.
        longest: The longest response time as a part of the time of the run.
    """

    figures: dict[str, float]
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
    return Observation(
        figures=measure(run, slice(first, count)),
        earlier_queue=_queue_length(run, _window_ns(run, slice(first, middle))),
        later_queue=_queue_length(run, _window_ns(run, slice(middle, count))),
        drain=run.drain_s / run.span_s,
        longest=float(run.response_ns[first:].max()) * 1e-9 / run.span_s,
    )


def measure(run: Run, requests: slice) -> dict[str, float]:
    """Figures of consecutive requests of a run, unit in the key.

    Response times, positioning and service are of these requests. The queue length (the number of requests
    in the system) and the utilization are averages over time, from the first of their arrivals to the
    arrival of the request after them, or to the last arrival of the run, so that the time in which the queue
    empties at the end does not count; they are NaN where that is no time at all.
    """
    response_s = run.response_ns[requests] * 1e-9
    mean_s = float(response_s.mean())
    p99_s, p999_s = np.quantile(response_s, [0.99, 0.999]).tolist()
    phases_s = {name: float(run.columns[name][requests].mean()) * 1e-9 for name in SERVICE_PHASES}
    window_ns = _window_ns(run, requests)
    return {
        "mean_response_s": mean_s,
        "cv2_response": float(response_s.var()) / mean_s**2,
        "p99_response_s": p99_s,
        "p999_response_s": p999_s,
        "max_response_s": float(response_s.max()),
        "mean_queue_length": _queue_length(run, window_ns),
        "mean_service_s": sum(phases_s.values()),
        "mean_positioning_s": phases_s["positioning_ns"],
        "utilization": _utilization(run, window_ns),
    }


def is_saturated(observations: Sequence[Observation], warm_up: float) -> bool:
    """Whether requests come faster than the device can serve them, judged by all replications together.

    Figures of a saturated point say more about the length of the runs than about the device.
    """
    if np.mean([seen.drain for seen in observations]) > SATURATED_DRAIN:
        return True
    return _grows(observations, growth_at_capacity(warm_up))


def is_at_rest(observations: Sequence[Observation]) -> bool:
    """Whether the queue had reached its length when measuring began, judged by all replications together.

    If not, the figures depend on the length of the runs. A queue that may be longer by chance counts as at
    rest: the interval of its mean is as wide as that chance.
    """
    if np.mean([seen.longest for seen in observations]) > STARVED:
        return False
    growth = intervals.difference(
        [seen.later_queue for seen in observations],
        [seen.earlier_queue for seen in observations],
        RESTLESS_CONFIDENCE,
    )
    return not (growth.low > 0 and _grows(observations, RESTLESS_GROWTH))


def growth_at_capacity(warm_up: float) -> float:
    """The mean queue of the later half over that of the earlier one, at exactly the device's capacity.

    There the queue has no drift, and grows from nothing with the root of time, as a random walk does;
    overloaded, it grows with time itself, so that the quotient is larger.
    """
    middle = (1 + warm_up) / 2
    return float((1 - middle**1.5) / (middle**1.5 - warm_up**1.5))


def _grows(observations: Sequence[Observation], factor: float) -> bool:
    """Whether a device that is always busy has a queue that is longer by so much in the later half."""
    earlier = sum(seen.earlier_queue for seen in observations)
    later = sum(seen.later_queue for seen in observations)
    busy = np.mean([seen.figures["utilization"] for seen in observations])
    return bool(busy > SATURATED_UTILIZATION and later > factor * earlier)


def _window_ns(run: Run, requests: slice) -> tuple[int, int]:
    arrival_ns = run.columns["arrival_ns"]
    last = min(requests.stop, len(arrival_ns) - 1)
    return int(arrival_ns[requests.start]), int(arrival_ns[last])


def _queue_length(run: Run, window_ns: tuple[int, int]) -> float:
    return _overlap(run.columns["arrival_ns"], run.columns["completion_ns"], window_ns)


def _utilization(run: Run, window_ns: tuple[int, int]) -> float:
    """The part of the time in which a device serves, averaged over the devices.

    Of a volume it is that of its busiest device, over the whole run: a record has only the last of the
    services of a request, and where one device is always busy the queue grows however idle others are.
    """
    if run.totals["volumes"]:
        return float(max(run.totals["busy_s"])) / run.span_s
    free_ns = run.columns["completion_ns"] - run.columns["bus_ns"]
    return _overlap(run.columns["start_ns"], free_ns, window_ns) / len(run.totals["busy_s"])


def _overlap(begin_ns: NDArray[Any], end_ns: NDArray[Any], window_ns: tuple[int, int]) -> float:
    """How many of the intervals hold a moment of the window, on average over the window."""
    first, last = window_ns
    if first == last:
        return float("nan")
    inside_ns = np.clip(end_ns, first, last) - np.clip(begin_ns, first, last)
    return float(inside_ns.sum()) / (last - first)
