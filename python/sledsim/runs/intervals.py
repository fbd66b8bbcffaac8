"""Confidence intervals of simulated figures: replications, batch means and paired differences.

An observation is the mean of one replication, with its own seed, or of one batch of consecutive requests
of a single run. Observations are taken to be independent and normal, so intervals follow Student's t; the
functions for correlated observations are for batches. The module needs only NumPy.
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

#: Number of batches into which one run is divided: few, so that batches are long; more would hardly narrow an
#: interval.
BATCHES = 20
#: Largest correlation of neighbouring batches that is assumed; so few batches cannot show a larger one.
MOST_CORRELATED = 0.8
#: Number of bisections of the angle from 0 to 90°, after which it is exact to the last bit.
_HALVINGS = 60


@dataclass(frozen=True)
class Estimate:
    """An estimated figure with its confidence interval.

    Attributes:
        value: Estimate of the figure.
        half_width: Half of the width of the confidence interval, in the unit of `value`; NaN if the interval
            is unknown.
        count: Number of replications or batches from which the interval was computed.
    """

    value: float
    half_width: float
    count: int

    def __str__(self) -> str:
        return units.estimate(self.value, self.half_width)

    @property
    def low(self) -> float:
        """Lower end of the confidence interval."""
        return self.value - self.half_width

    @property
    def high(self) -> float:
        """Upper end of the confidence interval."""
        return self.value + self.half_width


def mean(observations: ArrayLike, confidence: float = 0.95) -> Estimate:
    """Estimate the mean from independent observations.

    Args:
        observations: Observations, at least one; the mean of a single one has no interval.
        confidence: Probability with which such an interval contains the true mean, such as 0.95.

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
    """Estimate the mean of `a` minus that of `b`; observations at the same index form a pair.

    The two observations of a pair have the same seed or batch and thus rise and fall together, so this
    interval is narrower than the intervals of the two means.
    """
    return mean(np.asarray(a, np.float64) - np.asarray(b, np.float64), confidence)


def ratio(a: ArrayLike, b: ArrayLike, confidence: float = 0.95) -> Estimate:
    """Estimate the mean of `a` divided by that of `b`; observations at the same index form a pair.

    The interval comes from the first-order expansion of the ratio about the means (the delta method).
    """
    above, below = np.asarray(a, np.float64), np.asarray(b, np.float64)
    value = float(above.mean() / below.mean())
    residual = mean(above - value * below, confidence)
    return Estimate(value, residual.half_width / abs(float(below.mean())), residual.count)


def jackknife(
    statistic: Callable[[NDArray[np.float64]], float], sums: ArrayLike, confidence: float = 0.95
) -> Estimate:
    """Estimate a figure of sums over all observations, such as a variance, with a jackknife interval.

    The interval comes from the changes of the figure when each observation is left out in turn.

    Args:
        statistic: Function that computes the figure from the sums over all observations, an array.
        sums: Summands: what each observation adds to each sum, shape (observations, sums).
        confidence: Probability with which such an interval contains the true value, such as 0.95.

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
    """Estimate the mean from consecutive observations, of which neighbours may be correlated.

    Near saturation, batches of a run are correlated and thus give a wider interval than independent batches.
    The interval is that of a first-order autoregressive process with the correlation found in the data.
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
    """Estimate the `ratio` from consecutive pairs of observations, of which neighbours may be correlated."""
    above, below = np.asarray(a, np.float64), np.asarray(b, np.float64)
    value = float(above.mean() / below.mean())
    residual = correlated_mean(above - value * below, confidence)
    return Estimate(value, residual.half_width / abs(float(below.mean())), residual.count)


def paired(
    a: ArrayLike, b: ArrayLike, confidence: float = 0.95, are_consecutive: bool = False
) -> tuple[Estimate, Estimate]:
    """Estimate the difference and the ratio of two figures from pairs of observations.

    Args:
        a: Observations of the first figure.
        b: Observations of the second figure; those with the same index form a pair.
        confidence: Probability with which such an interval contains the true value.
        are_consecutive: True if the observations are consecutive batches of a run, which may be correlated.
    """
    if not are_consecutive:
        return difference(a, b, confidence), ratio(a, b, confidence)
    off = np.asarray(a, np.float64) - np.asarray(b, np.float64)
    return correlated_mean(off, confidence), correlated_ratio(a, b, confidence)


def batch_slices(count: int, batches: int = BATCHES) -> list[slice]:
    """Divide `count` requests into consecutive batches whose lengths differ by at most one."""
    ends = [at * count // batches for at in range(batches + 1)]
    return [slice(first, last) for first, last in pairwise(ends)]


def batch_means(values: ArrayLike, batches: int = BATCHES, confidence: float = 0.95) -> Estimate:
    """Estimate the mean of the values of one run; its interval comes from the means of batches of values.

    With fewer than two values per batch, the mean has no interval.
    """
    every = np.asarray(values, np.float64)
    if len(every) < 2 * batches:
        return Estimate(float(every.mean()), math.nan, 0)
    means = [float(every[batch].mean()) for batch in batch_slices(len(every), batches)]
    return Estimate(float(every.mean()), correlated_mean(means, confidence).half_width, batches)


def check_confidence(confidence: float) -> None:
    """Check that the confidence of an interval is between 0 and 1.

    Raises:
        ParameterError: The confidence is not between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise _native.ParameterError(f"confidence = {confidence}: must be between 0 and 1, such as 0.95")


@lru_cache
def student_t(confidence: float, freedom: int) -> float:
    """Return the number t such that Student's t is between -t and t with probability `confidence`.

    The function bisects the angle whose tangent is t divided by the root of the degrees of freedom
    (`freedom`): the probability is a finite sum in that angle (Abramowitz and Stegun, 26.7.3 and 26.7.4).
    """
    low, high = 0.0, math.pi / 2
    terms = _terms(freedom)
    for _ in range(_HALVINGS):
        angle = (low + high) / 2
        low, high = (angle, high) if _within(angle, freedom, terms) < confidence else (low, angle)
    return math.sqrt(freedom) * math.tan((low + high) / 2)


def _terms(freedom: int) -> NDArray[np.float64]:
    """Return the coefficients of the powers of the cosine in the series that `_within` adds up."""
    odd = freedom % 2
    steps = [(k - 1 + odd) / (k + odd) for k in range(2, freedom - 1 - odd, 2)]
    return np.cumprod(np.array([1.0, *steps]), dtype=np.float64)


def _within(angle: float, freedom: int, terms: NDArray[np.float64]) -> float:
    """Return the probability that Student's t is at most ``tan(angle) * sqrt(freedom)`` in size."""
    cosine, sine = math.cos(angle), math.sin(angle)
    total = sine * float(terms @ cosine ** (2.0 * np.arange(len(terms))))
    if freedom % 2 == 0:
        return total
    return 2 / math.pi * (angle + (cosine * total if freedom > 1 else 0.0))
