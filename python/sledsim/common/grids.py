"""Tables of texts, shown by terminals and notebooks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import units

#: Function that returns the text of a cell, given the row, and the key and unit of the column.
Cell = Callable[[Mapping[str, Any], str, units.Unit], str]
#: Mark at the end of the text of the best cell in a column.
BEST = " ◂"


@dataclass
class Grid:
    """A table of texts with headings.

    Attributes:
        headings: Headings of columns; ``>`` before a heading aligns the column to the right and keeps its
            cells in one line.
        rows: Cells of each row, at most one per heading; None in place of a row starts a new section.
        title: The line above the table.
        keys: Number of columns on the left that are repeated if a narrow terminal prints the table in pieces.
            0: the table is printed in one piece.
        split: Index of the column with which the second piece begins, if it is printed in pieces.
        count: Number of rows of the whole table, if `rows` has only the first ones.
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
        """Start a new section, which is separated by a line, unless the table has no row yet."""
        if self.rows:
            self.rows.append(None)


def some(texts: Sequence[str], most: int) -> list[str]:
    """Return the first `most` texts and, if others are left out, their number: ``and 5 more``."""
    left = len(texts) - most
    return [*texts[:most], *([f"and {left:,} more"] if left > 0 else [])]


def facts(figures: Mapping[str, Any], title: str = "") -> Grid:
    """Make a table with one figure per row; keys such as ``span_s`` end with the unit of the figure."""
    return Grid(("Figure", ">Value"), [_fact(key, value) for key, value in figures.items()], title)


def of_rows(
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[str] = (),
    title: str = "",
    count: int | None = None,
    cell: "Cell | None" = None,
) -> Grid:
    """Make a table from rows given as mappings; keys such as ``span_s`` end with the unit of the column.

    Args:
        rows: Numbers and texts by key; a missing key becomes a dash.
        columns: Keys to show, by default all keys of the first row.
        title: The line above the table.
        count: Number of rows of the whole table, if `rows` has only the first ones.
        cell: Function that formats a cell from its row, key and unit, by default with `units.text`.
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
    """Return the name of a figure, and its value with its unit, both as texts."""
    name = units.label(key) if units.is_number(value) else key.replace("_", " ")
    return name, units.figure(key, value)
