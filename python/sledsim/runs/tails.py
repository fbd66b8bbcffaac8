"""Figures that rest on rare requests: variability and percentiles over replications, and their sufficiency.

**Together.** A replication without long queues has a small variation and small percentiles, so the mean of
such figures over replications is too low. Here the requests of all replications are taken together.

**Intervals.** The intervals are those of the jackknife over sections of the replications, `SECTIONS` or more
in all: the change of a figure without one section shows how much it depends on the choice of sections. Few
sections hold a long queue and most hold no queue; Student's bound therefore uses as many observations as
replications, not sections, or as long queues beyond the figure if those are fewer. The interval is that of
the figure's logarithm, with the wider upper half on both sides. A test compares the coverage of such
intervals with queueing theory.

**Enough.** The queue that a request finds *swings* when it goes from its lower quartile or below to its upper
quartile or above. Between two swings a queue has forgotten its past. A percentile needs its share of the
swings beyond it: ``ENOUGH / (1 - fraction)`` swings in all. With fewer, the runs are too short, and no figure
is better than one that is too low.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .intervals import Estimate, student_t

#: Number of sections of all replications, at least one each: with five replications a section is still longer
#: than the memory of a queue at any load that has figures.
SECTIONS = 20
#: Least mean number of swings beyond a percentile.
ENOUGH = 2.5
#: Percentiles by name, as fractions.
PERCENTILES = {
    "p50_response_s": 0.5,
    "p95_response_s": 0.95,
    "p99_response_s": 0.99,
    "p999_response_s": 0.999,
}
VARIATION = "cv2_response"
#: Percentile that rests on requests as rare as those of the variation.
_VARIATION_AS = 0.99
#: Swings per request if both quartiles are equal. Most requests then find no queue and are as good as
#: independent: a swing needs a request of one quarter, and later a request of another quarter.
_INDEPENDENT = 1 / 4 * 1 / 4 / (1 / 4 + 1 / 4)
#: Half-width of the logarithm beyond which a figure is unknown.
_UNKNOWN = 700.0


def tails(
    replications: Sequence[NDArray[np.float64]], swings: float, confidence: float = 0.95
) -> tuple[dict[str, Estimate], dict[str, NDArray[np.float64]]]:
    """Squared coefficient of variation and percentiles of response times over all replications.

    Args:
        replications: Response times of each replication in seconds, in the order of arrival.
        swings: Number of swings of the queues (`count_swings`).
        confidence: Share of such intervals that contain the true figure.

    Returns:
        The figures by name, NaN if the replications are too short for a figure; and the contribution of each
        replication to them (jackknife pseudo-values, whose mean is the figure), for paired comparisons.
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
    """Figures of response times in any order, without intervals."""
    return _figures(np.sort(response_s))


def count_swings(replications: Sequence[NDArray[np.int64]]) -> float:
    """Number of times that queues go from their lower quartile or below to their upper quartile or above."""
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
    """A figure with the wider half of the interval of its logarithm, from its pseudo-values."""
    error = float(values.std(ddof=1)) / math.sqrt(len(values))
    if value <= 0 or error == 0:  # Every request took the same time.
        return Estimate(value, error, replications)
    return Estimate(value, value * math.expm1(min(bound * error / value, _UNKNOWN)), replications)


def _jackknife(
    parts: Sequence[NDArray[np.float64]],
) -> tuple[dict[str, float], dict[str, NDArray[np.float64]]]:
    """Every figure over all parts, and the contribution of each part: the change of the figure without it.

    The mean of the contributions is the figure. The jackknife's correction for bias is left out: it removes
    less than the noise that it adds to a percentile of many parts.
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
    """Quantile of sorted values, equal to `numpy.quantile`."""
    place = fraction * (len(ascending) - 1)
    below = int(place)
    above = min(below + 1, len(ascending) - 1)
    low, high = float(ascending[below]), float(ascending[above])
    return low + (place - below) * (high - low)
