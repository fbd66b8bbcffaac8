"""Check of the number of points of a study, which is the product of the numbers of values to combine."""

import math
from collections.abc import Iterable, Sized

from .. import _native

#: Largest number of points of a study; the rows of more points would not fit into memory.
MOST_POINTS = 1_000_000


def check_points(axes: Iterable[tuple[str, Sized]], instead: str) -> None:
    """Check that the number of combinations of all values is at most `MOST_POINTS`.

    Args:
        axes: Each varied parameter or other quantity of the study: its name and its values.
        instead: Advice that ends the message, such as "vary fewer values".

    Raises:
        ParameterError: There are too many combinations; the message has the number of values of each
            quantity.
    """
    found = list(axes)
    points = math.prod(len(values) for _, values in found)
    if points > MOST_POINTS:
        counts = " x ".join(f"{len(values):,} values of {name}" for name, values in found if len(values) > 1)
        raise _native.ParameterError(
            f"expected at most {MOST_POINTS:,} points, found {points:,}: {counts}; {instead}"
        )
