"""004-E-5, Figure 5: the design space.

Response, energy and capacity of every feasible data format, and the designs that paper 004 picks.
"""

from functools import partial
from typing import Any

import numpy as np

from sledsim import design
from sledsim.charts import trade_offs

from ..shared import (
    Calibrated,
    Claim,
    Figure,
    Result,
    Verdict,
    half_digit,
    noted,
    stated,
    workload,
)
from .inputs import FITTED, PICKED, STUDIED, explored, known, mean_sectors, model, notes, transfer_ms
from .space_claims import energy_picks, trends, trials

_LARGEST = (64, 4, 8192)
_LARGE_SECTORS = (1024, 4096, 8192)
#: Mean response in ms that the paper prints for the design with the largest capacity.
_RESPONSE = "116"


def run(quick: bool) -> Result:
    """Compute and simulate all data formats of the design space; `quick` has no effect."""
    found, sizes = explored(STUDIED), _file_sizes()
    beside, tried = _file_space(sizes), trials(found)
    return Result(
        devices=[model()],
        claims=[
            *(*_formats(), *_largest(), *_rates(), *_future()),
            *(energy_picks(tried), *trends(found.designs)),
        ],
        trials={"Designs with the lowest energy": tried},
        tables={
            "Designs": found.table,
            "Best of each, with 2048 and with 4096 probes": _best(found),
            "Space that files fill": beside,
        },
        charts={"Response, energy and capacity": partial(trade_offs, found)},
        notes=[
            *notes(),
            *noted(
                "004-E-5",
                recommendation=found.recommendation(),
                mean_kib=sizes.mean() / 1024,
                filled=", ".join(
                    f"{design.file_share(sizes, size):.1%} of sectors of {size // 1024} KiB"
                    for size in _LARGE_SECTORS
                ),
            ),
        ],
    )


def _best(found: design.FormatSpace) -> list[dict[str, Any]]:
    picks = [
        {"target": target, **found.best(target, probes=probes)}
        for probes in (2048, 4096)
        for target in ("energy", "performance", "capacity")
    ]
    names = ("probes", "target", "sectors", "sector_bytes", "mean_response_s", "energy_j")
    return [{name: row[name] for name in names} for row in picks]


def _file_sizes() -> Any:
    """Return random sizes of files in bytes, from the only distribution that the papers print (001-F20)."""
    drawn = workload("files:rate=1,count=20000,seed=1", model())
    return design.file_sizes(drawn.blocks.astype(np.int64) * 512)


def _file_space(sizes: Any) -> list[dict[str, Any]]:
    """Return a table row per feasible data format of 4096 probes: share of its space that files can fill."""
    rows = []
    for point in design.Space(model(), probes=[4096]).points():
        axes = (point["probes"], point["sectors"], point["sector_bytes"])
        share = design.file_share(sizes, axes[-1])
        if (of_format := known(*axes))["feasible"]:
            capacity = of_format["capacity_bytes"]
            held = {"capacity_bytes": capacity, "file_share": share, "usable_bytes": capacity * share}
            rows.append({"bytes_at_once": axes[1] * axes[2], **point, **held})
    return sorted(rows, key=lambda row: (row["bytes_at_once"], row["sector_bytes"]))


def _formats() -> list[Claim]:
    smallest, points = known(64, 1, 512), list(design.Space(model()).points())
    raw_gib = smallest["capacity_gib"] / smallest["utilization"]
    feasible = sum(known(**point)["feasible"] for point in points)
    return [
        stated("004-C1", raw_gib),
        stated("004-C2", len(points), len(points) - feasible, feasible),
        stated("004-C3", *(known(*axes)["capacity_gib"] for axes in PICKED.values())),
    ]


def _largest() -> list[Claim]:
    largest = known(*_LARGEST)
    seek_ms = model().characteristics()["mean_seek_s"] * 1e3
    group = _LARGEST[1] * _LARGEST[2] // 512
    # A request is served in whole passes, each with all sectors side by side.
    taken_ms = -(-mean_sectors() // group) * transfer_ms(*_LARGEST)
    half = half_digit(_RESPONSE)
    low_ms, high_ms = (float(_RESPONSE) - taken_ms + by for by in (-half, half))
    return [
        stated(
            "004-C4",
            largest["capacity_gib"],
            (f"{largest['subsector_bits']} bits", bool(largest["feasible"])),
            why=largest["reason"],
        ),
        stated(
            "004-C5",
            Calibrated(
                Figure("mean response", _RESPONSE, taken_ms + seek_ms, "ms"),
                f"mean seeks of {low_ms:.2f} to {high_ms:.2f} ms",
            ),
            reason={Verdict.SHAPE: FITTED},
        ),
    ]


def _rates() -> list[Claim]:
    rates = {name: known(*axes)["throughput_bytes_per_s"] / 1e6 for name, axes in PICKED.items()}
    data_sheet = model().characteristics()
    return [
        stated("004-C11", rates["M-20-BE"], rates["M-10-BE"]),
        stated("004-C15", data_sheet["tip_bits_per_s"] / 1e3, 4096 * data_sheet["tip_bits_per_s"] / 8e6),
    ]


def _future() -> list[Claim]:
    density = (25.4e6 / 15) ** 2 / 1e12
    small = model().with_parameters(bit_width_nm=2, access_velocity_mm_per_s=0.08)
    found = design.format_characteristics(small, 64, 1, 512)
    raw_tb = float(found["capacity_bytes"] or 0) / float(found["utilization"] or 1) / 1e12
    return [
        stated("004-C14", (f"{density:.2f} Tb/in²", density > 1)),
        stated("004-C16", (f"{raw_tb:.2f} TB", 1 <= raw_tb < 2)),
    ]
