"""003-E-4: Figure 5, the squared coefficients of variation of DISK, MMD, MCD and MMCD."""

from functools import partial
from typing import Any

from ...common.files import PathLike
from ..shared.experiments import Experiment, Result
from ..shared.hp_disks import HPLAJW
from ..shared.perturbations import device
from .findings import on_inputs, sizes, varies_more
from .inputs import CAPTURED, DISK, MEMS, inputs, notes
from .systems import Observed, observed, table

_SYSTEMS = ("DISK", "MMD", "MCD", "MMCD")


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Variations as ratios, under two policies."""
    found = observed(quick, traces)
    rows = [_row(one, system) for one in found for system in _SYSTEMS]
    by_sptf = observed(quick, traces, "sptf")
    other = [_row(one, system) for one in by_sptf for system in _SYSTEMS]
    by_policy = {"first come, first served": found, "with SPTF on the disk": by_sptf}
    return Result(
        devices=[device(DISK), device(MEMS)],
        claims=[
            on_inputs(
                "003-C5",
                varies_more(found, "MMD", "DISK", "above 1"),
                varies_more(found, "DISK", "MCD", "2.4 to 5.7"),
                varies_more(found, "DISK", "MMCD", "2.4 to 5.7"),
                reason=f"On the {CAPTURED} long reads in bursts are left to the disk: the mean falls as much"
                " as the deviation does. Of DISK over MCD: "
                + sizes(by_policy, lambda one: one.variation("DISK", "MCD"), 2.4, 5.7),
            )
        ],
        tables={
            "Squared coefficients of variation": table(rows),
            "The same with shortest positioning time first on the disk": table(other),
        },
        charts={
            "Figure 5: squared coefficients of variation": partial(_chart, rows),
            "Figure 5 with shortest positioning time first on the disk": partial(_chart, other),
        },
        notes=[
            *notes(inputs(quick, traces)),
            "Ratios are of each draw or capture by itself, coefficients of all of them together.",
        ],
    )


def _row(one: Observed, system: str) -> dict[str, Any]:
    cv2, ratio = one.cv2(system), one.variation("DISK", system)
    return {
        "input": one.name,
        "system": system,
        **cv2.columns("cv2"),
        **ratio.columns("disk_over_system"),
    }


def _chart(rows: list[dict[str, Any]]) -> Any:
    from .charts import intervals

    return intervals(rows, "cv2", "Variance / mean² of response (log scale)")


ROW = Experiment(
    "003-E-4",
    "Figure 5: variability of the hierarchies",
    "Squared coefficients of variation of DISK, MMD, MCD and MMCD on the same requests.",
    (5,),
    run,
    (HPLAJW,),
)
