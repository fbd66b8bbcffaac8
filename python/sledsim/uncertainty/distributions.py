"""Quantiles of distributions for confidence intervals, without SciPy."""

import math
from collections.abc import Callable
from functools import lru_cache
from statistics import NormalDist

#: Largest number of terms of the continued fraction; about the root of the larger of `a` and `b` is needed.
_TERMS = 100_000
#: Relative change below which a further term of the continued fraction is not needed.
_SMALL = 1e-15
_TINY = 1e-300


def normal_quantile(share: float) -> float:
    """Return the quantile of the standard normal distribution at `share`."""
    return NormalDist().inv_cdf(share)


@lru_cache
def student_quantile(share: float, freedom: float) -> float:
    """Return the quantile of Student's t, with `freedom` degrees of freedom, at `share`."""
    if share < 0.5:
        return -student_quantile(1 - share, freedom)
    # The share beyond t in both tails is that of the beta distribution at freedom / (freedom + t^2).
    place = beta_quantile(2 * (1 - share), freedom / 2, 0.5)
    return math.sqrt(freedom * (1 - place) / place)


@lru_cache
def beta_quantile(share: float, a: float, b: float) -> float:
    """Return the quantile of the beta distribution with parameters `a` and `b` at `share`."""
    return _bisected(lambda place: incomplete_beta(place, a, b) < share)


def incomplete_beta(place: float, a: float, b: float) -> float:
    """Return the probability that a beta variable with parameters `a` and `b` is below `place`.

    The method is the continued fraction of Abramowitz and Stegun (26.5.8), evaluated by Lentz's method
    (1976).
    """
    if place <= 0 or place >= 1:
        return float(place >= 1)
    if place > (a + 1) / (a + b + 2):  # The fraction of the other side needs fewer terms.
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
    """Return the number from 0 to 1 at which `is_below` changes from True to False, to the last bit."""
    low, high = 0.0, 1.0
    while low < (middle := low + (high - low) / 2) < high:
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return high
