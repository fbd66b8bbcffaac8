"""The picture of a seek map: one panel a start, the tip region in bands of 0.1 ms."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..charts.grammar import alt, plot, tips
from .drawing import same_scale, tip_region, titled
from .region import Region
from .seek_map import BAND_S, band_of, bands, by_start, seek_map
from .study import defined
from .tables import Table, origin

#: At most so many cells a panel are drawn along each axis; the table may have more.
_CELLS = 101
#: More bands than this are told apart by hue.
_FEW_BANDS = 12
#: Pixels of the longer side of a panel, and of the start's own column, which takes a fraction of one.
_SIDE, _LINE_WIDTH = 360, 2
_Rows = list[dict[str, Any]]


def chart(table: Table) -> Any:
    """One panel a start: the tip region in bands of 0.1 ms."""
    shown, parts = tip_region(table), by_start(table)
    panels = [(start, _cells(shown, start[0], part), _own_column(start[0], part)) for start, part in parts]
    rectangles = [cell for _, *layers in panels for cells in layers for cell in cells]
    top = max(cell["band"] for cell in rectangles)
    labels = [f"{low * BAND_S * 1e3:.1f} to {(low + 1) * BAND_S * 1e3:.1f}" for low in range(top + 1)]
    for cell in rectangles:
        cell["band"] = labels[cell["band"]]
    scale = alt.Scale(domain=labels, scheme="viridis" if len(labels) <= _FEW_BANDS else "turbo")
    drawn = [_panel(shown, *panel, scale) for panel in panels]
    whole = alt.concat(*drawn, columns=2, spacing=24)
    return titled(whole, table, "Seek time to the bits of the tip region", _subtitle(table))


def _subtitle(table: Table) -> list[str]:
    """What a cell and the line stand for."""
    start, part = by_start(table)[0]
    x_bits, y_bits, _ = _grid(start[0], part)
    # Beside the start's column the grid may give way.
    x_step, y_step = (int(np.median(np.diff(bits))) for bits in (x_bits, y_bits))
    alternate = " Columns of both directions alternate from bit to bit; here they do from cell to cell."
    return [
        f"A cell stands for {x_step} x {y_step} bits, by the one in its middle."
        + (alternate if origin(table)["options"]["columns"] == "all" else ""),
        "Circle: the start. Line: its own column, a single bit wide, where no time goes for x and settling.",
    ]


def _grid(
    start_x: int, part: dict[str, NDArray[Any]]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Columns and rows that are drawn, without the start's own column, and the band of each of their bits."""
    others = part["x_bit"] != start_x
    xs, ys = np.unique(part["x_bit"][others]), np.unique(part["y_bit"])
    # An odd number of columns on, so that those of both directions are met in turn.
    x_every, y_every = math.ceil(len(xs) / _CELLS) | 1, math.ceil(len(ys) / _CELLS)
    bands = band_of(part["seek_s"][others]).reshape(len(xs), len(ys))
    return xs[::x_every], ys[::y_every], bands[::x_every, ::y_every]


def _cells(shown: Region, start_x: int, part: dict[str, NDArray[Any]]) -> _Rows:
    """Rectangles of one band: in each column of cells, those that touch are one."""
    xs, ys, bands = _grid(start_x, part)
    x_edges, y_edges = (_edges(bits, end) for bits, end in zip((xs, ys), shown.corner, strict=True))
    return [
        {"x": left, "x2": right, "y": y_edges[low], "y2": y_edges[high], "band": band}
        for (left, right), column in zip(pairwise(x_edges), bands, strict=True)
        for low, high, band in _runs(column)
    ]


def _own_column(start_x: int, part: dict[str, NDArray[Any]]) -> _Rows:
    """The start's own column, in the bands of all its targets."""
    own = part["x_bit"] == start_x
    ys = part["y_bit"][own]
    if not len(ys):
        return []
    edges = _edges(ys, max(abs(ys)))
    sides = {"x": start_x - 0.5, "x2": start_x + 0.5}
    runs = _runs(band_of(part["seek_s"][own]))
    return [{**sides, "y": edges[low], "y2": edges[high], "band": band} for low, high, band in runs]


def _runs(bands: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """Where neighbours have the same band: the first, the one after the last, and the band."""
    ends = [0, *(np.flatnonzero(np.diff(bands)) + 1).tolist(), len(bands)]
    return [(low, high, int(bands[low])) for low, high in pairwise(ends)]


def _edges(bits: NDArray[np.int64], end: int) -> list[float]:
    """Where cells around each of some bits end: halfway to the next, and where the region does."""
    between = (bits[:-1] + bits[1:]) / 2
    return [float(-end), *between.tolist(), float(end)]


def _panel(shown: Region, start: tuple[int, int], cells: _Rows, own: _Rows, scale: Any) -> Any:
    right, top = shown.corner
    style = {
        "x": alt.X("x:Q", title="x (bits)").scale(domain=[-right, right], nice=False).axis(tickCount=5),
        "y": alt.Y("y:Q", title="y (bits)").scale(domain=[-top, top], nice=False).axis(tickCount=5),
        **{"x2": "x2:Q", "y2": "y2:Q"},
        "color": alt.Color("band:O", title="Seek (ms)", scale=scale).legend(symbolType="square"),
        # A line closes the hairlines between cells.
        "stroke": alt.Stroke("band:O", scale=scale, legend=None),
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
