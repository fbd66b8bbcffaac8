"""Markdown out of tables of the program: what is code, what is a cell, and a table of them."""

import re
from collections.abc import Iterable, Sequence


def code(text: object) -> str:
    """A text as it is typed; nothing where it is empty."""
    return f"`{text}`" if str(text) else ""


def plain(text: str) -> str:
    """A text of the program, in which only backticks are markup."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([<>\[\]*_\\])", r"\\\1", part) for part in parts
    )


def table(headings: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    """A table without the columns that are empty in every row; nothing where there is no row.

    One that ends with meanings is marked, so that narrow screens show these below the names.
    """
    cells = [[_cell(text) for text in row] for row in rows]
    if not cells:
        return ""
    kept = [at for at in range(len(headings)) if any(row[at] for row in cells)]
    lines = (headings, ["---"] * len(headings), *cells)
    text = "".join(f"| {' | '.join(line[at] for at in kept)} |\n" for line in lines)
    return f":::{{container}} meanings\n\n{text}:::\n" if headings[-1].startswith("meaning") else text


def joined(*parts: str) -> str:
    """Parts of a page with an empty line between them, without those that are empty."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def directive(name: str, argument: str = "", body: str = "", **options: str) -> str:
    """A directive of MyST."""
    lines = [
        f"```{{{name}}} {argument}".rstrip(),
        *(f":{key}: {value}".rstrip() for key, value in options.items()),
    ]
    return "\n".join([*lines, *([""] if options and body else []), *([body] if body else []), "```"])


def toctree(pages: Iterable[str], **options: str) -> str:
    """What stands under a page in the navigation."""
    return directive("toctree", body="\n".join(pages), **options)


def _cell(text: str) -> str:
    return text.replace("|", r"\|").replace("\n", "<br>")
