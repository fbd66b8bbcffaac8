"""Output of results: tables for readers, JSON for programs, notes and errors on stderr, and plots."""

import json
import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.table import Column, Table
from rich.text import Text

from ..common.checked import finite
from ..common.citations import cited
from ..common.grids import BEST, Grid
from ..common.units import label as label, milliseconds as milliseconds, quantity as quantity
from .terminal import Terminal, in_line, progress, seen

if TYPE_CHECKING:
    from ..common.shown import Shown

#: Width in characters if stdout is no terminal and the variable COLUMNS is not set; every table fits into it.
_WIDTH_PIPED = 160
#: Least terminal width in characters for tables of five columns with texts.
_WIDE = 120
#: Width in characters that is larger than any table, for measuring a table.
_UNLIMITED = 10_000
#: Length in characters above which a table may break a word.
_LONG_WORD = 24
#: Length in characters above which the middle of an error message is cut out.
_LONGEST = 4000
#: Number of spaces between two columns of a table.
_GAP = 3


def console() -> Console:
    """Return the console that prints results on stdout."""
    columns = os.environ.get("COLUMNS", "")
    piped = int(columns) if columns.isdecimal() and int(columns) else _WIDTH_PIPED
    return Terminal(width=None if os.isatty(1) else piped)


def is_narrow(wide: int = _WIDE) -> bool:
    """Return True if the terminal has fewer than `wide` characters per line."""
    return console().width < wide


