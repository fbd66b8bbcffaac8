"""Display of results: one line in a Python session, sentences and tables in a terminal or notebook.

A notebook gets HTML without scripts and colours, which suits dark and light notebooks.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from .grids import Grid
from .html_text import Cell, fragment
from .signatures import check_methods
from .tabular import Tabular

#: Largest number of characters of a name, of a cell and of a sentence in a notebook.
_NAME, _CELL, _SENTENCE = 60, 100, 400
#: Largest numbers of rows of a table, of parts, and of notes in a notebook.
ROWS, _PARTS, _NOTES = 40, 24, 8


@dataclass(frozen=True)
class Form:
    """Contents of a display of a result.

    Parts and notes may be functions, as they take time to compute and the line does not need them.

    Attributes:
        title: Title of the display.
        parts: Tables and sentences, in the order of reading.
        notes: Sentences on limits of the result, below the parts; a terminal prints them on stderr.
        calls: Attributes and calls in Python that the reader may want next.
        line: Text of the display in one line, without the name of the class.
    """

    title: str
    parts: Sequence[Grid | str] | Callable[[], Sequence[Grid | str]] = ()
    notes: Sequence[str] | Callable[[], Sequence[str]] = ()
    calls: Sequence[str] = ()
    line: str = ""

    def read(self) -> tuple[Sequence[Grid | str], Sequence[str]]:
        """Return the parts and the notes."""
        return _now(self.parts), _now(self.notes)

    def html(self) -> str:
        """Return the HTML fragment that a notebook shows."""
        parts, notes = self.read()
        pieces = [_piece(part) for part in parts[:_PARTS]]
        return fragment(self.title, [*pieces, *map(_short, notes[:_NOTES])], self.calls)


class Shown:
    """Base class of objects that Python sessions, terminals and notebooks show by a `Form`.

    Public methods of its subclasses check their arguments (see `check_methods`).
    """

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        check_methods(cls)

    def _form(self) -> Form:
        """Return the contents of the display."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<sledsim.{type(self).__name__} {self._form().line}>"

    def _repr_html_(self) -> str:
        return self._form().html()


class Result(Tabular, Shown):
    """Base class of results with a table: an attribute or method `table`, or a method `rows`."""


def parts_by(name: str, found: object) -> Callable[[], Sequence[Grid | str]]:
    """Return a function that returns the parts of a result's display, from a module of `grids`.

    Args:
        name: Name of the module in the package `grids`.
        found: The result.
    """
    return lambda: [*import_module(f"sledsim.grids.{name}").parts(found)]


def clipped(text: str, most: int = _NAME) -> str:
    """Return a text of at most `most` characters, with its middle replaced by an ellipsis if needed."""
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
    """Return a sentence shortened, or a table as title, headings and first rows of cells for HTML."""
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
    """Return a cell for HTML; in a cell with a number, spaces do not break."""
    text = clipped(text, _CELL)
    return Cell(text.replace(" ", "\u00a0") if is_number else text, is_number)
