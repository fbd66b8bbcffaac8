"""Spreading of requests within the ticks of a coarse clock."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...common.arguments import check_whole, chosen
from ..evidence import Evidence, clock_of
from ..trace import Trace, check_trace

#: Places of requests in a tick, between 0 and 1 and ascending within it, from their index in the tick, the
#: number of requests of the tick, the number of the tick, and a random generator.
_Places = Callable[[NDArray[Any], NDArray[Any], NDArray[Any], np.random.Generator], NDArray[np.float64]]


def _at_equal_distances(
    index: NDArray[Any], count: NDArray[Any], tick: NDArray[Any], draw: np.random.Generator
) -> NDArray[np.float64]:
    phase: NDArray[np.float64] = draw.random(int(tick[-1]) + 1)[tick]
    placed: NDArray[np.float64] = (index + phase) / count
    return placed


def _at_random(
    index: NDArray[Any], count: NDArray[Any], tick: NDArray[Any], draw: np.random.Generator
) -> NDArray[np.float64]:
    # Sorting moves no request to another tick.
    sorted_places: NDArray[np.float64] = np.sort(tick + draw.random(len(tick))) - tick
    return sorted_places


class Spread(NamedTuple):
    """A way to spread the requests of a tick.

    Attributes:
        description: Places of the requests, in a few words.
        places: Function that returns their places.
    """

    description: str
    places: _Places


#: Ways to spread the requests of a tick, by name.
SPREADS: Mapping[str, Spread] = {
    "uniform": Spread("at equal distances", _at_equal_distances),
    "poisson": Spread("at random times", _at_random),
}


def tick_ns(trace: Trace) -> int:
    """Return the tick of the clock of a trace in nanoseconds.

    Raises:
        ParameterError: The clock of the trace is exact, or the trace is too short to show its tick.
    """
    found = clock_of(trace.arrival_ns).tick_ns()
    if found is None:
        raise _native.ParameterError(
            f"spread: {trace.source}: expected a trace whose times are multiples of a tick of more than"
            " 1 us, found an exact clock, too few requests or a single time"
        )
    return found


def spread(trace: Trace, how: str = "poisson", seed: int = 1, tick: int | None = None) -> Trace:
    """Move requests that a coarse clock gave the same time to different times within its tick.

    The order of the requests and their number in each tick stay as they are.

    Args:
        trace: Trace whose arrivals are multiples of a tick, such as whole seconds.
        how: ``uniform``: at equal distances, with a random phase for each tick; ``poisson``: at random times.
        seed: Seed of the random numbers; equal seeds give equal times.
        tick: Tick of the clock in nanoseconds; None finds it.

    Raises:
        ParameterError: The clock of the trace is exact, or a value is wrong.
    """
    check_trace(trace)
    places = chosen(SPREADS, how, f"spread {how!r}").places
    check_whole("seed", seed, 0, 2**64 - 1)
    most_ns = tick_ns(trace) if tick is None else tick
    starts_ns, first, number, count = np.unique(
        trace.arrival_ns, return_index=True, return_inverse=True, return_counts=True
    )
    # An uneven tick ends where the next one begins.
    widths_ns = np.minimum(np.diff(starts_ns, append=starts_ns[-1] + most_ns), most_ns)
    index = np.arange(len(trace)) - first[number]
    within = places(index, count[number], number, np.random.default_rng(seed))
    moved = starts_ns[number] + np.floor(within * widths_ns[number]).astype(np.int64)
    left = tuple(found for found in trace.evidence if found.aspect != "clock")
    done = f"requests are spread {SPREADS[how].description} within ticks of {most_ns:,} ns"
    return replace(trace, arrival_ns=moved, seed=seed, evidence=(*left, Evidence("clock", "fine", done)))
