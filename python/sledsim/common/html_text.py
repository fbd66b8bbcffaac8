"""Escaped texts for HTML pages, and fragments of HTML for notebooks."""

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

#: Characters that HTML or scripts do not allow, and bidirectional controls; each is replaced.
_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
_REPLACEMENT = "\ufffd"


def escape(text: object) -> str:
    """Escape a text for HTML, in an element or in a quoted attribute."""
    return html.escape(printable(str(text)))


def script_json(value: Any) -> str:
    """Return JSON for a script element, without characters that could be markup."""
    text = json.dumps(printable(value), separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def printable(value: Any) -> Any:
    """Replace characters that HTML does not allow, in a text or in all texts of lists and dictionaries."""
    if isinstance(value, str):
        return _UNPRINTABLE.sub(_REPLACEMENT, value)
    if isinstance(value, Mapping):
        return {printable(key): printable(within) for key, within in value.items()}
    if isinstance(value, list | tuple):
        return [printable(within) for within in value]
    return value


class Cell(NamedTuple):
    """A cell of an HTML table: its text, and True if the text is a number."""

    text: str
    is_number: bool = False


def fragment(
    title: str,
    parts: "Iterable[str | tuple[str, Sequence[Cell], Sequence[Sequence[Cell]]]]",
    calls: Sequence[str],
) -> str:
    """Return HTML without scripts for a page of others, such as a notebook, which sets colours and fonts.

    Args:
        title: Title of the fragment, as plain text.
        parts: Sentences, and tables as (title, headings, rows of cells); rows may be shorter than the
            headings.
        calls: Calls in Python that the reader may want to make next.
    """
    found = [f"<p><strong>{escape(title)}</strong></p>"]
    for part in parts:
        found += [f"<p>{escape(part)}</p>"] if isinstance(part, str) else _table(*part)
    if calls:
        found.append(f"<p><small>{', '.join(f'<code>{escape(call)}</code>' for call in calls)}</small></p>")
    return "<div>\n" + "\n".join(found) + "\n</div>"


def _table(title: str, headings: Sequence[Cell], rows: Sequence[Sequence[Cell]]) -> list[str]:
    if not rows:
        return []
    head = "".join(_aligned("th", cell) for cell in headings)
    cells = [[*row, *(Cell("") for _ in headings[len(row) :])] for row in rows]
    body = "\n".join(f"<tr>{''.join(_aligned('td', cell) for cell in row)}</tr>" for row in cells)
    above = [f"<p>{escape(title)}</p>"] if title else []
    return [*above, f"<table>\n<thead>\n<tr>{head}</tr>\n</thead>\n<tbody>\n{body}\n</tbody>\n</table>"]


def _aligned(tag: str, cell: Cell) -> str:
    side = "right" if cell.is_number else "left"
    return f'<{tag} style="text-align: {side}">{escape(cell.text)}</{tag}>'
