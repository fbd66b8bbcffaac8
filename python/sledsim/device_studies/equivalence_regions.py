"""How far the sled gets within a time, along x and along y (000-C2, 000-D5)."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..models import Device
from . import options
from .region import Region, directions
from .tables import from_rows

if TYPE_CHECKING:
    import pyarrow

#: Of the target, in relation to the start: the same direction of access, the other one, the better one.
PARITIES = ("same", "opposite", "best")


def equivalence_regions(
    device: Device,
    thresholds_s: Sequence[float] | None = None,
    starts: Sequence[tuple[int, int]] | None = None,
) -> "pyarrow.Table":
    """The extents of the bits that are reached from a start within a time, without a gap, along each axis.

    The start is left in the direction of its column, whatever the device's access mode: upwards in even
    columns, downwards in odd ones (000-F8). Bits along x are those of the row of the start, bits along y
    those of its column.

    Args:
        device: Any device.
        thresholds_s: The times; None is three round ones that are a little longer than the shortest seek
            along x: 0.3, 0.4 and 0.5 ms for the devices of 000.
        starts: Bits (x, y), counted from the centre, where the seeks start; None is the centre and the top
            right corner, an even and an odd column of each (000 Figure 2).

    Returns:
        start_x_bit, start_y_bit, threshold_s, parity (of the target: "same", "opposite", "best"),
        x_low_bits, x_high_bits, y_low_bits, y_high_bits (relative to the start; missing where the start
        itself is out of reach), width_bits, height_bits (bits reached), ratio (height over width).

    Raises:
        ParameterError: An option is wrong.
    """
    region = Region.of(device)
    wanted_s = (
        _thresholds_s(device, region)
        if thresholds_s is None
        else options.numbers("thresholds_s", thresholds_s, above=True)
    )
    rows = []
    for start in region.starts(starts):
        x_s = _times_x_s(device, region, start)
        y_s = _times_y_s(device, region, start)
        for threshold_s in wanted_s:
            for parity in PARITIES:
                rows.append(
                    {
                        "start_x_bit": start[0],
                        "start_y_bit": start[1],
                        "threshold_s": threshold_s,
                        "parity": parity,
                        **_region(x_s <= threshold_s, y_s[parity] <= threshold_s, start),
                    }
                )
    return from_rows(rows)


def _thresholds_s(device: Device, region: Region) -> list[float]:
    """The first three multiples of a round step after the shortest seek along x.

    The step is the longest of 1, 2 or 5 times a power of ten that goes five times into what lies between
    the shortest and the longest seek.
    """
    shortest_s = float(device.seek_x_s(0.0, region.bit_m))
    # Where all seeks take equally long, by a seek model of the user's own, any step will do.
    fifth_s = max(float(device.characteristics()["max_seek_s"]) - shortest_s, 1e-6) / 5
    power_s = 10.0 ** math.floor(math.log10(fifth_s))
    step_s = next(step * power_s for step in (5, 2, 1) if step * power_s <= fifth_s)
    first = math.floor(shortest_s / step_s) + 1
    return [float(f"{(first + more) * step_s:.9g}") for more in range(3)]


def _times_x_s(device: Device, region: Region, start: tuple[int, int]) -> NDArray[np.float64]:
    """Seconds along x from the start to every bit of its row."""
    right, _ = region.corner
    to_m = region.length_m(np.arange(-right, right + 1))
    return np.asarray(device.seek_x_s(region.length_m(start[0]), to_m))


def _times_y_s(device: Device, region: Region, start: tuple[int, int]) -> dict[str, NDArray[np.float64]]:
    """Seconds along y from the start to every bit of its column, for each parity."""
    _, top = region.corner
    direction, from_m = directions(start[0]), region.length_m(start[1])
    to_m = region.length_m(np.arange(-top, top + 1))
    same_s = np.asarray(device.seek_y_s(from_m, direction, to_m, direction))
    opposite_s = np.asarray(device.seek_y_s(from_m, direction, to_m, -direction))
    return {"same": same_s, "opposite": opposite_s, "best": np.minimum(same_s, opposite_s)}


def _region(x_near: NDArray[np.bool_], y_near: NDArray[np.bool_], start: tuple[int, int]) -> dict[str, Any]:
    x_low, x_high, width = _extent(x_near, start[0])
    y_low, y_high, height = _extent(y_near, start[1])
    extents = {"x_low_bits": x_low, "x_high_bits": x_high, "y_low_bits": y_low, "y_high_bits": y_high}
    return {**extents, "width_bits": width, "height_bits": height, "ratio": height / width}


def _extent(near: NDArray[np.bool_], start: int) -> tuple[int | None, int | None, int]:
    """The lowest and highest bit that are near without a gap, relative to the start, and their number.

    `near` says it of every bit from one end of the region to the other.
    """
    at = start + len(near) // 2
    if not near[at]:
        return None, None, 0
    far = np.flatnonzero(~near)
    low = int(max(far[far < at], default=-1)) + 1
    high = int(min(far[far > at], default=len(near))) - 1
    return low - at, high - at, high - low + 1


def chart(table: "pyarrow.Table") -> Any:
    """One panel a start and parity: the regions of all times around the start, one inside the other."""
    from .drawing import alt, colour, place, titled

    rows = [row for row in table.to_pylist() if row["height_bits"] and row["width_bits"]]
    for row in rows:
        row["threshold"] = f"{row['threshold_s'] * 1e3:g} ms"
        row["start"] = place(table, row["start_x_bit"], row["start_y_bit"])
        row["target"] = f"{row['parity']} direction"
    thresholds = colour("threshold", "Reached within", list(dict.fromkeys(row["threshold"] for row in rows)))
    base = alt.Chart(width=224, height=200)
    boxes = base.mark_rect(fillOpacity=0.12, strokeWidth=2).encode(
        x=alt.X("x_low_bits:Q", title="x (bits)").axis(tickCount=4),
        x2="x_high_bits:Q",
        y=alt.Y("y_low_bits:Q", title="y (bits)").axis(tickCount=6),
        y2="y_high_bits:Q",
        color=thresholds,
        stroke=thresholds,
        tooltip=["threshold:N", "width_bits:Q", "height_bits:Q", alt.Tooltip("ratio:Q", format=".2f")],
    )
    start = base.mark_point(color="black", fill="white", size=60, opacity=1).encode(
        x=alt.datum(0), y=alt.datum(0)
    )
    panels = alt.layer(boxes, start, data=alt.InlineData(values=rows)).facet(
        column=alt.Column("start:N", title=None, sort=list(dict.fromkeys(row["start"] for row in rows))),
        row=alt.Row("target:N", title=None, sort=[f"{parity} direction" for parity in PARITIES]),
        spacing=16,
    )
    return titled(
        panels,
        table,
        "Bits reached within a time",
        "Counted from the start, which is the circle: along x in its row, along y in its column.",
    )
