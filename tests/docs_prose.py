"""The prose of a page: its sentences and headings, without code, tables and comments."""

import re
from collections.abc import Iterator
from pathlib import Path

#: Dots that end no sentence.
_SHORT = re.compile(r"\b(e\.g|i\.e|vs|Fig|Eq|Eqs|No|al)\.")


def blocks(page: Path) -> Iterator[str]:
    """Yield paragraphs and items of lists, each in one line."""
    text = re.sub(r"<!--.*?-->|^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"^(#.*|\s*\|.*|</?(details|summary).*)$", "", text, flags=re.MULTILINE)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text):
        if words := " ".join(re.sub(r"^\s*(?:[-*]|\d+\.) ", "", block).split()):
            yield words


def sentences(page: Path) -> Iterator[str]:
    """Yield sentences as a reader sees them: the words of a link, a word for code, nothing for a picture."""
    for block in blocks(page):
        plain = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", block)
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"`[^`]*`", "code", plain))
        plain = _SHORT.sub(r"\1", plain)
        yield from (one for one in re.split(r"(?<=[.!?:;])[*)]*\s+", plain) if one)


def headings(page: Path) -> list[tuple[int, str]]:
    """Yield level and words of each heading."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    return [(len(marks), words) for marks, words in re.findall(r"^(#+) (.+)$", text, re.MULTILINE)]


def pictures(page: Path) -> list[tuple[str, str]]:
    """Yield the text for each picture, and its file."""
    return re.findall(r"!\[([^\]]*)\]\(([^)]*)\)", page.read_text())
