"""Display of results: one line in a session, sentences and tables in a terminal and in a notebook.

A notebook shows HTML without scripts and colours, so that it takes the colours of the notebook, dark or
light.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from .grids import Grid
from .html_text import Cell, fragment
from .signatures import check_methods
from .tabular import Tabular

#: Longest name, cell and sentence in a notebook, in characters.
_NAME, _CELL, _SENTENCE = 60, 100, 400
#: Most rows of each table, most tables and sentences, and most notes in a notebook.
ROWS, _PARTS, _NOTES = 40, 24, 8


@dataclass(frozen=True)
class Form:
    """A result for a terminal, a notebook, and one line.

    Functions provide data that take time to compute, since the line needs none of them.

    Attributes:
        title: Name of the result, above everything.
        parts: Tables and sentences, in reading order.
        notes: Sentences on limits of the result: below it, and on stderr in a terminal.
        calls: Next attributes and calls in Python.
        line: The result in one line, after the name of its class.
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
    """An object that sessions show as one line, and terminals and notebooks as a form.

    The public methods of the class check their arguments.
    """

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        check_methods(cls)

    def _form(self) -> Form:
        """Return the form."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<sledsim.{type(self).__name__} {self._form().line}>"

    def _repr_html_(self) -> str:
        return self._form().html()


class Result(Tabular, Shown):
    """A result with a table: its `table`, as attribute or method, or else the table of its `rows`."""


def parts_by(name: str, found: object) -> Callable[[], Sequence[Grid | str]]:
    """Return a function that reads the parts of a result, from the module of `grids` for its kind.

    Args:
        name: Name of the module.
        found: The result.
    """
    return lambda: [*import_module(f"sledsim.grids.{name}").parts(found)]


def clipped(text: str, most: int = _NAME) -> str:
    """Return a text, with its middle cut out if it is too long."""
    if len(text) <= most:
        return text
    left = (most - 1) // 2
    return f"{text[:left]}…{text[left + 1 - most :]}"


def quoted(name: str) -> str:
    """Return a name for one line: its beginning and end, in quotes, with control characters escaped."""
    return repr(clipped(name))


def counted(number: int, what: str) -> str:
    """Return a number of things: ``1 point``, ``2,000 points``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _now(given: Any) -> Any:
    return given() if callable(given) else given


def _short(sentence: str) -> str:
    return clipped(sentence, _SENTENCE)


def _piece(part: Grid | str) -> str | tuple[str, Sequence[Cell], Sequence[Sequence[Cell]]]:
    """Return a sentence, or the title, headings and first rows of a table, in HTML cells."""
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
    """Return a cell of a page, with a number unbroken from its interval and its unit."""
    text = clipped(text, _CELL)
    return Cell(text.replace(" ", "\u00a0") if is_number else text, is_number)
