"""Confidence intervals of what simulations measure: replications, batch means, and paired differences.

The observations of an interval are independent and about normal: means over one replication each (a seed of
its own), or over one batch of consecutive requests each of a single run that is long enough for the batches
to forget each other. Half widths are Student's; everything here is of NumPy alone.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _native
from ..common import units

#: Of a single run: few enough that each is long, and enough that more would hardly narrow the interval.
BATCHES = 20
#: More than that is not believed of a few batches.
MOST_CORRELATED = 0.8
#: Halvings of an angle below a right one until no double lies between the ends.
_HALVINGS = 60


@dataclass(frozen=True)
class Estimate:
    """A figure with its confidence interval.

    Attributes:
        value: The estimate.
        half_width: Half of the interval, in the unit of the value; NaN where there is none.
        count: The number of observations, replications or batches, that the interval rests on.
    """

    value: float
    half_width: float
    count: int

    def __str__(self) -> str:
        return units.estimate(self.value, self.half_width)

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.value - self.half_width

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.value + self.half_width


def mean(observations: ArrayLike, confidence: float = 0.95) -> Estimate:
    """The mean of independent observations.

    Args:
        observations: At least one; of a single one there is no interval.
        confidence: The part of such intervals that hold the true mean.

    Raises:
        ParameterError: The confidence is not between 0 and 1.
    """
    values = np.asarray(observations, np.float64)
    check_confidence(confidence)
    if len(values) < 2:
        return Estimate(float(values.mean()), math.nan, len(values))
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    return Estimate(float(values.mean()), student_t(confidence, len(values) - 1) * error, len(values))


def difference(a: ArrayLike, b: ArrayLike, confidence: float = 0.95) -> Estimate:
    """The mean of `a` less that of `b`, for observations in pairs: of the same seed, or the same batch.

    Common random numbers make the two of a pair rise and fall together, so that the interval is narrower
    than those of the two means.
    """
    return mean(np.asarray(a, np.float64) - np.asarray(b, np.float64), confidence)


def ratio(a: ArrayLike, b: ArrayLike, confidence: float = 0.95) -> Estimate:
    """The mean of `a` over that of `b`, for observations in pairs.

    The interval is that of the first-order expansion about the means (the delta method).
    """
    above, below = np.asarray(a, np.float64), np.asarray(b, np.float64)
    value = float(above.mean() / below.mean())
    residual = mean(above - value * below, confidence)
    return Estimate(value, residual.half_width / abs(float(below.mean())), residual.count)


def jackknife(
    statistic: Callable[[NDArray[np.float64]], float], sums: ArrayLike, confidence: float = 0.95
) -> Estimate:
    """A figure that depends on sums over all observations, such as a variation, with its interval.

    The interval is that of the jackknife: how much the figure changes where one observation is left out says
    how much it depends on which there are.

    Args:
        statistic: The figure from the sums over all observations, an array of the shape of one.
        sums: One row an observation: what it adds to each sum.
        confidence: The part of such intervals that hold the true value.

    Raises:
        ParameterError: The confidence is not between 0 and 1.
    """
    every = np.asarray(sums, np.float64)
    check_confidence(confidence)
    total, count = every.sum(axis=0), len(every)
    value = statistic(total)
    if count < 2:
        return Estimate(value, math.nan, count)
    without = np.array([statistic(total - one) for one in every])
    error = math.sqrt((count - 1) * float(without.var()))
    return Estimate(value, student_t(confidence, count - 1) * error, count)


def correlated_mean(observations: ArrayLike, confidence: float = 0.95) -> Estimate:
    """The mean of observations in their order, each of which may resemble the one before.

    Batches of a run near saturation do. As many independent ones would tell more: the variance is taken to be
    that of an autoregressive process of the first order with the correlation of neighbours that is found.
    """
    values = np.asarray(observations, np.float64)
    found = mean(values, confidence)
    off = values - found.value
    square = float(off @ off)
    if len(values) < 3 or not square > 0:
        return found
    correlation = min(max(float(off[1:] @ off[:-1]) / square, 0.0), MOST_CORRELATED)
    wider = math.sqrt((1 + correlation) / (1 - correlation))
    return Estimate(found.value, wider * found.half_width, found.count)


def correlated_ratio(a: ArrayLike, b: ArrayLike, confidence: float = 0.95) -> Estimate:
    """As `ratio`, of observations in their order, each pair of which may resemble the one before."""
    above, below = np.asarray(a, np.float64), np.asarray(b, np.float64)
    value = float(above.mean() / below.mean())
    residual = correlated_mean(above - value * below, confidence)
    return Estimate(value, residual.half_width / abs(float(below.mean())), residual.count)


def batch_slices(count: int, batches: int = BATCHES) -> list[slice]:
    """Consecutive batches of `count` requests, whose lengths differ by one at most."""
    ends = [at * count // batches for at in range(batches + 1)]
    return [slice(first, last) for first, last in pairwise(ends)]


def batch_means(values: ArrayLike, batches: int = BATCHES, confidence: float = 0.95) -> Estimate:
    """The mean of consecutive values of one run, with an interval from the means of its batches.

    Too few values for two in each batch have a mean and no interval.
    """
    every = np.asarray(values, np.float64)
    if len(every) < 2 * batches:
        return Estimate(float(every.mean()), math.nan, 0)
    means = [float(every[batch].mean()) for batch in batch_slices(len(every), batches)]
    return Estimate(float(every.mean()), correlated_mean(means, confidence).half_width, batches)


def check_confidence(confidence: float) -> None:
    """Refuse a confidence that is none.

    Raises:
        ParameterError: It is not between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise _native.ParameterError(f"confidence = {confidence}: must be between 0 and 1, such as 0.95")


@lru_cache
def student_t(confidence: float, freedom: int) -> float:
    """The bound that Student's t with whole degrees of freedom stays within, either way, so often.

    Halves the angle whose tangent is t over the root of the degrees of freedom; the distribution in that
    angle is a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    """
    low, high = 0.0, math.pi / 2
    terms = _terms(freedom)
    for _ in range(_HALVINGS):
        angle = (low + high) / 2
        low, high = (angle, high) if _within(angle, freedom, terms) < confidence else (low, angle)
    return math.sqrt(freedom) * math.tan((low + high) / 2)


def _terms(freedom: int) -> NDArray[np.float64]:
    """The coefficients of the sum over even powers of the cosine."""
    odd = freedom % 2
    steps = [(k - 1 + odd) / (k + odd) for k in range(2, freedom - 1 - odd, 2)]
    return np.cumprod(np.array([1.0, *steps]), dtype=np.float64)


def _within(angle: float, freedom: int, terms: NDArray[np.float64]) -> float:
    """How often Student's t stays within the tangent of an angle times the root of its freedom."""
    cosine, sine = math.cos(angle), math.sin(angle)
    total = sine * float(terms @ cosine ** (2.0 * np.arange(len(terms))))
    if freedom % 2 == 0:
        return total
    return 2 / math.pi * (angle + (cosine * total if freedom > 1 else 0.0))
