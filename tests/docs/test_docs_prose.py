"""The language of the documentation: sentences, how pages begin, headings, pictures and links."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from ..docs_prose import blocks, headings, pictures, sentences
from ..voice import FIRST_WORDS, first_word
from .test_docs_links import PAGES, ROOT

#: Most words of a sentence; a part up to a colon or semicolon counts separately.
WORDS = 30
#: Most words of a page before its first command, table or picture.
BEFORE = 60
#: Most words of a page, by folder: one goal a page. The page of words and that of all claims are longer.
MOST = {"how-to": 1200, "tutorials": 1000, "reference": 2000, "background": 2700, "docs": 700}
LONGER = {"reference/vocabulary.md": 2500, "background/papers.md": 3500}
#: A page that a command writes.
GENERATED = "reference/parameters.md"
DOCS = ROOT / "docs"
TEXTS = [ROOT / "README.md", *PAGES]


def name(page: Path) -> str:
    return page.relative_to(DOCS).as_posix() if page.is_relative_to(DOCS) else page.name


@pytest.mark.parametrize("page", TEXTS, ids=name)
def test_sentences_are_short(page: Path) -> None:
    long = [one for one in sentences(page) if len(one.split()) > WORDS]
    assert not long, "\n".join(long)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_begins_with_its_goal_and_shows_it_at_once(page: Path) -> None:
    goal = next(blocks(page))
    assert first_word(goal) not in FIRST_WORDS, goal
    text = page.read_text(encoding="utf-8").partition("\n")[2]
    before = re.split(r"^(?:```|!\[|\|)", text, maxsplit=1, flags=re.MULTILINE)[0]
    assert len(before.split()) <= BEFORE, before


@pytest.mark.parametrize("page", [page for page in PAGES if name(page) != GENERATED], ids=name)
def test_a_page_is_no_longer_than_its_kind(page: Path) -> None:
    most = LONGER.get(name(page), MOST[page.parent.name])
    assert len(page.read_text(encoding="utf-8").split()) <= most


@pytest.mark.parametrize("page", [page for page in PAGES if page.parent.name == "background"], ids=name)
def test_a_page_of_background_has_a_picture(page: Path) -> None:
    assert pictures(page)


@pytest.mark.parametrize("page", TEXTS, ids=name)
def test_headings_go_down_step_by_step_and_pictures_are_described(page: Path) -> None:
    levels = [level for level, _ in headings(page)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(lower - upper <= 1 for upper, lower in pairwise(levels))
    words = [heading for _, heading in headings(page)]
    assert all(not heading.endswith((".", ":")) for heading in words)
    assert all(len(alt.split()) >= 5 for alt, _ in pictures(page)), (
        "what is seen, for those who do not see it"
    )
    assert not re.findall(r"\[(?:here|this page|link)\]\(", page.read_text()), "a link says where it leads"


def test_sentences_are_split_from_code_tables_and_lists(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Title\n\nOne sentence, with `code of many words`. Another, e.g. this: a part\nof two lines.\n\n"
        "| a | table of words |\n|---|---|\n\n```sh\nsledsim run\n```\n\n"
        "- an item\n  that goes on\n- [a link](x.md) ends.\n"
    )
    assert [*sentences(page)] == [
        "One sentence, with code.",
        "Another, e.g this:",
        "a part of two lines.",
        "an item that goes on",
        "a link ends.",
    ]


@pytest.mark.parametrize("page", [ROOT / "README.md", DOCS / "index.md"], ids=name)
def test_run_and_study_are_defined_before_the_first_code(page: Path) -> None:
    before = page.read_text(encoding="utf-8").partition("\n```")[0]
    for word in ("run", "study"):
        assert re.search(rf"^- A \*{word}\* is ", before, re.MULTILINE), word
