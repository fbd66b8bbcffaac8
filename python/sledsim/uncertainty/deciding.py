"""Search for the factor that best predicts a condition, and for the devices nearest to its edge."""

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

#: Least balanced accuracy in cross-validation of a rule that decides the condition.
DECIDES = 0.75
#: Number of parts into which cross-validation divides the devices.
FOLDS = 10


@dataclass(frozen=True)
class Split:
    """A rule by one factor, from `one_split`: a condition holds above or below a number, or for some values.

    The accuracy of a rule is the share of devices for which it is right. Its balanced accuracy is the mean of
    two shares: over the devices for which the condition holds, and over all other devices. A rule that always
    gives the same answer has a balanced accuracy of 0.5.

    Attributes:
        factor: Name of the factor.
        threshold: Number that separates the two answers; None if the factor is a choice among values.
        above: True if the condition holds above the threshold, False if it holds below.
        options: Values for which the condition holds, if the factor is a choice among values.
        accuracy: Accuracy of the rule over the devices from which it was made.
        balanced: Balanced accuracy of the rule over the devices from which it was made.
        validated: Accuracy in cross-validation, which is over devices that were not used to make the rule.
        validated_balanced: Balanced accuracy in cross-validation.
        majority: Accuracy of always giving the more frequent answer.
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
    """A device for which a condition nearly changes between holding and failing.

    Attributes:
        device: Number of the device.
        holds: True if the condition holds for the device.
        margin: Margin of the condition for the device (see `Condition.truth`).
        distance: Distance from the nominal device in the unit cube.
    """

    device: int
    holds: bool
    margin: float
    distance: float


def one_split(columns: Mapping[str, ArrayLike], holds: ArrayLike, seed: int = 0) -> Split | None:
    """Find the rule by one factor with the best balanced accuracy for a condition.

    The rule is a tree of one split (Iba and Langley 1992; Holte 1993). On the devices from which it was made,
    the best of many rules looks better than it is. Cross-validation (Stone 1974) therefore divides the
    devices at random into 10 groups and judges each by a rule made from the others, with its own choice of
    the factor.

    Args:
        columns: Values of each factor by name, one per device: numbers, or texts and booleans.
        holds: True for each device for which the condition holds; omit devices with unknown answers.
        seed: Seed for dividing the devices in cross-validation.

    Returns:
        The rule; None if the answer is the same for all devices, or no factor varies.

    Raises:
        ParameterError: The columns differ in length, or a number is not finite.
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
    """Find the devices nearest to the edge of a condition, first where it holds, then where it fails.

    Args:
        margins: Margin of the condition for each device, from `Condition.truth`; NaN excludes a device.
        holds: True for each device for which the condition holds.
        distances: Distance of each device from the nominal device, from `distances`.
        count: Largest number of devices on each side of the edge.
        by: ``margin`` for the devices with the least margins, ``distance`` for those nearest to the nominal
            device; of equal ones, the other quantity decides.

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
    """Return the distances of devices from the nominal device in the unit cube.

    Different values of a choice are 1 apart.

    Args:
        points: Devices as points of the unit cube, of the shape (count, factors).
        nominal: Point of the nominal device, from `Factors.place`; NaN is 1 apart from all values.
        levels: Number of values of each factor that is a choice, from `Factors.levels`; None for a range.

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
    """Values of a factor for all devices, as numbers; values of a choice are indices of `options`."""

    name: str
    values: Floats
    options: list[Any] | None


@dataclass(frozen=True)
class _Rule:
    """The rule of a `Split`, with the index of a column instead of the name of the factor."""

    column: int
    threshold: float
    above: bool
    chosen: tuple[int, ...]
    score: float

    def says(self, columns: Sequence[_Column]) -> Bools:
        """Return True for each device for which this rule says that the condition holds."""
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
    """Return the rule with the largest balanced accuracy; of equal rules, the first."""
    if not 0 < answers.sum() < len(answers):
        return None
    weights = np.where(answers, 0.5 / answers.sum(), -0.5 / (~answers).sum())
    rules = [rule for at, column in enumerate(columns) if (rule := _best_of(at, column, weights))]
    return best_of(rules, lambda rule: -rule.score) if rules else None


def _best_of(at: int, column: _Column, weights: Floats) -> _Rule | None:
    """Return the rule by one factor with the largest sum of `weights` of devices."""
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
    """Return the answer for each device by a rule that was made from other devices (cross-validation)."""
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