def _short(line: str) -> str:
    """Return an error message, without its middle if it is longer than `_LONGEST` characters."""
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]} ... {line[-_LONGEST // 4 :]}"


def print_error(message: str) -> None:
    """Print an error message on stderr, as one line after ``error:``."""
    Terminal(stderr=True, soft_wrap=True).print(
        Text.assemble(("error:", "bold red"), " ", (_short(in_line(message)), "red"))
    )


def print_note(*messages: str) -> None:
    """Print messages on stderr, one line each, because stdout is only for results."""
    for message in messages:
        Terminal(stderr=True, soft_wrap=True).print(in_line(message))


def print_text(text: str) -> None:
    """Print text on stdout without breaking its lines."""
    console().print(text, soft_wrap=True)


def runnable(*words: object) -> str:
    """Return a ``sledsim`` command that the user can copy; ``--register`` loads the user's classes again."""
    from ..model.own_classes import loaded

    own = [word for text in loaded() for word in ("--register", text)]
    return shlex.join(["sledsim", *own, *map(str, words)])


def plain_options(options: Iterable[Any], *fields: str) -> dict[str, dict[str, Any]]:
    """Return options by name for JSON: of each option, the attributes named in `fields`, and the meaning."""
    return {
        one.name: {**{field: getattr(one, field) for field in fields}, "description": one.meaning}
        for one in options
    }


def explained(title: str, options: Iterable[Any], computed: str = "") -> Grid:
    """Return a table that explains options; an option without default shows the text `computed` instead."""
    rows = ((one.name, one.default or computed, one.unit, one.range, cited(one.meaning)) for one in options)
    return table(title, "Default", "Unit", "Range", "Meaning", rows=rows)


def listed(paths: Iterable[Path]) -> str:
    """Join the names of files with commas."""
    return ", ".join(map(os.fspath, paths))


def print_json(value: Any) -> None:
    """Print a value as JSON on stdout; NaN and infinities become null."""
    print(json.dumps(finite(value), indent=2, allow_nan=False))


def table(*headings: str, rows: Iterable[Iterable[object]] = ()) -> Grid:
    """Return a table; a heading that begins with ``>`` makes its column right-aligned and unbroken."""
    return Grid(headings, [[*row] for row in rows])


def print_result(found: "Shown") -> None:
    """Print a result: its title, tables and sentences on stdout, and its notes on stderr."""
    form = found._form()
    parts, notes = form.read()
    titled = parts and isinstance(parts[0], Grid) and not parts[0].title
    if not titled:
        print_table(form.title, None)
    for at, part in enumerate(parts):
        if isinstance(part, str):
            print_text(part + ("\n" if at + 1 == len(parts) or isinstance(parts[at + 1], Grid) else ""))
        else:
            print_table(form.title if titled and at == 0 else part.title, _in_lines(part))
    print_note(*notes)


def _in_lines(part: Grid) -> Grid:
    """Return a copy of a table in which each cell with text is one line, with its line ends escaped."""
    rows = [row and [in_line(cell) if isinstance(cell, str) else cell for cell in row] for row in part.rows]
    return replace(part, rows=rows)


def print_table(title: str | None, filled: Grid | None) -> None:
    """Print a title, unless it is None, and below it a table, unless the table is None.

    If the terminal is too narrow for a table with `Grid.keys`, its columns are printed as several tables.
    """
    if title:
        console().print(in_line(title), style="bold", soft_wrap=True)
    if filled is None:
        return
    cells = [_marked([*column]) for column in _columns(filled)]
    for part in _parts(filled, cells):
        _print_columns([(filled.headings[at], cells[at]) for at in part], filled.rows)


def _columns(filled: Grid) -> Iterator[Iterator[object]]:
    """Yield the cells of each column of a table, without the rows None, which separate sections."""
    rows = [row for row in filled.rows if row is not None]
    for at in range(len(filled.headings)):
        yield (row[at] if at < len(row) else "" for row in rows)


def _marked(column: list[object]) -> list[str | Text]:
    """Return the cells of a column: cells marked by `BEST` are bold, others get spaces of equal width."""
    texts = [cell if isinstance(cell, Text) else str(cell) for cell in column]
    if not any(str(cell).endswith(BEST) for cell in texts):
        return texts
    return [
        Text(str(cell), style="bold") if str(cell).endswith(BEST) else f"{cell}{' ' * cell_len(BEST)}"
        for cell in texts
    ]


def _parts(filled: Grid, cells: Sequence[Sequence[str | Text]]) -> Iterator[list[int]]:
    """Yield the columns of each table to print: all, or the first `Grid.keys` and those that fit beside."""
    widths = [
        max(map(cell_len, (heading.removeprefix(">"), *map(str, column)))) + _GAP
        for heading, column in zip(filled.headings, cells, strict=True)
    ]
    every, keys = range(len(widths)), [*range(filled.keys)]
    if not keys or sum(widths) <= console().width:
        yield [*every]
        return
    left = console().width - sum(widths[at] for at in keys)
    for group in (every[filled.keys : filled.split], every[filled.split :]):
        part: list[int] = []
        for at in group:
            if part and sum(widths[one] for one in part) + widths[at] > left:
                yield keys + part
                part = []
            part.append(at)
        yield keys + part


def _print_columns(columns: Sequence[tuple[str, Sequence[str | Text]]], rows: Sequence[object]) -> None:
    """Print columns, each a heading and its cells, as one table; a None in `rows` draws a line."""
    made = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading, _ in columns:
        justify: JustifyMethod = "right" if heading.startswith(">") else "left"
        made.add_column(heading.removeprefix(">"), justify=justify, overflow="fold")
    cells = zip(*(column for _, column in columns), strict=True)
    for row in rows:
        if row is None:
            made.add_section()
        else:
            made.add_row(*next(cells))
    out = console()
    unlimited = out.options.update(max_width=_UNLIMITED)
    _share(made.columns, out.width - _GAP * len(made.columns))
    # A narrow terminal breaks the lines of a wide table rather than its numbers.
    out.width = max(out.width, out.measure(made, options=unlimited).maximum)
    out.print(made)


def _share(columns: Sequence[Column], width: int) -> None:
    """Set the widths of columns: the least width of each, and shares of the width that is left.

    `width` is the width of all columns together, in characters.
    """
    texts = [[seen(str(cell)) for cell in (column.header, *column.cells)] for column in columns]
    most = [max(cell_len(line) for cell in cells for line in cell.split("\n")) for cells in texts]
    least = [
        _least(cells, column.justify == "right", most_of_word=max(_LONG_WORD, width // 2 if at == 0 else 0))
        for at, (cells, column) in enumerate(zip(texts, columns, strict=True))
    ]
    spare = width - sum(least)
    for done, at in enumerate(sorted(range(len(columns)), key=lambda at: most[at] - least[at])):
        more = min(most[at] - least[at], max(0, spare) // (len(columns) - done))
        columns[at].width = least[at] + more
        spare -= more


def _least(cells: Sequence[str], numbers: bool, most_of_word: int) -> int:
    """Return the least width of a column in characters, at which its longest number or word is not broken.

    Args:
        cells: The heading and the cells of the column.
        numbers: True if the cells are numbers with units, which are not broken.
        most_of_word: Number of characters above which a word may be broken.
    """
    heading, *others = cells
    words = [heading.split(), *([cell] if numbers else cell.split() for cell in others)]
    longest = max((cell_len(word) for group in words for word in group), default=1)
    return longest if numbers else min(longest, most_of_word)


def write_page(write: Callable[[Path], object], path: Path) -> None:
    """Write a web page to `path`, or print how to install the plotting libraries if they are missing."""
    try:
        write(path)
    except ModuleNotFoundError as error:
        print_note(f"no report: {error}")
        return
    print_note(f"report written to {path}")


def write_result(found: Any, folder: Path | None) -> None:
    """Write the table and the plots of a result into `folder`, unless it is None, and print their names."""
    if folder is not None:
        write = getattr(found, "write_table", None) or found.write
        print_note(f"Written: {listed([*write(folder), *write_plots(found.write_plots, folder)])}")


def write_plots(
    write: Callable[[Path, Callable[[int], object] | None], list[Path]], folder: Path
) -> list[Path]:
    """Write plots and return their files, or print how to install the plotting libraries if they are missing.

    Args:
        write: Function that writes the plots; it takes the folder and a progress function, and returns the
            written files.
        folder: The folder for the plots.
    """
    try:
        from ..charts import rendering

        rendering.check_room()
    except (ModuleNotFoundError, OSError) as error:
        print_note(f"no plots: {getattr(error, 'strerror', None) or error}")
        return []
    with progress("Plotting", 100) as report:
        return write(folder, report)
