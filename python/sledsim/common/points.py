"""Limit on the number of points of a study, which is the product of the lengths of its lists."""

import math
from collections.abc import Iterable, Sized

from .. import _native

#: Largest number of points of a study; more would not fit into memory.
MOST_POINTS = 1_000_000


def check_points(axes: Iterable[tuple[str, Sized]], instead: str) -> None:
    """Check that the number of combinations of values does not exceed the limit on points of a study.

    Args:
        axes: Name and values of each quantity that the study varies.
        instead: Advice in the message, such as to vary fewer values.

    Raises:
        ParameterError: The limit is exceeded; the message has the number of values of each quantity.
    """
    found = list(axes)
    points = math.prod(len(values) for _, values in found)
    if points > MOST_POINTS:
        counts = " x ".join(f"{len(values):,} values of {name}" for name, values in found if len(values) > 1)
        raise _native.ParameterError(
            f"expected at most {MOST_POINTS:,} points, found {points:,}: {counts}; {instead}"
        )
