"""What the interval of a ratio tells: the one rule for doubt, and the one for a range of loads.

A ratio is told to be on one side of a bound only if its whole interval is; else it is not told apart from it.
No verdict hangs on how many loads were chosen, or on which side most of them are: a single one that is told
to be the other way is enough for a statement not to hold. Only the highest of several loads is not, for next
to saturation a figure depends on the length of the runs: it can but keep a statement from holding at all.
"""

from collections.abc import Sequence

from sledsim.estimates import Estimate

from .figures import NEAR, SHAPE


def told(holds: bool, contrary: bool) -> bool | None:
    """Whether something is told to hold, or the contrary of it; None where that is left open."""
    return True if holds else False if contrary else None


def above(ratio: Estimate, bound: float = 1.0) -> bool:
    """Whether all of the interval is above; not if it is unknown."""
    return ratio.low > bound


def below(ratio: Estimate, bound: float = 1.0) -> bool:
    """Whether all of the interval is below; not if it is unknown."""
    return ratio.high < bound


def within(ratio: Estimate, part: float) -> bool:
    """Whether all of the interval is as near to 1 as that; not if it is unknown."""
    return ratio.low >= 1 - part and ratio.high <= 1 + part


def apart(ratio: Estimate, part: float) -> bool:
    """Whether all of the interval is further from 1 than that, on one side."""
    return above(ratio, 1 + part) or below(ratio, 1 - part)


def is_below(ratios: Sequence[Estimate]) -> tuple[bool, bool]:
    """Whether figures are smaller over a range of loads, and whether at best in shape.

    They are if that is told at one load at least, and at none (the highest of several is left out) that they
    are larger by more than figures may differ that are the same; in shape, unless it is told at all.
    """
    told = [below(ratio) for ratio in ratios]
    return any(told) and not any(above(ratio, 1 + NEAR) for ratio in ratios[:-1]), not all(told)


def is_nearly_one(ratios: Sequence[Estimate]) -> tuple[bool, bool]:
    """Whether figures are nearly equal over a range of loads, and whether at best in shape.

    They are if they are told to be alike in shape at one load at least, and at none (the highest of several
    is left out) to differ by more; in shape, unless they are told to be the same at all.
    """
    told = [within(ratio, SHAPE) for ratio in ratios]
    same = all(within(ratio, NEAR) for ratio in ratios)
    return any(told) and not any(apart(ratio, SHAPE) for ratio in ratios[:-1]), not same
