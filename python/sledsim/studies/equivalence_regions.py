"""Size of the region around a bit that the sled reaches within a time (000-C2).

The region is measured along each axis, up to the first bit that the sled does not reach (000-D5).
"""

import itertools
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..charts.grammar import alt, colour, names, plot, tips
from ..common import units
from ..model.devices import Device
from . import sheet_options as options
from .drawing import same_scale, tip_region, titled
from .region import Region, Starts, directions
from .sheet import defined
from .tables import Table, from_rows

#: Direction of the sled along y at the target: the same as at the start, the opposite, or the faster of both.
PARITIES = ("same", "opposite", "best")
#: Length in pixels of the longer side of a panel.
_SIDE = 215


def equivalence_regions(
    device: Device, thresholds_s: options.Several[float] | None = None, starts: Starts = None
) -> Table:
    """Compute the size of the region around a start in which the sled reaches all bits within a time.

    The sled leaves the start in the direction of its column, regardless of the device's access mode: upwards
    in even columns, downwards in odd columns (000-F8). Targets along x lie in the row of the start, targets
    along y in the column of the start.

    Args:
        device: Any device.
        thresholds_s (above 0): Times within which the sled must reach a bit. None takes three round times:
            the first is a little longer than the shortest seek along x. For the devices of paper 000, these
            are 0.3, 0.4 and 0.5 ms.
        starts (bits): Bits (x, y), counted from the centre, at which seeks start; None takes an even and an
            odd column at the centre and at the top right corner (000 Figure 2).

    Returns:
        start_x_bit, start_y_bit (start, counted from the centre), threshold_s (time within which bits are
        reached), parity (direction at the target compared with the start: "same", "opposite", or "best" for
        the faster of both), x_low_bits, x_high_bits, y_low_bits, y_high_bits (farthest bits reached, relative
        to the start; missing if the start itself is not reached), width_bits, height_bits (number of bits
        reached along x and y), ratio (height_bits divided by width_bits).

    Raises:
        ParameterError: An option is wrong.
    """
    region = Region.of(device)
    given = _thresholds_s(device, region) if thresholds_s is None else thresholds_s
    wanted_s = options.numbers("thresholds_s", given, above=True)
    rows = []
    for start in region.starts(starts):
        x_s, y_s = _times_x_s(device, region, start), _times_y_s(device, region, start)
        for threshold_s, parity in itertools.product(wanted_s, PARITIES):
            about = {"start_x_bit": start[0], "start_y_bit": start[1], "threshold_s": threshold_s}
            reached = _region(x_s <= threshold_s, y_s[parity] <= threshold_s, start)
            rows.append({**about, "parity": parity, **reached})
    return from_rows(rows)


def _thresholds_s(device: Device, region: Region) -> list[float]:
    """Return three default times in seconds: multiples of a round step, from just above the shortest x seek.

    The step is 1, 2 or 5 times a power of ten: the largest such number that fits five times between the times
    of the shortest and the longest seek.
    """
    shortest_s = float(device.seek_x_s(0.0, region.bit_m))
    # If all seeks take equally long, as under a custom seek model, any step will do.
    fifth_s = max(float(device.characteristics()["max_seek_s"]) - shortest_s, 1e-6) / 5
    power_s = 10.0 ** math.floor(math.log10(fifth_s))
    step_s = next(step * power_s for step in (5, 2, 1) if step * power_s <= fifth_s)
    first = math.floor(shortest_s / step_s) + 1
    return [float(f"{(first + more) * step_s:.9g}") for more in range(3)]


def _times_x_s(device: Device, region: Region, start: tuple[int, int]) -> NDArray[np.float64]:
    """Return the seek times in seconds along x from the start to every bit of its row."""
    right, _ = region.corner
    to_m = region.length_m(np.arange(-right, right + 1))
    return np.asarray(device.seek_x_s(region.length_m(start[0]), to_m))


