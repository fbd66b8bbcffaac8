"""003-E-4, Figure 5: variability of the hierarchies.

Squared coefficients of variation of DISK, MMD, MCD and MMCD on the same requests.
"""

from collections.abc import Sequence
from typing import Any

from sledsim.files import PathLike

from ..shared import HPLAJW, Claim, Result, noted, stated
from ..shared.doubt import told
from .by_policy import SYSTEMS, by_policy, result
from .findings import REASON, on_inputs, sizes, varies_more
from .inputs import CAPTURED, DAYS, inputs, notes
from .systems import Observed


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Compute cv² of the systems' responses, and their ratios, under two policies of the disk."""
    found = by_policy(quick, traces)
    used = next(iter(found.values()))
    claim = on_inputs(
        "003-C5",
        varies_more(used, "MMD", "DISK", "above 1"),
        varies_more(used, "DISK", "MCD", "2.4 to 5.7"),
        varies_more(used, "DISK", "MMCD", "2.4 to 5.7"),
        reason=f"On the {CAPTURED} long reads in bursts remain for the disk: the mean falls as much as the"
        " deviation. Ratio of DISK over MCD: "
        + sizes(found, lambda one: one.variation("DISK", "MCD"), 2.4, 5.7),
    )
    return result(
        found,
        _row,
        ("Squared coefficients of variation", "Figure 5: squared coefficients of variation"),
        {"column": "cv2", "title": "Variance / mean² of response (log scale)"},
        [claim, _days(used)],
        [*notes(inputs(quick, traces)), *noted("003-E-4")],
    )


def _days(used: Sequence[Observed]) -> Claim:
    """Judge the claim that responses of each system vary more on the heavy day than on the light day."""
    heavy, light = (next(one for one in used if one.name == f"drawn {day}") for day in DAYS)
    found = [(heavy.cv2(system), light.cv2(system)) for system in SYSTEMS]
    return stated(
        "003-C17",
        *(
            (
                f"{heavy.name} and {light.name}",
                f"{more}, and {less}",
                told(more.low > less.high, more.high < less.low),
            )
            for more, less in found
        ),
        reason=REASON,
    )


def _row(one: Observed, system: str) -> dict[str, Any]:
    cv2, ratio = one.cv2(system), one.variation("DISK", system)
    about = {"input": one.name, "system": system}
    return {**about, **cv2.columns("cv2"), **ratio.columns("disk_over_system")}


#: Names of the real traces that the experiment can use.
NEEDS = (HPLAJW,)
