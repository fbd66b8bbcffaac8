"""Shared fixtures of the tests of the papers."""

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import NamedTuple

import pytest

from sledsim import charts, papers
from sledsim.papers import Claim

from .light import LIGHT

Quick = Callable[[str], papers.Chapter]


class Shelf(NamedTuple):
    """A book with its chapters.

    Attributes:
        folder: Folder of the book.
        chapters: Chapters, one for each experiment.
        is_whole: True if the book has every experiment.
    """

    folder: Path
    chapters: list[papers.Chapter]
    is_whole: bool

    @property
    def claims(self) -> dict[str, Claim]:
        """Every claim of the book by id."""
        return {found.id: found for chapter in self.chapters for found in chapter.result.claims}


@pytest.fixture(scope="session")
def claim_of(quick_chapter: Quick) -> Callable[[str], Claim]:
    """Return a claim by id, from its quick experiment."""

    def decided(id: str) -> Claim:
        (row,) = (row for row in papers.EXPERIMENTS if id in row.claims)
        return next(found for found in quick_chapter(row.id).result.claims if found.id == id)

    return decided


@pytest.fixture(scope="module")
def shortcuts() -> Iterator[None]:
    """Leave out scripts and pictures of charts, which take long; the test of the command line has real ones.

    Modules imported meanwhile would keep the stand-ins for good, so all are imported before.
    """
    for module in walk_packages(charts.__path__, f"{charts.__name__}."):
        import_module(module.name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(charts, "libraries", lambda: "// Vega")
        patch.setattr(charts, "as_svg", lambda chart: "<svg/>")
        yield


@pytest.fixture(scope="module", params=["light", "whole"])
def shelf(
    request: pytest.FixtureRequest,
    quick_chapter: Quick,
    shortcuts: None,
    tmp_path_factory: pytest.TempPathFactory,
) -> Shelf:
    """Make a book of the experiments that cost little, and one of all experiments, which takes minutes."""
    is_whole = request.param == "whole"
    rows = [row for row in papers.EXPERIMENTS if is_whole or row.id in LIGHT]
    chapters = [quick_chapter(row.id) for row in rows]
    folder = tmp_path_factory.mktemp("book")
    papers.write_book(chapters, folder)
    return Shelf(folder, chapters, is_whole)
