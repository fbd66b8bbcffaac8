"""Items that the five papers print, with the parts of sledsim that cover each item, or the reason why not."""

from dataclasses import dataclass
from pathlib import Path

from sledsim.files import toml

from ..shared.experiments import PAPERS


@dataclass(frozen=True)
class Item:
    """A figure, table, equation, section or future work of a paper.

    Attributes:
        paper: The number of the paper.
        printed: Item and its subject.
        here: Experiments, studies, devices and volumes that cover the item, by name.
        lacks: Missing part and the reason; empty if the item is fully covered.
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


#: Items of ``items.toml``.
ITEMS = _items()
