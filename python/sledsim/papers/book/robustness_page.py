"""The page of the book that shows the share of plausible devices with which each comparing claim holds."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict

from ..robustness.result import VERDICTS, Robustness
from ..robustness.running import USUAL
from ..robustness.table import LEFT_OUT, SETTINGS
from ..robustness.words import EXPLAINED, changing, decides, doubt, own, percent
from ..shared.experiments import PAPERS
from . import markup

PAGE = "robustness.html"
TITLE = "Claims over plausible devices"
#: File name of the chart of all results, which ``sledsim paper robustness`` writes into the book.
PICTURE = "robustness.svg"


def robustness_page(found: Robustness, pages: Mapping[str, str], picture: bool) -> str:
    """Build the page as HTML: the result for each claim, number of claims by verdict, and claims not tested.

    Args:
        found: Results of `measure_robustness`.
        pages: File name of the page on which a claim stands, by id of the claim.
        picture: True if the book has the picture `PICTURE`; the page then shows the picture.
    """
    counts = Counter(row.verdict for row in found.rows)
    return markup.page(
        "robustness",
        TITLE,
        rows=[
            (
                row,
                percent(row.part),
                percent(row.here) if row.by_load else "",
                changing(row.part),
                doubt(row.part),
                decides(row.part),
                own(row.part),
            )
            for row in found.rows
        ],
        counts=[(name, counts[name], meaning) for name, meaning in VERDICTS.items() if counts[name]],
        settings=[
            (
                one.name,
                ", ".join(claim.name for claim in one.claims),
                [(name, str(made)) for name, made in one.subjects.items()],
                [(name, str(load)) for name, load in one.loads.items()],
            )
            for one in SETTINGS
            if one.paper in {row.paper for row in found.rows}
        ],
        asked=[(row.claim, " and ".join(row.conditions)) for row in found.rows],
        left_out=[(one.id, one.says, one.why) for one in LEFT_OUT],
        explained=EXPLAINED,
        pages=pages,
        picture=PICTURE if picture else "",
        command=_command(found),
    )


def _command(found: Robustness) -> str:
    """Return the command that computes the results again and writes them into a book."""
    papers = sorted({row.paper for row in found.rows})
    words = ["sledsim paper robustness --out book"]
    words += [] if papers == sorted(PAPERS) else [f"--paper {paper}" for paper in papers]
    if found.rows:
        asked, usual = asdict(found.rows[0].asked), asdict(USUAL)
        words += [f"--{name} {value}" for name, value in asked.items() if value not in (None, usual[name])]
    return " ".join(words)
