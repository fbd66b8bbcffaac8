"""Sobol' indices with confidence intervals: which share of a figure's variance each factor causes.

The first index of a factor (Sobol 1993) is the share of the variance due to the factor alone: the variance
would
fall by this share if the factor were known. The total index (Homma and Saltelli 1996) also includes the share
due
to the factor together with others: this share would remain if all other factors were known.

Devices come in rows: two independent devices A and B and, for each factor, device A with this factor taken
from
B. Indices are means over rows: the first index by the estimator of Saltelli et al. (2010), after subtracting
the
mean of the figure, the total index by the estimator of Jansen (1999). The dummy is a factor without effect,
by
the formulas of Khorashadi Zadeh et al. (2017), so that its indices are noise.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _native
from ..common.arguments import check_whole
from ..common.ranking import best_of
from .distributions import student_quantile
from .randomness import below, check_seed, words
from .space_filling import MOST_DIMENSIONS, Points, sobol

Floats = NDArray[np.float64]

#: Default number of independent sets of rows; more sets would hardly narrow the intervals.
SCRAMBLINGS = 8
#: Least number of sets for the jackknife; with fewer, intervals come from the bootstrap.
_FEWEST = 4
#: Number of random samples of rows in the bootstrap.
_DRAWN = 1000
#: Number of rows that the bootstrap draws in one step, to limit memory.
_AT_ONCE = 2**17
#: Default of the width above which an interval is reported as too wide.
WIDTH = 0.1


class Interval(NamedTuple):
    """An estimate and the ends of its confidence interval; NaN where unknown."""

    value: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """Upper end of the interval minus its lower end."""
        return self.high - self.low

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"


class Index(NamedTuple):
    """First and total Sobol' index of a factor.

    Attributes:
        name: Name of the factor.
        first: Share of the figure's variance over devices that the factor causes alone.
        total: Share of the figure's variance over devices that the factor causes alone and with others.
    """

    name: str
    first: Interval
    total: Interval


@dataclass(frozen=True)
class Indices:
    """Sobol' indices of all factors for one figure, from `sobol_indices`.

    Because of noise, an interval may extend below 0 or above 1, although indices are from 0 to 1.

    Attributes:
        factors: Indices of each factor, in the order of the columns of points.
        dummy: Indices of an additional factor without effect, which are only noise: indices no larger than
            these may be 0.
        sum_of_first: Share of the variance that factors cause alone; the rest is caused by several factors
            together.
        variance: Variance of the figure over the simulated devices.
        devices: Number of simulated devices.
        left_out: Number of rows of the design that were left out, since a device in the row has no such
            figure.
        scramblings: Number of independent sets of rows from which the intervals were computed; 1 if they came
            from the bootstrap.
    """

    factors: Sequence[Index]
    dummy: Index
    sum_of_first: Interval
    variance: float
    devices: int
    left_out: int
    scramblings: int

    @property
    def noise(self) -> list[str]:
        """Names of factors that change the figure, but whose total index is not clearly above the dummy's."""
        told = [one.name for one in self.factors if one.total.low > max(self.dummy.total.high, 0)]
        return [one.name for one in self.factors if one.name not in [*told, *self.inert]]

    @property
    def inert(self) -> list[str]:
        """Names of factors that do not change the figure of any simulated device."""
        return [one.name for one in self.factors if one.total.value == 0 and one.total.width == 0]

    @property
    def widest(self) -> tuple[str, Interval]:
        """Index with the widest interval: its name, "the total index of settle_ms", and the interval."""
        every = [
            (f"the {kind} index of {one.name}", getattr(one, kind)) for one in self.factors for kind in _KINDS
        ]
        return best_of(every, lambda named: -named[1].width)

    def in_words(self, width: float = WIDTH) -> list[str]:
        """Return sentences: what the intervals show, and how much narrower more devices would make them.

        Args:
            width: Width above which a sentence says how many devices would make the interval narrow enough.
        """
        if self.left_out * (len(self.factors) + 2) == self.devices:
            return ["No device has this figure, so it has no indices."]
        if not self.variance > 0:
            return [f"The figure is equal for all {self.devices:,} devices: no factor has an effect."]
        said = []
        if self.left_out:
            said.append(f"{self.left_out:,} rows have a device without this figure, and are excluded.")
        if any(math.isnan(one.total.width) for one in self.factors):
            return [*said, "Too few devices differ in the figure for intervals: use more devices."]
        said.append(self._width_in_words(width))
        if self.sum_of_first.high < 1:
            together = 1 - self.sum_of_first.value
            said.append(f"About {100 * together:.0f} % of the variance comes from factors together.")
        if self.noise:
            said.append(f"Indistinguishable from noise: {', '.join(self.noise)}.")
        if self.inert:
            said.append(f"Without any effect: {', '.join(self.inert)}.")
        return said

    def _width_in_words(self, width: float) -> str:
        what, widest = self.widest
        if widest.width <= width:
            return f"No interval is wider than {width:g}: the widest, of {what}, is {widest.width:.2g}."
        # Errors fall with the square root of the number of random points, of even ones up to linearly.
        even = self.scramblings > 1
        twice = [widest.width / 2**power for power in _powers(even)]
        needed = [self.devices * (widest.width / width) ** (1 / power) for power in reversed(_powers(even))]
        return (
            f"Intervals are up to {widest.width:.2g} wide, that of {what}: with twice as many devices it"
            f" would be about {_span(twice, '.2g')},"
            f" and {width:g} takes about {_span(needed, ',.0f')} devices."
        )


