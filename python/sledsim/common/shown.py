"""Display of results: one line in a Python session; sentences and tables in terminals and notebooks.

A notebook gets HTML without scripts and colours, which suits dark and light notebooks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from .grids import Grid, some
from .html_text import Cell, fragment
from .signatures import check_methods
from .tabular import Tabular

#: Largest number of characters that a notebook shows of a name, of a cell and of a sentence.
_NAME, _CELL, _SENTENCE = 60, 100, 400
#: Largest number of rows of a table, of tables and sentences, and of notes that a notebook shows.
ROWS, _PARTS, _NOTES = 40, 24, 8


@dataclass(frozen=True)
class Form:
    """Texts and tables by which a result is displayed.

    Parts and notes may be functions, as they take time to compute and the line does not need them.

    Attributes:
        title: Heading of the display.
        parts: Tables and sentences of the display, from top to bottom.
        notes: Sentences on limits of the result, shown at the end; a terminal prints them on stderr.
        calls: Attributes and calls in Python that the reader may want next.
        line: Short text for the display in one line, to which the name of the result's class is added.
    """

    title: str
    parts: Sequence[Grid | str] | Callable[[], Sequence[Grid | str]] = ()
    notes: Sequence[str] | Callable[[], Sequence[str]] = ()
    calls: Sequence[str] = ()
    line: str = ""

    def read(self) -> tuple[Sequence[Grid | str], Sequence[str]]:
        """Return `parts` and `notes` as lists, computed now if they are functions."""
        return _now(self.parts), _now(self.notes)

    def html(self) -> str:
        """Return the HTML fragment that a notebook shows."""
        parts, notes = self.read()
        pieces = [_piece(part) for part in parts[:_PARTS]]
        pieces += some([""] * len(parts), _PARTS)[_PARTS:]
        return fragment(self.title, [*pieces, *map(_short, some(notes, _NOTES))], self.calls)


class Shown:
    """Base class of results that are displayed by a `Form`: in Python sessions, terminals and notebooks.

    Public methods of its subclasses check their arguments (see `check_methods`).
    """

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        check_methods(cls)

    def _form(self) -> Form:
        """Return the contents by which this object is displayed."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<sledsim.{type(self).__name__} {self._form().line}>"

    def _repr_html_(self) -> str:
        return self._form().html()


class Result(Tabular, Shown):
    """Base class of results that have a table: in `table`, an attribute or method, or by a method `rows`."""


def parts_by(name: str, found: object) -> Callable[[], Sequence[Grid | str]]:
    """Return a function without arguments that returns the tables and sentences for a result's `Form`.

    Args:
        name: Name of a module in the package `grids`, whose function `parts` makes them.
        found: Result to display.
    """
    return lambda: [*import_module(f"sledsim.grids.{name}").parts(found)]


def clipped(text: str, most: int = _NAME) -> str:
    """Return a text of at most `most` characters; an ellipsis replaces the middle of a longer text."""
    if len(text) <= most:
        return text
    left = (most - 1) // 2
    return f"{text[:left]}…{text[left + 1 - most :]}"


def quoted(name: str) -> str:
    """Return a name in quotes, shortened, with control characters escaped."""
    return repr(clipped(name))


def counted(number: int, what: str) -> str:
    """Return a number with its noun: ``1 point``, ``2,000 points``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _now(given: Any) -> Any:
    return given() if callable(given) else given


def _short(sentence: str) -> str:
    return clipped(sentence, _SENTENCE)


def _piece(part: Grid | str) -> str | tuple[str, Sequence[Cell], Sequence[Sequence[Cell]]]:
    """Return a sentence, shortened, or a table as (title, headings, first rows), for HTML."""
    if isinstance(part, str):
        return _short(part)
    numbers = [heading.startswith(">") for heading in part.headings]
    rows = [row for row in part.rows if row is not None]
    cells = [
        [_cell(str(cell), is_number) for cell, is_number in zip(row, numbers, strict=False)]
        for row in rows[:ROWS]
    ]
    count = len(rows) if part.count is None else part.count
    title = _short(part.title)
    if count > len(cells) and cells:
        title += f"{': the' if title else 'The'} first {len(cells)} of {count:,} rows."
    return (
        title,
        [Cell(name.removeprefix(">"), own) for name, own in zip(part.headings, numbers, strict=True)],
        cells,
    )


def _cell(text: str, is_number: bool) -> Cell:
    """Return a cell for HTML; a cell with a number is not broken at its spaces."""
    text = clipped(text, _CELL)
    return Cell(text.replace(" ", "\u00a0") if is_number else text, is_number)
