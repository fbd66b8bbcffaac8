"""Findings on ratios of systems of paper 003: printed results beside ours on each input, with intervals."""

from collections.abc import Callable, Mapping, Sequence

from ..shared import Claim, OnInput, stated, together
from ..shared.doubt import told
from .inputs import DRAWN
from .systems import Interval, Observed

#: Function that takes a ratio and returns True if it agrees with the paper, False if not, None if open.
Judge = Callable[[Interval], bool | None]

REASON = (
    "The traces of 1999 are not published: other inputs bear out a direction, not the paper's numbers. A"
    " claim counts as borne out if one input shows it beyond its interval, and no input shows the contrary."
)


def above(bound: float) -> Judge:
    """Return a function that tests if a ratio, with its whole interval, is above a bound."""
    # Ends of an unknown interval are NaN, so both comparisons are false and the answer is None.
    return lambda ratio: told(ratio.low > bound, ratio.high < bound)


def findings(
    inputs: Sequence[Observed],
    quantity: str,
    paper: str,
    ratio: Callable[[Observed], Interval],
    judge: Judge,
    matched: str | None = DRAWN,
) -> list[OnInput]:
    """Return a finding on a ratio for each input; inputs of the kind `matched` count like the paper's own."""
    ratios = [(one, ratio(one)) for one in inputs]
    return together(
        [
            OnInput(quantity, paper, one.name, str(found), judge(found), is_matched=one.kind == matched)
            for one, found in ratios
        ]
    )


def faster(inputs: Sequence[Observed], base: str, system: str, paper: str, by: float = 0.0) -> list[OnInput]:
    """Test on each input that the mean response of `base` is above (1 + `by`) times that of `system`."""
    words = f"mean response, {base} over {system}"
    return findings(inputs, words, paper, lambda one: one.speedup(base, system), above(1 + by))


def varies_more(inputs: Sequence[Observed], base: str, system: str, paper: str) -> list[OnInput]:
    """Test on each input that cv² of the response times is larger in `base` than in `system`."""
    words = f"squared coefficient of variation, {base} over {system}"
    return findings(inputs, words, paper, lambda one: one.variation(base, system), above(1))


def sizes(
    by_policy: Mapping[str, Sequence[Observed]],
    ratio: Callable[[Observed], Interval],
    low: float,
    high: float,
) -> str:
    """Return a sentence per policy of the disk that names the inputs with a ratio from `low` to `high`."""
    found = []
    for policy, inputs in by_policy.items():
        names = [one.name for one in inputs if low <= ratio(one).value <= high]
        found.append(f"{policy}: on {', '.join(names) or 'no input'}")
    where = "; ".join(found)
    return f"The ratio is in the printed range, {low:g} to {high:g}: {where}. 003-E-9 shows possible causes."


def on_inputs(id: str, *findings: Sequence[OnInput], reason: str = "") -> Claim:
    """Build a claim about unpublished traces from lists of findings; `reason` is added to its reason."""
    every = [one for each in findings for one in each]
    return stated(id, *every, reason=f"{REASON} {reason}".rstrip())
