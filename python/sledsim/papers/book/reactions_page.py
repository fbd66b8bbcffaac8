"""The page of the book that says which verdicts notice that a model is wrong."""

from collections.abc import Collection, Sequence

from ..shared.claims import texts
from ..shared.perturbations import PERTURBATIONS
from . import markup
from .reactions import Reactions

PAGE = "reactions.html"
TITLE = "Which verdicts notice a wrong model"


def reactions_page(rows: Sequence[Reactions], pages: Collection[str]) -> str:
    """The table, how often each perturbation is noticed, and the claims that notice none.

    Args:
        rows: Of all claims.
        pages: The experiments that have a page in the book.
    """
    blind = texts("blind")
    return markup.page(
        "reactions",
        TITLE,
        rows=rows,
        pages=pages,
        perturbations=PERTURBATIONS,
        judged=sum(not row.is_open for row in rows),
        # The claims that notice nothing, with the reason why they cannot.
        blind=[(row.id, blind.get(row.id, "no reason is known")) for row in rows if row.is_blind],
        noticed={one.name: sum(one.name in row.noticed for row in rows) for one in PERTURBATIONS},
    )
