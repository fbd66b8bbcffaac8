"""Search for the factor that best predicts if a condition holds, and for devices where it nearly changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _native
from ..common import units
from ..common.arguments import check_whole
from ..common.ranking import ALIKE, best_of, levels
from .randomness import check_seed, permutation

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Least balanced accuracy in cross-validation from which on a rule predicts the condition.
DECIDES = 0.75
#: Number of groups into which cross-validation divides the devices.
FOLDS = 10


@dataclass(frozen=True)
class Split:
    """A rule on one factor, from `one_split`: the condition holds beyond a number, or for some values.

    The accuracy of a rule is the share of devices for which it is right. Its balanced accuracy is the mean of
    two shares: over the devices for which the condition holds, and over all other devices. A rule that always
    gives the same answer has a balanced accuracy of 0.5.

    Attributes:
        factor: Name of the factor (varied parameter).
        threshold: Number at which the answer of the rule changes; None if the factor has separate values.
        above: True if, by the rule, the condition holds above the threshold; False if below.
        options: Values of the factor for which, by the rule, the condition holds; empty if the factor is a
            number.
        accuracy: Share of the devices for which the rule is right, of those from which it was made.
        balanced: Balanced accuracy: mean of the shares of right answers where the condition holds and where
            it fails, on the devices from which the rule was made.
        validated: Share of right answers in cross-validation, for devices from which the rule was not made.
        validated_balanced: Balanced accuracy in cross-validation, for devices from which the rule was not
            made.
        majority: Share of right answers of a rule that always gives the more frequent answer.
    """

    factor: str
    threshold: float | None
    above: bool
    options: tuple[Any, ...]
    accuracy: float
    balanced: float
    validated: float
    validated_balanced: float
    majority: float

    @property
    def decides(self) -> bool:
        """True if the balanced accuracy in cross-validation is at least 75 %."""
        return self.validated_balanced >= DECIDES

    @property
    def rule(self) -> str:
        """The rule as a text: ``settle_ms < 0.23``, ``scheduler is sptf or satf``."""
        if self.threshold is None:
            return f"{self.factor} is {' or '.join(map(str, self.options))}"
        return f"{self.factor} {'>' if self.above else '<'} {units.number(self.threshold)}"

    def __str__(self) -> str:
        return (
            f"{self.rule}: right for {100 * self.validated:.0f} % of devices that it has not seen"
            f" ({100 * self.validated_balanced:.0f} % with equal weight of both answers)"
        )


@dataclass(frozen=True)
class Nearest:
    """A device for which a small change of its parameters would change whether the condition holds.

    Attributes:
        device: Index of the device.
        holds: True if the condition holds for the device.
        margin: Relative distance from the edge at which the condition changes (see `Condition.truth`).
        distance: Distance from the nominal device, with each factor scaled to the range from 0 to 1.
    """

    device: int
    holds: bool
    margin: float
    distance: float


def one_split(columns: Mapping[str, ArrayLike], holds: ArrayLike, seed: int = 0) -> Split | None:
    """Find the rule on one factor that best predicts for which devices a condition holds.

    The rule is a tree of one split (Iba and Langley 1992; Holte 1993). On the devices from which it was made,
    the best of many rules looks better than it is. Cross-validation (Stone 1974) therefore divides the
    devices at random into 10 groups and judges each by a rule made from the others, with its own choice of
    the factor.

    Args:
        columns: Values of each factor for all devices, by name of the factor: numbers, or texts and booleans.
        holds: True for each device for which the condition holds; devices with unknown answers must be left
            out.
        seed: Seed of the random groups of devices in cross-validation.

    Returns:
        The rule; None if the answer is the same for all devices, or no factor varies.

    Raises:
        ParameterError: The columns have different lengths, or a number is infinite or NaN.
    """
    answers = np.asarray(holds, bool)
    codes = [_codes(name, values, len(answers)) for name, values in columns.items()]
    check_seed(seed)
    best = _best(codes, answers)
    if best is None:
        return None
    said = best.says(codes)
    validated = _validated(codes, answers, seed)
    column = codes[best.column]
    return Split(
        factor=column.name,
        threshold=best.threshold if column.options is None else None,
        above=best.above,
        options=() if column.options is None else tuple(column.options[at] for at in best.chosen),
        accuracy=float((said == answers).mean()),
        balanced=_balanced(said, answers),
        validated=float((validated == answers).mean()),
        validated_balanced=_balanced(validated, answers),
        majority=float(max(answers.mean(), 1 - answers.mean())),
    )


def nearest(
    margins: ArrayLike,
    holds: ArrayLike,
    distances: ArrayLike,
    count: int = 1,
    by: Literal["margin", "distance"] = "margin",
) -> tuple[list[Nearest], list[Nearest]]:
    """Find the devices at which a condition nearly changes: where it holds, and where it fails.

    Args:
        margins: Margin of the condition for each device, from `Condition.truth`; a device with NaN is left
            out.
        holds: True for each device for which the condition holds.
        distances: Distance of each device from the nominal device, as the function `distances` returns it.
        count: Largest number of devices to return for each of the two answers.
        by: ``margin`` for the devices with the least margins, ``distance`` for those nearest to the nominal
            device. The other quantity decides between equal ones.

    Raises:
        ParameterError: The arguments differ in length, or `by` has another value.
    """
    found = np.asarray(margins, np.float64), np.asarray(holds, bool), np.asarray(distances, np.float64)
    margin, answer, distance = found
    if len({array.shape for array in found}) > 1 or margin.ndim != 1:
        shapes = ", ".join(str(array.shape) for array in found)
        raise _native.ParameterError(f"nearest: expected one value per device, found {shapes}")
    if by not in ("margin", "distance"):
        raise _native.ParameterError(f"by = {by!r}: expected 'margin' or 'distance'")
    check_whole("count", count, 1)
    keys = (np.abs(margin), distance) if by == "margin" else (distance, np.abs(margin))
    order = np.lexsort(keys[::-1])
    order = order[~np.isnan(margin[order])]
    every = [Nearest(int(at), bool(answer[at]), float(margin[at]), float(distance[at])) for at in order]
    return [one for one in every if one.holds][:count], [one for one in every if not one.holds][:count]


def distances(points: ArrayLike, nominal: ArrayLike, levels: Sequence[int | None]) -> Floats:
    """Return how far devices are from the nominal device, with each factor scaled to 0 to 1.

    Different values of a choice are 1 apart.

    Args:
        points: Position of each device from 0 to 1 in the range of each factor, shape (count, factors).
        nominal: Position of the nominal device, from `Factors.place`; NaN has the distance 1 from all values.
        levels: Number of values of each factor with separate values, from `Factors.levels`; None for a range.

    Raises:
        ParameterError: The shapes of the arguments do not match.
    """
    every, one = np.asarray(points, np.float64), np.asarray(nominal, np.float64)
    if every.ndim != 2 or one.shape != every.shape[1:] or len(levels) != len(one):
        found = f"{every.shape}, {one.shape}, ({len(levels)},)"
        raise _native.ParameterError(
            f"distances: expected points (count, factors), nominal and levels (factors), found {found}"
        )
    apart = np.where(np.isnan(one), 1, np.abs(every - one))
    for at, count in enumerate(levels):
        if count is not None:
            cells = np.minimum(np.floor(every[:, at] * count), count - 1)
            apart[:, at] = cells != np.minimum(np.floor(one[at] * count), count - 1)
    return np.asarray(np.sqrt((apart**2).sum(axis=1)))


@dataclass(frozen=True)
class _Column:
    """Values of a factor for all devices as numbers; for separate values, their indices in `options`."""

    name: str
    values: Floats
    options: list[Any] | None


@dataclass(frozen=True)
class _Rule:
    """The rule of a `Split`, with the index of the factor in place of its name."""

    column: int
    threshold: float
    above: bool
    chosen: tuple[int, ...]
    score: float

    def says(self, columns: Sequence[_Column]) -> Bools:
        """Return True for each device for which the rule predicts that the condition holds."""
        column = columns[self.column]
        if column.options is not None:
            return np.isin(column.values, self.chosen)
        return np.asarray((column.values > self.threshold) == self.above)


def _codes(name: str, values: ArrayLike, count: int) -> _Column:
    array = np.asarray(values)
    if array.shape != (count,):
        raise _native.ParameterError(
            f"{name}: expected one value for each of {count} devices, found the shape {array.shape}"
        )
    if array.dtype.kind in "iuf":
        if not np.isfinite(array).all():
            raise _native.ParameterError(f"{name}: expected finite numbers, found infinite or missing values")
        return _Column(name, array.astype(np.float64), None)
    objects = array.tolist()
    options = list(dict.fromkeys(objects))
    return _Column(name, np.array([options.index(one) for one in objects], np.float64), options)


def _best(columns: Sequence[_Column], answers: Bools) -> _Rule | None:
    """Return the rule with the greatest balanced accuracy; the first one if several are equal."""
    if not 0 < answers.sum() < len(answers):
        return None
    weights = np.where(answers, 0.5 / answers.sum(), -0.5 / (~answers).sum())
    rules = [rule for at, column in enumerate(columns) if (rule := _best_of(at, column, weights))]
    return best_of(rules, lambda rule: -rule.score) if rules else None


def _best_of(at: int, column: _Column, weights: Floats) -> _Rule | None:
    """Return the best rule on one factor: the one whose devices have the largest sum of `weights`."""
    values, inverse = np.unique(column.values, return_inverse=True)
    if len(values) < 2:
        return None
    sums = np.bincount(inverse, weights)
    if column.options is not None:
        is_for = sums > ALIKE
        chosen = tuple(int(value) for value in values[is_for])
        return _Rule(at, 0.0, True, chosen, 0.5 + float(sums[is_for].sum()))
    above = -np.cumsum(sums)[:-1]  # The sum above each gap; all weights together are 0.
    gap = int(np.argmin(levels(-np.abs(above), size=1)))
    middle = values[gap] + (values[gap + 1] - values[gap]) / 2
    threshold = float(middle if middle < values[gap + 1] else values[gap])
    return _Rule(at, threshold, bool(above[gap] > ALIKE), (), 0.5 + float(abs(above[gap])))


def _validated(columns: Sequence[_Column], answers: Bools, seed: int) -> Bools:
    """Return the predicted answer for each device, by a rule made without it (cross-validation)."""
    said = np.zeros(len(answers), bool)
    # Each group gets equal shares of the two answers.
    order = permutation(len(answers), seed, 6)
    order = order[np.argsort(answers[order], kind="stable")]
    for fold in range(min(FOLDS, len(answers))):
        out = order[fold::FOLDS]
        rest = np.setdiff1d(order, out)
        rule = _best([_Column(one.name, one.values[rest], one.options) for one in columns], answers[rest])
        if rule is None:
            said[out] = answers[rest].mean() > 0.5
        else:
            said[out] = rule.says(columns)[out]
    return said


def _balanced(said: Bools, answers: Bools) -> float:
    return float((said[answers].mean() + (~said[~answers]).mean()) / 2)
