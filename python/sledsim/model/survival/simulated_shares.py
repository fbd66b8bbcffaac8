"""Shares that were simulated, and their intervals."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

#: Of a standard normal distribution, between what 99 % of it lie.
_NORMAL_99 = 2.5758293035489004


@dataclass(frozen=True)
class Share:
    """A share that was simulated.

    Attributes:
        value: What was found.
        low: The lower end of its interval of 99 %.
        high: The upper end.
    """

    value: float
    low: float
    high: float


def wilson(hits: int, trials: int) -> Share:
    """A share with its interval of 99 %, which is good near 0 and 1, too (Wilson)."""
    square = _NORMAL_99**2
    middle = (hits + square / 2) / (trials + square)
    half = _NORMAL_99 / (trials + square) * math.sqrt(hits * (trials - hits) / trials + square / 4)
    # At its ends the two are equal but for rounding.
    low, high = middle - half if hits else 0.0, middle + half if hits < trials else 1.0
    return Share(hits / trials, low, high)


def mean_share(shares: NDArray[np.float64], least: float) -> Share:
    """A mean of shares, most of which may be 0, with its interval of 99 %.

    The interval covers that of a normal mean, which few shares above 0 make too narrow, and that of the part
    of shares above 0 (Wilson) times their mean.

    Args:
        shares: Independent ones, 1 at least.
        least: The mean of those above 0, where there is none.
    """
    above = shares[shares > 0]
    size = float(above.mean()) if len(above) else least
    value = float(shares.mean())
    spread = float(shares.std(ddof=1)) / math.sqrt(len(shares)) if len(shares) > 1 else 0.0
    part = wilson(len(above), len(shares))
    low = min(value - _NORMAL_99 * spread, part.low * size)
    return Share(value, max(0.0, low), min(1.0, max(value + _NORMAL_99 * spread, part.high * size)))
