"""The picture of a seek map: one panel a start, the tip region in bands of 0.1 ms."""

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .seek_map import BAND_S, band_of, by_start

if TYPE_CHECKING:
    import pyarrow

#: At most so many cells a panel are drawn along each axis; the table may have more.
_CELLS = 101
#: More bands than this are told apart by hue.
_FEW_BANDS = 12


def chart(table: "pyarrow.Table") -> Any:
    """One panel a start: the tip region in bands of 0.1 ms."""
    from .drawing import alt, place, titled

    panels = [(start, _cells(part)) for start, part in by_start(table)]
    top = max(cell["band"] for _, cells in panels for cell in cells)
    labels = [f"{low * BAND_S * 1e3:.1f} to {(low + 1) * BAND_S * 1e3:.1f}" for low in range(top + 1)]
    for _, cells in panels:
        for cell in cells:
            cell["band"] = labels[cell["band"]]
    scale = alt.Scale(domain=labels, scheme="viridis" if len(labels) <= _FEW_BANDS else "turbo")
    drawn = [_panel(place(table, *start), start, cells, scale) for start, cells in panels]
    whole = alt.concat(*drawn, columns=2, spacing=24)
    return titled(whole, table, "Seek time to the bits of the tip region", "The circle is where seeks start.")


def _cells(part: dict[str, NDArray[Any]]) -> list[dict[str, Any]]:
    """Rectangles of one band: in each column of cells, those that touch are one."""
    xs, ys = np.unique(part["x_bit"]), np.unique(part["y_bit"])
    # An odd number of columns on, so that those of both directions are met in turn.
    x_every, y_every = math.ceil(len(xs) / _CELLS) | 1, math.ceil(len(ys) / _CELLS)
    bands = band_of(part["seek_s"]).reshape(len(xs), len(ys))[::x_every, ::y_every]
    x_edges, y_edges = _edges(xs, x_every), _edges(ys, y_every)
    cells = []
    for (left, right), column in zip(pairwise(x_edges), bands, strict=True):
        ends = [0, *(np.flatnonzero(np.diff(column)) + 1).tolist(), len(column)]
        for low, high in pairwise(ends):
            sides = {"x": left, "x2": right, "y": y_edges[low], "y2": y_edges[high]}
            cells.append({**sides, "band": int(column[low])})
    return cells


def _edges(bits: NDArray[np.int64], every: int) -> list[float]:
    """Where cells around each of some bits end: halfway to the next, and at the first and the last bit."""
    middles = bits[::every]
    between = (middles[:-1] + middles[1:]) / 2
    return [float(bits[0]), *between.tolist(), float(bits[-1])]


def _panel(title: str, start: tuple[int, int], cells: list[dict[str, Any]], scale: Any) -> Any:
    from .drawing import alt

    # The start may lie beyond the outermost target.
    right, top = (
        max(abs(at), *(cell[edge] for cell in cells)) for at, edge in zip(start, ("x2", "y2"), strict=True)
    )
    rectangles = (
        alt.Chart(alt.InlineData(values=cells))
        .mark_rect(strokeWidth=0.6)
        .encode(
            x=alt.X("x:Q", title="x (bits)").scale(domain=[-right, right], nice=False).axis(tickCount=5),
            y=alt.Y("y:Q", title="y (bits)").scale(domain=[-top, top], nice=False).axis(tickCount=5),
            x2="x2:Q",
            y2="y2:Q",
            color=alt.Color("band:O", title="Seek (ms)", scale=scale).legend(symbolType="square"),
            stroke=alt.Stroke("band:O", scale=scale, legend=None),  # Closes the hairlines between cells.
            tooltip=[
                alt.Tooltip("x:Q", title="x from"),
                alt.Tooltip("y:Q", title="y from"),
                alt.Tooltip("y2:Q", title="y to"),
                alt.Tooltip("band:O", title="Seek (ms)"),
            ],
        )
    )
    place = alt.Chart(alt.InlineData(values=[{"x": start[0], "y": start[1]}])).mark_point(
        color="black", fill="white", size=90, strokeWidth=2, opacity=1
    )
    layers = alt.layer(rectangles, place.encode(x="x:Q", y="y:Q"))
    return layers.properties(title=f"From {title}", width=360, height=360)
