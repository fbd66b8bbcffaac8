"""000-E-11, Section 7.2: zones of different sizes.

Mean response and its variation under ZSPTF, with zones that take equal times to cross.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from sledsim import Device
from sledsim.charts import alt, colour, groups, names, plot, readable, rule, side_by_side
from sledsim.studies import Region

from ..shared import CV2, FIGURES, RESPONSE, Result, columns, noted, with_ends
from .inputs import SLEDS, Draw, load_columns, stream_curves, zoned_device
from .sequential_streams import bursty_stream, stream
from .zone_policies import Cells, equal_cells, even_cells, reach_x_s, reach_y_s, register

#: Policy whose cells have one size, by the grid of its cells: (columns, rows).
_GRIDS = {(20, 2): "zsptf", (40, 4): "zsptf:zone=60x600"}
#: Loads at which policies are compared: function that makes the stream, trace that it resembles, and arrival
#: rates in requests/s.
_LOADS = (
    (stream, "server", (1200.0, 1500.0)),
    (stream, "user", (1800.0,)),
    (bursty_stream, "server", (396.0,)),
    (bursty_stream, "user", (585.2,)),
)
_COUNT, _REPLICATIONS = (6000, 12_000), (4, 8)


def run(quick: bool) -> Result:
    """Run ZSPTF with zones of equal sizes, and with as many zones that take equal times to cross."""
    model = zoned_device(1)
    even = {grid: even_cells(model, *grid) for grid in _GRIDS}
    for grid, cells in even.items():
        register(_name(grid), cells)
    rows = [row for draw, like, rates in _LOADS for row in _compare(draw, like, rates, quick)]
    sizes = [row for grid, cells in even.items() for row in _sizes(model, grid, cells)]
    return Result(
        devices=[zoned_device(sleds) for sleds in SLEDS.values()],
        tables={"Zones of different sizes over zones of one size": rows, "Sizes of cells": sizes},
        charts={
            "Zones of different sizes over zones of one size": lambda: _chart(rows),
            "Widths of cells": lambda: _widths_chart(sizes),
        },
        notes=noted("000-E-11", **_found(rows, sizes)),
    )


def _compare(draw: Draw, like: str, rates: Sequence[float], quick: bool) -> list[dict[str, Any]]:
    """Return table rows: mean response and cv² with cells of equal times over those of equal sizes."""
    policies = [*_GRIDS.values(), *map(_name, _GRIDS)]
    sizes = {"count": _COUNT[not quick], "replications": _REPLICATIONS[not quick]}
    curves = stream_curves(draw, like, policies, rates[-1:] if quick else rates, **sizes)
    return [
        {
            **load_columns(draw, like, found.load),
            "cells": _words_of(grid),
            "figure": FIGURES[figure],
            **columns("ratio", found.ratio),
        }
        for grid, equal in _GRIDS.items()
        for figure in (RESPONSE, CV2)
        for found in curves.difference(_name(grid), equal, figure)
    ]


def _name(grid: tuple[int, int]) -> str:
    return f"zsptf-even-{grid[0]}x{grid[1]}"


def _words_of(grid: tuple[int, int]) -> str:
    return f"{grid[0]} x {grid[1]}"


def _sizes(model: Device, grid: tuple[int, int], even: Cells) -> list[dict[str, Any]]:
    """Return table rows with the width of each cell and the longest seek from its middle, for both grids."""
    region = Region.of(model)
    kinds: Mapping[str, Cells] = {"one size": equal_cells(model, *grid), "one time": even}
    return [
        {
            "cells": _words_of(grid),
            "kind": kind,
            "axis": axis,
            "middle_bits": (low + high - bits) / 2,
            "width_bits": high - low,
            "reach_s": reach(model, *(float(region.length_m(end - bits / 2)) for end in (low, high))),
        }
        for kind, cells in kinds.items()
        for axis, ends, bits, reach in (
            ("x", cells.x, region.columns, reach_x_s),
            ("y", cells.y, region.rows, reach_y_s),
        )
        for low, high in pairwise(ends)
    ]


def _found(rows: Sequence[Mapping[str, Any]], sizes: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    told = with_ends(rows, "ratio")
    worse, better = sum(row["low"] > 1 for row in told), sum(row["high"] < 1 for row in told)
    widths, ratios = groups(sizes, "cells", "kind", "axis"), groups(rows, "cells", "figure")
    texts = []
    for grid in names(rows, "cells"):
        wide = [row["width_bits"] for row in widths[grid, "one time", "x"]]
        own = [row["ratio"] for row in ratios.get((grid, FIGURES[RESPONSE]), [])] or [math.nan]
        texts.append(
            f"{grid} cells are {min(wide)} to {max(wide)} bits wide, and the mean response is"
            f" {min(own):.3f} to {max(own):.3f} of that with cells of one size"
        )
    counts = {"ratios": len(rows), "better": better, "worse": worse}
    return {"worth": better > 0 and not worse, "texts": "; ".join(texts), **counts}


def _chart(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Draw the mean response with cells of equal times over that with cells of equal size, at each load."""
    values = [
        {**row, "load": f"{row['input']}, {row['rate_per_s']:,.0f}/s"}
        for row in with_ends(rows, "ratio")
        if row["figure"] == FIGURES[RESPONSE]
    ]
    base = plot(
        values,
        y=alt.Y("load:N", title=None, sort=None).axis(labelLimit=260),
        **side_by_side("y", "cells", "Cells", names(values, "cells")),
    )
    layers = alt.layer(
        rule("x", 1, strokeDash=[4, 4]),
        base.mark_rule(strokeWidth=1.5).encode(x="low:Q", x2="high:Q"),
        base.mark_point(filled=True, size=50).encode(
            x=alt.X("ratio:Q", title="Ratio of mean response").scale(zero=False)
        ),
    )
    title = "ZSPTF with zones of equal crossing time, over ZSPTF with zones of one size"
    return readable(layers.properties(width=420, height=170), title=title)


def _widths_chart(sizes: Sequence[Mapping[str, Any]]) -> Any:
    """Draw the width of each cell along x over the place of its middle."""
    values = groups(sizes, "axis")["x"]
    base = plot(
        values,
        x=alt.X("middle_bits:Q", title="Middle of the cell along x (bits from the centre)"),
        y=alt.Y("width_bits:Q", title="Width (bits)"),
        color=colour("cells", "Cells", names(values, "cells")),
        strokeDash=alt.StrokeDash("kind:N", title="Cells with").legend(symbolType="stroke"),
    )
    title = "Widths of cells of one size, and of cells of equal crossing time"
    return readable(base.mark_line().properties(width=520, height=260), title=title)
