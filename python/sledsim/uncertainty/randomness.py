"""Random numbers computed from a seed and an index, and equal on every platform and in every version.

Numbers come from SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA
2014). A number depends only on seed, stream and index, so asking for more numbers does not change the first
ones.
"""

import numpy as np
from numpy.typing import NDArray

from ..common.arguments import check_whole

Words = NDArray[np.uint64]

_MASK = 2**64 - 1
#: 2^64 divided by the golden ratio, rounded to an odd number.
_GAMMA = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB


def check_seed(seed: int) -> int:
    """Check a seed and return it as an int.

    Raises:
        ParameterError: The seed is not a whole number from 0 to 2^64 - 1.
    """
    check_whole("seed", seed, 0, _MASK)
    return int(seed)


def words(count: int, seed: int, *stream: int) -> Words:
    """Return the first `count` random numbers, whole numbers of 64 bits, of the stream called `stream`.

    Args:
        count: Number of random numbers to return.
        seed: Seed, a whole number from 0.
        stream: Whole numbers from 0 that select a random stream; the streams of one seed are independent.
    """
    key = _mixed((seed + _GAMMA) & _MASK)
    for part in stream:
        key = _mixed(key * _FIRST + part + _GAMMA & _MASK)
    # Array arithmetic wraps around, as intended.
    state: Words = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(_GAMMA) + np.uint64(key)
    state = (state ^ state >> np.uint64(30)) * np.uint64(_FIRST)
    state = (state ^ state >> np.uint64(27)) * np.uint64(_SECOND)
    mixed: Words = state ^ state >> np.uint64(31)
    return mixed


def permutation(count: int, seed: int, *stream: int) -> NDArray[np.intp]:
    """Return the whole numbers from 0 to ``count - 1`` in a random order."""
    return np.argsort(words(count, seed, *stream), kind="stable")


def below(count: int, most: int, seed: int, *stream: int) -> NDArray[np.int64]:
    """Return `count` random whole numbers from 0 to `most` - 1; `most` must be much below 2^32."""
    high: Words = words(count, seed, *stream) >> np.uint64(32)
    return np.asarray(high * np.uint64(most) >> np.uint64(32), np.int64)


def _mixed(state: int) -> int:
    state = (state ^ state >> 30) * _FIRST & _MASK
    state = (state ^ state >> 27) * _SECOND & _MASK
    return state ^ state >> 31
