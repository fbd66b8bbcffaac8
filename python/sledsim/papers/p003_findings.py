"""What 003 found of its traces beside the same on other inputs: told by intervals, on most of their kinds."""

from collections.abc import Callable, Sequence

from .claims import Claim, claim
from .findings import Elsewhere
from .p003_systems import Interval, Observed

#: Says of a ratio whether it bears out what the paper found; None where its interval leaves that open.
Judge = Callable[[Interval], bool | None]

REASON = (
    "The traces of 1999 are not published: other inputs bear out a direction, not the paper's numbers. It"
    " counts as borne out where intervals tell so on two kinds of inputs of three (of two kinds: on one, and"
    " not otherwise on the other)."
)


def above(bound: float) -> Judge:
    """Whether a ratio is above a bound."""

    def judge(ratio: Interval) -> bool | None:
        # Without an interval nothing is told.
        if ratio.low > bound:
            return True
        return False if ratio.high < bound else None

    return judge


def within(low: float, high: float) -> Judge:
    """Whether a ratio lies in a range above 1, and its interval above 1; a wide one tells nothing."""

    def judge(ratio: Interval) -> bool | None:
        if ratio.high < low or ratio.low > high:
            return False
        return True if low <= ratio.value <= high and ratio.low > 1 else None

    return judge


def finding(
    inputs: Sequence[Observed],
    quantity: str,
    paper: str,
    ratio: Callable[[Observed], Interval],
    judge: Judge,
) -> Elsewhere:
    """One ratio on every input."""
    ratios = {one.name: ratio(one) for one in inputs}
    kinds = {
        kind: _of_kind([judge(ratios[one.name]) for one in inputs if one.kind == kind])
        for kind in dict.fromkeys(one.kind for one in inputs)
    }
    told = [kind for kind, holds in kinds.items() if holds]
    otherwise = [kind for kind, holds in kinds.items() if holds is False]
    words = "; ".join(f"{name} {found}" for name, found in ratios.items())
    open_ = f"; otherwise on {' and '.join(otherwise)}" if otherwise else ""
    enough = len(told) >= min(2, len(kinds) - 1) and len(told) > len(otherwise)
    return Elsewhere(quantity, paper, f"{len(kinds)} kinds of inputs", words + open_, enough)


def _of_kind(judged: Sequence[bool | None]) -> bool | None:
    """Told on one input at least, and otherwise on none."""
    if False in judged:
        return False
    return True if True in judged else None


def faster(inputs: Sequence[Observed], base: str, system: str, paper: str, by: float = 0.0) -> Elsewhere:
    """Whether the mean response of one system is above that of another, by that part at least."""
    words = f"mean response, {base} over {system}"
    return finding(inputs, words, paper, lambda one: one.speedup(base, system), above(1 + by))


def varies_more(inputs: Sequence[Observed], base: str, system: str, paper: str) -> Elsewhere:
    """Whether response times vary more in one system than in another."""
    words = f"squared coefficient of variation, {base} over {system}"
    return finding(inputs, words, paper, lambda one: one.variation(base, system), above(1))


def on_inputs(id: str, statement: str, *findings: Elsewhere, reason: str = "") -> Claim:
    """A claim on traces that are not published."""
    return claim(id, statement, *findings, reason=f"{REASON} {reason}".rstrip())
