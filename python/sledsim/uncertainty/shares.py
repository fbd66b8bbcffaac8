"""In which part of all plausible devices something holds, from a sample of them."""

import math
from dataclasses import dataclass
from typing import Literal

from .. import _native
from ..common.arguments import check_whole
from .distributions import beta_quantile, normal_quantile

Method = Literal["wilson", "clopper-pearson"]
#: What can be said of a share and a threshold.
Verdict = Literal["yes", "no", "undecided"]


@dataclass(frozen=True)
class Share:
    """A share with its confidence interval.

    Attributes:
        count: In how many it was found to hold.
        trials: Of how many.
        low: The lower end of the interval.
        high: The upper end of the interval.
        confidence: The part of such intervals that hold the true share.
        unknown: Of how many more it is not known whether it holds.
    """

    count: int
    trials: int
    low: float
    high: float
    confidence: float
    unknown: int = 0

    @property
    def value(self) -> float:
        """The share that was found, of those of which it is known."""
        return self.count / self.trials

    @property
    def least(self) -> float:
        """The share if it holds in none of those of which it is not known."""
        return self.count / (self.trials + self.unknown)

    @property
    def most(self) -> float:
        """The share if it holds in all of them."""
        return (self.count + self.unknown) / (self.trials + self.unknown)

    def verdict(self, threshold: float = 0.5) -> Verdict:
        """Whether the true share is above a threshold: "undecided" where the interval holds that.

        Raises:
            ParameterError: The threshold is not from 0 to 1.
        """
        if not 0 <= threshold <= 1:
            raise _native.ParameterError(f"threshold = {threshold}: must be from 0 to 1")
        if self.low > threshold:
            return "yes"
        return "no" if self.high < threshold else "undecided"

    def __str__(self) -> str:
        return f"{self.count} of {self.trials} ({100 * self.low:.1f} to {100 * self.high:.1f} %)"


def share(
    count: int, trials: int, confidence: float = 0.95, method: Method = "wilson", unknown: int = 0
) -> Share:
    """The share of a sample in which something holds, with its interval.

    Args:
        count: In how many it holds.
        trials: Of how many. The interval is that of random ones. Evenly spread ones tell more, so that for
            what depends on few factors, or on how much each has, it is too wide: over a Latin hypercube a
            share varies no more than n / (n - 1) times as much (Owen 1997). Sobol's sequence promises less;
            over it intervals held, at worst, the share in which an even number of 12 factors is above 0.4 in
            361 of 400 cases.
        confidence: The part of such intervals that hold the true share.
        method: ``wilson`` (Wilson 1927) is as confident as it says on average over shares, which is what
            Brown, Cai and DasGupta (2001) advise: 22 of 256 are 5.7 to 12.7 %, and 256 of 256 are 98.5 to
            100 %. ``clopper-pearson`` (1934) is never less confident than it says, and wider.
        unknown: Of how many more it is not known whether it holds. What hides the answer may be what decides
            it, so that the interval begins with that in which it holds in none of them, and ends with that in
            which it holds in all (Manski 1989).

    Raises:
        ParameterError: A number is out of range, or the method has another name.
    """
    check_whole("trials", trials, 1)
    check_whole("count", count, 0, trials)
    check_whole("unknown", unknown, 0)
    if not 0 < confidence < 1:
        raise _native.ParameterError(f"confidence = {confidence}: must be between 0 and 1, such as 0.95")
    if method not in _METHODS:
        raise _native.ParameterError(f"method = {method!r}: expected wilson or clopper-pearson")
    ends = _METHODS[method]
    low, _ = ends(count, trials + unknown, confidence)
    _, high = ends(count + unknown, trials + unknown, confidence)
    return Share(int(count), int(trials), low, high, confidence, int(unknown))


def _wilson(count: int, trials: int, confidence: float) -> tuple[float, float]:
    """The shares of which the count is no more standard errors away than that confidence has."""
    square = normal_quantile((1 + confidence) / 2) ** 2
    middle = count + square / 2
    half = math.sqrt(square * (count * (trials - count) / trials + square / 4))
    # Without rounding both are exact at the ends.
    low = 0.0 if count == 0 else (middle - half) / (trials + square)
    high = 1.0 if count == trials else (middle + half) / (trials + square)
    return low, high


def _clopper_pearson(count: int, trials: int, confidence: float) -> tuple[float, float]:
    """The shares of which so many, or more, or fewer, are not too rare."""
    rare = (1 - confidence) / 2
    low = 0.0 if count == 0 else beta_quantile(rare, count, trials - count + 1)
    high = 1.0 if count == trials else beta_quantile(1 - rare, count + 1, trials - count)
    return low, high


_METHODS = {"wilson": _wilson, "clopper-pearson": _clopper_pearson}
