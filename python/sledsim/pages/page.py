"""A web page of a result: verdict, charts with captions, tables, and the command that wrote the page."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .. import _native
from ..common import units
from ..common.html_text import escape, script_json
from .made_by import MADE_BY, MadeBy
from .templates import environment, part

#: Largest number of rows of a table on a page; the files of the result have all rows.
ROWS_SHOWN = 300
#: Largest number of series for which a chart has a legend of its own.
_FEW_SERIES = 8
#: A table with at most this number of rows, and more than this number of columns, is transposed.
_FEW_ROWS, _MANY_COLUMNS = 2, 8
#: Largest number of rows of a table that the page does not hide at first.
_ROWS_OPEN = 30


@dataclass(frozen=True)
class Series:
    """An entry of a legend: a value, with its colour and its dashes in the chart.

    Attributes:
        name: Name of the series: the value for which it stands, as text.
        colour: Colour in CSS.
        dashes: Lengths of strokes and gaps in pixels, in turn; empty for a solid line.
    """

    name: str
    colour: str
    dashes: Sequence[float] = ()

    @property
    def group(self) -> str:
        """Name of the series up to the first underscore, colon or " = ": ``sstf`` for ``sstf_lbn``.

        Series with the same prefix form a group in the legend.
        """
        return self.name.partition(" = ")[0].partition(":")[0].partition("_")[0]


@dataclass(frozen=True)
class Figure:
    """A chart of a page, with its headline, caption and legend.

    Attributes:
        title: The headline.
        chart: Vega-Lite specification, in the colours of `style.css`.
        says: Caption: the finding of the chart, in one or two sentences.
        series: Entries of the legend; a reader can show each series alone.
        field: Column of the data that holds the names of the series.
        legend: Title of the legend.
        is_wide: True if the chart is as wide as the whole page.
    """

    title: str
    chart: Mapping[str, Any]
    says: str = ""
    series: Sequence[Series] = ()
    field: str = ""
    legend: str = ""
    is_wide: bool = False

    @property
    def has_many(self) -> bool:
        """True if a legend of the chart would be too long; all charts of the page then share one."""
        return len(self.series) > _FEW_SERIES

    @property
    def groups(self) -> list[str]:
        """Names of the groups with several series; empty if the chart has too few series to need groups."""
        if not self.has_many:
            return []
        names = [one.group for one in self.series]
        return [name for name in dict.fromkeys(names) if names.count(name) > 1]

    def names_of(self, group: str) -> list[str]:
        """Return the names of the series in a group, which have the prefix `group` in common."""
        return [one.name for one in self.series if one.group == group]


@dataclass(frozen=True)
class Table:
    """A table of a page; the reader can sort it by each column.

    Attributes:
        caption: Caption of the table.
        headings: Headings of the columns, with units.
        rows: Cells as texts.
        keys: Sort keys of the cells, row by row; None sorts the cells by their texts.
        numbers: Indices of the columns of numbers, which are aligned to the right.
        count: Number of rows of the whole table if the page shows only the first ones; 0 if it shows all.
        is_folded: True if the table is hidden until the reader opens it.
    """

    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    keys: Sequence[Sequence[Any]] | None = None
    numbers: Sequence[int] = ()
    count: int = 0
    is_folded: bool = False


@dataclass(frozen=True)
class Page:
    """A web page that works offline.

    Attributes:
        title: The headline.
        verdict: The result in a few words, below the headline.
        says: Sentences below the verdict.
        parts: Charts and tables in the order of the page.
        about: Tables of the inputs, which are hidden until the reader opens them.
    """

    title: str
    verdict: str = ""
    says: Sequence[str] = ()
    parts: Sequence[Figure | Table] = ()
    about: Sequence[Table] = field(default=())


class About(NamedTuple):
    """Content of a page around its chart: name, sentences and tables.

    Attributes:
        name: Title of the page, if the chart has none.
        says: Caption for those panels of the chart that have no description of their own.
        tables: Tables below the charts.
        folded: Tables of the inputs, which are hidden until the reader opens them.
        found: Sentences with the results, above the charts.
    """

    name: str
    says: str = ""
    tables: Sequence[Table] = ()
    folded: Sequence[Table] = ()
    found: Sequence[str] = ()


def table(
    caption: str, rows: Sequence[Mapping[str, Any]], folded: bool | None = None, turns: bool = True
) -> Table:
    """Make a table of rows whose values are in SI units; the table shows them in readable units.

    Args:
        caption: Caption of the table.
        rows: Rows whose keys end in the unit, such as ``mean_s``; a missing value is shown as a dash.
        folded: True to hide the table until the reader opens it; False to show it; None hides it if it has
            many rows.
        turns: True if the table may be transposed, which it is if it has few rows and many columns.
    """
    if turns and len(rows) <= _FEW_ROWS and rows and len(rows[0]) > _MANY_COLUMNS:
        return _turned(caption, rows, bool(folded))
    shown = rows[:ROWS_SHOWN]
    names = dict.fromkeys(key for row in rows for key in row)
    columns = {key: [row.get(key) for row in shown] for key in names}
    numbers = [at for at, values in enumerate(columns.values()) if _numeric(values)]
    of = units.of_columns({key: values if _numeric(values) else () for key, values in columns.items()})
    return Table(
        caption,
        [units.heading(key, unit) for key, unit in of.items()],
        [[units.text(row.get(key), unit) or "-" for key, unit in of.items()] for row in shown],
        [[row.get(key) for key in columns] for row in shown],
        numbers,
        len(rows),
        len(rows) > _ROWS_OPEN if folded is None else folded,
    )


def _turned(caption: str, rows: Sequence[Mapping[str, Any]], folded: bool) -> Table:
    """Make a transposed table: a row for each key of the rows, and a column for each row."""
    columns = [figures_table("", row).rows for row in rows]
    texts = [[name, *(column[at][1] for column in columns)] for at, (name, _) in enumerate(columns[0])]
    headings = ["Figure", *(f"Value {at}" if len(rows) > 1 else "Value" for at in range(1, len(rows) + 1))]
    return Table(caption, headings, texts, numbers=range(1, len(rows) + 1), is_folded=folded)


def figures_table(caption: str, figures: Mapping[str, Any], folded: bool = False) -> Table:
    """Make a table with a row per figure: its name, and its value in a readable unit."""
    rows = [[units.label(key), units.figure(key, value) or "-"] for key, value in figures.items()]
    return Table(caption, ("Figure", "Value"), rows, numbers=(1,), is_folded=folded)


def _numeric(values: Sequence[Any]) -> bool:
    """Return True if all known values are numbers, and at least one value is known."""
    known = [value for value in values if value is not None and value == value]
    return bool(known) and all(map(units.is_number, known))


def rendered(page: Page, libraries: str) -> str:
    """Return a page as HTML; `libraries` is the source of the JavaScript libraries that draw charts."""
    places = {
        id(one): f"chart-{at}"
        for at, one in enumerate((one for one in page.parts if isinstance(one, Figure)), 1)
    }
    shown = [one for one in page.parts if isinstance(one, Figure) or one.rows]
    charts = {places[id(one)]: one.chart for one in page.parts if isinstance(one, Figure)}
    scripts = [f"\n{source}\n" for source in ([libraries] if charts else []) + [part("script.js")]]
    made = MADE_BY.get()
    text = (
        environment()
        .get_template("page.html")
        .render(
            page=page,
            made=made,
            about=[*([_options(made)] if made and made.options else []), *page.about],
            parts=[(one, places.get(id(one), "")) for one in shown],
            legends=[],
            version=_native.__version__,
            policy=_policy(scripts),
            style=_inside(part("style.css")),
            scripts=map(_inside, scripts),
            charts=_inside(script_json(charts)) if charts else "",
        )
    )
    return text + "\n"


def _options(made: MadeBy) -> Table:
    """Make a table of the options of a command; the options that the user gave come first."""
    rows = sorted(made.options, key=lambda row: not row[2])
    texts = [[name, value or "-", "given" if given else "default"] for name, value, given in rows]
    return Table("Options of the command", ("Option", "Value", "Which"), texts)


def _inside(text: str) -> Any:
    """Mark a text as safe HTML: it is a file of this package, or a result of `script_json`."""
    from markupsafe import Markup

    return Markup(text)


def _policy(scripts: Sequence[str]) -> str:
    """Return the content security policy of a page, which permits these scripts and no network."""
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in scripts
    )
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:;"
        " base-uri 'none'; form-action 'none'"
    )


def document(title: str, body: str, head: str = "") -> str:
    """Return an HTML document with the given body, for a site whose style and scripts are in files.

    Args:
        title: Title as plain text, which is escaped.
        body: Content of the body, as HTML.
        head: Further content of the head, as HTML.
    """
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n{head}\n</head>\n<body>\n{body}\n"
        f"<footer>sledsim {escape(_native.__version__)}</footer>\n</body>\n</html>\n"
    )


#: Script that draws each chart into the element with the chart's id. The menu of a chart does not offer its
#: source, which Vega-Embed would show as HTML.
_DRAW = """\
const options = {mode: "vega-lite", actions: {export: true, source: false, compiled: false, editor: false}};
for (const [place, chart] of Object.entries(charts)) vegaEmbed("#" + place, chart, options);"""


def drawing(charts: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a script that draws each chart into the element with its id, after the libraries are loaded."""
    # The address of the schema is left out: it is useless offline, and `mode` states the same.
    drawn = {
        place: {key: value for key, value in chart.items() if key != "$schema"}
        for place, chart in charts.items()
    }
    return f"<script>\nconst charts = {script_json(drawn)};\n{_DRAW}\n</script>"
