"""What the charts of the studies share; needs altair."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .. import units
from ..plots import COLOURS, alt, readable
from .region import Region
from .tables import origin

if TYPE_CHECKING:
    import pyarrow

__all__ = ["alt", "colour", "data", "place", "titled"]


def data(table: "pyarrow.Table") -> Any:
    """The rows of a table for a chart; each column in seconds has one in milliseconds beside it."""
    rows = table.to_pylist()
    for row in rows:
        for name in [name for name in row if units.of(name).ending == "_s"]:
            if isinstance(row[name], float):
                row[f"{name.removesuffix('_s')}_ms"] = row[name] * 1e3
    return alt.InlineData(values=rows)


def colour(field: str, title: str, names: Sequence[str]) -> Any:
    """The colour of a few names, in their order, and a legend that shows them whole."""
    scale = alt.Scale(domain=list(names), range=COLOURS[: len(names)])
    return alt.Color(f"{field}:N", title=title, scale=scale).legend(labelLimit=400, symbolOpacity=1)


def place(table: "pyarrow.Table", x: int, y: int) -> str:
    """Where a bit of the device lies: the centre and the corner by name, any bit by its numbers."""
    parameters = origin(table).get("parameters")
    return Region.from_parameters(parameters).place(x, y) if parameters else f"bit ({x}, {y})"


def titled(chart: Any, table: "pyarrow.Table", headline: str, subtitle: str = "") -> Any:
    """The chart in the house style, under a headline that names the device."""
    device = origin(table).get("device")
    title = alt.TitleParams(f"{headline}: {device}" if device else headline, subtitle=subtitle)
    return readable(chart.properties(title=title, padding=16))
