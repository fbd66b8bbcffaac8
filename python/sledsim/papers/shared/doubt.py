"""Rules for intervals of ratios: when a ratio is above, below or near a bound, alone or over several loads.

A ratio is above or below a bound only if its whole interval is; otherwise the comparison stays open. No
verdict depends on the number of loads: one load with a clear opposite result refutes a statement. The
highest of several loads cannot refute, because next to saturation a figure depends on the length of the
runs; it can only keep a statement from being confirmed.
"""

from collections.abc import Sequence

from sledsim.estimates import Estimate

from .figures import NEAR, SHAPE


def told(holds: bool, contrary: bool) -> bool | None:
    """Return True if something holds, False if the contrary does, None if both are open."""
    return True if holds else False if contrary else None


def above(ratio: Estimate, bound: float = 1.0) -> bool:
    """True if the whole interval is above the bound; False if the interval is unknown."""
    return ratio.low > bound


def below(ratio: Estimate, bound: float = 1.0) -> bool:
    """True if the whole interval is below the bound; False if the interval is unknown."""
    return ratio.high < bound


def within(ratio: Estimate, part: float) -> bool:
    """True if the whole interval differs from 1 by at most `part`; False if the interval is unknown."""
    return ratio.low >= 1 - part and ratio.high <= 1 + part


def apart(ratio: Estimate, part: float) -> bool:
    """True if the whole interval differs from 1 by more than `part`, on one side."""
    return above(ratio, 1 + part) or below(ratio, 1 - part)


def is_below(ratios: Sequence[Estimate]) -> tuple[bool, bool]:
    """Judge over a range of loads if ratios are below 1; return (holds, in shape only).

    The statement holds if one load shows it and no load except the highest shows a ratio clearly above 1, by
    more than `NEAR`. It is right in shape only, unless every load shows it.
    """
    told = [below(ratio) for ratio in ratios]
    return any(told) and not any(above(ratio, 1 + NEAR) for ratio in ratios[:-1]), not all(told)


def is_nearly_one(ratios: Sequence[Estimate]) -> tuple[bool, bool]:
    """Judge over a range of loads if ratios are nearly 1; return (holds, in shape only).

    The statement holds if one load shows ratios within `SHAPE` and no load except the highest shows a clearly
    larger difference. It is right in shape only, unless every load shows ratios within `NEAR`.
    """
    told = [within(ratio, SHAPE) for ratio in ratios]
    same = all(within(ratio, NEAR) for ratio in ratios)
    return any(told) and not any(apart(ratio, SHAPE) for ratio in ratios[:-1]), not same
