"""What decides whether something holds: the factor that tells most, and the devices nearest to the edge."""

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

#: A rule that is right less often is none.
DECIDES = 0.75
#: Parts of the devices, each of which is judged by what the others tell.
FOLDS = 10


@dataclass(frozen=True)
class Split:
    """A rule by one factor, from `one_split`: it holds above or below a number, or with some values.

    An accuracy is the part of all devices of which the rule says rightly whether it holds; a balanced one is
    the mean of that part over devices where it holds and of that over those where not, so that always saying
    what is more frequent has 0.5.

    Attributes:
        factor: Its name.
        threshold: The number between the devices on both sides; None of a factor with values to choose from.
        above: Whether it holds above the threshold, rather than below.
        options: The values with which it holds, of a factor with values to choose from.
        accuracy: Of this rule over the devices from which it was made.
        balanced: The same, balanced.
        validated: The accuracy over devices that a rule, made in the same way, had not seen.
        validated_balanced: The same, balanced.
        majority: The accuracy of always saying what is more frequent.
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
        """Whether it is right for three devices of four that it was not made from, both answers alike."""
        return self.validated_balanced >= DECIDES

    @property
    def rule(self) -> str:
        """When it holds: ``settle_ms < 0.23``, ``scheduler is sptf or satf``."""
        if self.threshold is None:
            return f"{self.factor} is {' or '.join(map(str, self.options))}"
        return f"{self.factor} {'>' if self.above else '<'} {units.number(self.threshold)}"

    def __str__(self) -> str:
        return (
            f"{self.rule}: right for {100 * self.validated:.0f} % of devices that it was not made from"
            f" ({100 * self.validated_balanced:.0f} % where both answers count alike)"
        )


@dataclass(frozen=True)
class Nearest:
    """A device near the edge.

    Attributes:
        device: Its number.
        holds: What is so for it.
        margin: By how much.
        distance: From the device itself, in the unit cube.
    """

    device: int
    holds: bool
    margin: float
    distance: float


def one_split(columns: Mapping[str, ArrayLike], holds: ArrayLike, seed: int = 0) -> Split | None:
    """The rule by one factor that tells best whether something holds, by balanced accuracy.

    That is a tree of one split (Iba and Langley 1992; Holte 1993). Made of the same devices that it is judged
    by a rule looks better than it is, as the best of many; so the devices are also divided at random into 10
    parts, each judged by a rule that is made, choice of the factor and all, of the others (cross-validation,
    Stone 1974).

    Args:
        columns: For each factor its value for each device: numbers, or texts and truths to choose from.
        holds: For each device whether it holds; those of which that is not known are to be left out before.
        seed: Of the division.

    Returns:
        The rule; None where it holds for all devices or for none, or no factor varies.

    Raises:
        ParameterError: The columns differ in length, or have a number that is not finite.
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
    """The devices nearest to the edge, for which something holds, and for which it does not.

    Args:
        margins: By how much it holds for each device, as `Condition.truth` gives them; devices whose margin
            is NaN do not count.
        holds: For each device whether it holds.
        distances: For each device that from the device itself, from `distances`.
        count: How many of each, at most.
        by: ``margin``: those that hold by the least; ``distance``: those nearest to the device itself. The
            other one decides between equal ones.

    Raises:
        ParameterError: The arguments differ in length, or `by` is something else.
    """
    found = np.asarray(margins, np.float64), np.asarray(holds, bool), np.asarray(distances, np.float64)
    margin, answer, distance = found
    if len({array.shape for array in found}) > 1 or margin.ndim != 1:
        shapes = ", ".join(str(array.shape) for array in found)
        raise _native.ParameterError(f"nearest: expected one value a device each, found {shapes}")
    if by not in ("margin", "distance"):
        raise _native.ParameterError(f"by = {by!r}: expected margin or distance")
    check_whole("count", count, 1)
    keys = (np.abs(margin), distance) if by == "margin" else (distance, np.abs(margin))
    order = np.lexsort(keys[::-1])
    order = order[~np.isnan(margin[order])]
    every = [Nearest(int(at), bool(answer[at]), float(margin[at]), float(distance[at])) for at in order]
    return [one for one in every if one.holds][:count], [one for one in every if not one.holds][:count]


