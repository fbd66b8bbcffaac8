"""Functions that the charts of several studies share; they need the package altair."""

from typing import Any

from ..charts.grammar import alt, colour, logarithmic, marked
from ..charts.style import COLOURS, readable
from ..common import units
from .region import Region
from .tables import Table, origin

__all__ = ["COLOURS", "alt", "colour", "data", "logarithmic", "marked", "same_scale", "tip_region", "titled"]


def data(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table for a chart; columns in seconds get a copy in milliseconds."""
    rows: list[dict[str, Any]] = table.to_pylist()
    for row in rows:
        for name in [name for name in row if units.of(name).ending == "_s"]:
            row[f"{name.removesuffix('_s')}_ms"] = None if row[name] is None else row[name] * 1e3
    return rows


def tip_region(table: Table) -> Region:
    """Return the tip region of the device from which a table was computed."""
    return Region.from_parameters(origin(table)["parameters"])


def same_scale(shown: Region, most: float) -> dict[str, float]:
    """Return the width and height in pixels of a panel that shows a region with equal scales in x and y.

    The longer side has `most` pixels.
    """
    a_bit = most / max(shown.columns, shown.rows)
    return {"width": shown.columns * a_bit, "height": shown.rows * a_bit}


def titled(
    chart: Any,
    table: Table,
    headline: str,
    subtitle: str | list[str] = "",
    beside: str = "",
    legend_columns: int | None = None,
) -> Any:
    """Return a chart in the common style, with title and caption.

    The title names the device of the table, and the device `beside` that is compared with it. If
    `legend_columns` is given, the legend is below the chart and has this number of columns.
    """
    device = origin(table).get("device")
    names = f"{device} beside {beside}" if beside else device
    title = f"{headline}: {names}" if device else headline
    return readable(chart, legend_columns, title, subtitle)
