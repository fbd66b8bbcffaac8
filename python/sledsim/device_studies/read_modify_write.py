"""Going back to what was just accessed: read-modify-write and verify after write (001-E-8, Table 2)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..models import Device
from . import options
from .tables import from_rows
from .workload import in_pairs

if TYPE_CHECKING:
    import pyarrow

#: The operation, and whether its second access writes.
_OPERATIONS = {"read-modify-write": True, "verify-after-write": False}
_PARTS = {"first_s": "first access", "reposition_s": "repositioning", "second_s": "second access"}
_SECTOR_BYTES = 512
_PAPER_BLOCKS = (8, 334)


def read_modify_write(
    device: Device, blocks: Sequence[int] | None = None, count: int = 2000, seed: int = 1
) -> "pyarrow.Table":
    """Two accesses to the same blocks, one after the other, and the way back between them.

    Args:
        device: Any device.
        blocks: Sizes in blocks of 512 bytes, of one track at most; None is 8 and 334, as in Table 2, or a
            whole track where that is less.
        count: Pairs at random places that are simulated for the mean repositioning.
        seed: Of the random places.

    Returns:
        blocks, operation ("read-modify-write", "verify-after-write"), first_s (the rows of the first
        access), reposition_s (in the centre: a turnaround, or the way back over the rows where the second
        access must have the direction of the first), second_s, total_s (of the three); and
        mean_reposition_s, which is simulated over random places. Blocks lie in as few rows as they need; at
        random places they may straddle.

    Raises:
        ParameterError: An option is wrong.
    """
    found = device.characteristics()
    row_s, per_row = float(found["row_s"]), int(found["blocks_per_row"])
    block_bytes = int(found["capacity_bytes"]) // int(found["blocks"])
    sectors = int(found["capacity_bytes"]) // _SECTOR_BYTES
    track_sectors = int(found["rows_per_track"]) * per_row * block_bytes // _SECTOR_BYTES
    random = np.random.default_rng(options.whole_number("seed", seed, 0))
    shares = random.random(options.whole_number("count", count, 1))
    sizes = sorted({min(size, track_sectors) for size in _PAPER_BLOCKS}) if blocks is None else blocks
    rows = []
    for size in options.whole_numbers("blocks", sizes, 1, track_sectors):
        access_s = -(-size * _SECTOR_BYTES // (per_row * block_bytes)) * row_s
        back_s = _reposition_s(device, access_s, access_s > 1.5 * row_s)
        places = (shares * (sectors - size)).astype(np.int64)
        for operation, writes in _OPERATIONS.items():
            run = in_pairs(device, (places, size), (places, size), writes)
            times = {"first_s": access_s, "reposition_s": back_s, "second_s": access_s}
            mean_s = float(run.columns["positioning_ns"][1::2].mean()) * 1e-9
            total_s = sum(times.values())
            about = {"blocks": size, "operation": operation}
            rows.append({**about, **times, "total_s": total_s, "mean_reposition_s": mean_s})
    return from_rows(rows)


def _reposition_s(device: Device, access_s: float, several_rows: bool) -> float:
    """From the end of an access to the beginning of the same again, in the centre."""
    parameters = device.parameters
    mode = parameters["access_mode"]
    if mode == "bidirectional" or (mode == "serpentine" and not several_rows):
        return float(device.turnaround_s(0, 1))
    half_m = 0.5 * access_s * parameters["access_velocity_mm_per_s"] * 1e-3
    return float(device.seek_y_s(half_m, 1, -half_m, 1))


def chart(table: "pyarrow.Table") -> Any:
    """One bar an operation and size, made of its three parts."""
    from .drawing import alt, colour, titled

    rows = [
        {
            "what": f"{row['blocks']} blocks, {row['operation']}",
            "part": text,
            "order": order,
            "ms": row[name] * 1e3,
        }
        for row in table.to_pylist()
        for order, (name, text) in enumerate(_PARTS.items())
    ]
    bars = alt.Chart(alt.InlineData(values=rows), width=560).mark_bar(size=22)
    chart = bars.encode(
        x=alt.X("ms:Q", title="Milliseconds"),
        y=alt.Y("what:N", title=None, sort=list(dict.fromkeys(row["what"] for row in rows))).axis(
            labelLimit=260
        ),
        color=colour("part", "Time", list(_PARTS.values())),
        order="order:Q",
        tooltip=["what:N", "part:N", alt.Tooltip("ms:Q", title="ms", format=".4f")],
    )
    return titled(
        chart.properties(height=alt.Step(36)), table, "The same blocks twice", "Repositioning in the centre."
    )
