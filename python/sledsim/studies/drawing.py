"""What the charts of the studies share; needs altair."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..charts.style import COLOURS, alt, log_ticks, readable
from ..common import units
from .region import Region
from .tables import origin

if TYPE_CHECKING:
    import pyarrow

__all__ = ["COLOURS", "alt", "colour", "data", "logarithmic", "marked", "region", "same_scale", "titled"]


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


def region(table: "pyarrow.Table") -> Region:
    """The tip region of the device that a table is of."""
    return Region.from_parameters(origin(table)["parameters"])


def same_scale(shown: Region, most: float) -> dict[str, float]:
    """The sides of a panel that is the tip region, with as many pixels a bit along x as along y."""
    a_bit = most / max(shown.columns, shown.rows)
    return {"width": shown.columns * a_bit, "height": shown.rows * a_bit}


def logarithmic(axis: Any, values: Iterable[float], form: str = ",~g") -> Any:
    """An axis for values of several orders of magnitude, from the least to the most of them.

    Where no two round numbers lie between these, they are the ticks; one alone stands in the middle.
    """
    positive = [value for value in values if value > 0]
    low, high = min(positive), max(positive)
    ticks = log_ticks(positive)
    if len(ticks) < 2:
        ticks, form = sorted({low, high}), ",.4~r"
    domain = [low, high] if low < high else [low / 2, high * 2]
    return axis.scale(type="log", domain=domain, nice=False).axis(values=ticks, format=form)


def marked(axis: str, field: str, value: float, text: str, before: bool = False) -> list[Any]:
    """A line across a panel at a value along "x" or "y", and what it is: before or behind an upright line."""
    base = alt.Chart(alt.InlineData(values=[{field: value, "text": text}])).encode(**{axis: f"{field}:Q"})
    upright = {"align": "right", "dx": -4} if before else {"align": "left", "dx": 4}
    # At the top of an upright line, at the right end of a level one.
    texts = {
        "x": base.mark_text(baseline="top", dy=4, **upright).encode(y=alt.value(0)),
        "y": base.mark_text(align="right", dx=-4, dy=-6).encode(x=alt.value("width")),
    }
    return [base.mark_rule(strokeDash=[4, 3], strokeWidth=1.5), texts[axis].encode(text="text:N")]


def titled(
    chart: Any,
    table: "pyarrow.Table",
    headline: str,
    subtitle: str | list[str] = "",
    beside: str = "",
    legend_columns: int | None = None,
) -> Any:
    """The chart in the house style, with lines that say what is seen.

    The headline names the device, and the other one that it is shown beside. A legend with
    columns stands below.
    """
    device = origin(table).get("device")
    names = f"{device} beside {beside}" if beside else device
    title = alt.TitleParams(f"{headline}: {names}" if device else headline, subtitle=subtitle)
    return readable(chart.properties(title=title, padding=16), legend_columns)
