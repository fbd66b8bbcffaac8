"""Tables for people, the same ones in a terminal and in a notebook."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import units

#: Writes a cell: from the row, the key and the unit of the column.
Cell = Callable[[Mapping[str, Any], str, units.Unit], str]
#: The end of a cell that is the best of its column.
BEST = " ◂"


@dataclass
class Grid:
    """A table for people: texts under headings.

    Attributes:
        headings: Names of columns; one after ``>`` is of numbers, aligned to the right and never broken.
        rows: The cells of each row, which may be fewer than the headings; None begins a section.
        title: The line above the table.
        keys: Columns to repeat where a narrow terminal needs several tables; 0 keeps one table.
        split: The column at which such a table is split first.
        count: Rows of the whole table, where `rows` is its beginning.
    """

    headings: Sequence[str]
    rows: list[Sequence[object] | None] = field(default_factory=list)
    title: str = ""
    keys: int = 0
    split: int = 0
    count: int | None = None

    def add_row(self, *cells: object) -> None:
        """Add a row at the end."""
        self.rows.append(cells)

    def add_section(self) -> None:
        """Begin a section, unless the table is empty."""
        if self.rows:
            self.rows.append(None)


def facts(figures: Mapping[str, Any], title: str = "") -> Grid:
    """Make a table of figures, one a row: the end of a key is the unit of its number."""
    return Grid(("Figure", ">Value"), [_fact(key, value) for key, value in figures.items()], title)


def of_rows(
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[str] = (),
    title: str = "",
    count: int | None = None,
    cell: "Cell | None" = None,
) -> Grid:
    """Make a table of rows by their keys, whose ends are the units of the numbers below them.

    Args:
        rows: Numbers and texts by key; a key that a row has not is a dash.
        columns: Keys to show; all those of the first row, if none is named.
        title: The line above the table.
        count: Rows of the whole table, where `rows` is its beginning.
        cell: Writes the cell of a row, a key and the unit of its column, if not as `units.text` does.
    """
    names = list(columns or (rows[0] if rows else ()))
    values = {name: [row.get(name) for row in rows] for name in names}
    kinds = units.of_columns({name: [*filter(units.is_number, those)] for name, those in values.items()})
    headings = [_mark(values[name]) + units.heading(name, kinds[name]) for name in names]
    write = cell or _cell
    cells = [[write(row, name, kinds[name]) for name in names] for row in rows]
    return Grid(headings, [*cells], title, count=count)


def _cell(row: Mapping[str, Any], name: str, unit: units.Unit) -> str:
    return units.text(row.get(name), unit)


def _mark(column: Sequence[Any]) -> str:
    there = [value for value in column if value is not None]
    return ">" if there and all(map(units.is_number, there)) else ""


def _fact(key: str, value: Any) -> tuple[str, str]:
    """A figure: its name, and its value with its unit; a text has its unit in itself."""
    name = units.label(key) if units.is_number(value) else key.replace("_", " ")
    return name, units.figure(key, value)
