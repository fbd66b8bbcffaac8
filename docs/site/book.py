"""The book of the papers as part of the site: its quick form, kept between builds."""

import csv
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sledsim.papers import PAPERS, Verdict

from .gallery import Picture
from .markdown import joined, plain, table

#: The whole book; the site shows its folder.
BOOK = Picture(
    "book",
    "The book of the papers",
    "sledsim paper run all --quick --out book",
    "book",
    "Every experiment of five papers, computed again.",
)


def page(kept: Path) -> Iterator[tuple[str, str]]:
    """Yield the page with the link to the book."""
    yield (
        "book-of-papers.md",
        joined(
            "# The book of the papers",
            "Find out whether a claim of a paper on MEMS storage holds. The experiments of five papers were"
            " computed again, and each claim has a verdict.",
            _shown(kept) if BOOK.is_kept(kept) else "> The book was left out of this build.",
            f"```sh\n{BOOK.command}\n```",
            "`--quick` uses fewer requests and reaches the same verdicts."
            " Read [how a verdict is reached](background/papers.md).",
        ),
    )


def _shown(kept: Path) -> str:
    with (kept / BOOK.name / BOOK.file / "verdicts.csv").open(encoding="utf-8", newline="") as file:
        claims = {row["claim"]: row for row in csv.DictReader(file)}.values()
    counts = Counter((claim["claim"].partition("-")[0], claim["verdict"]) for claim in claims)
    verdicts = [verdict.value for verdict in Verdict]
    rows = (
        (number, plain(paper.title), *(str(counts[number, verdict] or "") for verdict in verdicts))
        for number, paper in PAPERS.items()
    )
    link = '```{raw} html\n<p><a href="book/index.html">Open the book</a></p>\n```'
    return joined(link, table(("paper", "title", *verdicts), rows))


def copy(kept: Path, site: Path) -> None:
    """Copy the book into the site if it was made."""
    if BOOK.is_kept(kept):
        shutil.copytree(kept / BOOK.name / BOOK.file, site / BOOK.name, dirs_exist_ok=True)
