"""Building blocks of charts: lines with points, groups of bars, one panel per value, straight lines."""

from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from ..common.ranking import is_same
from .colours import COLOURS, scheduler_styles
from .style import alt as alt, log_ticks

_Row = TypeVar("_Row", bound=Mapping[str, Any])


def plot(rows: Iterable[Mapping[str, Any]], **channels: Any) -> Any:
    """Return an Altair chart of rows; a method such as ``mark_bar`` or ``mark_line`` on it then draws them.

    Args:
        rows: Rows to draw, each a mapping from column to value; the chart stores all of them.
        channels: Altair channels by name: ``x``, ``y``, ``color``, ``tooltip`` and others.

    Raises:
        ModuleNotFoundError: Altair is missing: install ``sledsim[plot]``.
    """
    return alt.Chart(alt.InlineData(values=list(rows))).encode(**channels)


def names(rows: Iterable[Mapping[str, Any]], column: str) -> list[Any]:
    """Return the distinct values of a column, in the order of their first occurrence.

    Raises:
        KeyError: A row lacks the column.
    """
    return list(dict.fromkeys(row[column] for row in rows))


def alike(found: Mapping[str, Any]) -> dict[str, str]:
    """Merge names whose drawings are equal, such as two lines that coincide, into one label ``a = b``.

    Args:
        found: Drawing of each name: any comparable value, such as the points of a line; names with equal
            values are merged.

    Returns:
        The label of each group of names with equal drawings, by the first name of the group.
    """
    same: dict[str, list[str]] = {}
    for name, drawn in found.items():
        first = next((one for one in same if is_same(found[one], drawn)), name)
        same.setdefault(first, []).append(name)
    return {first: " = ".join(names) for first, names in same.items()}


def groups(rows: Iterable[_Row], *columns: str) -> dict[Any, list[_Row]]:
    """Group rows by the value of a column, or by the tuple of the values of several columns.

    Groups appear in the order of their first rows.

    Raises:
        KeyError: A row lacks one of the columns.
    """
    found: dict[Hashable, list[_Row]] = {}
    for row in rows:
        key = tuple(row[column] for column in columns)
        found.setdefault(key if len(key) > 1 else key[0], []).append(row)
    return found


def unfolded(
    rows: Iterable[Mapping[str, Any]], columns: Mapping[str, str], name: str, value: str
) -> list[dict[str, Any]]:
    """Turn several columns into rows: each row becomes one row per entry of `columns`, with label and value.

    Args:
        rows: Rows to turn into more rows: n rows become n x m rows.
        columns: The m columns to turn into rows, each with the label that stands for it.
        name: Name of the new column that holds the labels.
        value: Name of the new column that holds the values.

    Returns:
        Rows, n times m in number; all columns that are not unfolded are repeated in them.
    """
    return [{**row, name: text, value: row[key]} for row in rows for key, text in columns.items()]


def broken(rows: Sequence[Mapping[str, Any]], column: str, step: float) -> list[dict[str, Any]]:
    """Number the stretches of rows without a gap in `column` as ``stretch``, for lines that end at gaps."""
    places = sorted({row[column] for row in rows})
    gaps = [after for before, after in pairwise(places) if after - before > 1.5 * step]
    return [{**row, "stretch": bisect_right(gaps, row[column])} for row in rows]


def tips(*texts: str) -> list[Any]:
    """Build Altair tooltips from texts "field | title | number format", such as ``ms:Q | Mean (ms) | .3f``.

    Title and format may be missing: ``tips("policy:N", "ms:Q | Response (ms)", "ratio:Q | | .3f")``.
    """
    found = []
    for text in texts:
        field, *said = (part.strip() for part in text.split("|"))
        about: Any = {key: part for key, part in zip(("title", "format"), said, strict=False) if part}
        found.append(alt.Tooltip(field, **about))
    return found


def colour(column: str, title: str, names: Sequence[str]) -> Any:
    """Return the Altair colour channel for a column of names; its legend does not abbreviate names.

    A scheduler has the same colour in all charts; other names get the colours of `COLOURS` in turn.

    Args:
        column: Column with the names.
        title: Heading of the legend. If the heading or the column is "scheduler", the names get the colours
            of schedulers.
        names: Names in the order of their colours. Names that are not schedulers may be at most as many as
            `COLOURS`.
    """
    are_schedulers = "scheduler" in (column, title)
    range_ = [one for one, _ in scheduler_styles(names).values()] if are_schedulers else COLOURS[: len(names)]
    scale = alt.Scale(domain=list(names), range=range_)
    return alt.Color(f"{column}:N", title=title, scale=scale).legend(labelLimit=400, symbolOpacity=1)


