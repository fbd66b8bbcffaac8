"""Write the book: one offline web page per experiment, and a first page with the verdicts on all claims."""

import csv
import errno
import io
import json
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from sledsim import ParameterError
from sledsim.files import PathLike, check_output_name, check_writable, pyarrow, write_text, writing

from ..robustness.result import NAME as ROBUSTNESS_NAME, Asked, Robustness, check_alike, is_there, read
from ..robustness.running import NAMES
from ..shared.experiments import Chapter
from ..shared.records import FOLDER, Record, kept, recorded
from .chapters import chapter_page, charts_of
from .front import first_page
from .reactions import NAME, Reactions, latest, merged, write_reactions
from .reactions_page import PAGE, reactions_page
from .robustness_page import PAGE as ROBUSTNESS, PICTURE, robustness_page
from .verdict_table import verdict_table

_STYLE = Path(__file__).with_name("style.css")
_ASSETS = "assets"
#: Ending of ledgers in the folder ``robustness`` of a book. Ledgers hold the results of finished devices.
_LEDGER = ".ledger"
#: Largest number of files that the error message about a folder without a book lists.
_NAMED = 3


def write_book(
    chapters: Iterable[Chapter], folder: PathLike, progress: Callable[[int], object] | None = None
) -> list[Path]:
    """Write a page for each experiment; then write the first page, with the verdicts of the whole book.

    Each experiment is written when it has been computed. Its pictures come last, because drawing may end the
    program if memory runs out. The first page is written after the last experiment, or after an error. Other
    experiments in the book are kept.

    Args:
        chapters: Experiments with their results; an iterator may compute each of them when it is needed.
        folder: Folder of the book, created if missing.
        progress: Function called with the number of experiments written, after each of them.

    Returns:
        The files written, the first page last.

    Raises:
        OSError: A file cannot be written; no part of that file is left.
        ParameterError: The folder holds something other than a book; nothing has been written.
        ModuleNotFoundError: The plotting libraries are missing; nothing has been written.
    """
    from sledsim.charts import as_svg, libraries

    check_book(folder)
    out = Path(folder)
    written: list[Path] = []
    pages = 0
    try:
        for done, chapter in enumerate(chapters, 1):
            _make_folders(out)
            written += _results(out, chapter)
            charts = charts_of(chapter)
            written.append(write_text(out / chapter.record.page, chapter_page(chapter, charts)))
            pages = done
            written += [write_text(out / name, as_svg(chart)) for name, chart in charts.items()]
            if progress:
                progress(done)
    except BaseException:
        # Even after an error, the experiments written so far become a complete book.
        if pages:
            _front(out)
        raise
    _make_folders(out)
    front = _front(out)
    return [*written, write_text(out / "assets" / "vega.js", libraries()), *front]


def write_perturbed(rows: Sequence[Reactions], folder: PathLike) -> list[Path]:
    """Add verdicts under perturbations (wrong models) to a book; other claims in the book keep theirs.

    Args:
        rows: Result of `react`.
        folder: Folder of the book, created if missing.

    Returns:
        The files written, the page last.

    Raises:
        OSError: A file cannot be written; no part of that file is left.
        ParameterError: The folder holds something other than a book; nothing has been written.
    """
    check_book(folder)
    out = Path(folder)
    found, records = merged(latest(out), rows), kept(out)
    (out / _ASSETS).mkdir(parents=True, exist_ok=True)
    return [write_reactions(found, out), _style(out), _reactions(out, found, records)]


def write_robustness(found: Robustness, folder: PathLike) -> list[Path]:
    """Add results over plausible devices to a book; other claims in the book keep their results.

    Results in the book with other settings (number of devices, seed, requests, draws) are removed, because
    all rows of a table have equal settings.

    Args:
        found: Result of `measure_robustness`.
        folder: Folder of the book, created if missing.

    Returns:
        The files written, the page last.

    Raises:
        OSError: A file cannot be written; no part of it is left.
        ParameterError: The folder holds something other than a book; nothing has been written.
    """
    check_book(folder)
    out = Path(folder)
    (out / _ASSETS).mkdir(parents=True, exist_ok=True)
    records = sorted(kept(out), key=lambda record: record.place)
    there = read(out)
    if found.rows:
        there = Robustness([row for row in there.rows if row.asked == found.rows[0].asked])
    written = there.merged(found, NAMES).write(out)
    front = [write_text(out / "index.html", first_page(records, robust=True))] if records else []
    return [*written, _style(out), *front, *_robustness(out, records)]


