"""Ranks, best items and Pareto fronts, by figures whose rounding errors do not change the result.

The same numbers added in another order give another last digit. Figures whose relative difference is at
most `ALIKE` therefore count as equal, and of equal things the first one is chosen.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: Largest relative difference at which two figures count as equal.
ALIKE = 1e-9

Thing = TypeVar("Thing")
#: Function that returns a figure of an item; a smaller figure is better, and NaN is worst.
Key = Callable[[Thing], float]


def levels(figures: ArrayLike, size: float = 0.0) -> NDArray[np.int64]:
    """Return the rank of each figure: 0 for the least, and equal ranks for figures equal up to rounding.

    Figures are equal if each is nearly equal to the next one in ascending order; NaN comes last.

    Args:
        figures: Figures to rank: one dimension, or two dimensions of which each column is ranked by itself.
        size: Magnitude by which rounding errors are judged: needed if figures are small differences of large
            numbers.
    """
    values = np.asarray(figures, np.float64)
    if values.ndim == 2:
        columns = [levels(column, size) for column in values.T]
        return np.stack(columns, axis=1) if columns else np.zeros(values.shape, np.int64)
    order = np.argsort(values, kind="stable")
    low, high = values[order][:-1], values[order][1:]
    found = np.zeros(len(values), np.int64)
    found[order[1:]] = np.cumsum(~_alike(low, high, size))
    return found


def is_less(one: float, other: float) -> bool:
    """Return True if `one` is less than `other` by more than a rounding error; False if one is NaN."""
    return one < other and not bool(_alike(np.float64(one), np.float64(other)))


def is_same(one: Any, other: Any) -> bool:
    """Return True if two nested structures are equal, with numbers compared up to rounding."""
    if isinstance(one, float) and isinstance(other, float | int):
        return bool(_alike(np.float64(one), np.float64(other)))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and all(is_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other)


def ordered(things: Iterable[Thing], *keys: Key[Thing], size: float = 0.0) -> list[Thing]:
    """Sort items by the first key, items equal in it by the second, and so on; otherwise keep their order."""
    found = list(things)
    columns = [levels([key(one) for one in found], size) for key in keys]
    return [found[at] for at in np.lexsort(columns[::-1])]


def best_of(things: Iterable[Thing], *keys: Key[Thing], size: float = 0.0) -> Thing:
    """Return the item that comes first in the order of `ordered`; at least one item must be given."""
    return ordered(things, *keys, size=size)[0]


def front(costs: ArrayLike) -> list[int]:
    """Return the indices of the items on the Pareto front; of equal items on it, all.

    A thing dominates another if it is as good in all figures and better in one. The result is sorted by the
    first figure, then by the next.

    Args:
        costs: Costs of each item, in an array of the shape (items, figures); smaller is better.
    """
    points = levels(costs)
    kept = np.empty((0, points.shape[1]), np.int64)
    found: list[int] = []
    # In the order of the first column, only points already on the front can dominate a point.
    for at in np.lexsort(points.T[::-1]):
        point = points[at]
        if not (np.all(kept <= point, axis=1) & np.any(kept < point, axis=1)).any():
            found.append(int(at))
            kept = np.vstack([kept, point])
    return found


def groups(things: Iterable[Thing], *keys: Key[Thing]) -> list[list[Thing]]:
    """Group items that are equal in all figures; the groups are in the order of their first items."""
    found = list(things)
    columns = [levels([key(one) for one in found]).tolist() for key in keys]
    same: dict[Sequence[int], list[Thing]] = {}
    for one, places in zip(found, zip(*columns, strict=True), strict=True):
        same.setdefault(places, []).append(one)
    return list(same.values())


def _alike(low: Any, high: Any, size: float = 0.0) -> NDArray[np.bool_]:
    with np.errstate(invalid="ignore"):
        near = np.abs(high - low) <= ALIKE * np.maximum(np.maximum(np.abs(low), np.abs(high)), size)
    known = np.isfinite(low) & np.isfinite(high)
    return np.asarray((low == high) | (known & near) | (np.isnan(low) & np.isnan(high)))
