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


class DrawnAnswers:
    """The answers for plausible devices under draws of requests, from one run for each of both.

    Args:
        holds: Whether it is known to hold: of the shape (devices, draws).
        fails: Whether it is known not to, alike.
        unknown: Whether the run counts and it is not known, alike. What is none of these does not count.

    Attributes:
        yes: In how many draws of each device it holds.
        no: In how many it does not.
        open: Of how many it is not known.

    Raises:
        ParameterError: The shapes differ.
    """

    def __init__(self, holds: ArrayLike, fails: ArrayLike, unknown: ArrayLike) -> None:
        every = [np.asarray(one, bool) for one in (holds, fails, unknown)]
        if every[0].ndim != 2 or len({one.shape for one in every}) > 1:
            found = ", ".join(str(one.shape) for one in every)
            raise _native.ParameterError(f"answers: expected (devices, draws) three times, found {found}")
        self.yes, self.no, self.open = (np.asarray(one.sum(axis=1)) for one in every)

    @property
    def counted(self) -> NDArray[np.bool_]:
        """The devices that count: those of which a run does."""
        return np.asarray(self.yes + self.no + self.open > 0)

    @property
    def changing(self) -> NDArray[np.bool_]:
        """The devices for which the draw decides."""
        return np.asarray((self.yes > 0) & (self.no > 0))

    @property
    def unknown(self) -> NDArray[np.bool_]:
        """The devices of which it is not known under some draw, and that are not known to change."""
        return np.asarray((self.open > 0) & ~self.changing)

    @property
    def known(self) -> NDArray[np.bool_]:
        """The devices of which it is known that it holds, that it does not, or that the draw decides."""
        return np.asarray((self.yes + self.no > 0) & ~self.unknown)

    @property
    def decided(self) -> NDArray[np.bool_]:
        """The devices for which it holds under each draw, or under none."""
        return self.known & ~self.changing


@dataclass(frozen=True)
class Doubt:
    """The causes of a wide interval of a share of known devices, in widths of intervals: parts of 1.

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
        """The number of known devices."""
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
        Of the shape (devices + 1, draws), below 2^32; the first row is of the device itself.

    Raises:
        ParameterError: The seed is no whole number from 0 to 2^64 - 1.
    """
    check_seed(seed)
    shift = np.uint64(64 - _SEED_BITS)
    found = [words(draws, seed, _STREAM, device) >> shift for device in range(devices + 1)]
    return np.array(found, np.int64)


def drawn_share(answers: DrawnAnswers, confidence: float = 0.95) -> DrawnShare:
    """The share of devices and draws in which something holds, with an interval that covers both.

    Devices are a random sample of clusters, whose draws are alike: the interval is Wilson's (1927) of as many
    independent runs as tell as much, which are the number of devices over the relative variance between
    them (Kish, Survey Sampling, 1965; Korn and Graubard, Survey Methodology 24, 1998). In that variance are
    as many further devices as Wilson's interval has, half of them with a yes to everything, half with a no:
    without them few devices that happen to agree would tell too much. With one draw it is Wilson's interval.
    What hides an answer may be what decides it, so that the interval begins with the share in which it holds
    nowhere where it is not known, and ends with that in which it holds there everywhere (Manski 1989).

    Args:
        answers: What is so for each device under each draw.
        confidence: The part of such intervals that hold the true share. With 24, 64 and 256 devices those of
            95 % held it in 368 or more of 400 cases, whatever part of the answers the draws decide.

    Raises:
        ParameterError: The confidence is out of range, or nothing is known of any device.
    """
    if not 0 < confidence < 1:
        raise _native.ParameterError(f"confidence = {confidence}: must be between 0 and 1, such as 0.95")
    known, counted = answers.known, answers.counted
    if not known.any():
        raise _native.ParameterError("answers: expected a device or more of which it is known, found none")
    runs = (answers.yes + answers.no)[known]
    parts = answers.yes[known] / runs
    counts = (answers.yes + answers.no + answers.open)[counted]
    least, most = answers.yes[counted] / counts, (answers.yes + answers.open)[counted] / counts
    low, _ = _interval(least, int(counts.sum()), confidence)
    _, high = _interval(most, int(counts.sum()), confidence)
    return DrawnShare(
        value=float(parts.mean()),
        low=low,
        high=high,
        confidence=confidence,
        always=int((known & (answers.no == 0)).sum()),
        never=int((known & (answers.yes == 0)).sum()),
        changing=int(answers.changing.sum()),
        unknown=int(answers.unknown.sum()),
        least=float(least.mean()),
        most=float(most.mean()),
        doubt=_doubt(parts, runs, confidence),
    )


def _told(parts: NDArray[np.float64], runs: int, confidence: float) -> float:
    """The number of independent runs that tell as much."""
    half = normal_quantile((1 + confidence) / 2) ** 2 / 2
    count = len(parts) + 2 * half
    mean = (parts.sum() + half) / count
    variance = (np.square(parts).sum() + half) / count - mean**2
    return float(min(runs, len(parts) * mean * (1 - mean) / variance))


def _interval(parts: NDArray[np.float64], runs: int, confidence: float) -> tuple[float, float]:
    told, mean = _told(parts, runs, confidence), float(parts.mean())
    return wilson(told if mean == 1 else mean * told, told, confidence)


def _doubt(parts: NDArray[np.float64], runs: NDArray[np.int64], confidence: float) -> Doubt:
    """The causes of a wide interval: the variance of the mean by devices, and that by the draws of each."""
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
