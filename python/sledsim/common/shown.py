"""Results as a session shows them: one line of text, and in a notebook a small table.

The table is HTML without scripts and without colours, so that it has those of the notebook, dark or light.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import units
from .markup import Cell, fragment
from .signatures import check_methods
from .tabular import Tabular

#: Characters of a name, of a cell, and of a sentence that are shown.
_NAME, _CELL, _SENTENCE = 60, 60, 400
#: Rows, columns and sentences that are shown of many.
ROWS, _COLUMNS, _SENTENCES = 12, 9, 8


@dataclass(frozen=True)
class Form:
    """A result as a notebook shows it, and in one line.

    What takes time to find out is given as a function: a line needs none of it.

    Attributes:
        title: What it is.
        figures: Numbers and texts by key; the end of a key is the unit of its number.
        rows: A table, of which the first rows and columns are shown: numbers and texts by key.
        notes: Sentences.
        calls: What can be asked of it next, as Python has it.
        count: How many rows there are, where `rows` has not all.
        line: What a session shows: what it is, in one line, after the name of its class.
        columns: Which of the keys of `rows` are shown; all, if none is named.
    """

    title: str
    figures: Mapping[str, Any] | Callable[[], Mapping[str, Any]] = field(default_factory=dict)
    rows: Sequence[Mapping[str, Any]] | Callable[[], Sequence[Mapping[str, Any]]] = ()
    notes: Sequence[str] | Callable[[], Sequence[str]] = ()
    calls: Sequence[str] = ()
    count: int | None = None
    line: str = ""
    columns: Sequence[str] = ()

    def html(self) -> str:
        """A piece of a page."""
        facts = [_fact(key, value) for key, value in _now(self.figures).items()]
        rows = _now(self.rows)
        shown = list(rows[:ROWS])
        names = list(self.columns or shown[0])[:_COLUMNS] if shown else []
        columns = {name: [row.get(name) for row in shown] for name in names}
        kinds = units.of_columns({name: [*filter(units.is_number, those)] for name, those in columns.items()})
        cells = [[_cell(kinds[name], row.get(name)) for name in names] for row in shown]
        headings = [units.heading(name, kinds[name]) for name in names]
        count = len(rows) if self.count is None else self.count
        notes = [clipped(note, _SENTENCE) for note in _now(self.notes)[:_SENTENCES]]
        if count > len(shown) and shown:
            notes.insert(0, f"The first {len(shown)} of {count:,} rows.")
        return fragment(self.title, facts, (headings, cells), notes, self.calls)


class Shown:
    """What is shown as one line, and in notebooks as a form.

    Its public methods check their arguments.
    """

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        check_methods(cls)

    def _form(self) -> Form:
        """What a notebook shows."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<sledsim.{type(self).__name__} {self._form().line}>"

    def _repr_html_(self) -> str:
        return self._form().html()


class Result(Tabular, Shown):
    """A result with a table: `table`, an attribute or a method, or else that of `rows`."""


def clipped(text: str, most: int = _NAME) -> str:
    """A text, in whose middle something is left out where it is longer."""
    if len(text) <= most:
        return text
    left = (most - 1) // 2
    return f"{text[:left]}…{text[left + 1 - most :]}"


def quoted(name: str) -> str:
    """A name in a line: its beginning and end, between quotes, with control characters escaped."""
    return repr(clipped(name))


def counted(number: int, what: str) -> str:
    """A number of things: ``1 point``, ``2,000 points``."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _now(given: Any) -> Any:
    return given() if callable(given) else given


def _fact(key: str, value: Any) -> tuple[str, str]:
    """A figure: its name, and its value with its unit; what is a text has its unit in itself."""
    name = units.label(key) if units.is_number(value) else key.replace("_", " ")
    return name, clipped(units.figure(key, value), _CELL)


def _cell(unit: units.Unit, value: Any) -> Cell:
    """A cell of a column, whose heading has the unit."""
    return Cell(clipped(units.text(value, unit), _CELL), units.is_number(value))
