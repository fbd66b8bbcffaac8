"""Figures that rest on rare requests: variability and percentiles of replications, and whether these suffice.

**Together.** A replication that saw no long queue has a small variation and small percentiles, so that a mean
over replications of such figures is too low. Here the requests of all replications are taken together.

**Intervals.** They are those of the jackknife over sections of the replications, `SECTIONS` or more in all:
how much a figure changes where one section is left out says how much it rests on which there are. Few of them
hold a long queue and most hold none; Student's bound is therefore the one of as many observations as there
are replications, not sections, or as there are long queues beyond the figure if those are fewer. The interval
is that of the figure's logarithm, whose upper half is the wider one, taken on either side. How often such
intervals hold what queueing theory says is a test.

**Enough.** The queue that a request finds *swings* when it goes from its lower quartile or below to its upper
one or above. Between two swings a queue has forgotten what was. A percentile has to have its part of the
swings beyond it: there are ``ENOUGH / (1 - fraction)``, or the runs are too short for it, and no figure is
better than a low one.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .intervals import Estimate, student_t

#: Sections of all replications, each of them at least one: of the usual five a section is still longer than a
#: queue remembers at any load that has figures.
SECTIONS = 20
#: Swings beyond a percentile on average, at least.
ENOUGH = 2.5
#: The percentiles by name, as fractions.
PERCENTILES = {
    "p50_response_s": 0.5,
    "p95_response_s": 0.95,
    "p99_response_s": 0.99,
    "p999_response_s": 0.999,
}
VARIATION = "cv2_response"
#: A variation rests on as rare requests as this percentile does.
_VARIATION_AS = 0.99
#: Where the lower and the upper quartile are the same, most requests find no queue, and it remembers no more
#: than independent requests would: one of a quarter, and later one of another quarter.
_INDEPENDENT = 1 / 4 * 1 / 4 / (1 / 4 + 1 / 4)
#: A half width of the logarithm beyond which a figure is not known at all.
_UNKNOWN = 700.0


def tails(
    replications: Sequence[NDArray[np.float64]], swings: float, confidence: float = 0.95
) -> tuple[dict[str, Estimate], dict[str, NDArray[np.float64]]]:
    """The squared coefficient of variation and the percentiles of response times, from all replications.

    Args:
        replications: The response times of each in seconds, in the order of arrival.
        swings: How often their queues swung (`count_swings`).
        confidence: The part of such intervals that hold the true figure.

    Returns:
        The figures by name, NaN where the replications are too short for one; and what each replication adds
        to them (jackknife pseudo-values, whose mean is the figure), for comparisons in pairs.
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
    """How often queues that requests find go from their lower quartile or below to the upper one or above."""
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
    if value <= 0 or error == 0:  # No variation: every request took the same time.
        return Estimate(value, error, replications)
    return Estimate(value, value * math.expm1(min(bound * error / value, _UNKNOWN)), replications)


def _jackknife(
    parts: Sequence[NDArray[np.float64]],
) -> tuple[dict[str, float], dict[str, NDArray[np.float64]]]:
    """Every figure of all parts, and what each part adds to it: how much it changes without that part.

    The mean of the latter is the figure. The jackknife's correction for bias is left out: it takes away less
    than what it adds to the noise of a percentile of many parts.
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
    """As `numpy.quantile`, of values that are in order."""
    place = fraction * (len(ascending) - 1)
    below = int(place)
    above = min(below + 1, len(ascending) - 1)
    low, high = float(ascending[below]), float(ascending[above])
    return low + (place - below) * (high - low)
