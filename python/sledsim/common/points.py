"""Limit on the number of combinations of a study, as a few short lists multiply to a huge number."""

import math
from collections.abc import Iterable, Sized

from .. import _native

#: Largest number of points of a study: more than any study needs, and as many as fit into memory.
MOST_POINTS = 1_000_000


def check_points(axes: Iterable[tuple[str, Sized]], instead: str) -> None:
    """Check that the combinations of some axes do not exceed the limit of a study.

    Args:
        axes: Name and values of each axis.
        instead: Advice if the limit is exceeded.

    Raises:
        ParameterError: The limit is exceeded; the message has the number of values of each axis.
    """
    found = list(axes)
    points = math.prod(len(values) for _, values in found)
    if points > MOST_POINTS:
        counts = " x ".join(f"{len(values):,} of {name}" for name, values in found if len(values) > 1)
        raise _native.ParameterError(
            f"expected at most {MOST_POINTS:,} points, found {points:,}: {counts}; {instead}"
        )
