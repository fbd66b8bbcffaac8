"""Which factors make a figure differ between devices: Sobol's indices with intervals (Sobol 1993).

The first index of a factor is the part of the variance that it makes alone: so much less would a figure vary
if the factor were known. The total index is that with all it does together with others (Homma and Saltelli
1996): so much of the variance would be left if all but that factor were known.

Devices come in rows. A row has two independent devices A and B, and for each factor A with that factor of B.
The indices are means over rows: the first index as Saltelli et al. (2010) estimate it, with the mean of the
figure taken away so that it does not matter, and the total as Jansen (1999). The dummy is a factor that does
nothing, by the formulas of Khorashadi Zadeh et al. (2017): what it seems to do is noise.
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

#: Sets of points, each scrambled by itself: enough that an interval from them is hardly wider than from more.
SCRAMBLINGS = 8
#: Below so many sets the rows are drawn again instead.
_FEWEST = 4
#: Sets of rows that are drawn again.
_DRAWN = 1000
#: So many rows of all of them at once.
_AT_ONCE = 2**17
#: Wider intervals say little.
WIDTH = 0.1


class Interval(NamedTuple):
    """An estimate with its confidence interval; NaN where there is none."""

    value: float
    low: float
    high: float

    @property
    def width(self) -> float:
        """From end to end."""
        return self.high - self.low

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"


class Index(NamedTuple):
    """The indices of a factor.

    Attributes:
        name: Of the factor.
        first: What it does alone, as a part of the variance.
        total: That with what it does together with others.
    """

    name: str
    first: Interval
    total: Interval


@dataclass(frozen=True)
class Indices:
    """What each factor does to a figure, from `sobol_indices`.

    An interval may go below 0 or above 1, where no index can be: by so much it is noise.

    Attributes:
        factors: The indices of each factor, in the order of the dimensions.
        dummy: Those of a factor that does nothing: what is no larger is not told from noise.
        sum_of_first: How much of the variance single factors make: what is missing to 1 they make together.
        variance: Of the figure over devices.
        devices: How many were looked at.
        left_out: Rows that have no figure for one device or more, and so do not count.
        scramblings: Independent sets of points that the intervals come from; 1 where rows were drawn again.
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
        """The factors that do something, with a total index that is not told from that of the dummy."""
        told = [one.name for one in self.factors if one.total.low > max(self.dummy.total.high, 0)]
        return [one.name for one in self.factors if one.name not in [*told, *self.inert]]

    @property
    def inert(self) -> list[str]:
        """The factors that did nothing at all to any device."""
        return [one.name for one in self.factors if one.total.value == 0 and one.total.width == 0]

    @property
    def widest(self) -> tuple[str, Interval]:
        """The widest interval, and what it is of."""
        every = [
            (f"the {kind} index of {one.name}", getattr(one, kind)) for one in self.factors for kind in _KINDS
        ]
        return best_of(every, lambda named: -named[1].width)

    def in_words(self, width: float = WIDTH) -> list[str]:
        """What the intervals allow to say, and what more devices would buy, in sentences.

        Args:
            width: What wider intervals are too wide.
        """
        if self.left_out * (len(self.factors) + 2) == self.devices:
            return ["No device has this figure: there are no indices."]
        if not self.variance > 0:
            return [
                f"The figure is the same for all {self.devices:,} devices: no factor does anything to it."
            ]
        said = []
        if self.left_out:
            said.append(f"{self.left_out:,} rows have a device without this figure, and are left out.")
        if any(math.isnan(one.total.width) for one in self.factors):
            return [*said, "Too few devices differ in the figure for intervals: look at more."]
        said.append(self._width_in_words(width))
        if self.sum_of_first.high < 1:
            together = 1 - self.sum_of_first.value
            said.append(f"About {100 * together:.0f} % of the variance comes from factors together.")
        if self.noise:
            said.append(f"Not told from noise: {', '.join(self.noise)}.")
        if self.inert:
            said.append(f"Did nothing at all: {', '.join(self.inert)}.")
        return said

    def _width_in_words(self, width: float) -> str:
        what, widest = self.widest
        if widest.width <= width:
            return f"No interval is wider than {width:g}: the widest, of {what}, is {widest.width:.2g}."
        # Errors fall with the root of the number of random points; of even ones up to as fast as the number.
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
    """The devices to look at for `sobol_indices`.

    Args:
        factors: How many, up to half the dimensions of `sobol`.
        rows: In each set; powers of two are best. The rows of a design of fewer are the first of these.
        seed: A whole number from 0.
        scramblings: Independent sets of rows, each by a scrambling of its own.
        start: Rows of each set that are left out before the first, as they are there already.

    Returns:
        Points of the unit cube, of the shape (scramblings, rows, factors + 2, factors): of each row A, B, and
        A with each factor of B in turn.

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
    """The indices of each factor, with intervals.

    Intervals are Student's over the scramblings, each of which is left out in turn (the jackknife, on whose
    use see Tukey 1958): with 8 sets of 64 rows they held each exact index of two functions of the books and
    of a condition in 373 or more of 400 cases (``tests/uncertainty/index_coverage.py``). For less than 4 sets
    rows are drawn again with replacement (the bootstrap; Archer, Saltelli and Sobol 1997), which is right for
    random rows (366 or more); over a single Sobol sequence it held one index in 345 of 400 cases.

    Args:
        figures: Of the devices of `sensitivity_design`, of the shape (scramblings, rows, factors + 2); 0 and
            1, or truths, for whether something holds. A row with one that is not finite is left out.
        names: Of the factors.
        confidence: The part of such intervals that hold the true index.
        seed: For rows that are drawn again.

    Raises:
        ParameterError: The figures have another shape, there are less than two rows, or the confidence is not
            between 0 and 1.
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
    """What each row adds to the sums that all indices are functions of; nothing where it does not count."""
    centre = values[counted].mean() if counted.any() else 0.0
    centred = np.where(counted[..., None], values - centre, 0)
    a, b, mixed = centred[..., :1], centred[..., 1:2], centred[..., 2:]
    changes = mixed - a
    count = counted[..., None].astype(np.float64)
    return np.concatenate([count, a, b, a * a, b * b, a * b, b * changes, changes, changes**2], axis=-1)


