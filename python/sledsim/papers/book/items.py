"""Figures, tables and other items that the papers print, each with the parts of sledsim that cover it."""

from dataclasses import dataclass
from pathlib import Path

from sledsim.files import toml

from ..shared.experiments import PAPERS


@dataclass(frozen=True)
class Item:
    """A part of a paper, such as a figure, table, equation, section or proposed future work.

    Attributes:
        paper: The number of the paper.
        printed: Name of the item in the paper, and its subject.
        here: Names of the experiments, studies, devices and volumes of sledsim that cover this part of the
            paper.
        lacks: Description of the missing part and the reason; empty if sledsim covers all of it.
    """

    paper: str
    printed: str
    here: tuple[str, ...]
    lacks: str = ""


def _items() -> tuple[Item, ...]:
    found = toml.loads(Path(__file__).with_name("items.toml").read_text(encoding="utf-8"))
    words = found["unpublished"]
    return tuple(
        Item(paper, row["printed"], tuple(row["here"]), row.get("lacks", "").format(**words))
        for paper in PAPERS
        for row in found[paper]
    )


#: All items of the five papers, in the order of ``items.toml``.
ITEMS = _items()