def check_robustness(folder: PathLike, claims: Collection[str], asked: Asked) -> None:
    """Check before a long run that results on `claims` can be added to the results in a book.

    Raises:
        OSError, ParameterError: `check_book` fails, or results on other claims in the book do not have the
            settings `asked`.
    """
    check_book(folder)
    # Drop results on claims that only earlier versions had.
    there = Robustness(()).merged(read(folder), NAMES)
    check_alike(there, claims, asked, folder)


def _robustness(out: Path, records: Sequence[Record]) -> list[Path]:
    """Write the page ``robustness.html``, if the book has results over plausible devices."""
    if not is_there(out):
        return []
    pages = {claim.id: record.page for record in records for claim in record.claims}
    page = robustness_page(read(out), pages, (out / PICTURE).is_file())
    return [write_text(out / ROBUSTNESS, page)]


def _reactions(out: Path, rows: Sequence[Reactions], records: Sequence[Record]) -> Path:
    return write_text(out / PAGE, reactions_page(rows, {record.id for record in records}))


def _results(out: Path, chapter: Chapter) -> list[Path]:
    """Write the record and the tables of a chapter; a folder with a record counts as a book."""
    record = chapter.record
    return [
        write_text(out / FOLDER / f"{record.id}.json", json.dumps(record.plain(), indent=1) + "\n"),
        *(write_text(out / name, _csv(columns)) for name, columns in chapter.tables.items()),
    ]


def _front(out: Path) -> list[Path]:
    """Write the pages and tables that cover all experiments of a book; the first page is written last."""
    records = sorted(kept(out), key=lambda record: record.place)
    return [
        _style(out),
        *_verdicts(out, records),
        _reactions(out, latest(out), records),
        *_robustness(out, records),
        write_text(out / "index.html", first_page(records, is_there(out))),
    ]


def _make_folders(out: Path) -> None:
    for part in (_ASSETS, "figures", "tables", FOLDER):
        (out / part).mkdir(parents=True, exist_ok=True)


def _style(out: Path) -> Path:
    return write_text(out / _ASSETS / "style.css", _STYLE.read_text(encoding="utf-8"))


def check_book(folder: PathLike) -> None:
    """Check before a long run that a folder is writable, and is new, empty or a book; write nothing.

    Raises:
        OSError: The folder cannot be written.
        ParameterError: The name of the folder is empty, or the folder holds something other than a book.
    """
    if not os.fspath(folder):
        raise ParameterError("expected the name of a folder for the book, found ''")
    check_output_name(folder)
    out = Path(folder)
    missing = "index.html"
    there = out
    while not os.path.lexists(there):
        missing, there = there.name, there.parent
    if not there.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "cannot write: is a file, not a folder", os.fspath(there))
    check_writable(there / missing)
    if there == out and not _is_book(out):
        _check_empty(out)


def _is_book(folder: Path) -> bool:
    """True if a folder is a book: it has records, verdicts under wrong models, or results over devices.

    Raises:
        OSError: One of these files cannot be read.
        ParameterError: One of these files has other contents.
    """
    latest(folder)
    read(folder)
    return bool(recorded(folder)) or (folder / NAME).is_file() or is_there(folder)


def _check_empty(folder: Path) -> None:
    if names := sorted(path.name for path in folder.iterdir() if not _is_begun(path)):
        more = ", ..." if len(names) > _NAMED else ""
        raise ParameterError(
            f"{folder}: expected a new folder, an empty folder or a book, found a folder with other files:"
            f" {', '.join(names[:_NAMED])}{more}"
        )


def _is_begun(path: Path) -> bool:
    """True if a path is a folder that an interrupted run leaves in a book before the book is complete."""
    if not path.is_dir() or path.is_symlink():
        return False
    files = [file for file in path.rglob("*") if not file.is_dir()]
    if path.name == ROBUSTNESS_NAME:
        return all(file.suffix == _LEDGER for file in files)
    style = _STYLE.read_text(encoding="utf-8")
    return path.name == _ASSETS and all(
        file.name == "style.css" and file.read_text(encoding="utf-8", errors="replace") == style
        for file in files
    )


def _verdicts(out: Path, records: Sequence[Record]) -> list[Path]:

    columns = verdict_table(records)
    with writing(out / "verdicts.parquet") as file:
        pyarrow.parquet.write_table(columns, file)
    return [write_text(out / "verdicts.csv", _csv(columns)), out / "verdicts.parquet"]


def _csv(columns: Any) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns.column_names)
    writer.writerows(zip(*columns.to_pydict().values(), strict=True))
    return text.getvalue()
