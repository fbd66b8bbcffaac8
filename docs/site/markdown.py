"""Write Markdown: code, plain text, tables, and directives of MyST."""

import re
from collections.abc import Iterable, Sequence


def code(text: object) -> str:
    """Mark a text as code; an empty text stays empty."""
    return f"`{text}`" if str(text) else ""


def plain(text: str) -> str:
    """Escape a text of the program, in which only backticks are markup."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([<>\[\]*_\\])", r"\\\1", part) for part in parts
    )


def table(headings: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    """Format a table without its empty columns; an empty text if it has no rows.

    A table whose last column is the meaning is marked: narrow screens show meanings below the names.
    """
    cells = [[_cell(text) for text in row] for row in rows]
    if not cells:
        return ""
    kept = [at for at in range(len(headings)) if any(row[at] for row in cells)]
    lines = (headings, ["---"] * len(headings), *cells)
    text = "".join(f"| {' | '.join(line[at] for at in kept)} |\n" for line in lines)
    return f":::{{container}} meanings\n\n{text}:::\n" if headings[-1].startswith("meaning") else text


def joined(*parts: str) -> str:
    """Join the parts of a page that are not empty, with an empty line between them."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def directive(name: str, argument: str = "", body: str = "", **options: str) -> str:
    """Format a directive of MyST."""
    lines = [
        f"```{{{name}}} {argument}".rstrip(),
        *(f":{key}: {value}".rstrip() for key, value in options.items()),
    ]
    return "\n".join([*lines, *([""] if options and body else []), *([body] if body else []), "```"])


def toctree(pages: Iterable[str], **options: str) -> str:
    """Format the list of pages below a page in the navigation."""
    return directive("toctree", body="\n".join(pages), **options)


def _cell(text: str) -> str:
    return text.replace("|", r"\|").replace("\n", "<br>")
