"""What the five papers print, and where each piece of it is here: nothing of them is silently left out."""

from dataclasses import dataclass
from pathlib import Path

from sledsim.files import toml

from ..shared.experiments import PAPERS


@dataclass(frozen=True)
class Item:
    """A figure, table, equation or section of a paper, or what it leaves to later work.

    Attributes:
        paper: The number of the paper.
        printed: What it is there.
        here: Where it is here: experiments, studies, devices and volumes by their names.
        lacks: What of it is not here, and why; empty where it is whole.
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


#: All of them, as ``items.toml`` has them.
ITEMS = _items()
