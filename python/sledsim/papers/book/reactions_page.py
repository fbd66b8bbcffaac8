"""The page of the book that shows the verdicts under wrong models."""

from collections.abc import Collection, Sequence

from ..shared.claims import texts
from ..shared.perturbations import PERTURBATIONS
from . import markup
from .reactions import Reactions

PAGE = "reactions.html"
TITLE = "Verdicts under wrong models"


def reactions_page(rows: Sequence[Reactions], pages: Collection[str]) -> str:
    """Build the page as HTML: verdicts, number of changes under each model, and claims that never change.

    Args:
        rows: Verdicts on all claims under all perturbations.
        pages: Ids of the experiments that have a page in the book.
    """
    blind = texts("blind")
    return markup.page(
        "reactions",
        TITLE,
        rows=rows,
        pages=pages,
        perturbations=PERTURBATIONS,
        judged=sum(not row.is_open for row in rows),
        # Pairs of a claim whose verdict never changes, and the reason.
        blind=[(row.id, blind.get(row.id, "reason unknown")) for row in rows if row.is_blind],
        noticed={one.name: sum(one.name in row.noticed for row in rows) for one in PERTURBATIONS},
    )
