"""Findings of 003 on its traces, beside those on other inputs, judged by intervals."""

from collections.abc import Callable, Mapping, Sequence

from ..shared import Claim, OnInput, stated, together
from ..shared.doubt import told
from .inputs import DRAWN
from .systems import Interval, Observed

#: Function from a ratio to True if it bears out the paper, False for the contrary, None if open.
Judge = Callable[[Interval], bool | None]

REASON = (
    "The traces of 1999 are not published: other inputs bear out a direction, not the paper's numbers. A"
    " claim counts as borne out if one input shows it beyond its interval, and no input shows the contrary."
)


def above(bound: float) -> Judge:
    """Return a judge that tests if a ratio is above a bound."""
    # A ratio without an interval leaves the answer open.
    return lambda ratio: told(ratio.low > bound, ratio.high < bound)


def findings(
    inputs: Sequence[Observed],
    quantity: str,
    paper: str,
    ratio: Callable[[Observed], Interval],
    judge: Judge,
    matched: str | None = DRAWN,
) -> list[OnInput]:
    """Return the findings on one ratio for every input; inputs of one kind may stand for the paper's own."""
    ratios = [(one, ratio(one)) for one in inputs]
    return together(
        [
            OnInput(quantity, paper, one.name, str(found), judge(found), is_matched=one.kind == matched)
            for one, found in ratios
        ]
    )


def faster(inputs: Sequence[Observed], base: str, system: str, paper: str, by: float = 0.0) -> list[OnInput]:
    """Test that the mean response of `base` exceeds that of `system` by the share `by` at least."""
    words = f"mean response, {base} over {system}"
    return findings(inputs, words, paper, lambda one: one.speedup(base, system), above(1 + by))


def varies_more(inputs: Sequence[Observed], base: str, system: str, paper: str) -> list[OnInput]:
    """Test that response times vary more in `system` than in `base`."""
    words = f"squared coefficient of variation, {base} over {system}"
    return findings(inputs, words, paper, lambda one: one.variation(base, system), above(1))


def sizes(
    by_policy: Mapping[str, Sequence[Observed]],
    ratio: Callable[[Observed], Interval],
    low: float,
    high: float,
) -> str:
    """Name the inputs on which a ratio lies in the printed range, for each policy of the disk."""
    found = []
    for policy, inputs in by_policy.items():
        names = [one.name for one in inputs if low <= ratio(one).value <= high]
        found.append(f"{policy} on {', '.join(names) or 'no input'}")
    where = ", ".join(found)
    return f"The ratio is in the printed {low:g} to {high:g} {where}; 003-E-9 shows each cause separately."


def on_inputs(id: str, *findings: Sequence[OnInput], reason: str = "") -> Claim:
    """Build a claim on unpublished traces."""
    every = [one for each in findings for one in each]
    return stated(id, *every, reason=f"{REASON} {reason}".rstrip())
