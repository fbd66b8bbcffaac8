"""What charts say in turn: rows over channels, lines with points, groups side by side, marked values."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ..common.ranking import is_same
from .colours import COLOURS, scheduler_styles
from .style import alt as alt, log_ticks

_Row = TypeVar("_Row", bound=Mapping[str, Any])


def plot(rows: Iterable[Mapping[str, Any]], **channels: Any) -> Any:
    """Rows over channels: `mark_bar` and the like of the result draw them.

    Args:
        rows: Mappings from the names of columns to values; they stand in the chart itself.
        channels: Of Altair: ``x``, ``y``, ``color``, ``tooltip`` and so on.

    Raises:
        ModuleNotFoundError: It needs ``sledsim[plot]``.
    """
    return alt.Chart(alt.InlineData(values=list(rows))).encode(**channels)


def names(rows: Iterable[Mapping[str, Any]], column: str) -> list[Any]:
    """The values of a column, each once, in the order of the rows.

    Raises:
        KeyError: A row has no such column.
    """
    return list(dict.fromkeys(row[column] for row in rows))


def alike(found: Mapping[str, Any]) -> dict[str, str]:
    """What to call each name of which something is drawn: those of which it is the same have one, ``a = b``.

    Args:
        found: What is drawn of each name.

    Returns:
        The first name of those that are the same, and what all of these are called.
    """
    same: dict[str, list[str]] = {}
    for name, drawn in found.items():
        first = next((one for one in same if is_same(found[one], drawn)), name)
        same.setdefault(first, []).append(name)
    return {first: " = ".join(names) for first, names in same.items()}


def groups(rows: Iterable[_Row], *columns: str) -> dict[Any, list[_Row]]:
    """The rows by the value of a column, or by the tuple of those of several columns, in their order.

    Raises:
        KeyError: A row has no such column.
    """
    found: dict[Hashable, list[_Row]] = {}
    for row in rows:
        key = tuple(row[column] for column in columns)
        found.setdefault(key if len(key) > 1 else key[0], []).append(row)
    return found


def unfolded(
    rows: Iterable[Mapping[str, Any]], columns: Mapping[str, str], name: str, value: str
) -> list[dict[str, Any]]:
    """A row for each of some columns of a row.

    Args:
        rows: The rows, n of them.
        columns: The columns, m of them, each with what it is in words.
        name: The new column of these words.
        value: The new column of the values.

    Returns:
        n times m rows, with the other columns as they were.
    """
    return [{**row, name: text, value: row[key]} for row in rows for key, text in columns.items()]


def tips(*texts: str) -> list[Any]:
    """The texts beside a pointer: Altair's shorthands, with a title and a format behind bars.

    ``tips("policy:N", "ms:Q | Response (ms)", "share:Q | Share | .1%", "ratio:Q | | .3f")``.
    """
    found = []
    for text in texts:
        field, *said = (part.strip() for part in text.split("|"))
        about: Any = {key: part for key, part in zip(("title", "format"), said, strict=False) if part}
        found.append(alt.Tooltip(field, **about))
    return found


def colour(column: str, title: str, names: Sequence[str]) -> Any:
    """The colours of a few names in a column, and a legend with a title that shows them whole.

    Args:
        column: The column with the names.
        title: The heading of the legend.
        names: The names in the order of their colours, as many as `COLOURS` at most.
    """
    are_schedulers = "scheduler" in (column, title)
    range_ = [one for one, _ in scheduler_styles(names).values()] if are_schedulers else COLOURS[: len(names)]
    scale = alt.Scale(domain=list(names), range=range_)
    return alt.Color(f"{column}:N", title=title, scale=scale).legend(labelLimit=400, symbolOpacity=1)


def side_by_side(axis: str, column: str, title: str, names: Sequence[str]) -> dict[str, Any]:
    """The channels of groups whose members stand beside each other, each in its colour.

    Args:
        axis: "x" or "y", along which they stand.
        column: The column with the names of the members.
        title: The heading of the legend.
        names: The names in their order.
    """
    offset = (alt.XOffset if axis == "x" else alt.YOffset)(f"{column}:N", sort=list(names))
    return {f"{axis}Offset": offset, "color": colour(column, title, names)}


def grouped(rows: Iterable[_Row], column: str, draw: Callable[[list[_Row]], Any], **size: Any) -> list[Any]:
    """A panel for each value of a column, which is its title.

    Args:
        rows: The rows of all panels.
        column: The column.
        draw: Makes a chart of the rows of a panel.
        size: Properties of each panel: ``width`` and ``height`` in pixels.
    """
    return [draw(own).properties(title=str(value), **size) for value, own in groups(rows, column).items()]


def lines(
    base: Any, *below: Any, above: Sequence[Any] = (), width: float | None = None, **points: Any
) -> Any:
    """Lines with a filled point at each row, between further layers.

    Args:
        base: From `plot`.
        below: What they cover.
        above: What covers them.
        width: Of the lines, in pixels.
        points: Properties of the points, as `mark_point` has them.
    """
    line = base.mark_line() if width is None else base.mark_line(strokeWidth=width)
    return alt.layer(*below, line, base.mark_point(filled=True, **points), *above)


def rule(axis: str, value: float, **mark: Any) -> Any:
    """A line across a panel at a value of an axis.

    Args:
        axis: "x" or "y".
        value: The place, in the unit of the axis.
        mark: Properties of the line, as `mark_rule` has them.
    """
    return plot([{axis: value}], **{axis: f"{axis}:Q"}).mark_rule(**mark)


def log_axis(
    channel: Any, rows: Iterable[Mapping[str, Any]], column: str, title: str, form: str = ",~g"
) -> Any:
    """The logarithmic axis of a column, from its least value to its greatest.

    Args:
        channel: ``alt.X`` or ``alt.Y``.
        rows: The rows; None in the column has no place on the axis.
        column: The column, of which one value at least is positive.
        title: The title of the axis.
        form: The format of the labels.
    """
    known = (row[column] for row in rows if row[column] is not None)
    return logarithmic(channel(f"{column}:Q", title=title), known, form)


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


def ticked(axis: Any, values: Iterable[float], form: str = ",~g", padding: float = 12) -> Any:
    """A logarithmic axis with round ticks from the least value to the most, and room at its ends.

    Args:
        axis: A channel of Altair, such as ``alt.X("rate:Q")``.
        values: The values that the axis has to show.
        form: The format of the labels.
        padding: Pixels at each end.
    """
    return axis.scale(type="log", nice=False, padding=padding).axis(values=log_ticks(values), format=form)


def marked(axis: str, field: str, value: float, text: str, before: bool = False) -> list[Any]:
    """A line across a panel at a value along "x" or "y", and what it is: before or behind an upright line."""
    base = plot([{field: value, "text": text}], **{axis: f"{field}:Q"})
    upright = {"align": "right", "dx": -4} if before else {"align": "left", "dx": 4}
    # At the top of an upright line, at the right end of a level one.
    texts = {
        "x": base.mark_text(baseline="top", dy=4, **upright).encode(y=alt.value(0)),
        "y": base.mark_text(align="right", dx=-4, dy=-6).encode(x=alt.value("width")),
    }
    return [base.mark_rule(strokeDash=[4, 3], strokeWidth=1.5), texts[axis].encode(text="text:N")]
