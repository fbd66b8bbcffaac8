"""Web pages: the one place where they are made. Text is escaped, and nothing outside a page is named."""

import html
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .. import _native

#: What no document may hold, or no script (the ends of lines U+2028 and U+2029), and what is shown instead.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_REPLACEMENT = "\ufffd"
#: Draws charts, by the names of their places. Their sources are not offered: Vega-Embed shows them as HTML.
_DRAW = """\
const options = {mode: "vega-lite", actions: {export: true, source: false, compiled: false, editor: false}};
for (const [place, chart] of Object.entries(charts)) vegaEmbed("#" + place, chart, options);"""
_REPORT_STYLE = """\
<style>
body { font-family: "DejaVu Sans", Verdana, sans-serif; max-width: 62em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; margin: 1em 0; }
th, td { text-align: left; padding: .25em 1em .25em 0; border-bottom: 1px solid #cccccc; }
th { font-weight: normal; color: #555555; }
footer { color: #555555; margin-top: 2em; }
</style>"""
_CHART_STYLE = "<style>#chart { width: 100%; }</style>"


def page(title: str, body: str, head: str = "") -> str:
    """A whole page.

    Args:
        title: Text.
        body: HTML.
        head: HTML that belongs beside the title.
    """
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n{head}\n</head>\n<body>\n{body}\n"
        f"<footer>sledsim {escape(_native.__version__)}</footer>\n</body>\n</html>\n"
    )


def chart_page(title: str, chart: Mapping[str, Any], libraries: str) -> str:
    """A page of one chart that works offline.

    Args:
        title: Text.
        chart: Its specification.
        libraries: The scripts that draw it, as source.
    """
    body = f'<div id="chart"></div>\n<script>\n{libraries}\n</script>\n{drawing({"chart": chart})}'
    return page(title, body, _CHART_STYLE)


def report_page(
    title: str,
    verdict: str,
    tables: Iterable[Mapping[str, str]],
    says: str,
    panels: Sequence[tuple[str, Mapping[str, Any], str]],
    libraries: str,
) -> str:
    """A page of tables and charts that works offline.

    Args:
        title: Text.
        verdict: What is found, as text.
        tables: Names and values.
        says: What is to be known of them, as text.
        panels: Charts: the title of each, its specification, and what is seen in it.
        libraries: The scripts that draw them, as source.
    """
    parts = [f"<h1>{escape(title)}</h1>", f"<p><strong>{escape(verdict)}</strong></p>"]
    for table in tables:
        rows = (f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in table.items())
        parts.append("<table>\n<tbody>\n" + "\n".join(rows) + "\n</tbody>\n</table>")
    parts.append(f"<p>{escape(says)}</p>")
    for at, (heading, _, seen) in enumerate(panels, 1):
        parts.append(f'<h2>{escape(heading)}</h2>\n<div id="chart-{at}"></div>\n<p>{escape(seen)}</p>')
    charts = {f"chart-{at}": chart for at, (_, chart, _) in enumerate(panels, 1)}
    parts += [f"<script>\n{libraries}\n</script>", drawing(charts)]
    return page(title, "\n".join(parts), _REPORT_STYLE)


def drawing(charts: Mapping[str, Mapping[str, Any]]) -> str:
    """The script that draws charts, by the names of their places; the libraries are there already."""
    # The address of the schema is of no use offline; the mode says the same.
    drawn = {
        place: {key: value for key, value in chart.items() if key != "$schema"}
        for place, chart in charts.items()
    }
    return f"<script>\nconst charts = {script_json(drawn)};\n{_DRAW}\n</script>"


def escape(text: object) -> str:
    """A text as HTML has it, in an element or in an attribute between quotes."""
    return html.escape(printable(str(text)))


def script_json(value: Any) -> str:
    """JSON that can stand inside a script element: nothing in it can be taken for markup."""
    return (
        json.dumps(printable(value)).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    )


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
