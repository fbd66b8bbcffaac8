"""Building blocks of charts: charts of rows, lines with points, groups side by side, marked values."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ..common.ranking import is_same
from .colours import COLOURS, scheduler_styles
from .style import alt as alt, log_ticks

_Row = TypeVar("_Row", bound=Mapping[str, Any])


def plot(rows: Iterable[Mapping[str, Any]], **channels: Any) -> Any:
    """Return a chart of rows over channels, to be drawn by `mark_bar` or another mark.

    Args:
        rows: Mappings from the names of columns to values, which the chart stores.
        channels: Altair channels: ``x``, ``y``, ``color``, ``tooltip`` and others.

    Raises:
        ModuleNotFoundError: Altair is missing: install ``sledsim[plot]``.
    """
    return alt.Chart(alt.InlineData(values=list(rows))).encode(**channels)


def names(rows: Iterable[Mapping[str, Any]], column: str) -> list[Any]:
    """Return the distinct values of a column, in the order of the rows.

    Raises:
        KeyError: A row lacks the column.
    """
    return list(dict.fromkeys(row[column] for row in rows))


def alike(found: Mapping[str, Any]) -> dict[str, str]:
    """Label names that are drawn alike: names with equal drawings share one label, ``a = b``.

    Args:
        found: Drawing of each name.

    Returns:
        The first name of each group with equal drawings, and the label of the group.
    """
    same: dict[str, list[str]] = {}
    for name, drawn in found.items():
        first = next((one for one in same if is_same(found[one], drawn)), name)
        same.setdefault(first, []).append(name)
    return {first: " = ".join(names) for first, names in same.items()}


def groups(rows: Iterable[_Row], *columns: str) -> dict[Any, list[_Row]]:
    """Group the rows by the value of a column, or by the tuple of several columns, in their order.

    Raises:
        KeyError: A row lacks a column.
    """
    found: dict[Hashable, list[_Row]] = {}
    for row in rows:
        key = tuple(row[column] for column in columns)
        found.setdefault(key if len(key) > 1 else key[0], []).append(row)
    return found


def unfolded(
    rows: Iterable[Mapping[str, Any]], columns: Mapping[str, str], name: str, value: str
) -> list[dict[str, Any]]:
    """Turn some columns of each row into rows.

    Args:
        rows: The n rows to unfold.
        columns: The m columns to unfold, each with a label.
        name: Name of the new column with the labels.
        value: Name of the new column with the values.

    Returns:
        n times m rows, with the other columns unchanged.
    """
    return [{**row, name: text, value: row[key]} for row in rows for key, text in columns.items()]


def tips(*texts: str) -> list[Any]:
    """Return tooltips from texts such as ``ms:Q | Response (ms) | .3f``: shorthand of Altair, title, format.

    ``tips("policy:N", "ms:Q | Response (ms)", "share:Q | Share | .1%", "ratio:Q | | .3f")``.
    """
    found = []
    for text in texts:
        field, *said = (part.strip() for part in text.split("|"))
        about: Any = {key: part for key, part in zip(("title", "format"), said, strict=False) if part}
        found.append(alt.Tooltip(field, **about))
    return found


def colour(column: str, title: str, names: Sequence[str]) -> Any:
    """Return the colour channel of a column of names, with a legend that shows the names in full.

    Schedulers have the same colours in all charts; other names take colours in their order.

    Args:
        column: Column with the names.
        title: Heading of the legend; "scheduler" if the names of a column ``line`` are schedulers.
        names: Names in the order of their colours; at most as many as `COLOURS`.
    """
    are_schedulers = "scheduler" in (column, title)
    range_ = [one for one, _ in scheduler_styles(names).values()] if are_schedulers else COLOURS[: len(names)]
    scale = alt.Scale(domain=list(names), range=range_)
    return alt.Color(f"{column}:N", title=title, scale=scale).legend(labelLimit=400, symbolOpacity=1)


def side_by_side(axis: str, column: str, title: str, names: Sequence[str]) -> dict[str, Any]:
    """Return channels that place the members of a group side by side, each member in its own colour.

    Args:
        axis: Axis of the groups, "x" or "y".
        column: Column with the names of the members of a group.
        title: Heading of the legend.
        names: Names of the members, in the order of drawing.
    """
    offset = (alt.XOffset if axis == "x" else alt.YOffset)(f"{column}:N", sort=list(names))
    return {f"{axis}Offset": offset, "color": colour(column, title, names)}


def grouped(rows: Iterable[_Row], column: str, draw: Callable[[list[_Row]], Any], **size: Any) -> list[Any]:
    """Draw one panel for each value of a column, with the value as its title.

    Args:
        rows: Rows of all panels.
        column: Column that separates the panels.
        draw: Function that draws the rows of one panel.
        size: Properties of each panel: ``width`` and ``height`` in pixels.
    """
    return [draw(own).properties(title=str(value), **size) for value, own in groups(rows, column).items()]


def lines(
    base: Any, *below: Any, above: Sequence[Any] = (), width: float | None = None, **points: Any
) -> Any:
    """Draw lines with a filled point at each row, with optional layers above and below.

    Args:
        base: Chart from `plot`.
        below: Layers below the lines.
        above: Layers above the points.
        width: Width of the lines in pixels.
        points: Properties of the points, in the form that `mark_point` takes.
    """
    line = base.mark_line() if width is None else base.mark_line(strokeWidth=width)
    return alt.layer(*below, line, base.mark_point(filled=True, **points), *above)


def rule(axis: str, value: float, **mark: Any) -> Any:
    """Draw a line across a panel at a value of an axis.

    Args:
        axis: Axis of the value, "x" or "y".
        value: Place of the line, in the unit of the axis.
        mark: Properties of the line, in the form that `mark_rule` takes.
    """
    return plot([{axis: value}], **{axis: f"{axis}:Q"}).mark_rule(**mark)


def log_axis(
    channel: Any, rows: Iterable[Mapping[str, Any]], column: str, title: str, form: str = ",~g"
) -> Any:
    """Return the logarithmic axis of a column, from its least value to its greatest.

    Args:
        channel: ``alt.X`` or ``alt.Y``.
        rows: Rows with the column; rows with None in it are skipped.
        column: Column with at least one positive value.
        title: Title of the axis.
        form: Format of the labels.
    """
    known = (row[column] for row in rows if row[column] is not None)
    return logarithmic(channel(f"{column}:Q", title=title), known, form)


def logarithmic(axis: Any, values: Iterable[float], form: str = ",~g") -> Any:
    """Return a logarithmic axis for some values, from the least value to the greatest.

    With fewer than two round numbers in range, the ends are the ticks; a single value stands in the middle.
    """
    positive = [value for value in values if value > 0]
    low, high = min(positive), max(positive)
    ticks = log_ticks(positive)
    if len(ticks) < 2:
        ticks, form = sorted({low, high}), ",.4~r"
    domain = [low, high] if low < high else [low / 2, high * 2]
    return axis.scale(type="log", domain=domain, nice=False).axis(values=ticks, format=form)


def ticked(axis: Any, values: Iterable[float], form: str = ",~g", padding: float = 12) -> Any:
    """Return a logarithmic axis with round ticks from the least value to the greatest, and room at both ends.

    Args:
        axis: Altair channel, such as ``alt.X("rate:Q")``.
        values: Values that the axis has to show.
        form: Format of the labels.
        padding: Room at each end in pixels.
    """
    return axis.scale(type="log", nice=False, padding=padding).axis(values=log_ticks(values), format=form)


def marked(axis: str, field: str, value: float, text: str, before: bool = False) -> list[Any]:
    """Draw a labelled line across a panel at a value of x or y; `before` puts the label left of the line."""
    base = plot([{field: value, "text": text}], **{axis: f"{field}:Q"})
    upright = {"align": "right", "dx": -4} if before else {"align": "left", "dx": 4}
    # The label is at the top of an upright line, and at the right end of a level one.
    texts = {
        "x": base.mark_text(baseline="top", dy=4, **upright).encode(y=alt.value(0)),
        "y": base.mark_text(align="right", dx=-4, dy=-6).encode(x=alt.value("width")),
    }
    return [base.mark_rule(strokeDash=[4, 3], strokeWidth=1.5), texts[axis].encode(text="text:N")]