_KINDS = ("first", "total")


def sensitivity_design(
    factors: int, rows: int, seed: int, scramblings: int = SCRAMBLINGS, start: int = 0
) -> Points:
    """Return the devices to simulate for `sobol_indices`, as positions from 0 to 1 for each factor.

    Args:
        factors: Number of factors, at most half the dimensions of `sobol`.
        rows: Number of rows in each set, best a power of two. The first rows do not depend on this number.
        seed: Seed of the random scrambling of the points, a whole number from 0.
        scramblings: Number of independent sets of rows; each is Sobol's sequence with another random
            scrambling.
        start: Number of rows of each set to skip, because an earlier call returned them.

    Returns:
        Points of the shape (scramblings, rows, factors + 2, factors): for each row A, B, and A with one
        factor after the other taken from B.

    Raises:
        ParameterError: A number is out of range.
    """
    check_whole("factors", factors, 1, MOST_DIMENSIONS // 2)
    check_whole("scramblings", scramblings, 1, 2**16)
    seeds = words(scramblings, check_seed(seed), 4)
    pairs = np.stack([sobol(rows, 2 * factors, int(one), start) for one in seeds])
    a, b = pairs[..., :factors], pairs[..., factors:]
    mixed = np.where(np.eye(factors, dtype=bool), b[..., None, :], a[..., None, :])
    return np.concatenate([a[..., None, :], b[..., None, :], mixed], axis=-2)


def sobol_indices(
    figures: ArrayLike, names: Sequence[str], confidence: float = 0.95, seed: int = 0
) -> Indices:
    """Compute the Sobol' indices of each factor for a figure, with confidence intervals.

    Intervals are Student's over the scramblings, each of which is left out in turn (the jackknife, on whose
    use see Tukey 1958): with 8 sets of 64 rows they held each exact index of two functions of the books and
    of a condition in 373 or more of 400 cases (``tests/uncertainty/index_coverage.py``). With fewer than 4
    sets rows are drawn again with replacement (the bootstrap; Archer, Saltelli and Sobol 1997), which is
    right for random rows (366 or more); over a single Sobol sequence it held one index in 345 of 400 cases.

    Args:
        figures: Figure of each device from `sensitivity_design`, shape (scramblings, rows, factors + 2). For
            a condition, 0 and 1 or booleans. A row with an infinite or NaN value is left out.
        names: Names of the factors, in the order of the columns of points.
        confidence: Probability with which such an interval contains the true index.
        seed: Seed of the random samples of the bootstrap.

    Raises:
        ParameterError: The figures have another shape, there are fewer than two rows, or the confidence is
            not between 0 and 1.
    """
    values = np.asarray(figures, np.float64)
    if values.ndim != 3 or values.shape[2] != len(names) + 2 or values.shape[0] * values.shape[1] < 2:
        expected = f"the shape (scramblings, rows, {len(names) + 2}) with two rows or more"
        raise _native.ParameterError(f"figures: expected {expected}, found {values.shape}")
    if not 0 < confidence < 1:
        raise _native.ParameterError(f"confidence = {confidence}: must be between 0 and 1, such as 0.95")
    counted: NDArray[np.bool_] = np.asarray(np.isfinite(values).all(axis=2))
    sums = _terms(values, counted)
    scramblings = values.shape[0] if values.shape[0] >= _FEWEST else 1
    varies = bool(counted.any()) and bool(np.ptp(values[counted]) > 0)
    with np.errstate(all="ignore"):
        if not varies:
            intervals = np.full((3, 2 * len(names) + 3), np.nan)
        elif scramblings > 1:
            intervals = _left_out(sums.sum(axis=1), confidence)
        else:
            intervals = _drawn_again(sums[counted], confidence, seed)
    found = [Interval(*map(float, one)) for one in intervals.T]
    rows = [Index(name, *found[2 * at : 2 * at + 2]) for at, name in enumerate([*names, "dummy"])]
    return Indices(
        factors=rows[:-1],
        dummy=rows[-1],
        sum_of_first=found[-1],
        variance=float(values[counted][:, :2].var()) if varies else 0.0,
        devices=int(values.size),
        left_out=int((~counted).sum()),
        scramblings=scramblings,
    )


def _terms(values: Floats, counted: NDArray[np.bool_]) -> Floats:
    """Return what each row contributes to the sums in the formulas of the indices; 0 if it is left out."""
    centre = values[counted].mean() if counted.any() else 0.0
    centred = np.where(counted[..., None], values - centre, 0)
    a, b, mixed = centred[..., :1], centred[..., 1:2], centred[..., 2:]
    changes = mixed - a
    count = counted[..., None].astype(np.float64)
    return np.concatenate([count, a, b, a * a, b * b, a * b, b * changes, changes, changes**2], axis=-1)


def _from_sums(sums: Floats) -> Floats:
    """Compute all indices from sums: of each factor, of the dummy factor, and the sum of first indices.

    Args:
        sums: Sums over rows of what `_terms` returns, shape (..., 6 + 3 factors).

    Returns:
        Indices, of the shape (..., 2 factors + 3).
    """
    means = sums / sums[..., :1]
    a, b, aa, bb, ab = (means[..., at, None] for at in range(1, 6))
    products, changes, squares = np.split(means[..., 6:], 3, axis=-1)
    mean = (a + b) / 2
    variance = (aa + bb) / 2 - mean**2
    first = (products - mean * changes) / variance
    total = squares / 2 / variance
    dummy = np.concatenate([(ab - a * b) / variance, 1 - (bb - mean**2) / variance], axis=-1)
    pairs = np.stack([first, total], axis=-1).reshape(*first.shape[:-1], -1)
    return np.concatenate([pairs, dummy, first.sum(axis=-1, keepdims=True)], axis=-1)


def _left_out(sums: Floats, confidence: float) -> Floats:
    """Return indices with ends of intervals, shape (3, indices), by leaving out each set (jackknife)."""
    sets = len(sums)
    total = sums.sum(axis=0)
    # Pseudovalue of each set: its mean over sets is the index without the bias of a ratio.
    alone = sets * _from_sums(total) - (sets - 1) * _from_sums(total - sums)
    value = alone.mean(axis=0)
    half = student_quantile((1 + confidence) / 2, sets - 1) * alone.std(axis=0, ddof=1) / math.sqrt(sets)
    return np.stack([value, value - half, value + half])


def _drawn_again(rows: Floats, confidence: float, seed: int) -> Floats:
    """Return indices and ends of intervals, shape (3, indices), from random samples of rows (bootstrap)."""
    count = len(rows)
    at_once = max(1, _AT_ONCE // count)
    found = []
    for begun in range(0, _DRAWN, at_once):
        times = min(at_once, _DRAWN - begun)
        drawn = below(times * count, count, check_seed(seed), 5, begun).reshape(times, count)
        # Count how often each row was drawn, for all samples at once.
        often = np.bincount((drawn + count * np.arange(times)[:, None]).ravel(), minlength=times * count)
        found.append(_from_sums(often.reshape(times, count) @ rows))
    ends = np.quantile(np.concatenate(found), [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return np.concatenate([_from_sums(rows.sum(axis=0))[None], ends])


def _powers(even: bool) -> tuple[float, ...]:
    return (1, 0.5) if even else (0.5,)


def _span(values: Sequence[float], form: str) -> str:
    """Format the range of some numbers, such as "5 to 20", or one number if all are equal."""
    low, high = (format(value, form) for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"
