"""What is better: ranks, choices and fronts, of figures of which rounding decides nothing.

Sums of the same parts differ in their last digits by the order in which they are added. Figures that are
`ALIKE` are equal here, and of equal things the first is taken.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

#: Figures that differ by a smaller part are equal.
ALIKE = 1e-9

Thing = TypeVar("Thing")
#: A figure of a thing, the smaller the better; NaN is worse than all.
Key = Callable[[Thing], float]


def levels(figures: ArrayLike, size: float = 0.0) -> NDArray[np.int64]:
    """The places of figures among each other, from 0 for the least; equal ones have the same.

    Figures are equal where each is alike to the next one in order; NaN comes after all.

    Args:
        figures: One dimension; each column of two has places of its own.
        size: What figures are made of is as large as this: a difference of two can be far smaller.
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
    """Whether a figure is less than another by more than rounding; NaN is not."""
    return one < other and not bool(_alike(np.float64(one), np.float64(other)))


def is_same(one: Any, other: Any) -> bool:
    """Whether two structures of figures, texts and other values are the same but for rounding."""
    if isinstance(one, float) and isinstance(other, float | int):
        return bool(_alike(np.float64(one), np.float64(other)))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and all(is_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other)


def ordered(things: Iterable[Thing], *keys: Key[Thing], size: float = 0.0) -> list[Thing]:
    """Things by a figure, equal ones by the next figure, and those that are equal in all as they were."""
    found = list(things)
    columns = [levels([key(one) for one in found], size) for key in keys]
    return [found[at] for at in np.lexsort(columns[::-1])]


def best_of(things: Iterable[Thing], *keys: Key[Thing], size: float = 0.0) -> Thing:
    """The first thing of those that are `ordered`; there has to be one."""
    return ordered(things, *keys, size=size)[0]


def front(costs: ArrayLike) -> list[int]:
    """The rows that no other beats: as good in all columns, and better in one; of equal rows all.

    In the order of the first column, then of the next.

    Args:
        costs: A row a thing, a column a figure: the smaller the better.
    """
    points = levels(costs)
    kept = np.empty((0, points.shape[1]), np.int64)
    found: list[int] = []
    # In the order of the first column only what is on the front already can beat a point.
    for at in np.lexsort(points.T[::-1]):
        point = points[at]
        if not (np.all(kept <= point, axis=1) & np.any(kept < point, axis=1)).any():
            found.append(int(at))
            kept = np.vstack([kept, point])
    return found


def groups(things: Iterable[Thing], *keys: Key[Thing]) -> list[list[Thing]]:
    """Things that are equal in all figures together, in the order of the first of each."""
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
