"""Read the figures of pages for the pictures that show them."""

from pathlib import Path

_DOCS = Path(__file__).parents[1]


def text_of(page: str) -> str:
    """The text of a page, by its path in the documentation."""
    return (_DOCS / page).read_text(encoding="utf-8")


def rows_of(page: str, begin: str) -> list[list[str]]:
    """The cells of the table of a page whose headings begin so."""
    lines = text_of(page).partition(f"\n| {begin} |")[2].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
