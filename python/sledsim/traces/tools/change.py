"""Changes of a trace in memory or of a stream batch by batch; pseudorandom permutations of numbers."""

from collections.abc import Callable
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..streams import TraceStream
from ..trace import Trace

#: Type of a trace in memory or of a stream; a tool returns the same type as it receives.
AnyTrace = TypeVar("AnyTrace", Trace, TraceStream)


def changed(trace: AnyTrace, change: Callable[[Trace], Trace]) -> AnyTrace:
    """Return a trace after `change`, which is applied to it, or to each batch if it is a stream."""
    if isinstance(trace, TraceStream):
        return trace.changed(change)
    return change(trace)


def scrambled(numbers: NDArray[np.int64], seed: int) -> NDArray[np.uint64]:
    """Return a pseudorandom number for each of `numbers` and a seed (finalizer of SplitMix64)."""
    mixed = numbers.astype(np.uint64) + np.uint64((seed * 0x9E3779B97F4A7C15 + 1) % 2**64)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    result: NDArray[np.uint64] = mixed ^ (mixed >> np.uint64(31))
    return result


def permuted(
    numbers: NDArray[np.int64], count: int, which: NDArray[np.int64], seed: int
) -> NDArray[np.int64]:
    """Replace each of `numbers` by its image in a pseudorandom permutation of 0 to `count` - 1.

    The function is a Feistel network over the next power of four, repeated until the result is below `count`.

    Args:
        numbers: Numbers to permute, from 0 to `count` - 1.
        count: Number of values that the permutations permute.
        which: Index of the permutation to apply to each number; each index is another permutation.
        seed: Seed of all permutations.
    """
    half = np.uint64(((count - 1).bit_length() + 1) // 2)
    mask = (np.uint64(1) << half) - np.uint64(1)
    places = numbers.astype(np.uint64)
    away = np.arange(len(places))
    while away.size:
        left, right = places[away] >> half, places[away] & mask
        for key in range(4):
            mixed = scrambled((which[away] << 32) ^ right.astype(np.int64), 4 * seed + key)
            left, right = right, left ^ (mixed & mask)
        places[away] = left << half | right
        away = away[places[away] >= count]
    return places.astype(np.int64)