def distances(points: ArrayLike, nominal: ArrayLike, levels: Sequence[int | None]) -> Floats:
    """How far devices are from one device in the unit cube: Euclid's distance.

    Where there are values to choose from, two devices are 1 apart that have different ones, else 0.

    Args:
        points: Of the shape (count, factors).
        nominal: The one, from `Factors.place`; NaN has a value of its own.
        levels: For each factor the number of its values to choose from, from `Factors.levels`.

    Raises:
        ParameterError: The shapes do not fit each other.
    """
    every, one = np.asarray(points, np.float64), np.asarray(nominal, np.float64)
    if every.ndim != 2 or one.shape != every.shape[1:] or len(levels) != len(one):
        found = f"{every.shape}, {one.shape}, ({len(levels)},)"
        raise _native.ParameterError(
            f"distances: expected (count, factors) and twice (factors), found {found}"
        )
    apart = np.where(np.isnan(one), 1, np.abs(every - one))
    for at, count in enumerate(levels):
        if count is not None:
            cells = np.minimum(np.floor(every[:, at] * count), count - 1)
            apart[:, at] = cells != np.minimum(np.floor(one[at] * count), count - 1)
    return np.asarray(np.sqrt((apart**2).sum(axis=1)))


@dataclass(frozen=True)
class _Column:
    """The values of a factor as numbers: of what there is to choose the numbers of the `options`."""

    name: str
    values: Floats
    options: list[Any] | None


@dataclass(frozen=True)
class _Rule:
    """What `Split` says, by the number of a column."""

    column: int
    threshold: float
    above: bool
    chosen: tuple[int, ...]
    score: float

    def says(self, columns: Sequence[_Column]) -> Bools:
        """For each device whether it holds by this rule."""
        column = columns[self.column]
        if column.options is not None:
            return np.isin(column.values, self.chosen)
        return np.asarray((column.values > self.threshold) == self.above)


def _codes(name: str, values: ArrayLike, count: int) -> _Column:
    array = np.asarray(values)
    if array.shape != (count,):
        raise _native.ParameterError(
            f"{name}: expected one value for each of {count} devices, found {array.shape}"
        )
    if array.dtype.kind in "iuf":
        if not np.isfinite(array).all():
            raise _native.ParameterError(f"{name}: expected finite numbers, found others")
        return _Column(name, array.astype(np.float64), None)
    objects = array.tolist()
    options = list(dict.fromkeys(objects))
    return _Column(name, np.array([options.index(one) for one in objects], np.float64), options)


def _best(columns: Sequence[_Column], answers: Bools) -> _Rule | None:
    """The rule with the largest balanced accuracy, the first of equal ones."""
    if not 0 < answers.sum() < len(answers):
        return None
    weights = np.where(answers, 0.5 / answers.sum(), -0.5 / (~answers).sum())
    rules = [rule for at, column in enumerate(columns) if (rule := _best_of(at, column, weights))]
    return best_of(rules, lambda rule: -rule.score) if rules else None


def _best_of(at: int, column: _Column, weights: Floats) -> _Rule | None:
    """The best rule by one column; weights are what an answer adds to the balanced accuracy, less 0.5."""
    values, inverse = np.unique(column.values, return_inverse=True)
    if len(values) < 2:
        return None
    sums = np.bincount(inverse, weights)
    if column.options is not None:
        is_for = sums > ALIKE
        chosen = tuple(int(value) for value in values[is_for])
        return _Rule(at, 0.0, True, chosen, 0.5 + float(sums[is_for].sum()))
    above = -np.cumsum(sums)[:-1]  # What is above each gap; all weights together are 0.
    gap = int(np.argmin(levels(-np.abs(above), size=1)))
    middle = values[gap] + (values[gap + 1] - values[gap]) / 2
    threshold = float(middle if middle < values[gap + 1] else values[gap])
    return _Rule(at, threshold, bool(above[gap] > ALIKE), (), 0.5 + float(abs(above[gap])))


def _validated(columns: Sequence[_Column], answers: Bools, seed: int) -> Bools:
    """For each device what a rule says that was made of others."""
    said = np.zeros(len(answers), bool)
    # Both answers are dealt out evenly.
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
