"""Simulated shares and their intervals."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Quantile of the standard normal distribution that bounds its central 99 %.
_NORMAL_99 = 2.5758293035489004


@dataclass(frozen=True)
class Share:
    """A simulated share.

    Attributes:
        value: Simulated value of the share.
        low: Lower end of the interval of 99 %.
        high: Upper end of the interval of 99 %.
    """

    value: float
    low: float
    high: float


def wilson(hits: int, trials: int) -> Share:
    """A share with its interval of 99 %, which is also valid near 0 and 1 (Wilson)."""
    square = _NORMAL_99**2
    middle = (hits + square / 2) / (trials + square)
    half = _NORMAL_99 / (trials + square) * math.sqrt(hits * (trials - hits) / trials + square / 4)
    # At 0 hits or only hits, both are equal except for rounding.
    low, high = middle - half if hits else 0.0, middle + half if hits < trials else 1.0
    return Share(hits / trials, low, high)


def mean_share(shares: NDArray[np.float64], least: float) -> Share:
    """A mean of shares, most of which may be 0, with its interval of 99 %.

    The interval covers the one of a normal mean, which is too narrow with few shares above 0, and that of the
    fraction of shares above 0 (Wilson) multiplied by their mean.

    Args:
        shares: Independent shares, at least one.
        least: Mean of the shares above 0, if no share is above 0.
    """
    above = shares[shares > 0]
    size = float(above.mean()) if len(above) else least
    value = float(shares.mean())
    spread = float(shares.std(ddof=1)) / math.sqrt(len(shares)) if len(shares) > 1 else 0.0
    part = wilson(len(above), len(shares))
    low = min(value - _NORMAL_99 * spread, part.low * size)
    return Share(value, max(0.0, low), min(1.0, max(value + _NORMAL_99 * spread, part.high * size)))
