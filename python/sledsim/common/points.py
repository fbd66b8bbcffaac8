"""How many combinations a study may have: what a few short lists multiply to is not built without a limit."""

import math
from collections.abc import Iterable, Sized

from .. import _native

#: More than any study needs, and as many as memory holds.
MOST_POINTS = 1_000_000


def check_points(axes: Iterable[tuple[str, Sized]], instead: str) -> None:
    """Find out whether the combinations of some axes are no more than a study may have.

    Args:
        axes: The name of each, and its values.
        instead: What to do where they are more.

    Raises:
        ParameterError: They are more; the message has the number of values of each.
    """
    found = list(axes)
    points = math.prod(len(values) for _, values in found)
    if points > MOST_POINTS:
        counts = " x ".join(f"{len(values):,} of {name}" for name, values in found if len(values) > 1)
        raise _native.ParameterError(
            f"expected at most {MOST_POINTS:,} points, found {points:,}: {counts}; {instead}"
        )
