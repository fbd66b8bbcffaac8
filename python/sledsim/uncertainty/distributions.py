"""The quantiles that intervals are made of, of NumPy and the standard library alone."""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

#: Terms of a continued fraction, which needs about the root of the larger parameter of them.
_TERMS = 100_000
#: Below that a difference to 1 is rounding.
_SMALL = 1e-15
_TINY = 1e-300


def normal_quantile(share: float) -> float:
    """What a standard normal number stays below so often."""
    return NormalDist().inv_cdf(share)


@lru_cache
def student_quantile(share: float, freedom: float) -> float:
    """What a number of Student's t distribution stays below so often."""
    if share < 0.5:
        return -student_quantile(1 - share, freedom)
    # The share beyond t, both ways, is the beta distribution's at freedom / (freedom + t^2).
    place = beta_quantile(2 * (1 - share), freedom / 2, 0.5)
    return math.sqrt(freedom * (1 - place) / place)


@lru_cache
def beta_quantile(share: float, a: float, b: float) -> float:
    """What a number of the beta distribution with these parameters stays below so often."""
    return _bisected(lambda place: incomplete_beta(place, a, b) < share)


def incomplete_beta(place: float, a: float, b: float) -> float:
    """How often a number of the beta distribution with these parameters is below a place from 0 to 1.

    By the continued fraction of Abramowitz and Stegun (26.5.8), as Lentz (1976) evaluates them.
    """
    if place <= 0 or place >= 1:
        return float(place >= 1)
    if place > (a + 1) / (a + b + 2):  # There the fraction of the other side needs fewer terms.
        return 1 - incomplete_beta(1 - place, b, a)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    log_front += a * math.log(place) + b * math.log1p(-place)
    return math.exp(log_front) / a * _fraction(place, a, b)


def _fraction(place: float, a: float, b: float) -> float:
    above, below = 1.0, 1 / _not_zero(1 - (a + b) * place / (a + 1))
    value = below
    for term in range(1, _TERMS):
        even = term * (b - term) * place / ((a + 2 * term - 1) * (a + 2 * term))
        odd = -(a + term) * (a + b + term) * place / ((a + 2 * term) * (a + 2 * term + 1))
        change = 1.0
        for step in (even, odd):
            below = 1 / _not_zero(1 + step * below)
            above = _not_zero(1 + step / above)
            change = above * below
            value *= change
        if abs(change - 1) < _SMALL:
            break
    return value


def _not_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY


def _bisected(is_below: Callable[[float], bool]) -> float:
    """The place from 0 to 1 up to which something is so, to the last bit."""
    low, high = 0.0, 1.0
    while low < (middle := low + (high - low) / 2) < high:
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return high
