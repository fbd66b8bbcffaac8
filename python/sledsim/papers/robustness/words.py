"""Functions that format the results on comparing claims for tables."""

import numpy as np

from .result import Part


def percent(part: Part | None) -> str:
    """Format the share of a result with its interval, in per cent; empty if it is not known."""
    if part is None or part.share is None or part.low is None or part.high is None:
        return ""
    low, high = np.clip([part.low, part.high], 0, 1)
    return f"{100 * part.share:.0f} % ({100 * low:.0f} to {100 * high:.0f})"


def changing(part: Part) -> str:
    """Format the share of devices, in per cent, with which the claim holds in some draws of requests only."""
    return f"{100 * part.changes_in / part.known:.0f} %" if part.known else ""


def doubt(part: Part) -> str:
    """Format the width of the interval, in percentage points, due to the choice of devices and to the draws.

    The width with twice the number of each follows in parentheses.
    """
    one = part.doubt
    if one is None:
        return ""
    if one.devices is None or one.draws is None or one.twice_draws is None:
        return f"({100 * one.twice_devices:.0f})"
    return (
        f"{100 * one.devices:.0f} and {100 * one.draws:.0f}"
        f" ({100 * one.twice_devices:.0f}, {100 * one.twice_draws:.0f})"
    )


#: Explanation of the columns that `changing` and `doubt` format.
EXPLAINED = (
    "Draw decides: share of devices with which the answer changes with the draw of requests. Doubt: width of"
    " the interval in percentage points, due to the choice of devices alone, and due to the draws of requests"
    " alone; in parentheses the width with twice as many devices, and with twice as many draws."
)


def own(part: Part) -> str:
    """Format the answer with the paper's own device: yes, no, or the share of draws with a yes."""
    if part.own is None:
        return "not known"
    return {1.0: "yes", 0.0: "no"}.get(part.own, f"in {100 * part.own:.0f} %")


def decides(part: Part) -> str:
    """Format the rule on the parameter that decides, and the share of devices for which the rule is right."""
    if part.accuracy is None:
        return ""
    words = part.rule if part.decides else f"no single parameter ({part.rule})"
    return f"{words}: right for {100 * part.accuracy:.0f} %"
