"""Read figures from the pages of the documentation, for pictures of these figures."""

from pathlib import Path

_DOCS = Path(__file__).parents[1]


def text_of(page: str) -> str:
    """Return the text of a page, by its path in the documentation."""
    return (_DOCS / page).read_text(encoding="utf-8")


def rows_of(page: str, begin: str) -> list[list[str]]:
    """Return the cells of the table whose heading line starts with `begin`."""
    lines = text_of(page).partition(f"\n| {begin} |")[2].split("\n\n")[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
