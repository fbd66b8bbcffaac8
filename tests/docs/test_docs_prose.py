"""The language of the documentation: sentences, how pages begin, headings, pictures and links."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from ..docs_prose import headings, pictures, sentences
from .test_docs_links import PAGES, ROOT

#: A longer sentence is two; a part up to a colon or semicolon counts for itself.
WORDS = 30
DOCS = ROOT / "docs"
TEXTS = [ROOT / "README.md", *PAGES]


def name(page: Path) -> str:
    return page.relative_to(DOCS).as_posix() if page.is_relative_to(DOCS) else page.name


@pytest.mark.parametrize("page", TEXTS, ids=name)
def test_sentences_are_short(page: Path) -> None:
    long = [one for one in sentences(page) if len(one.split()) > WORDS]
    assert not long, "\n".join(long)


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


def test_sentences_are_told_from_code_tables_and_lists(tmp_path: Path) -> None:
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
