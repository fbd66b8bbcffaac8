"""Seek time from four bits to bits all over the tip region, in bands of 0.1 ms (000-E-1, Fig. 2)."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..charts.grammar import alt, plot, tips
from ..model.devices import Device
from . import sheet_options as options
from .drawing import same_scale, tip_region, titled
from .region import Region, Starts, directions
from .sheet import defined
from .tables import Table, from_columns, from_rows, origin

#: Approximate default number of targets along each axis.
_TARGETS = 100
#: Width in seconds of the bands of seek time in 000 Figure 2.
_BAND_S = 0.1e-3
_COLUMNS = ("all", "even")
#: Largest number of cells of a panel along each axis; the table may have more targets.
_CELLS = 101
#: Largest number of bands that shades of one colour can distinguish; more bands get different hues.
_FEW_BANDS = 12
#: Longer side of a panel, and width of the line for the start's column, both in pixels. Drawn to scale, the
#: column would be invisible.
_SIDE, _LINE_WIDTH = 360, 2
_Rows = list[dict[str, Any]]


def seek_map(
    device: Device, starts: Starts = None, columns: str = "all", step_bits: int | None = None
) -> Table:
    """Compute the seek times from some starting bits to a grid of bits all over the tip region.

    A bit is accessed in the direction of its column, regardless of the device's access mode: upwards in even
    columns, downwards in odd columns (000-F8). The start's own column is always among the targets. A seek
    within this column needs no settling, so that the column does not represent its neighbours: if it lies on
    the grid of targets, the grid takes the next column but one instead.

    Args:
        device: Any device.
        starts (bits): Bits (x, y), counted from the centre, at which seeks start; None takes an even and an
            odd column at the centre and at the top right corner (000 Figure 2).
        columns: Columns in which seeks end: "all", or "even" columns only.
        step_bits (from 1 to the region): Distance between adjacent targets along x and y: an odd number, so
            that even and odd columns alternate, or an even number for even columns. None takes about a
            hundredth of the region.

    Returns:
        start_x_bit, start_y_bit (start of the seek, from the centre), x_bit, y_bit (end of the seek), seek_s
        (seek time with settling and turnarounds).

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
    """Return the columns of the targets: those of the grid, `x_bits`, and the column of the start.

    A column of the grid that is the start's column is moved by two, so that the grid remains complete.
    """
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
    """Return the share of the targets in each band of 0.1 ms of seek time, per start."""
    rows = []
    for (x, y), part in _by_start(table):
        found, counts = np.unique(_band_of(part["seek_s"][part["x_bit"] != x]), return_counts=True)
        for band, count in zip(found.tolist(), counts.tolist(), strict=True):
            edges = {"low_s": band * _BAND_S, "high_s": (band + 1) * _BAND_S}
            rows.append({"start_x_bit": x, "start_y_bit": y, **edges, "share": count / counts.sum()})
    return from_rows(rows)


