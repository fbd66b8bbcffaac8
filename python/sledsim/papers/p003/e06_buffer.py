"""003-E-6, Section 4.2: size of the write buffer.

Mean response of MCD and MMCD with write buffers of 4 to 500 MB.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from sledsim.extend import Target
from sledsim.files import PathLike

from ..shared import HPLAJW, Result, device, noted
from .charts import RESPONSE, lines
from .findings import above, findings, on_inputs
from .inputs import DISK, MEMS, inputs, notes
from .systems import Observed, observe, systems

#: Sizes of the write buffer in MB, for a quick and for a full run. The smallest one is meant to be too small.
_SIZES_MB = ((4, 128, 500), (4, 16, 64, 100, 128, 200, 300, 400, 500))
_PRINTED_MB, _SPEEDUP = 128, (5.0, 15.0)


def run(quick: bool, traces: PathLike | None = None) -> Result:
    """Compute the mean response of MCD and MMCD over the size of their write buffer, on every input."""
    sizes = _SIZES_MB[not quick]
    found = [observe(one, _targets(sizes)) for one in inputs(quick, traces)]
    rows = [_row(one, system, size) for one in found for system in ("MCD", "MMCD") for size in sizes]
    low, high = _SPEEDUP
    x = ("buffer_mb", "Write buffer (MB, log scale)")
    return Result(
        devices=[device(DISK), device(MEMS)],
        claims=[
            on_inputs(
                "003-C8",
                findings(
                    found,
                    f"mean response, DISK over MCD with {_PRINTED_MB} MB",
                    f"{low:g} to {high:g}",
                    lambda one: one.speedup("DISK", f"MCD {_PRINTED_MB}"),
                    above(1),
                    matched=None,
                ),
                reason=f"The ratio is in the printed range on {_names(found) or 'no input'}.",
            )
        ],
        tables={"Mean response over the size of the buffer": rows},
        charts={"Mean response over the size of the buffer": partial(lines, rows, x, RESPONSE, "system")},
        notes=[*notes(inputs(quick, traces)), *noted("003-E-6")],
    )


def _names(found: Sequence[Observed]) -> str:
    """Return the names of the inputs on which the mean response of DISK is 5 to 15 times that of MCD."""
    low, high = _SPEEDUP
    ratios = {one.name: one.speedup("DISK", f"MCD {_PRINTED_MB}").value for one in found}
    return ", ".join(name for name, ratio in ratios.items() if low <= ratio <= high)


def _targets(sizes: tuple[int, ...]) -> Mapping[str, Target]:
    targets: dict[str, Target] = {"DISK": systems()["DISK"]}
    for size in sizes:
        made = systems(buffer_mb=size)
        targets.update({f"{name} {size}": made[name] for name in ("MCD", "MMCD")})
    return targets


def _row(one: Observed, system: str, size: int) -> dict[str, Any]:
    key = f"{system} {size}"
    about = {"system": system, "buffer_mb": size}
    return one.row(key, about, disk_over_system=one.speedup("DISK", key))


#: Names of the real traces that the experiment can use.
NEEDS = (HPLAJW,)