def side_by_side(axis: str, column: str, title: str, names: Sequence[str]) -> dict[str, Any]:
    """Return Altair channels that place the bars of a group side by side, each in a different colour.

    Args:
        axis: Axis along which the groups stand: "x" or "y".
        column: Column with the names of the bars in a group.
        title: Heading of the legend.
        names: Names of the bars, in the order of drawing.
    """
    offset = (alt.XOffset if axis == "x" else alt.YOffset)(f"{column}:N", sort=list(names))
    return {f"{axis}Offset": offset, "color": colour(column, title, names)}


def grouped(rows: Iterable[_Row], column: str, draw: Callable[[list[_Row]], Any], **size: Any) -> list[Any]:
    """Draw one panel for each value of a column; the value is the title of the panel.

    Args:
        rows: Rows of all panels.
        column: Column whose value differs between panels.
        draw: Function that takes the rows of one panel and returns its chart.
        size: ``width`` and ``height`` of each panel in pixels.
    """
    return [draw(own).properties(title=str(value), **size) for value, own in groups(rows, column).items()]


def lines(
    base: Any, *below: Any, above: Sequence[Any] = (), width: float | None = None, **points: Any
) -> Any:
    """Draw lines with a filled point for each row, and optional layers below and above them.

    Args:
        base: Chart that `plot` returned.
        below: Layers below the lines.
        above: Layers on top of the points.
        width: Width of the lines in pixels.
        points: Properties of the points: keywords of Altair's ``mark_point``.
    """
    line = base.mark_line() if width is None else base.mark_line(strokeWidth=width)
    return alt.layer(*below, line, base.mark_point(filled=True, **points), *above)


def rule(axis: str, value: float, **mark: Any) -> Any:
    """Draw a straight line across a panel at one value of an axis.

    Args:
        axis: Axis on which the value lies: "x" or "y".
        value: Position of the line, in the unit of the axis.
        mark: Properties of the line: keywords of Altair's ``mark_rule``.
    """
    return plot([{axis: value}], **{axis: f"{axis}:Q"}).mark_rule(**mark)


def log_axis(
    channel: Any, rows: Iterable[Mapping[str, Any]], column: str, title: str, form: str = ",~g"
) -> Any:
    """Return a logarithmic axis that spans the values of a column.

    Args:
        channel: Class of the Altair channel: ``alt.X`` or ``alt.Y``.
        rows: Rows with the column; rows whose value is None are skipped.
        column: Column with at least one positive value.
        title: Title of the axis.
        form: Number format of the labels.
    """
    known = (row[column] for row in rows if row[column] is not None)
    return logarithmic(channel(f"{column}:Q", title=title), known, form)


def logarithmic(axis: Any, values: Iterable[float], form: str = ",~g") -> Any:
    """Return a logarithmic axis that spans the given values.

    If the range holds fewer than two round numbers, its ends become the ticks; a single value is centred.
    """
    positive = [value for value in values if value > 0]
    low, high = min(positive), max(positive)
    ticks = log_ticks(positive)
    if len(ticks) < 2:
        ticks, form = sorted({low, high}), ",.4~r"
    domain = [low, high] if low < high else [low / 2, high * 2]
    return axis.scale(type="log", domain=domain, nice=False).axis(values=ticks, format=form)


def ticked(axis: Any, values: Iterable[float], form: str = ",~g", padding: float = 12) -> Any:
    """Return a logarithmic axis over the given values, with ticks at round numbers and padding at both ends.

    Args:
        axis: Altair channel, such as ``alt.X("rate:Q")``.
        values: Values that the axis must include.
        form: Number format of the labels.
        padding: Empty space at each end, in pixels.
    """
    return axis.scale(type="log", nice=False, padding=padding).axis(values=log_ticks(values), format=form)


def marked(axis: str, field: str, value: float, text: str, before: bool = False) -> list[Any]:
    """Return layers that draw a line across the panel at one value of an axis, with a label beside it.

    The label stands right of the line, or left of the line if `before` is True.
    """
    base = plot([{field: value, "text": text}], **{axis: f"{field}:Q"})
    upright = {"align": "right", "dx": -4} if before else {"align": "left", "dx": 4}
    # A vertical line has its label at the top, a horizontal line at the right end.
    texts = {
        "x": base.mark_text(baseline="top", dy=4, **upright).encode(y=alt.value(0)),
        "y": base.mark_text(align="right", dx=-4, dy=-6).encode(x=alt.value("width")),
    }
    return [base.mark_rule(strokeDash=[4, 3], strokeWidth=1.5), texts[axis].encode(text="text:N")]