def _times_y_s(device: Device, region: Region, start: tuple[int, int]) -> dict[str, NDArray[np.float64]]:
    """Return the seek times in seconds along y from the start to all bits of its column.

    Keys are the direction at the target: as at the start, opposite, or the faster of the two.
    """
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
    """Return the range of reached bits around the start: its low end, its high end, and its length.

    The ends are relative to the start. If even the start is not reached, they are None, and the number is 0.

    `near` has an entry for each bit from one end of the region to the other: True if the bit is reached.
    """
    at = start + len(near) // 2
    if not near[at]:
        return None, None, 0
    far = np.flatnonzero(~near)
    low = int(max(far[far < at], default=-1)) + 1
    high = int(min(far[far > at], default=len(near))) - 1
    return low - at, high - at, high - low + 1


def chart(table: Table) -> Any:
    """Draw the region of bits that is reached around each start within each time.

    Each start and each direction at the target has a panel.
    """
    shown = tip_region(table)
    boxes = _boxes(shown, table.to_pylist())
    right, top = (end + 0.5 for end in shown.corner)
    x = alt.X("x_low:Q", title="x (bits)").scale(domain=[-right, right], nice=False).axis(tickCount=4)
    y = alt.Y("y_low:Q", title="y (bits)").scale(domain=[-top, top], nice=False).axis(tickCount=4)
    wanted = names(boxes, "time")
    times = colour("time", "Reached within", wanted)
    base = plot(boxes).properties(**same_scale(shown, _SIDE))
    rectangles = base.mark_rect(fillOpacity=0.12, strokeWidth=2).encode(
        **{"x": x, "x2": "x_high:Q", "y": y, "y2": "y_high:Q", "color": times, "stroke": times},
        tooltip=tips("time:N", "width:Q", "height:Q", "text:N | width to height"),
    )
    cross = base.mark_point(shape="cross", color="black", filled=True, size=30, opacity=1)
    ratios = base.mark_text(align="left", fontSize=12, fontWeight="bold")
    layers = alt.layer(
        rectangles,
        cross.encode(x="start_x:Q", y="start_y:Q"),
        ratios.encode(x="text_x:Q", y="text_y:Q", text="text:N", color=times),
    )
    panels = layers.facet(
        column=alt.Column("start:N", title=None, sort=names(boxes, "start")),
        row=alt.Row("target:N", title=None, sort=[f"{parity} direction" for parity in PARITIES]),
    )
    subtitle = [
        "Each panel is the tip region, with equal scales along x and y.",
        "Cross: the start. Sizes are measured along its row and its column. Numbers: width to height.",
    ]
    return titled(panels, table, "Bits reached within a time", subtitle, legend_columns=len(wanted))


def _in_words(ratio: float) -> str:
    """Return a ratio of height to width as text with 1 for the shorter side, such as "1 : 2.5"."""
    return f"1 : {ratio:.1f}" if ratio >= 1 else f"{1 / ratio:.1f} : 1"


def _boxes(shown: Region, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the edges of each region in bits from the centre; None as edges if no bit is reached."""
    times = list(dict.fromkeys(row["threshold_s"] for row in rows))
    unit = units.of("threshold_s", times)
    # Ratios are written at the left, which is free because seeks start in the middle or at the right.
    left, above = -0.95 * shown.corner[0], 0.86 * shown.corner[1]
    boxes = []
    for row in rows:
        reached, start = row["width_bits"] and row["height_bits"], (row["start_x_bit"], row["start_y_bit"])
        sides = {
            f"{axis}_{end}": row[f"start_{axis}_bit"] + row[f"{axis}_{end}_bits"] + half if reached else None
            for axis in "xy"
            for end, half in (("low", -0.5), ("high", 0.5))
        }
        boxes.append(
            {
                "time": f"{unit.number(row['threshold_s'])} {unit.shown}",
                **{"start": shown.place(*start), "start_x": start[0], "start_y": start[1]},
                **{"target": f"{row['parity']} direction", **sides},
                **{"width": row["width_bits"], "height": row["height_bits"]},
                "text": _in_words(row["ratio"]) if reached else "out of reach",
                **{"text_x": left, "text_y": above * (1 - 0.17 * times.index(row["threshold_s"]))},
            }
        )
    return boxes


ROW = defined(equivalence_regions, chart)
