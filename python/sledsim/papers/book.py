"""The book: one offline web page an experiment, and a first page with the verdicts on all claims."""

import csv
import io
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from .. import _native
from ..files import PathLike, check_writable, replacing
from .chapters import chapter_page, charts_of
from .claims import Claim
from .experiments import Chapter
from .front import first_page

_STYLE = Path(__file__).with_name("style.css")
#: Of ``verdicts.csv`` and ``verdicts.parquet``.
_COLUMNS = "claim experiment verdict statement quantity paper here difference tolerance reason".split()


def write_book(
    chapters: Sequence[Chapter],
    folder: PathLike,
    progress: Callable[[int], object] | None = None,
) -> list[Path]:
    """Write the pages, the tables, ``verdicts.csv`` and ``verdicts.parquet``; the first page comes last.

    Args:
        chapters: Experiments with their results, in the order of the book.
        folder: Where; it is made if it is not there.
        progress: Called after each chapter with the number of chapters written.

    Returns:
        The files written, the first page last.

    Raises:
        OSError: A file cannot be written; no part of that file is left.
        ModuleNotFoundError: The plotting libraries are missing; nothing has been written.
    """
    from ..plots import alt

    drawn = [charts_of(chapter) for chapter in chapters]
    version = ".".join(alt.SCHEMA_VERSION.split(".")[:2])
    out = prepare(folder)
    written = [
        _write(out / "assets" / "style.css", _STYLE.read_text(encoding="utf-8")),
        _write(out / "assets" / "vega.js", _scripts(version)),
    ]
    for done, (chapter, charts) in enumerate(zip(chapters, drawn, strict=True), 1):
        written += [_write(out / name, _picture(chart, version)) for name, chart in charts.items()]
        written += [_write(out / name, _csv(columns)) for name, columns in chapter.tables.items()]
        written.append(_write(out / chapter.page, chapter_page(chapter, charts)))
        if progress:
            progress(done)
    return [*written, *_verdicts(chapters, out), _write(out / "index.html", first_page(chapters))]


def prepare(folder: PathLike) -> Path:
    """Make the folders of a book, and find out whether it can be written there.

    Raises:
        OSError: It cannot.
    """
    out = Path(folder)
    for part in ("assets", "figures", "tables"):
        (out / part).mkdir(parents=True, exist_ok=True)
    check_writable(out / "index.html")
    return out


def verdict_rows(chapters: Sequence[Chapter]) -> list[dict[str, Any]]:
    """One flat row a claim: its verdict, and the numbers of the finding that decides it."""
    return [_row(chapter, claim) for chapter in chapters for claim in chapter.claims]


def _row(chapter: Chapter, claim: Claim) -> dict[str, Any]:
    finding = claim.decisive
    return {
        "claim": claim.id,
        "experiment": chapter.experiment.id,
        "verdict": claim.verdict.value,
        "statement": claim.statement,
        "quantity": finding.quantity,
        "paper": finding.paper,
        "here": finding.found,
        "difference": finding.difference,
        "tolerance": finding.tolerance,
        "reason": claim.reason,
    }


def _verdicts(chapters: Sequence[Chapter], out: Path) -> list[Path]:
    """The verdicts as data; there are none where no chapter decides a claim, but the columns stay."""
    import pyarrow
    import pyarrow.parquet

    rows = verdict_rows(chapters)
    kinds = [(name, pyarrow.float64() if name == "difference" else pyarrow.string()) for name in _COLUMNS]
    metadata = {"sledsim": f'{{"version": "{_native.__version__}"}}'}
    columns = pyarrow.Table.from_pylist(rows, schema=pyarrow.schema(kinds, metadata=metadata))
    with replacing(out / "verdicts.parquet") as part:
        pyarrow.parquet.write_table(columns, part)
    return [_write(out / "verdicts.csv", _csv(columns)), out / "verdicts.parquet"]


def _csv(columns: Any) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns.column_names)
    writer.writerows(zip(*columns.to_pydict().values(), strict=True))
    return text.getvalue()


@cache
def _scripts(version: str) -> str:
    """Vega, Vega-Lite and Vega-Embed of the version that the charts are written for, as one script."""
    import vl_convert

    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", version))


def _picture(chart: dict[str, Any], version: str) -> str:
    """A chart as SVG, for readers without scripts."""
    import vl_convert

    return str(vl_convert.vegalite_to_svg(chart, vl_version=version))


def _write(path: Path, text: str) -> Path:
    with replacing(path) as part:
        part.write_text(text, encoding="utf-8")
    return path
