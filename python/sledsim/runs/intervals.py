"""Confidence intervals of simulated figures: replications, batch means and paired differences.

The observations of an interval are independent and about normal: a mean per replication (each with its own
seed), or a mean per batch of consecutive requests of a single run that is long enough for the batches to be
independent. Half-widths are Student's; the module needs only NumPy.
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

#: Number of batches of a single run: few enough for long batches; more would hardly narrow the interval.
BATCHES = 20
#: Largest correlation of neighbouring batches that a few batches can prove.
MOST_CORRELATED = 0.8
#: Number of bisections of an angle below 90° until no floating-point number lies between the ends.
_HALVINGS = 60


@dataclass(frozen=True)
class Estimate:
    """A figure with its confidence interval.

    Attributes:
        value: Estimated value of the figure.
        half_width: Half of the interval, in the unit of the value; NaN without an interval.
        count: Number of observations (replications or batches) behind the interval.
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
        observations: Observations, at least one; a single one has no interval.
        confidence: Share of such intervals that contain the true mean.

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
    """The mean of `a` minus that of `b`, for paired observations with the same seed or batch.

    Common random numbers make both observations of a pair rise and fall together, which makes the interval
    narrower than those of the two means.
    """
    return mean(np.asarray(a, np.float64) - np.asarray(b, np.float64), confidence)


def ratio(a: ArrayLike, b: ArrayLike, confidence: float = 0.95) -> Estimate:
    """The mean of `a` divided by that of `b`, for paired observations.

    The interval follows from the first-order expansion about the means (the delta method).
    """
    above, below = np.asarray(a, np.float64), np.asarray(b, np.float64)
    value = float(above.mean() / below.mean())
    residual = mean(above - value * below, confidence)
    return Estimate(value, residual.half_width / abs(float(below.mean())), residual.count)


def jackknife(
    statistic: Callable[[NDArray[np.float64]], float], sums: ArrayLike, confidence: float = 0.95
) -> Estimate:
    """A figure that depends on sums over all observations, such as a variation, with its interval.

    The interval is that of the jackknife: the change of the figure without one observation measures how much
    the figure depends on the choice of observations.

    Args:
        statistic: Function that maps the sums over all observations, an array, to the figure.
        sums: Contribution of each observation to each sum, one row per observation.
        confidence: Share of such intervals that contain the true value.

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
    """The mean of ordered observations, whose neighbours may be correlated.

    Batches of a run near saturation are correlated and carry less information than independent batches. The
    variance is that of a first-order autoregressive process with the correlation found between neighbours.
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
    """The `ratio` of ordered pairs of observations, whose neighbours may be correlated."""
    above, below = np.asarray(a, np.float64), np.asarray(b, np.float64)
    value = float(above.mean() / below.mean())
    residual = correlated_mean(above - value * below, confidence)
    return Estimate(value, residual.half_width / abs(float(below.mean())), residual.count)


def paired(
    a: ArrayLike, b: ArrayLike, confidence: float = 0.95, are_consecutive: bool = False
) -> tuple[Estimate, Estimate]:
    """The `difference` and `ratio` of paired observations, which consecutive batches may widen."""
    if not are_consecutive:
        return difference(a, b, confidence), ratio(a, b, confidence)
    off = np.asarray(a, np.float64) - np.asarray(b, np.float64)
    return correlated_mean(off, confidence), correlated_ratio(a, b, confidence)


def batch_slices(count: int, batches: int = BATCHES) -> list[slice]:
    """Consecutive batches of `count` requests, whose lengths differ by at most one."""
    ends = [at * count // batches for at in range(batches + 1)]
    return [slice(first, last) for first, last in pairwise(ends)]


def batch_means(values: ArrayLike, batches: int = BATCHES, confidence: float = 0.95) -> Estimate:
    """The mean of consecutive values of one run, with an interval from the means of its batches.

    Without two values for each batch the mean has no interval.
    """
    every = np.asarray(values, np.float64)
    if len(every) < 2 * batches:
        return Estimate(float(every.mean()), math.nan, 0)
    means = [float(every[batch].mean()) for batch in batch_slices(len(every), batches)]
    return Estimate(float(every.mean()), correlated_mean(means, confidence).half_width, batches)


def check_confidence(confidence: float) -> None:
    """Refuse an invalid confidence.

    Raises:
        ParameterError: The confidence is not between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise _native.ParameterError(f"confidence = {confidence}: must be between 0 and 1, such as 0.95")


@lru_cache
def student_t(confidence: float, freedom: int) -> float:
    """The bound within which Student's t with whole degrees of freedom stays with this probability.

    The function bisects the angle whose tangent is t over the root of the degrees of freedom; the
    distribution in that angle is a finite sum (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    """
    low, high = 0.0, math.pi / 2
    terms = _terms(freedom)
    for _ in range(_HALVINGS):
        angle = (low + high) / 2
        low, high = (angle, high) if _within(angle, freedom, terms) < confidence else (low, angle)
    return math.sqrt(freedom) * math.tan((low + high) / 2)


def _terms(freedom: int) -> NDArray[np.float64]:
    """Coefficients of the sum over even powers of the cosine."""
    odd = freedom % 2
    steps = [(k - 1 + odd) / (k + odd) for k in range(2, freedom - 1 - odd, 2)]
    return np.cumprod(np.array([1.0, *steps]), dtype=np.float64)


def _within(angle: float, freedom: int, terms: NDArray[np.float64]) -> float:
    """Probability that Student's t is within the root of its degrees of freedom times an angle's tangent."""
    cosine, sine = math.cos(angle), math.sin(angle)
    total = sine * float(terms @ cosine ** (2.0 * np.arange(len(terms))))
    if freedom % 2 == 0:
        return total
    return 2 / math.pi * (angle + (cosine * total if freedom > 1 else 0.0))
