"""004-E-5: Figure 5, the design space, and the capacities and rates of the devices that 004 picks from it."""

from functools import partial
from typing import Any

import numpy as np

from ...runs import design
from ...traces.generators import workload
from ..shared.claims import Claim, stated
from ..shared.experiments import Experiment, Result
from ..shared.figures import Figure, half_digit
from ..shared.findings import Calibrated, Statement
from ..shared.verdicts import Verdict
from .inputs import FITTED, STUDIED, explored, mean_sectors, model, notes, transfer_ms

_GIB = 2.0**30
#: The devices of section 7.2: probes, sectors side by side, bytes of a sector, and the printed capacity.
_PICKED = {
    "M-20-BE": ((4096, 16, 4096), "2.60"),
    "M-20-BP": ((4096, 1, 4096), "1.99"),
    "M-10-BE": ((2048, 16, 2048), "2.60"),
    "M-10-BP": ((2048, 1, 4096), "2.27"),
}
_LARGEST = (64, 4, 8192)
_LARGE_SECTORS = (1024, 4096, 8192)
#: The response time of the device of most capacity, in ms.
_RESPONSE = "116"


def run(quick: bool) -> Result:
    """The formats, all of them; the claims follow from arithmetic, the picks from the simulation."""
    found, sizes = explored(STUDIED), _file_sizes()
    beside = _file_space(sizes)
    return Result(
        devices=[model()],
        claims=[_raw(), _feasible(), _capacities(), *_largest(), *_rates(), _densities(), _future()],
        tables={
            "Designs": found.table,
            "Best of each, with 2048 and with 4096 probes": _best(found),
            "Space that files fill": beside,
        },
        charts={"Response, energy and capacity": partial(_chart, found)},
        notes=[
            *notes(),
            found.recommendation(),
            "004's picks depend on its traces: M-20-BP has 4096 probes and a sector of 4 KiB, M-20-BE sixteen"
            " of 4 KiB.",
            "What passes at once decides the capacity by the bits, but a file leaves a part of its last"
            " sector unused, the more the larger sectors are (5.4). 004 gives no sizes of files: those of 001"
            f" (001-F20, a mean of {sizes.mean() / 1024:.0f} KiB, in sectors of 512 bytes) fill "
            + ", ".join(
                f"{design.file_share(sizes, size):.1%} of sectors of {size // 1024} KiB"
                for size in _LARGE_SECTORS
            )
            + ".",
        ],
    )


def _chart(found: design.FormatSpace) -> Any:
    from ...charts.design import trade_offs

    return trade_offs(found)


def _best(found: design.FormatSpace) -> Any:
    import pyarrow

    picks = [
        {"target": target, **found.best(target, probes=probes)}
        for probes in (2048, 4096)
        for target in ("energy", "performance", "capacity")
    ]
    names = ("probes", "target", "sectors", "sector_bytes", "mean_response_s", "energy_j")
    return pyarrow.Table.from_pylist([{name: row[name] for name in names} for row in picks])


def _file_sizes() -> Any:
    """Sizes of files of the only distribution that one of the papers prints, in bytes."""
    drawn = workload("files:rate=1,count=20000,seed=1", model())
    return design.file_sizes(drawn.blocks.astype(np.int64) * 512)


def _file_space(sizes: Any) -> Any:
    """What files can fill of formats of 4096 probes, by what passes at once and how that is divided."""
    import pyarrow

    rows = []
    for point in design.Space(model(), probes=[4096]).points():
        axes = (point["probes"], point["sectors"], point["sector_bytes"])
        known, share = _known(axes), design.file_share(sizes, axes[-1])
        if known["feasible"]:
            held = {"file_share": share, "usable_bytes": known["capacity_bytes"] * share}
            at_once = {"bytes_at_once": axes[1] * axes[2]}
            rows.append({**at_once, **point, "capacity_bytes": known["capacity_bytes"], **held})
    rows.sort(key=lambda row: (row["bytes_at_once"], row["sector_bytes"]))
    return pyarrow.Table.from_pylist(rows)