def _band_of(seek_s: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the index of the band that contains each time; a band includes its low end."""
    return np.floor(seek_s / _BAND_S).astype(np.int64)


def _by_start(table: Table) -> list[tuple[tuple[int, int], dict[str, NDArray[Any]]]]:
    """Return, for each start, the columns of the table with the rows of this start only."""
    starts = np.column_stack([table[name].to_numpy() for name in ("start_x_bit", "start_y_bit")])
    columns = {name: table[name].to_numpy() for name in ("x_bit", "y_bit", "seek_s")}
    parts = []
    for start in dict.fromkeys(map(tuple, starts.tolist())):
        here = (starts == start).all(axis=1)
        parts.append(((start[0], start[1]), {name: column[here] for name, column in columns.items()}))
    return parts


def chart(table: Table) -> Any:
    """Draw the tip region in bands of 0.1 ms, one panel per start."""
    shown, parts = tip_region(table), _by_start(table)
    panels = [(start, _cells(shown, start[0], part), _own_column(start[0], part)) for start, part in parts]
    rectangles = [cell for _, *layers in panels for cells in layers for cell in cells]
    top = max(cell["band"] for cell in rectangles)
    labels = [f"{low * _BAND_S * 1e3:.1f} to {(low + 1) * _BAND_S * 1e3:.1f}" for low in range(top + 1)]
    for cell in rectangles:
        cell["band"] = labels[cell["band"]]
    scale = alt.Scale(domain=labels, scheme="viridis" if len(labels) <= _FEW_BANDS else "turbo")
    drawn = [_panel(shown, *panel, scale) for panel in panels]
    whole = alt.concat(*drawn, columns=2, spacing=24)
    return titled(whole, table, "Seek time to the bits of the tip region", _subtitle(table))


def _subtitle(table: Table) -> list[str]:
    """Return the lines below the headline, which explain the cells, the circle and the line of the chart."""
    start, part = _by_start(table)[0]
    x_bits, y_bits, _ = _grid(start[0], part)
    # The step is measured as a median, because next to the start's column the grid may be uneven.
    x_step, y_step = (int(np.median(np.diff(bits))) for bits in (x_bits, y_bits))
    alternate = " Columns of both directions alternate from bit to bit; here they do from cell to cell."
    return [
        f"A cell stands for {x_step} x {y_step} bits, by the bit in its middle."
        + (alternate if origin(table)["options"]["columns"] == "all" else ""),
        "Circle: the start. Line: the start's column, one bit wide, where seeks need no x and no settling.",
    ]


def _grid(
    start_x: int, part: dict[str, NDArray[Any]]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the columns and rows of the drawn cells, and the band of seek time of each cell.

    The column of the start is left out, as the chart draws it as a line.
    """
    others = part["x_bit"] != start_x
    xs, ys = np.unique(part["x_bit"][others]), np.unique(part["y_bit"])
    # The step between drawn columns is odd, so that columns of both directions alternate.
    x_every, y_every = math.ceil(len(xs) / _CELLS) | 1, math.ceil(len(ys) / _CELLS)
    bands = _band_of(part["seek_s"][others]).reshape(len(xs), len(ys))
    return xs[::x_every], ys[::y_every], bands[::x_every, ::y_every]


def _cells(shown: Region, start_x: int, part: dict[str, NDArray[Any]]) -> _Rows:
    """Return rectangles that cover the region: in a column, successive cells in the same band become one."""
    xs, ys, bands = _grid(start_x, part)
    x_edges, y_edges = (_edges(bits, end) for bits, end in zip((xs, ys), shown.corner, strict=True))
    return [
        {"x": left, "x2": right, "y": y_edges[low], "y2": y_edges[high], "band": band}
        for (left, right), column in zip(pairwise(x_edges), bands, strict=True)
        for low, high, band in _runs(column)
    ]


def _own_column(start_x: int, part: dict[str, NDArray[Any]]) -> _Rows:
    """Return the column of the start as line segments, one per band of seek time; empty without targets."""
    own = part["x_bit"] == start_x
    ys = part["y_bit"][own]
    if not len(ys):
        return []
    edges = _edges(ys, max(abs(ys)))
    sides = {"x": start_x - 0.5, "x2": start_x + 0.5}
    runs = _runs(_band_of(part["seek_s"][own]))
    return [{**sides, "y": edges[low], "y2": edges[high], "band": band} for low, high, band in runs]


def _runs(bands: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """Return the runs of equal values in `bands`: index of the first, index after the last, and value."""
    ends = [0, *(np.flatnonzero(np.diff(bands)) + 1).tolist(), len(bands)]
    return [(low, high, int(bands[low])) for low, high in pairwise(ends)]


def _edges(bits: NDArray[np.int64], end: int) -> list[float]:
    """Return the edges of the cells around bits: the middles between bits, and -`end` and +`end` outside."""
    between = (bits[:-1] + bits[1:]) / 2
    return [float(-end), *between.tolist(), float(end)]


def _panel(shown: Region, start: tuple[int, int], cells: _Rows, own: _Rows, scale: Any) -> Any:
    right, top = shown.corner
    style = {
        "x": alt.X("x:Q", title="x (bits)").scale(domain=[-right, right], nice=False).axis(tickCount=5),
        "y": alt.Y("y:Q", title="y (bits)").scale(domain=[-top, top], nice=False).axis(tickCount=5),
        **{"x2": "x2:Q", "y2": "y2:Q"},
        "color": alt.Color("band:O", title="Seek (ms)", scale=scale).legend(symbolType="square"),
        # An outline covers the thin gaps between cells.
        "stroke": alt.Stroke("band:O", title="Seek (ms)", scale=scale).legend(symbolType="square"),
        "tooltip": tips("x:Q | x from", "y:Q | y from", "y2:Q | y to", "band:O | Seek (ms)"),
    }
    layers = [
        plot(rows, **style).mark_rect(strokeWidth=width) for rows, width in ((cells, 0.6), (own, _LINE_WIDTH))
    ]
    place = plot([{"x": start[0], "y": start[1]}], x="x:Q", y="y:Q").mark_point(
        color="black", fill="white", size=60, strokeWidth=2, opacity=1
    )
    whole = alt.layer(*layers, place)
    return whole.properties(title=f"From {shown.place(*start)}", **same_scale(shown, _SIDE))


ROW = defined(seek_map, chart, bands)
