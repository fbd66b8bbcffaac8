"""Shares from simulations, with 99 % confidence intervals."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Number such that a standard normal variable is between minus and plus this number with 99 % probability.
_NORMAL_99 = 2.5758293035489004


@dataclass(frozen=True)
class Share:
    """A share of simulated devices or blocks, with its 99 % confidence interval.

    Attributes:
        value: Value of the share.
        low: Lower end of its 99 % confidence interval.
        high: Upper end of its 99 % confidence interval.
    """

    value: float
    low: float
    high: float


def wilson(hits: int, trials: int) -> Share:
    """Return the share `hits` of `trials` with Wilson's 99 % interval, which is also valid near 0 and 1."""
    square = _NORMAL_99**2
    middle = (hits + square / 2) / (trials + square)
    half = _NORMAL_99 / (trials + square) * math.sqrt(hits * (trials - hits) / trials + square / 4)
    # At 0 hits or only hits, both are equal except for rounding.
    low, high = middle - half if hits else 0.0, middle + half if hits < trials else 1.0
    return Share(hits / trials, low, high)


def mean_share(shares: NDArray[np.float64], least: float) -> Share:
    """Return the mean of shares with its 99 % interval, also if nearly all shares are 0.

    The interval includes two intervals: of a normal mean, which is too narrow if few shares are above 0; and
    Wilson's interval of the fraction of shares above 0, multiplied by the mean of those shares.

    Args:
        shares: Independent shares, at least one.
        least: Value to assume for shares above 0 if no share is above 0.
    """
    above = shares[shares > 0]
    size = float(above.mean()) if len(above) else least
    value = float(shares.mean())
    spread = float(shares.std(ddof=1)) / math.sqrt(len(shares)) if len(shares) > 1 else 0.0
    part = wilson(len(above), len(shares))
    low = min(value - _NORMAL_99 * spread, part.low * size)
    return Share(value, max(0.0, low), min(1.0, max(value + _NORMAL_99 * spread, part.high * size)))
