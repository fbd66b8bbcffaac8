"""Rules that compare a ratio with a bound by the interval of the ratio, at one load or at several loads.

A ratio is above or below a bound only if its whole interval is above or below; otherwise the comparison
stays open. At several loads, one load with a clearly opposite result refutes a statement. The highest load
refutes no statement, because next to saturation a figure depends on the length of the runs; an open or
opposite result there only keeps the statement from being confirmed at all loads.
"""

from collections.abc import Sequence

from sledsim.estimates import Estimate

from .figures import NEAR, SHAPE


def told(holds: bool, contrary: bool) -> bool | None:
    """Return True if a statement holds, False if the contrary holds, and None if neither is certain."""
    return True if holds else False if contrary else None


def above(ratio: Estimate, bound: float = 1.0) -> bool:
    """True if the whole interval of a ratio is above the bound; False if the interval is unknown."""
    return ratio.low > bound


def below(ratio: Estimate, bound: float = 1.0) -> bool:
    """True if the whole interval of a ratio is below the bound; False if the interval is unknown."""
    return ratio.high < bound


def within(ratio: Estimate, part: float) -> bool:
    """True if the whole interval of a ratio lies from 1 - `part` to 1 + `part`; False if it is unknown."""
    return ratio.low >= 1 - part and ratio.high <= 1 + part


def apart(ratio: Estimate, part: float) -> bool:
    """True if the whole interval of a ratio lies above 1 + `part`, or if all of it lies below 1 - `part`."""
    return above(ratio, 1 + part) or below(ratio, 1 - part)


def is_below(ratios: Sequence[Estimate]) -> tuple[bool, bool]:
    """Judge the statement that all ratios, given in the order of their loads, are below 1.

    Returns the pair (the statement holds, it is right in shape only). It holds if the ratio is clearly below
    1 at one load or more, and clearly above 1 + `NEAR` at no load except the highest. It is right in shape
    only, unless the ratio is clearly below 1 at every load.
    """
    told = [below(ratio) for ratio in ratios]
    return any(told) and not any(above(ratio, 1 + NEAR) for ratio in ratios[:-1]), not all(told)


def is_nearly_one(ratios: Sequence[Estimate]) -> tuple[bool, bool]:
    """Judge the statement that all ratios, given in the order of their loads, are nearly 1.

    Returns the pair (the statement holds, it is right in shape only). It holds if the ratio is within `SHAPE`
    of 1 at one load or more, and clearly further from 1 at no load except the highest. It is right in shape
    only, unless the ratio is within `NEAR` of 1 at every load.
    """
    told = [within(ratio, SHAPE) for ratio in ratios]
    same = all(within(ratio, NEAR) for ratio in ratios)
    return any(told) and not any(apart(ratio, SHAPE) for ratio in ratios[:-1]), not same