def _known(axes: tuple[int, int, int]) -> dict[str, Any]:
    return dict(design.format_characteristics(model(), *axes))


def _raw() -> Claim:
    known = _known((64, 1, 512))
    raw = known["capacity_bytes"] / known["utilization"]
    return stated(
        "004-C1",
        Figure("raw capacity", "3", raw / _GIB, "GiB"),
    )


def _feasible() -> Claim:
    points = list(design.Space(model()).points())
    known = [_known((point["probes"], point["sectors"], point["sector_bytes"])) for point in points]
    feasible = sum(row["feasible"] for row in known)
    return stated(
        "004-C2",
        Figure("formats", "175", len(points), exact=True),
        Figure("infeasible", "20", len(points) - feasible, exact=True),
        Figure("feasible", "155", feasible, exact=True),
    )


def _capacities() -> Claim:
    return stated(
        "004-C3",
        *(
            Figure(name, printed, _known(axes)["capacity_bytes"] / _GIB, "GiB")
            for name, (axes, printed) in _PICKED.items()
        ),
    )


def _largest() -> list[Claim]:
    known = _known(_LARGEST)
    seek_ms = model().characteristics()["mean_seek_s"] * 1e3
    group = _LARGEST[1] * _LARGEST[2] // 512
    # A mean request is less than what the probes pass together.
    taken_ms = -(-mean_sectors() // group) * transfer_ms(*_LARGEST)
    half = half_digit(_RESPONSE)
    low_ms, high_ms = (float(_RESPONSE) - taken_ms + by for by in (-half, half))
    return [
        stated(
            "004-C4",
            Figure("capacity", "2.65", known["capacity_bytes"] / _GIB, "GiB"),
            Statement(
                "its subsector",
                "at most the 2500 bits of a track",
                f"{known['subsector_bits']} bits",
                holds=bool(known["feasible"]),
            ),
            reason={Verdict.CONTRADICTS: f"By the paper's own limit it cannot be: {known['reason']}."},
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
    rates = {name: _known(axes)["throughput_bytes_per_s"] / 1e6 for name, (axes, _) in _PICKED.items()}
    data_sheet = model().characteristics()
    return [
        stated(
            "004-C11",
            Figure("4096 probes", "20", rates["M-20-BE"], "MB/s"),
            Figure("2048 probes", "10", rates["M-10-BE"], "MB/s"),
        ),
        stated(
            "004-C15",
            Figure("rate of a probe", "40", data_sheet["tip_bits_per_s"] / 1e3, "kbit/s"),
            Figure("4096 probes", "20", 4096 * data_sheet["tip_bits_per_s"] / 8e6, "MB/s"),
        ),
    ]


def _densities() -> Claim:
    densities = {bit_nm: (25.4e6 / bit_nm) ** 2 / 1e12 for bit_nm in (26, 15)}
    return stated(
        "004-C14",
        Statement("at 15 nm", "above 1 Tb/in²", f"{densities[15]:.2f} Tb/in²", holds=densities[15] > 1),
    )


def _future() -> Claim:
    small = model().with_parameters(bit_width_nm=2, access_velocity_mm_per_s=0.08)
    known = design.format_characteristics(small, 64, 1, 512)
    raw = float(known["capacity_bytes"] or 0) / float(known["utilization"] or 1)
    return stated(
        "004-C16",
        Statement("raw capacity", "1 TB", f"{raw / 1e12:.2f} TB", holds=1 <= raw / 1e12 < 2),
    )


ROW = Experiment(
    "004-E-5",
    "Figure 5: the design space",
    "Response, energy and capacity of every feasible format, and the devices picked from them.",
    (1, 2, 3, 4, 5, 11, 14, 15, 16),
    run,
)