def _from_sums(sums: Floats) -> Floats:
    """The first and total index of each factor and the dummy, and the sum of the first, from those sums.

    Args:
        sums: Of the shape (..., 6 + 3 factors).

    Returns:
        Of the shape (..., 2 factors + 3).
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
    """Values and ends of intervals by the jackknife over sets: (3, indices)."""
    sets = len(sums)
    total = sums.sum(axis=0)
    # What each set would have to give for the mean over sets to be the index without the bias of a ratio.
    alone = sets * _from_sums(total) - (sets - 1) * _from_sums(total - sums)
    value = alone.mean(axis=0)
    half = student_quantile((1 + confidence) / 2, sets - 1) * alone.std(axis=0, ddof=1) / math.sqrt(sets)
    return np.stack([value, value - half, value + half])


def _drawn_again(rows: Floats, confidence: float, seed: int) -> Floats:
    """Values and ends of intervals by drawing rows with replacement: (3, indices)."""
    count = len(rows)
    at_once = max(1, _AT_ONCE // count)
    found = []
    for begun in range(0, _DRAWN, at_once):
        times = min(at_once, _DRAWN - begun)
        drawn = below(times * count, count, check_seed(seed), 5, begun).reshape(times, count)
        # How often each row was drawn, of all times in one go.
        often = np.bincount((drawn + count * np.arange(times)[:, None]).ravel(), minlength=times * count)
        found.append(_from_sums(often.reshape(times, count) @ rows))
    ends = np.quantile(np.concatenate(found), [(1 - confidence) / 2, (1 + confidence) / 2], axis=0)
    return np.concatenate([_from_sums(rows.sum(axis=0))[None], ends])


def _powers(even: bool) -> tuple[float, ...]:
    return (1, 0.5) if even else (0.5,)


def _span(values: Sequence[float], form: str) -> str:
    """The ends of a span of numbers, or one."""
    low, high = (format(value, form) for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"
