"""Text as pages have it: escaped, without what no document may hold; and pieces of others' pages."""

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

#: What no document may hold, or no script (the ends of lines U+2028 and U+2029), and what is shown instead.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_REPLACEMENT = "\ufffd"


def escape(text: object) -> str:
    """A text as HTML has it, in an element or in an attribute between quotes."""
    return html.escape(printable(str(text)))


def script_json(value: Any) -> str:
    """JSON that can stand inside a script element: nothing in it can be taken for markup."""
    text = json.dumps(printable(value), separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def printable(value: Any) -> Any:
    """A text, or the texts in lists and dictionaries, without characters that no document may hold."""
    if isinstance(value, str):
        return _UNPRINTABLE.sub(_REPLACEMENT, value)
    if isinstance(value, Mapping):
        return {printable(key): printable(within) for key, within in value.items()}
    if isinstance(value, list | tuple):
        return [printable(within) for within in value]
    return value


class Cell(NamedTuple):
    """A cell of a table in a fragment."""

    text: str
    is_number: bool = False


def fragment(
    title: str,
    facts: Iterable[tuple[str, str]],
    table: tuple[Sequence[str], Sequence[Sequence[Cell]]],
    notes: Iterable[str],
    calls: Sequence[str],
) -> str:
    """A piece of somebody else's page, which has the colours and letters of that, and no script.

    Args:
        title: Text.
        facts: Names and values.
        table: The headings of columns, and rows of cells; none of a table without rows.
        notes: Sentences below the table.
        calls: What can be asked next, as Python has it.
    """
    parts = [f"<p><strong>{escape(title)}</strong></p>"]
    rows = [_aligned("th", Cell(name)) + _aligned("td", Cell(value)) for name, value in facts]
    parts += _table("", rows)
    headings, cells = table
    rows = ["".join(_aligned("td", cell) for cell in row) for row in cells]
    heads = zip(headings, cells[0] if cells else (), strict=False)
    parts += _table("".join(_aligned("th", Cell(name, cell.is_number)) for name, cell in heads), rows)
    parts += [f"<p>{escape(note)}</p>" for note in notes]
    if calls:
        parts.append(f"<p><small>{', '.join(f'<code>{escape(call)}</code>' for call in calls)}</small></p>")
    return "<div>\n" + "\n".join(parts) + "\n</div>"


def _table(heading: str, rows: Sequence[str]) -> list[str]:
    if not rows:
        return []
    head = f"<thead>\n<tr>{heading}</tr>\n</thead>\n" if heading else ""
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return [f"<table>\n{head}<tbody>\n{body}\n</tbody>\n</table>"]


def _aligned(tag: str, cell: Cell) -> str:
    side = "right" if cell.is_number else "left"
    return f'<{tag} style="text-align: {side}">{escape(cell.text)}</{tag}>'
