"""In which part of plausible devices something holds under random requests: each device has several draws."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _native
from .distributions import normal_quantile
from .randomness import check_seed, words
from .shares import Verdict, verdict_of, wilson

#: Draws of requests that each plausible device has, unless another number is asked for.
DRAWS = 4
#: Seeds are below that, so that people can type them.
_SEED_BITS = 32
#: Of the stream of the seeds.
_STREAM = 12


@dataclass(frozen=True)
class Doubt:
    """What makes the interval of a share as wide as it is, in widths of intervals: parts of 1.

    Attributes:
        devices: The width with draws without end, so that only the choice of devices is left.
        draws: The width with devices without end, each with as many draws as all have now together; None
            where each device has one draw, from which both cannot be told apart.
        twice_devices: The width with twice as many devices.
        twice_draws: The width with twice as many draws for each device; None where each has one.
    """

    devices: float | None
    draws: float | None
    twice_devices: float
    twice_draws: float | None


@dataclass(frozen=True)
class DrawnShare:
    """The part of plausible devices and draws in which something holds, from `drawn_share`.

    Attributes:
        value: The mean over devices of the part of its draws in which it holds.
        low: The lower end of the interval of it.
        high: The upper end.
        confidence: The part of such intervals that hold the true share.
        always: Devices for which it holds under each draw.
        never: Devices for which it holds under no draw.
        changing: Devices for which the draw decides.
        unknown: Devices of which it is not known under some draw, and that are not known to change.
        least: The share if it holds nowhere where it is not known.
        most: The share if it holds wherever it is not known.
        doubt: What makes the interval as wide as it is.
    """

    value: float
    low: float
    high: float
    confidence: float
    always: int
    never: int
    changing: int
    unknown: int
    least: float
    most: float
    doubt: Doubt

    @property
    def devices(self) -> int:
        """How many devices are known."""
        return self.always + self.never + self.changing

    def verdict(self, threshold: float = 0.5) -> Verdict:
        """Say as `Share.verdict` does whether the true share is above a threshold.

        Raises:
            ParameterError: The threshold is not from 0 to 1.
        """
        return verdict_of(self.low, self.high, threshold)


def draw_seeds(devices: int, draws: int, seed: int) -> NDArray[np.int64]:
    """The seeds of the requests of each device: those of more devices or draws begin with those of fewer.

    Returns:
        Of the shape (devices, draws), below 2^32.

    Raises:
        ParameterError: The seed is no whole number from 0 to 2^64 - 1.
    """
    check_seed(seed)
    shift = np.uint64(64 - _SEED_BITS)
    found = [words(draws, seed, _STREAM, device) >> shift for device in range(devices)]
    return np.array(found, np.int64).reshape(devices, draws)


def drawn_share(
    holds: ArrayLike, fails: ArrayLike, unknown: ArrayLike, confidence: float = 0.95
) -> DrawnShare:
    """The share of devices and draws in which something holds, with an interval that covers both.

    Devices are a random sample of clusters, whose draws are alike: the interval is Wilson's (1927) of as many
    independent runs as tell as much, which are the number of devices over the relative variance between
    them (Kish, Survey Sampling, 1965; Korn and Graubard, Survey Methodology 24, 1998). In that variance are
    as many further devices as Wilson's interval has, half of them with a yes to everything, half with a no:
    without them few devices that happen to agree would tell too much. With one draw it is Wilson's interval.
    What hides an answer may be what decides it, so that the interval begins with the share in which it holds
    nowhere where it is not known, and ends with that in which it holds there everywhere (Manski 1989).

    Args:
        holds: Whether it is known to hold: of the shape (devices, draws).
        fails: Whether it is known not to, alike.
        unknown: Whether the run counts and it is not known, alike. What is none of these does not count.
        confidence: The part of such intervals that hold the true share. With 24 to 256 devices it is 0.91 to
            1 of those of 95 %.

    Raises:
        ParameterError: The confidence is out of range, the shapes differ, or nothing is known of any device.
    """
    if not 0 < confidence < 1:
        raise _native.ParameterError(f"confidence = {confidence}: must be between 0 and 1, such as 0.95")
    yes, no, open_ = (np.asarray(one, bool) for one in (holds, fails, unknown))
    if yes.ndim != 2 or yes.shape != no.shape or yes.shape != open_.shape:
        found = ", ".join(str(one.shape) for one in (yes, no, open_))
        raise _native.ParameterError(f"drawn_share: expected (devices, draws) three times, found {found}")
    of_yes, of_no, of_open = (one.sum(axis=1) for one in (yes, no, open_))
    changing = (of_yes > 0) & (of_no > 0)
    hidden = (of_open > 0) & ~changing
    known = (of_yes + of_no > 0) & ~hidden
    if not known.any():
        raise _native.ParameterError("drawn_share: expected a device or more of which it is known, found none")
    counts = of_yes + of_no + of_open
    runs, counted = (of_yes + of_no)[known], counts > 0
    parts = of_yes[known] / runs
    least, most = of_yes[counted] / counts[counted], (of_yes + of_open)[counted] / counts[counted]
    low, _ = _interval(least, int(counts.sum()), confidence)
    _, high = _interval(most, int(counts.sum()), confidence)
    return DrawnShare(
        value=float(parts.mean()),
        low=low,
        high=high,
        confidence=confidence,
        always=int((known & (of_no == 0)).sum()),
        never=int((known & (of_yes == 0)).sum()),
        changing=int(changing.sum()),
        unknown=int(hidden.sum()),
        least=float(least.mean()),
        most=float(most.mean()),
        doubt=_doubt(parts, runs, confidence),
    )


def _told(parts: NDArray[np.float64], runs: int, confidence: float) -> float:
    """How many independent runs tell as much."""
    half = normal_quantile((1 + confidence) / 2) ** 2 / 2
    count = len(parts) + 2 * half
    mean = (parts.sum() + half) / count
    variance = (np.square(parts).sum() + half) / count - mean**2
    return float(min(runs, len(parts) * mean * (1 - mean) / variance))


def _interval(parts: NDArray[np.float64], runs: int, confidence: float) -> tuple[float, float]:
    told, mean = _told(parts, runs, confidence), float(parts.mean())
    return wilson(told if mean == 1 else mean * told, told, confidence)


def _doubt(parts: NDArray[np.float64], runs: NDArray[np.int64], confidence: float) -> Doubt:
    """What makes the interval wide: the variance of the mean by devices, and that by the draws of each."""
    several = runs > 1
    told, mean = _told(parts, int(runs.sum()), confidence), float(parts.mean())

    def width(more: float) -> float:
        if math.isinf(more):
            return 0.0
        low, high = wilson(mean * told * more, told * more, confidence)
        return high - low

    if not several.any():
        return Doubt(None, None, width(2), None)
    # The variance of the part of a device, without bias from how few draws it has, over their number.
    within = float(np.mean((parts * (1 - parts))[several] / (runs[several] - 1)))
    between = float(parts.var(ddof=1)) if len(parts) > 1 else 0.0
    by_draws = 0.0 if within == 0 else min(1.0, within / between) if between > 0 else 1.0
    return Doubt(
        devices=width(_over(1 - by_draws)),
        draws=width(_over(by_draws)),
        twice_devices=width(2),
        twice_draws=width(1 / (1 - by_draws / 2)),
    )


def _over(part: float) -> float:
    return 1 / part if part > 0 else math.inf
