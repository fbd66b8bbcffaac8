"""What 003 found of its traces beside the same on other inputs: told by intervals."""

from collections.abc import Callable, Mapping, Sequence

from ..shared import Claim, OnInput, stated, together
from ..shared.doubt import told
from .inputs import DRAWN
from .systems import Interval, Observed

#: Says of a ratio whether it bears out what the paper found; None where its interval leaves that open.
Judge = Callable[[Interval], bool | None]

REASON = (
    "The traces of 1999 are not published: other inputs bear out a direction, not the paper's numbers. It"
    " counts as borne out where an interval tells so on one input at least, and the contrary on none."
)


def above(bound: float) -> Judge:
    """Whether a ratio is above a bound."""
    # Without an interval nothing is told.
    return lambda ratio: told(ratio.low > bound, ratio.high < bound)


def findings(
    inputs: Sequence[Observed],
    quantity: str,
    paper: str,
    ratio: Callable[[Observed], Interval],
    judge: Judge,
    matched: str | None = DRAWN,
) -> list[OnInput]:
    """One ratio on every input, of which one kind, if any, stands for the paper's own."""
    ratios = [(one, ratio(one)) for one in inputs]
    return together(
        [
            OnInput(quantity, paper, one.name, str(found), judge(found), is_matched=one.kind == matched)
            for one, found in ratios
        ]
    )


def faster(inputs: Sequence[Observed], base: str, system: str, paper: str, by: float = 0.0) -> list[OnInput]:
    """Whether the mean response of one system is above that of another, by that part at least."""
    words = f"mean response, {base} over {system}"
    return findings(inputs, words, paper, lambda one: one.speedup(base, system), above(1 + by))


def varies_more(inputs: Sequence[Observed], base: str, system: str, paper: str) -> list[OnInput]:
    """Whether response times vary more in one system than in another."""
    words = f"squared coefficient of variation, {base} over {system}"
    return findings(inputs, words, paper, lambda one: one.variation(base, system), above(1))


def sizes(
    by_policy: Mapping[str, Sequence[Observed]],
    ratio: Callable[[Observed], Interval],
    low: float,
    high: float,
) -> str:
    """On which inputs a ratio lies in the range that the text prints, under each policy of the disk."""
    found = []
    for policy, inputs in by_policy.items():
        names = [one.name for one in inputs if low <= ratio(one).value <= high]
        found.append(f"{policy} on {', '.join(names) or 'no input'}")
    where = ", ".join(found)
    return f"In size it is in the printed {low:g} to {high:g} {where}; 003-E-9 has each cause by itself."


def on_inputs(id: str, *findings: Sequence[OnInput], reason: str = "") -> Claim:
    """A claim on traces that are not published."""
    every = [one for each in findings for one in each]
    return stated(id, *every, reason=f"{REASON} {reason}".rstrip())
