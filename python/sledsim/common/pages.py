"""Web pages: the one place where they are made. Text is escaped, and nothing outside a page is named."""

import html
import json
import re
from collections.abc import Mapping
from typing import Any

from .. import _native

#: What no document may hold, or no script (the ends of lines U+2028 and U+2029), and what is shown instead.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
_REPLACEMENT = "\ufffd"
#: Draws charts, by the names of their places. Their sources are not offered: Vega-Embed shows them as HTML.
_DRAW = """\
const options = {mode: "vega-lite", actions: {export: true, source: false, compiled: false, editor: false}};
for (const [place, chart] of Object.entries(charts)) vegaEmbed("#" + place, chart, options);"""
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
