"""Figures that rare, slow requests determine: variation and percentiles of response times.

**Together.** A replication without long queues has a small variation and small percentiles, so the mean of
these figures over replications is too low. This module computes them over the requests of all replications.

**Intervals.** Confidence intervals come from the jackknife: the replications are divided into `SECTIONS` or
more sections, and the changes of a figure without each section give its variance. Few sections have a long
queue, so the degrees of freedom of Student's t come from the number of replications, or from the number of
swings beyond the figure if it is lower. The interval is computed for the logarithm of the figure, and its
wider upper half applies to both sides. A test compares the coverage of such intervals with queueing theory.

**Enough.** A queue *swings* when its length goes from its lower quartile or below to its upper quartile or
above. Between two swings a queue has forgotten its past. A percentile needs ``ENOUGH / (1 - fraction)``
swings in all. With fewer swings the runs are too short, and the figure is left out, as it would be too low.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .intervals import Estimate, student_t

#: Least number of sections into which the requests of all replications are divided for the jackknife. With
#: five replications, a section is longer than the memory of the queue at every load that has figures.
SECTIONS = 20
#: Least expected number of long queues beyond a percentile; with fewer, the percentile is not reported.
ENOUGH = 2.5
#: Fraction of the requests for each percentile, by name.
PERCENTILES = {
    "p50_response_s": 0.5,
    "p95_response_s": 0.95,
    "p99_response_s": 0.99,
    "p999_response_s": 0.999,
}
VARIATION = "cv2_response"
#: Percentile, as a fraction, whose rare requests determine cv² as much as that percentile itself.
_VARIATION_AS = 0.99
#: Number of swings per request if both quartiles of the queue length are equal. Most requests then find no
#: queue and are independent: a swing is a request in the lowest quarter, followed by one in the highest.
_INDEPENDENT = 1 / 4 * 1 / 4 / (1 / 4 + 1 / 4)
#: Largest half-width of a figure's logarithm; it avoids an overflow.
_UNKNOWN = 700.0


def tails(
    replications: Sequence[NDArray[np.float64]], swings: float, confidence: float = 0.95
) -> tuple[dict[str, Estimate], dict[str, NDArray[np.float64]]]:
    """Compute cv² and percentiles of the response times of all replications, with intervals.

    Args:
        replications: Response times of each replication in seconds, in the order of arrival.
        swings: Number of times that queues went from short to long, from `count_swings`.
        confidence: Probability with which such an interval contains the true figure, such as 0.95.

    Returns:
        The estimates by name, NaN if the replications are too short; and, for paired comparisons, one value
        per replication for each figure (jackknife pseudo-values, whose mean is the figure).
    """
    count = len(replications)
    each = math.ceil(SECTIONS / count)
    sections = [part for one in replications for part in np.array_split(one, each)]
    found, pseudo_values = _jackknife(sections)
    estimates, samples = {}, {}
    for name, values in pseudo_values.items():
        beyond = swings * (1 - PERCENTILES.get(name, _VARIATION_AS))
        if beyond >= ENOUGH:
            bound = student_t(confidence, min(count - 1, int(beyond)))
            estimates[name] = _estimate(found[name], values, bound, count)
            samples[name] = values.reshape(count, each).mean(axis=1)
        else:
            estimates[name] = Estimate(math.nan, math.nan, count)
            samples[name] = np.full(count, math.nan)
    return estimates, samples


def figures(response_s: NDArray[np.float64]) -> dict[str, float]:
    """Return cv² and percentiles of response times, which may be in any order, by name."""
    return _figures(np.sort(response_s))


def count_swings(replications: Sequence[NDArray[np.int64]]) -> float:
    """Count how often a queue goes from its shortest quarter to its longest quarter.

    Args:
        replications: Number of outstanding requests at each arrival, for each replication.
    """
    low, high = np.quantile(np.concatenate(replications), [0.25, 0.75])
    if low == high:
        return _INDEPENDENT * sum(map(len, replications))
    swings = 0
    for found in replications:
        side = (found >= high).astype(np.int8) - (found <= low)
        side = side[side != 0]
        swings += int(np.count_nonzero((side[1:] > 0) & (side[:-1] < 0)))
    return swings


def _estimate(value: float, values: NDArray[np.float64], bound: float, replications: int) -> Estimate:
    """Return a figure whose half-width is the upper one of an interval that is symmetric for the logarithm.

    Args:
        value: The figure.
        values: Jackknife pseudo-values of the figure, one for each section of the requests.
        bound: Quantile of Student's t for the confidence.
        replications: Number of replications.
    """
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    if value <= 0 or error == 0:  # Every request took the same time.
        return Estimate(value, error, replications)
    return Estimate(value, value * math.expm1(min(bound * error / value, _UNKNOWN)), replications)


def _jackknife(
    parts: Sequence[NDArray[np.float64]],
) -> tuple[dict[str, float], dict[str, NDArray[np.float64]]]:
    """Return each figure over all sections of requests, and its jackknife pseudo-values, one per section.

    The mean of the pseudo-values is the figure. The jackknife's correction for bias is left out: on
    percentiles of many sections, it adds more noise than the bias that it removes.
    """
    every = np.concatenate(parts)
    order = np.argsort(every, kind="stable")
    ascending = every[order]
    part_of = np.repeat(np.arange(len(parts)), [len(part) for part in parts])[order]
    without = [_figures(ascending[part_of != left]) for left in range(len(parts))]
    found, values = _figures(ascending), {}
    for name, figure in found.items():
        of_others = np.array([one[name] for one in without])
        values[name] = figure + (len(parts) - 1) * (of_others.mean() - of_others)
    return found, values


def _figures(ascending: NDArray[np.float64]) -> dict[str, float]:
    mean = float(ascending.mean())
    variation = float(ascending.var()) / mean**2 if mean > 0 else 0.0
    percentiles = {name: _percentile(ascending, fraction) for name, fraction in PERCENTILES.items()}
    return {VARIATION: variation, **percentiles}


def _percentile(ascending: NDArray[np.float64], fraction: float) -> float:
    """Return the value that a fraction of the ascending values does not exceed, as `numpy.quantile` does."""
    place = fraction * (len(ascending) - 1)
    below = int(place)
    above = min(below + 1, len(ascending) - 1)
    low, high = float(ascending[below]), float(ascending[above])
    return low + (place - below) * (high - low)
