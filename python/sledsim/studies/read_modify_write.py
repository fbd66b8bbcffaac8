"""Two successive accesses to the same blocks: read-modify-write, verify after write (001-E-8, Table 2).

Between the accesses the sled turns round, or a disk completes its rotation.
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

#: Times in seconds of the first access, of the repositioning and of the second access.
_Times: TypeAlias = tuple[float, float, float]
#: Operations by name: True if the second access writes, False if it reads.
_OPERATIONS = {"read-modify-write": True, "verify-after-write": False}
_PARTS = {"first_s": "first access", "reposition_s": "repositioning", "second_s": "second access"}
#: Operation that the chart draws. The other one takes equally long, unless a device accesses parts of blocks.
_DRAWN = "read-modify-write"


def read_modify_write(
    device: Device, blocks: options.Several[int] | None = None, count: int = 2000, seed: int = 1
) -> Table:
    """Compute the times of two successive accesses to the same blocks, and of the repositioning between them.

    Args:
        device: Any device.
        blocks (blocks, from 1 to a track): Sizes of a request in blocks of 512 bytes, one track at most. None
            takes 8 and 334, the sizes in Table 2 of paper 001; if a track has fewer than 334 blocks, a whole
            track replaces 334.
        count (from 1): Number of random places at which a pair of accesses is simulated; the table has the
            mean of their repositioning times.
        seed (from 0): Seed of the random places.

    Returns:
        device (the given device, and the disk of 001 for sizes that fit on its longest track), blocks
        (size of a request in blocks of 512 bytes), operation ("read-modify-write", "verify-after-write"),
        first_s (transfer of the rows of the first access; for the disk on its longest track), reposition_s
        (time between the accesses, in the centre: a turnaround, or the way back over the rows if both
        accesses must have the same direction; for the disk the rest of a rotation), second_s (second
        access, measured like first_s), total_s (sum of first_s, reposition_s and second_s),
        mean_reposition_s (mean repositioning, simulated at random places). The blocks fill the least
        number of rows; only at random places they may take one more row. A write of a part of a logical
        block first reads its row: if the size is not a whole number of blocks, all times are simulated for
        one pair of accesses in the centre.

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
    """Return the times of each operation on a device that writes as fast as it reads."""
    return dict.fromkeys(_OPERATIONS, (access_s, back_s, access_s))


def _rows(
    device: Device, size: int, times: Mapping[str, _Times], shares: NDArray[np.float64]
) -> list[dict[str, Any]]:
    """Return one row per operation for requests of one size.

    `shares` has the random places, as shares of the capacity of the device.
    """
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
    """Return the first sector of `rows` successive rows in one track, as near to the centre as possible."""
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
    """Simulate two accesses to the same sectors; return both times and the repositioning time, in s."""
    at = (np.array([sector]), size)
    run = in_pairs(device, at, at, writes)
    moving_s = phases_ns(run, ("switch_ns", "transfer_ns")) * 1e-9
    return float(moving_s[0]), float(run.columns["positioning_ns"][1]) * 1e-9, float(moving_s[1])


def _reposition_s(device: Device, access_s: float, several_rows: bool) -> float:
    """Return the repositioning time in seconds after an access in the centre, until it can begin again."""
    parameters = device.parameters
    mode = parameters["access_mode"]
    if mode == "bidirectional" or (mode == "serpentine" and not several_rows):
        return float(device.turnaround_s(0, 1))
    half_m = 0.5 * access_s * parameters["access_velocity_mm_per_s"] * 1e-3
    return float(device.seek_y_s(half_m, 1, -half_m, 1))


def chart(table: Table) -> Any:
    """Draw one bar per request size and device: first access, repositioning and second access."""
    # If writing takes as long as reading, both operations take equally long, and one bar is enough.
    drawn = [row for row in data(table) if row["operation"] == _DRAWN]
    drawn.sort(key=lambda row: int(row["blocks"]))
    for row in drawn:
        row["what"] = f"{row['blocks']} blocks, {row['device']}"
    order = list(_PARTS.values())
    parts = unfolded(drawn, {f"{key[:-1]}ms": part for key, part in _PARTS.items()}, "part", "ms")
    y = alt.Y("what:N", title=None, sort=names(drawn, "what")).axis(labelLimit=260)
    # The axis is longer than the longest bar, which leaves room for the sum.
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
