"""Seek time from four bits to all others, in bands of 0.1 ms (000-E-1, Fig. 2)."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.devices import Device
from . import options
from .region import Region, Starts, directions
from .tables import Table, from_columns, from_rows

#: Targets along each axis, about, where the step is not given.
_TARGETS = 100
#: The bands of 000 Figure 2.
BAND_S = 0.1e-3
_COLUMNS = ("all", "even")


def seek_map(
    device: Device, starts: Starts = None, columns: str = "all", step_bits: int | None = None
) -> Table:
    """The time of a seek from each of some bits to bits all over the tip region.

    A bit is accessed in the direction of its column, whatever the device's access mode: upwards in even
    columns, downwards in odd ones (000-F8). The start's own column is always among the targets. Nothing
    settles on the way there, so it stands for no other: its place on the grid goes to the next one but one.

    Args:
        device: Any device.
        starts (bits): Places (x, y), counted from the centre, where the seeks start; None is the centre and
            the top right corner, an even and an odd column of each (000 Figure 2).
        columns: Whether seeks end on "all" columns, or on "even" ones only.
        step_bits (from 1 to the region): From one target to the next along x and y: an odd number, so that
            even and odd columns are met in turn, or an even one for even columns. None is about a hundredth
            of the region.

    Returns:
        start_x_bit, start_y_bit, x_bit, y_bit (from the centre), seek_s (settling and turnarounds included).

    Raises:
        ParameterError: An option is wrong.
    """
    region = Region.of(device)
    odd_step = options.choice("columns", columns, _COLUMNS) == "all"
    step = _step(region, step_bits, odd_step)
    x_bits, y_bits = (step * np.arange(-(end // step), end // step + 1) for end in region.corner)
    parts = []
    for start_x, start_y in region.starts(starts):
        own = odd_step or start_x % 2 == 0
        targets = _with_own_column(region, x_bits, start_x) if own else x_bits
        x, y = (grid.ravel() for grid in np.meshgrid(targets, y_bits, indexing="ij"))
        seek_s = _seek_s(device, region, (start_x, start_y), (x, y))
        here = {"start_x_bit": np.full_like(x, start_x), "start_y_bit": np.full_like(x, start_y)}
        parts.append({**here, "x_bit": x, "y_bit": y, "seek_s": seek_s})
    return from_columns({name: np.concatenate([part[name] for part in parts]) for name in parts[0]})


def _step(region: Region, step_bits: int | None, odd: bool) -> int:
    if step_bits is None:
        step = math.ceil(max(region.columns, region.rows) / _TARGETS)
        return step if step % 2 == odd else step + 1
    step = options.whole_number("step_bits", step_bits, 1, min(region.columns, region.rows))
    if step % 2 != odd:
        why = "an odd number, to meet even and odd columns" if odd else "an even number, to meet even columns"
        options.refuse("step_bits", step, why)
    return step


def _with_own_column(region: Region, x_bits: NDArray[np.int64], start_x: int) -> NDArray[np.int64]:
    """The columns of the targets: those of a grid, and that of the start for itself alone."""
    right, _ = region.corner
    beside = min(start_x + 2, right) if start_x <= 0 else max(start_x - 2, -right)
    return np.union1d(np.where(x_bits == start_x, beside, x_bits), [start_x])


def _seek_s(
    device: Device,
    region: Region,
    start: tuple[int, int],
    target: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> NDArray[np.float64]:
    (x0_m, y0_m), (x1_m, y1_m) = ([region.length_m(bits) for bits in place] for place in (start, target))
    y_s = device.seek_y_s(y0_m, directions(start[0]), y1_m, directions(target[0]))
    return np.maximum(device.seek_x_s(x0_m, x1_m), y_s)


def bands(table: Table) -> Table:
    """The share of the targets in each band of 0.1 ms, for each start; its own column is one of thousands."""
    rows = []
    for (x, y), part in by_start(table):
        found, counts = np.unique(band_of(part["seek_s"][part["x_bit"] != x]), return_counts=True)
        for band, count in zip(found.tolist(), counts.tolist(), strict=True):
            edges = {"low_s": band * BAND_S, "high_s": (band + 1) * BAND_S}
            rows.append({"start_x_bit": x, "start_y_bit": y, **edges, "share": count / counts.sum()})
    return from_rows(rows)


def band_of(seek_s: NDArray[np.float64]) -> NDArray[np.int64]:
    """The number of the band in which a time lies; the low end of a band belongs to it."""
    return np.floor(seek_s / BAND_S).astype(np.int64)


def by_start(table: Table) -> list[tuple[tuple[int, int], dict[str, NDArray[Any]]]]:
    """The columns of the targets, for each start in turn."""
    starts = np.column_stack([table[name].to_numpy() for name in ("start_x_bit", "start_y_bit")])
    columns = {name: table[name].to_numpy() for name in ("x_bit", "y_bit", "seek_s")}
    parts = []
    for start in dict.fromkeys(map(tuple, starts.tolist())):
        here = (starts == start).all(axis=1)
        parts.append(((start[0], start[1]), {name: column[here] for name, column in columns.items()}))
    return parts
