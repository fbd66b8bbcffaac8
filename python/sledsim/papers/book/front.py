"""The first page of the book: number of claims by verdict, and for each paper the verdicts on its claims."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..shared.experiments import PAPERS
from ..shared.records import Record
from ..shared.verdicts import Verdict
from . import markup, robustness_page
from .items import ITEMS
from .reactions_page import PAGE, TITLE


def first_page(records: Sequence[Record], robust: bool = False) -> str:
    """Build the first page of a book as HTML: number of claims by verdict, a filter, and claims by paper.

    Args:
        records: Records of all experiments in the book.
        robust: True if the book has the page `robustness.html`, to which the first page then links.
    """
    chapters = {paper: [one for one in records if one.paper == paper] for paper in PAPERS}
    claims = {
        paper: sorted(
            ((claim, one.page) for one in own for claim in one.claims), key=lambda row: row[0].number
        )
        for paper, own in chapters.items()
    }
    return markup.page(
        "front",
        "Verdicts on the claims of the papers",
        records=records,
        counts=Counter(claim.verdict for record in records for claim in record.claims),
        verdicts=list(Verdict),
        papers=PAPERS,
        chapters={paper: own for paper, own in chapters.items() if own},
        claims_of=claims,
        overview=_overview(records),
        items=ITEMS,
        pages={record.id: record.page for record in records},
        reactions=(PAGE, TITLE),
        robustness=(robustness_page.PAGE, robustness_page.TITLE) if robust else (),
    )


def _overview(records: Sequence[Record]) -> tuple[Any, ...]:
    """Return headings, rows and indices of numeric columns: the number of claims by paper and verdict."""
    others = (Verdict.SHAPE, Verdict.NOT_BORNE_OUT)
    headings = ["Paper", "claims", *(verdict.value for verdict in Verdict), "not examined here"]
    headings += [f"elsewhere: {verdict.value}" for verdict in others]
    rows = []
    for number, paper in PAPERS.items():
        claims = [one for record in records for one in record.claims if one.paper == number]
        verdicts, elsewhere = [one.verdict for one in claims], [one.elsewhere for one in claims]
        counts = [paper.claims, *(verdicts.count(verdict) for verdict in Verdict)]
        counts += [paper.claims - len(verdicts), *(elsewhere.count(verdict) for verdict in others)]
        rows.append([f"{number}: {paper.title}", *(str(count or "") for count in counts)])
    return headings, rows, range(1, len(headings))
