"""Two accesses to the same blocks: read-modify-write, verify after write (001-E-8, Table 2).

Returning to the blocks just accessed: read-modify-write and verify after write.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..charts.grammar import alt, colour, names, plot, tips, unfolded
from ..model.devices import Device, load_device
from . import sheet_options as options
from .drawing import data, titled
from .sheet import defined
from .tables import Table, from_rows
from .workload import DISK, SECTOR_BYTES, in_pairs, phases_ns, sizes_in_a_track

#: Columns with the seconds of the first access, of repositioning and of the second access.
_Times: TypeAlias = tuple[float, float, float]
#: Operations, with True if the second access writes.
_OPERATIONS = {"read-modify-write": True, "verify-after-write": False}
_PARTS = {"first_s": "first access", "reposition_s": "repositioning", "second_s": "second access"}
#: Operation that represents both operations in the chart.
_DRAWN = "read-modify-write"


def read_modify_write(
    device: Device, blocks: options.Several[int] | None = None, count: int = 2000, seed: int = 1
) -> Table:
    """Compute the times of two successive accesses to the same blocks, with repositioning, for sled and disk.

    Args:
        device: Any device.
        blocks (blocks, from 1 to a track): Sizes of a request in blocks of 512 bytes, one track at most; None
            is 8 and 334, as in Table 2, or a whole track if a track is smaller.
        count (from 1): Number of simulated pairs of accesses at random places, for the mean repositioning.
        seed (from 0): Seed of the random places.

    Returns:
        device (also the disk of 001, which waits for its medium to come round; of sizes that its longest
        track holds), blocks (of 512 bytes), operation ("read-modify-write", "verify-after-write"), first_s
        (the rows of the first access; for the disk on its longest track), reposition_s (in the centre: a
        turnaround, or the way back over the rows if the second access must have the direction of the first;
        for the disk the rest of a rotation), second_s (second access, measured like first_s), total_s (of the
        three); and mean_reposition_s, simulated over random places. Blocks lie in as few rows as they need;
        at random places they may straddle. A write of a part of a logical block reads its row before: for
        sizes that are not a whole number of blocks the times are those of a simulated pair in the centre.

    Raises:
        ParameterError: An option is wrong.
    """
    found = device.characteristics()
    row_s, per_row = float(found["row_s"]), int(found["blocks_per_row"])
    block_bytes = int(found["capacity_bytes"]) // int(found["blocks"])
    random = np.random.default_rng(options.whole_number("seed", seed, 0))
    shares = random.random(options.whole_number("count", count, 1))
    sizes = sizes_in_a_track(device, blocks)
    rows = []
    for size in sizes:
        in_rows = -(-size * SECTOR_BYTES // (per_row * block_bytes))
        if size * SECTOR_BYTES % block_bytes:
            centre = _centre(device, in_rows)
            times = {name: _simulated_s(device, centre, size, writes) for name, writes in _OPERATIONS.items()}
        else:
            access_s = in_rows * row_s
            times = _twice(access_s, _reposition_s(device, access_s, in_rows > 1))
        rows += _rows(device, size, times, shares)
    disk = load_device(DISK)
    there = disk.characteristics()
    round_s, most = float(there["revolution_s"]), int(there["sectors_per_track_max"])
    for size in (size for size in sizes if size <= most):
        access_s = round_s * size / most
        rows += _rows(disk, size, _twice(access_s, round_s - access_s), shares)
    return from_rows(rows)


def _twice(access_s: float, back_s: float) -> dict[str, _Times]:
    """Return the times of each operation, for devices that write as fast as they read."""
    return dict.fromkeys(_OPERATIONS, (access_s, back_s, access_s))


def _rows(
    device: Device, size: int, times: Mapping[str, _Times], shares: NDArray[np.float64]
) -> list[dict[str, Any]]:
    """Return one row per operation; `places` are positions as shares of the device."""
    sectors = int(device.characteristics()["capacity_bytes"]) // SECTOR_BYTES
    places = (shares * (sectors - size)).astype(np.int64)
    rows = []
    for operation, writes in _OPERATIONS.items():
        run = in_pairs(device, (places, size), (places, size), writes)
        mean_s = float(run.columns["positioning_ns"][1::2].mean()) * 1e-9
        about = {"device": device.name, "blocks": size, "operation": operation}
        parts = dict(zip(_PARTS, times[operation], strict=True))
        rows.append({**about, **parts, "total_s": sum(parts.values()), "mean_reposition_s": mean_s})
    return rows


def _centre(device: Device, rows: int) -> int:
    """Return the first sector of the rows of a track that are nearest to the centre."""
    found = device.characteristics()
    per_row, block_bytes = int(found["blocks_per_row"]), int(found["block_bytes"])
    per_cylinder = int(found["rows_per_track"] * found["tracks_per_cylinder"]) * per_row
    first = int(found["blocks"]) // 2 // per_cylinder * per_cylinder
    begins = np.arange(first, first + per_cylinder - (rows - 1) * per_row, per_row)
    low, high = (device.locate(at) for at in (begins, begins + (rows - 1) * per_row))
    is_one_track = (low["track"] == high["track"]) & (low["cylinder"] == high["cylinder"])
    aside_m = np.where(is_one_track, np.abs(low["y_m"] + high["y_m"]), np.inf)
    return int(begins[aside_m.argmin()]) * block_bytes // SECTOR_BYTES


def _simulated_s(device: Device, sector: int, size: int, writes: bool) -> _Times:
    """Simulate a pair of accesses at one place."""
    at = (np.array([sector]), size)
    run = in_pairs(device, at, at, writes)
    moving_s = phases_ns(run, ("switch_ns", "transfer_ns")) * 1e-9
    return float(moving_s[0]), float(run.columns["positioning_ns"][1]) * 1e-9, float(moving_s[1])


def _reposition_s(device: Device, access_s: float, several_rows: bool) -> float:
    """Return the time from the end of an access to the beginning of the same access again, in the centre."""
    parameters = device.parameters
    mode = parameters["access_mode"]
    if mode == "bidirectional" or (mode == "serpentine" and not several_rows):
        return float(device.turnaround_s(0, 1))
    half_m = 0.5 * access_s * parameters["access_velocity_mm_per_s"] * 1e-3
    return float(device.seek_y_s(half_m, 1, -half_m, 1))


def chart(table: Table) -> Any:
    """Draw one bar per size and device, stacked from the three parts, with the sum at the end."""
    # If writing takes as long as reading, both operations do, apart from the mean over random places.
    drawn = [row for row in data(table) if row["operation"] == _DRAWN]
    drawn.sort(key=lambda row: int(row["blocks"]))
    for row in drawn:
        row["what"] = f"{row['blocks']} blocks, {row['device']}"
    order = list(_PARTS.values())
    parts = unfolded(drawn, {f"{key[:-1]}ms": part for key, part in _PARTS.items()}, "part", "ms")
    y = alt.Y("what:N", title=None, sort=names(drawn, "what")).axis(labelLimit=260)
    # The longest bar leaves room for its sum.
    scale = alt.Scale(domain=[0, 1.1 * max(row["total_ms"] for row in drawn)], nice=False)
    title = "Time of both accesses (ms)"
    bars = plot(
        ({**row, "order": order.index(row["part"])} for row in parts),
        x=alt.X("ms:Q", title=title, scale=scale),
        y=y,
        color=colour("part", "Time", order),
        order="order:Q",
        tooltip=tips("what:N", "part:N", "ms:Q | ms | .4f"),
    ).mark_bar(size=22)
    sums = plot(drawn, x=alt.X("total_ms:Q", title=title, scale=scale), y=y).mark_text(
        align="left", dx=5, fontSize=12
    )
    subtitle = [
        "Read-modify-write; writing and verifying whole blocks takes as long. Repositioning: the sled turns",
        "round in the centre; the disk waits until its longest track has come round.",
    ]
    whole = bars + sums.encode(text=alt.Text("total_ms:Q", format=".2f"))
    whole = whole.properties(width=560, height=alt.Step(36))
    return titled(whole, table, "The same blocks twice", subtitle, beside=DISK)


ROW = defined(read_modify_write, chart)
