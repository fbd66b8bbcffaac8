"""004-E-3: Figure 4, the number of sectors side by side with 256 probes."""

from functools import partial
from typing import Any

import numpy as np

from ...runs import design
from ...traces.files import bundled_trace
from ..shared.claims import Claim, stated
from ..shared.experiments import Experiment, Result
from ..shared.figures import Figure
from ..shared.findings import Elsewhere, together
from .inputs import (
    BLOCKS_OF_1K,
    BLOCKS_OF_4K,
    STUDIED,
    chart,
    explored,
    least,
    model,
    notes,
    relative,
    transfer_ms,
)

_SECTORS = (1, 2, 4, 8, 16)
_PROBES = 256
#: Sectors of 512 bytes in the blocks of these file systems.
_BLOCK = 8
_GIB = 2.0**30
#: Layouts of section 9 beside two of 004: probes, sectors side by side, bits a second of a probe as there.
_RELATED = {
    "Sivan-Zimet": (320, 1, 1e6),
    "Schlosser": (640, 10, 7e5),
    "one sector, 256 probes": (_PROBES, 1, 4e4),
    "eight sectors, 256 probes": (_PROBES, _BLOCK, 4e4),
}
_SECTOR_BYTES = 512


def run(quick: bool) -> Result:
    """The figures over the number of sectors, for blocks of 4 KiB; nothing to shorten."""
    import pyarrow

    axes: dict[str, Any] = {"probes": [_PROBES], "sectors": _SECTORS, "sector_bytes": [512]}
    by_capture = {name: relative(explored(name, **axes), "sectors") for name in BLOCKS_OF_4K}
    small = {name: relative(explored(name, **axes), "sectors") for name in BLOCKS_OF_1K}
    rows = [row for own in by_capture.values() for row in own]
    return Result(
        devices=[model()],
        claims=[_response(by_capture), _capacity()],
        tables={
            "Over the number of sectors side by side": pyarrow.Table.from_pylist(rows),
            "Related layouts": pyarrow.Table.from_pylist(_related()),
        },
        charts={"Response, energy and utilization": partial(chart, rows, "sectors", "Sectors side by side")},
        notes=[
            *notes(),
            "With blocks of 1 KiB, of which requests are made then, other numbers respond soonest: "
            + ", ".join(
                f"{least(own, 'sectors', 'mean_response_s')} on {name}" for name, own in small.items()
            )
            + ".",
            "The related layouts of section 9 are on the medium of 004 with its ECC and overhead; their"
            " papers have others, and quicker probes. One whose probes have no whole bytes of a sector is not"
            " simulated."
            " 004 gives prices of disks and flash, but none of a MEMS device: no price of a GB follows.",
        ],
    )


def _related() -> list[dict[str, Any]]:
    """Sectors of 512 bytes as others lay them out, on the medium of 004; passes and their time by Eq 5."""
    trace = bundled_trace(STUDIED).transfers()
    first, end = trace.lbn, trace.lbn + trace.blocks
    rows = []
    for name, (probes, sectors, bits_per_s) in _RELATED.items():
        axes = (probes, sectors, _SECTOR_BYTES)
        known = design.format_characteristics(model(), *axes)
        passes = float(np.mean(-(-end // sectors) - first // sectors))
        subsector_bits = int(known["subsector_bits"] or 0)
        rows.append(
            {
                "layout": name,
                "probes": probes,
                "sectors": sectors,
                "probes_per_sector": probes // sectors,
                "subsector_bits": subsector_bits,
                "utilization": known["utilization"],
                "workload": STUDIED,
                "mean_passes": passes,
                "mean_transfer_s": passes * transfer_ms(*axes) * 1e-3,
                "tip_bits_per_s": bits_per_s,
                "mean_transfer_at_its_rate_s": passes * subsector_bits / bits_per_s,
                **_simulated(axes, bool(known["feasible"])),
            }
        )
    return rows


def _simulated(axes: tuple[int, int, int], feasible: bool) -> dict[str, Any]:
    """A sector over 320 probes has no whole bytes for each: that cannot be simulated."""
    found = {"mean_response_s": None, "energy_j": None}
    if feasible:
        probes, sectors, sector_bytes = axes
        on = explored(STUDIED, probes=[probes], sectors=[sectors], sector_bytes=[sector_bytes])
        found = {key: on.designs[0][key] for key in found}
    return found


def _response(by_capture: dict[str, list[dict[str, Any]]]) -> Claim:
    findings = []
    for name, rows in by_capture.items():
        best, cheapest = least(rows, "sectors", "mean_response_s"), least(rows, "sectors", "energy_j")
        shares = ", ".join(f"{row['relative_response']:.3f}" for row in rows)
        findings.append(
            Elsewhere(
                "sectors side by side that respond soonest, and of least energy",
                f"{_BLOCK} sectors",
                name,
                f"{best} sectors, {cheapest} for energy ({shares} of the response with 1)",
                told=best == cheapest == _BLOCK,
            )
        )
    return stated(
        "004-C7",
        *together(findings),
        reason="004's traces are not published: these are own captures.",
    )


def _capacity() -> Claim:
    one, eight = (design.format_characteristics(model(), _PROBES, sectors, 512) for sectors in (1, 8))
    earned = (float(eight["capacity_bytes"] or 0) - float(one["capacity_bytes"] or 0)) / _GIB
    return stated(
        "004-C10",
        Figure("capacity", "0.3", earned, "GiB"),
    )


ROW = Experiment(
    "004-E-3",
    "Figure 4: sectors side by side",
    "Response, energy and utilization over the number of sectors that 256 probes read together.",
    (7, 10),
    run,
)
