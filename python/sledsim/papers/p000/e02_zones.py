"""000-E-2, Figure 3 and section 7.2: zones and their thresholds.

The order in which zones are visited, and seeks from the centre of a zone to its borders.
"""

from typing import Any

import pyarrow

from sledsim import studies
from sledsim.charts import alt, colour, plot, readable

from ..shared import Claim, Figure, Result, Statement, Verdict, device, noted, stated

#: Seek times in milliseconds that the paper prints for the two smaller sizes of zones (section 7.2).
_THRESHOLDS = ("0.3", "0.4")
_FROM_CENTRE = ("centre_x_s", "centre_ahead_s", "centre_behind_s")
#: Numbers of cells along x and y in Figure 3; each cell holds a zone of even and a zone of odd columns.
_COLUMNS, _ROWS = 3, 2


def run(quick: bool) -> Result:
    """Compute the seek times from the centre of a zone to its borders; `quick` has no effect."""
    model = device("mascots03")
    study = studies.run("zone-threshold", model)
    order = zone_order(_COLUMNS, _ROWS)
    return Result(
        devices=[model],
        claims=[_thresholds(study.table.to_pylist())],
        tables={"Seek times inside a zone": study.table, "Order of zones": order},
        charts={"Seek times inside a zone": study.plot, "Figure 3: order of zones": lambda: _chart(order)},
        notes=noted("000-E-2"),
    )


def zone_order(columns: int, rows: int) -> pyarrow.Table:
    """List zones in the order of visits: in each column of cells, even zones downwards, odd zones upwards.

    The order is that of 000-F14.

    Args:
        columns: Number of cells along x.
        rows: Number of cells along y.

    Returns:
        A table with a row per zone: ``order``, ``column``, ``row`` (0 is the top), ``parity``.
    """
    zones = [
        (column * 2 * rows + (row if parity == "even" else 2 * rows - 1 - row), column, row, parity)
        for column in range(columns)
        for row in range(rows)
        for parity in ("even", "odd")
    ]
    names = ("order", "column", "row", "parity")
    return pyarrow.table(dict(zip(names, map(list, zip(*sorted(zones), strict=True)), strict=True)))


def _thresholds(rows: list[dict[str, Any]]) -> Claim:
    beyond = [_pairwise(row, printed) for row, printed in zip(rows, _THRESHOLDS, strict=False)]
    return stated(
        "000-C3",
        *(_threshold(row, printed) for row, printed in zip(rows, _THRESHOLDS, strict=False)),
        pairwise="; ".join(beyond),
    )


def _threshold(row: dict[str, Any], printed: str) -> Statement:
    """Compare the longest seek from a zone's centre to its border with the seek time that 000 prints.

    The statement is right in shape at best, because the paper times seeks between any two places of a zone.
    """
    ours = Figure("", printed, max(row[way] for way in _FROM_CENTRE) * 1e3, "ms")
    return Statement(
        f"longest seek from the centre of {_size(row)} to its border",
        f"{ours.paper} between any two places",
        f"{ours.ours:.3f} ms ({ours.difference:+.1%})",
        holds=ours.verdict is not Verdict.CONTRADICTS,
        in_shape=True,
    )


def _pairwise(row: dict[str, Any], printed: str) -> str:
    x_ms, y_ms = (row[f"pairwise_{axis}_s"] * 1e3 for axis in "xy")
    return f"{_size(row)} at {printed} ms takes {x_ms:.3f} ms in x and {y_ms:.3f} ms in y"


def _size(row: dict[str, Any]) -> str:
    return f"{row['zone_x_bits']} x {row['zone_y_bits']}"


def _chart(order: pyarrow.Table) -> Any:
    """Draw the grid of cells; the numbers in a cell are the positions of its two zones in visiting order."""
    base = plot(
        order.to_pylist(),
        x=alt.X("column:O", title="Cell along x").axis(labelAngle=0),
        y=alt.Y("row:O", title="Cell along y"),
    )
    numbers = [
        base.transform_filter(alt.datum.parity == parity)
        .mark_text(fontSize=18, fontWeight="bold", dx=shift)
        .encode(text="order:Q", color=colour("parity", "Column parity", ("even", "odd")))
        for parity, shift in (("even", -18), ("odd", 18))
    ]
    layers = alt.layer(base.mark_rect(fill="#f5f5f5", stroke="#999999"), *numbers)
    sized = layers.properties(width=330, height=180)
    return readable(sized, title="Zones in the order in which they are visited")
