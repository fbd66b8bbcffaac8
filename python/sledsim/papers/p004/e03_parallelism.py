"""004-E-3, Figure 4: sectors side by side.

Response, energy and utilization over the number of sectors that 256 probes read together.
"""

from functools import partial
from typing import Any

import numpy as np

from sledsim import bundled_trace

from ..shared import Claim, Result, noted, stated, together
from . import inputs
from .inputs import STUDIED, explored, known, model, relative, transfer_ms

_SECTORS = (1, 2, 4, 8, 16)
_PROBES = 256
#: Number of sectors of 512 bytes in a block of file systems with blocks of 4 KiB.
_BLOCK = 8
#: Layouts of related work (section 9), and two of paper 004 for comparison: probes, sectors side by side, and
#: rate of a probe in bit/s as printed.
_RELATED = {
    "Sivan-Zimet": (320, 1, 1e6),
    "Schlosser": (640, 10, 7e5),
    "one sector, 256 probes": (_PROBES, 1, 4e4),
    "eight sectors, 256 probes": (_PROBES, _BLOCK, 4e4),
}
_SECTOR_BYTES = 512


def run(quick: bool) -> Result:
    """Compute response, energy and utilization over the number of sectors; `quick` has no effect."""
    axes: dict[str, Any] = {"probes": [_PROBES], "sectors": _SECTORS, "sector_bytes": [512]}
    by_capture = {name: relative(name, "sectors", **axes) for name in inputs.BLOCKS_OF_4K}
    small = {name: relative(name, "sectors", **axes) for name in inputs.BLOCKS_OF_1K}
    rows = [row for own in by_capture.values() for row in own]
    return Result(
        devices=[model()],
        claims=[_response(by_capture), _capacity()],
        tables={"Over the number of sectors side by side": rows, "Related layouts": _related()},
        charts={
            "Response, energy and utilization": partial(inputs.chart, rows, "sectors", "Sectors side by side")
        },
        notes=[
            *inputs.notes(),
            *noted(
                "004-E-3",
                soonest=", ".join(
                    f"{inputs.least(own, 'sectors', 'mean_response_s')} on {name}"
                    for name, own in small.items()
                ),
            ),
        ],
    )


def _related() -> list[dict[str, Any]]:
    """Return a table row per layout of `_RELATED` on the device of 004: passes, transfer time, response."""
    trace = bundled_trace(STUDIED).transfers()
    first, end = trace.lbn, trace.lbn + trace.blocks
    rows = []
    for name, (probes, sectors, bits_per_s) in _RELATED.items():
        axes = (probes, sectors, _SECTOR_BYTES)
        of_format = known(*axes)
        passes = float(np.mean(-(-end // sectors) - first // sectors))
        # 512 bytes over 320 probes are no whole number of bytes per probe, so that layout is not simulated.
        ours = (
            explored(STUDIED, probes=[probes], sectors=[sectors], sector_bytes=[_SECTOR_BYTES]).designs[0]
            if of_format["feasible"]
            else {}
        )
        rows.append(
            {
                "layout": name,
                "probes": probes,
                "sectors": sectors,
                "probes_per_sector": probes // sectors,
                "subsector_bits": of_format["subsector_bits"],
                "utilization": of_format["utilization"],
                "workload": STUDIED,
                "mean_passes": passes,
                "mean_transfer_s": passes * transfer_ms(*axes) * 1e-3,
                "tip_bits_per_s": bits_per_s,
                "mean_transfer_at_its_rate_s": passes * of_format["subsector_bits"] / bits_per_s,
                "mean_response_s": ours.get("mean_response_s"),
                "energy_j": ours.get("energy_j"),
            }
        )
    return rows


def _response(by_capture: dict[str, list[dict[str, Any]]]) -> Claim:
    what = "fastest number of sectors side by side, and that with the lowest energy"
    return stated(
        "004-C7",
        *together(
            [
                inputs.best_at(name, what, _BLOCK, "sectors", "sectors", rows)
                for name, rows in by_capture.items()
            ]
        ),
    )


def _capacity() -> Claim:
    one, eight = (known(_PROBES, sectors, 512)["capacity_gib"] for sectors in (1, 8))
    return stated("004-C10", eight - one)
