"""How far the sled gets within a time, along x and along y (000-C2, 000-D5)."""

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
    thresholds_s: Sequence[float] = (0.3e-3, 0.4e-3, 0.5e-3),
    starts: Sequence[tuple[int, int]] | None = None,
    even_columns: str = "up",
) -> "pyarrow.Table":
    """The extents of the bits that are reached from a start within a time, without a gap, along each axis.

    The start is left in the direction of its column, whatever the device's access mode (000-F8). Bits along
    x are those of the row of the start, bits along y those of its column.

    Args:
        device: Any device.
        thresholds_s: The times.
        starts: Bits (x, y) where the seeks start; None is a corner and the centre, an even and an odd
            column of each (000 Figure 2).
        even_columns: Whether even columns are accessed "up" and odd ones down, or even ones "down".

    Returns:
        start_x_bit, start_y_bit, threshold_s, parity (of the target: "same", "opposite", "best"),
        x_low_bits, x_high_bits, y_low_bits, y_high_bits (relative to the start; missing where the start
        itself is out of reach), width_bits, height_bits (bits reached), ratio (height over width).

    Raises:
        ParameterError: An option is wrong.
    """
    region = Region.of(device)
    wanted_s = options.numbers("thresholds_s", thresholds_s, above=True)
    rows = []
    for start in region.starts(starts):
        x_s = np.asarray(device.seek_x_s(region.x_m(start[0]), region.x_m(np.arange(region.columns))))
        y_s = _times_y_s(device, region, start, even_columns)
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


def _times_y_s(
    device: Device, region: Region, start: tuple[int, int], even_columns: str
) -> dict[str, NDArray[np.float64]]:
    """Seconds along y from the start to every bit of its column, for each parity."""
    direction, from_m = directions(start[0], even_columns), region.y_m(start[1])
    to_m = region.y_m(np.arange(region.rows))
    same_s = np.asarray(device.seek_y_s(from_m, direction, to_m, direction))
    opposite_s = np.asarray(device.seek_y_s(from_m, direction, to_m, -direction))
    return {"same": same_s, "opposite": opposite_s, "best": np.minimum(same_s, opposite_s)}


def _region(x_near: NDArray[np.bool_], y_near: NDArray[np.bool_], start: tuple[int, int]) -> dict[str, Any]:
    x_low, x_high, width = _extent(x_near, start[0])
    y_low, y_high, height = _extent(y_near, start[1])
    extents = {"x_low_bits": x_low, "x_high_bits": x_high, "y_low_bits": y_low, "y_high_bits": y_high}
    return {**extents, "width_bits": width, "height_bits": height, "ratio": height / width}


def _extent(near: NDArray[np.bool_], start: int) -> tuple[int | None, int | None, int]:
    """The lowest and highest bit that are near without a gap, relative to the start, and their number."""
    if not near[start]:
        return None, None, 0
    far = np.flatnonzero(~near)
    low = int(max(far[far < start], default=-1)) + 1
    high = int(min(far[far > start], default=len(near))) - 1
    return low - start, high - start, high - low + 1


def chart(table: "pyarrow.Table") -> Any:
    """One panel a start and parity: the regions of all times around the start, one inside the other."""
    from .drawing import alt, colour, titled

    rows = [row for row in table.to_pylist() if row["height_bits"] and row["width_bits"]]
    for row in rows:
        row["threshold"] = f"{row['threshold_s'] * 1e3:g} ms"
        row["start"] = f"from ({row['start_x_bit']}, {row['start_y_bit']})"
        row["target"] = f"{row['parity']} direction"
    thresholds = colour("threshold", "Reached within", list(dict.fromkeys(row["threshold"] for row in rows)))
    base = alt.Chart(width=200, height=200)
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
