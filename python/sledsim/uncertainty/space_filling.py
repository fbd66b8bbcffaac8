"""Points spread evenly from 0 to 1 in each dimension: Sobol's sequence and nested Latin hypercubes."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..common.arguments import check_whole
from .direction_numbers import ROWS
from .randomness import Words, check_seed, permutation, words

Points = NDArray[np.float64]

#: Largest number of dimensions of Sobol's sequence, limited by the table of direction numbers.
MOST_DIMENSIONS = len(ROWS) + 1
#: Number of bits of a coordinate in the plain sequence, which has two to this power points.
_BITS = 32
#: Number of bits of a coordinate in a scrambled sequence, one less than a float has.
_SCRAMBLED_BITS = 52
#: Largest number of points of a Latin hypercube; more would depend on bits that the random numbers lack.
_MOST_LATIN = 2**24


def sobol(count: int, dimensions: int, seed: int | None = None, start: int = 0) -> Points:
    """Return points of Sobol's sequence (1967), scrambled at random unless `seed` is None.

    The first 2^m points are spread far more evenly than random ones, so that means over them have smaller
    errors. The sequence is that of Joe and Kuo (2008) in the order of Gray codes. Each digit of a scrambled
    point is a random sum of the digits before it, shifted at random (Matousek, "On the L2-discrepancy for
    anchored boxes", Journal of Complexity, 1998): each point is uniform in the cube, and sets with different
    seeds are independent.

    Args:
        count: Number of points; powers of two are best.
        dimensions: Number of dimensions from 1 to `MOST_DIMENSIONS`.
        seed: Seed of the scrambling; None returns the plain sequence, whose first point is 0 in all
            dimensions.
        start: Number of points to skip at the start of the sequence. A point depends only on its index, so
            that a longer call begins with the points of a shorter one.

    Returns:
        Numbers from 0 to below 1, of the shape (count, dimensions).

    Raises:
        ParameterError: An argument is out of range.
    """
    check_whole("start", start, 0, 2**_BITS)
    check_whole("count", count, 0, 2**_BITS - start, " in all with those before the first")
    check_whole("dimensions", dimensions, 1, MOST_DIMENSIONS)
    places = np.arange(start, start + count, dtype=np.uint64)
    gray = places ^ places >> np.uint64(1)
    if seed is None:
        return _combined(gray, _directions(dimensions), np.zeros(dimensions, np.uint64)) * 2.0**-_BITS
    directions, shifts = _scrambled(dimensions, check_seed(seed))
    return (_combined(gray, directions, shifts) + 0.5) * 2.0**-_SCRAMBLED_BITS


def latin_hypercube(count: int, dimensions: int, seed: int) -> Points:
    """Return a Latin hypercube (McKay, Beckman and Conover 1979); half as many points are its first half.

    In each dimension every one of `count` equal parts of the range has one point. Hypercubes nest: with twice
    as many points each part splits into two, of which one has the earlier point; the new points take the
    others, in a random order in each dimension. A hypercube of 2n points therefore begins with that of n
    points (as in Sallaberry, Helton and Hora 2008). A count that is an odd number times a power of two is a
    plain hypercube of the odd number, doubled as often as the power says.

    Args:
        count: Number of points, up to 2^24.
        dimensions: Number of dimensions, 1 or more.
        seed: Seed of the random points, a whole number from 0.

    Returns:
        Numbers from above 0 to below 1, of the shape (count, dimensions).

    Raises:
        ParameterError: An argument is out of range.
    """
    check_whole("count", count, 1, _MOST_LATIN)
    check_whole("dimensions", dimensions, 1)
    check_seed(seed)
    return np.column_stack([_latin_column(count, seed, dimension) for dimension in range(dimensions)])


def _combined(gray: Words, directions: Words, shifts: Words) -> NDArray[np.float64]:
    """Return the exclusive or of direction numbers: for each point, of those that its index selects."""
    found = np.tile(shifts, (len(gray), 1))
    bits = int(gray.max()).bit_length() if len(gray) else 0
    for bit in range(bits):
        chosen = (gray >> np.uint64(bit) & np.uint64(1)).astype(bool)
        found[chosen] ^= directions[:, bit]
    return found.astype(np.float64)


@lru_cache
def _directions(dimensions: int) -> Words:
    """Return the direction numbers of each dimension, in units of 2^-`_BITS`, shape (dimensions, `_BITS`)."""
    rows = [[1 << _BITS - 1 - bit for bit in range(_BITS)]]
    for coefficients, first in ROWS[: dimensions - 1]:
        degree = len(first)
        row = [number << _BITS - 1 - bit for bit, number in enumerate(first)]
        for bit in range(degree, _BITS):
            number = row[bit - degree] ^ row[bit - degree] >> degree
            for back in range(1, degree):
                if coefficients >> degree - 1 - back & 1:
                    number ^= row[bit - back]
            row.append(number)
        rows.append(row)
    return np.array(rows, np.uint64)


def _scrambled(dimensions: int, seed: int) -> tuple[Words, Words]:
    """Return direction numbers whose digits are mixed at random, and random shifts, both of 52 bits.

    A digit becomes itself plus a random choice of the digits before it, without carry: a triangular matrix of
    bits, each row of which is stored as the bits of a number. Digits beyond the last are random choices of
    all.
    """
    random = np.array([words(_SCRAMBLED_BITS + 1, seed, 1, dimension) for dimension in range(dimensions)])
    random >>= np.uint64(64 - _SCRAMBLED_BITS)
    digits = np.arange(_SCRAMBLED_BITS)
    own = np.where(digits < _BITS, 1 << np.maximum(_BITS - 1 - digits, 0), 0).astype(np.uint64)
    before = np.where(digits < _BITS, 2**_BITS - 2 * own.astype(np.int64), 2**_BITS - 1).astype(np.uint64)
    rows = random[:, :-1] & before | own
    # True for each dimension, digit and direction number if an odd number of the chosen digits is 1.
    chosen = rows[:, :, None] & _directions(dimensions)[:, None]
    for half in (16, 8, 4, 2, 1):
        chosen ^= chosen >> np.uint64(half)
    chosen &= np.uint64(1)
    chosen <<= (_SCRAMBLED_BITS - 1 - digits).astype(np.uint64)[:, None]
    return np.bitwise_or.reduce(chosen, axis=1), random[:, -1]


def _latin_column(count: int, seed: int, dimension: int) -> Points:
    """Return the coordinates of all points in one dimension: one point in each of `count` equal parts."""
    size = count // (count & -count)
    parts = permutation(size, seed, 2, dimension, 0)
    within = _within(size, seed, dimension, 0)
    level = 0
    while size < count:
        level += 1
        # The half of a part in which a point lies is its first binary digit: nothing is rounded.
        upper = within >= 0.5
        parts, within = 2 * parts + upper, 2 * within - upper
        order = permutation(size, seed, 2, dimension, level)
        parts = np.concatenate([parts, (parts ^ 1)[order]])
        within = np.concatenate([within, _within(size, seed, dimension, level)])
        size *= 2
    return (parts + within) / count


def _within(size: int, seed: int, dimension: int, level: int) -> Points:
    drawn: Words = words(size, seed, 3, dimension, level) >> np.uint64(64 - _BITS)
    return np.asarray((drawn + 0.5) * 2.0**-_BITS, np.float64)
