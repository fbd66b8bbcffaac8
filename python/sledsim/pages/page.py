"""A page: what is found, charts with what is seen in them, tables, and the command that made it."""

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

#: Rows of a table that are shown; more are in the files of the result.
ROWS_SHOWN = 300
#: So many series have a legend at each of their charts.
_FEW_SERIES = 8
#: Rows so few, and columns so many, are turned: what is one row is read downwards.
_FEW_ROWS, _MANY_COLUMNS = 2, 8
#: A longer table is folded away.
_ROWS_OPEN = 30


@dataclass(frozen=True)
class Series:
    """What a legend names: the colour, and the dashes if there are any, of a value.

    Attributes:
        name: The value.
        colour: As CSS has it.
        dashes: Lengths of strokes and gaps in pixels.
    """

    name: str
    colour: str
    dashes: Sequence[float] = ()

    @property
    def group(self) -> str:
        """What it has in common with others: its name up to a separator, as ``sstf_lbn``."""
        return self.name.partition(" = ")[0].partition(":")[0].partition("_")[0]


@dataclass(frozen=True)
class Figure:
    """A chart.

    Attributes:
        title: The headline.
        chart: Its Vega-Lite specification, in colours of the house (`style.css`).
        says: What is seen in it, in a sentence or two.
        series: What its legend names; each can be looked at alone.
        field: The column of the data that has the names of the series.
        legend: What the legend is of.
        is_wide: Whether it takes all columns of the page.
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
        """Whether it has so many series that all charts of the page share one legend."""
        return len(self.series) > _FEW_SERIES

    @property
    def groups(self) -> list[str]:
        """Names that several series begin with, where there are so many that groups help."""
        if not self.has_many:
            return []
        names = [one.group for one in self.series]
        return [name for name in dict.fromkeys(names) if names.count(name) > 1]

    def names_of(self, group: str) -> list[str]:
        """The series of a group."""
        return [one.name for one in self.series if one.group == group]


@dataclass(frozen=True)
class Table:
    """A table, whose rows can be sorted by each column.

    Attributes:
        caption: What it shows.
        headings: Of the columns, with units.
        rows: Texts.
        keys: By what each cell is sorted; None sorts by the texts.
        numbers: The columns of numbers.
        count: Of all rows, where not all are shown.
        is_folded: Whether it is shown only when it is asked for.
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
    """A page that works offline.

    Attributes:
        title: The headline.
        verdict: What is found, in a few words.
        says: Sentences below the headline.
        parts: Charts and tables, in order.
        about: Tables of what it was made from, which are folded away.
    """

    title: str
    verdict: str = ""
    says: Sequence[str] = ()
    parts: Sequence[Figure | Table] = ()
    about: Sequence[Table] = field(default=())


class About(NamedTuple):
    """What a page has besides a chart.

    Attributes:
        name: Its title, where the chart has none.
        says: What is seen in a panel that does not say so itself.
        tables: Below the charts.
        folded: Tables of what it was made from.
        found: What is found, in sentences.
    """

    name: str
    says: str = ""
    tables: Sequence[Table] = ()
    folded: Sequence[Table] = ()
    found: Sequence[str] = ()


def table(
    caption: str, rows: Sequence[Mapping[str, Any]], folded: bool | None = None, turns: bool = True
) -> Table:
    """A table of rows in SI units, shown in those in which people read.

    Args:
        caption: What it shows.
        rows: With the unit in the key; what a row has not is a dash.
        folded: Whether it is folded away; None folds long ones.
        turns: Whether one of few rows and many columns is read downwards.
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
    """A table with a row for each key, and a column for each row."""
    columns = [figures_table("", row).rows for row in rows]
    texts = [[name, *(column[at][1] for column in columns)] for at, (name, _) in enumerate(columns[0])]
    headings = ["Figure", *(f"Value {at}" if len(rows) > 1 else "Value" for at in range(1, len(rows) + 1))]
    return Table(caption, headings, texts, numbers=range(1, len(rows) + 1), is_folded=folded)


def figures_table(caption: str, figures: Mapping[str, Any], folded: bool = False) -> Table:
    """A table of two columns: names, and values in the units in which people read."""
    rows = [[units.label(key), units.figure(key, value) or "-"] for key, value in figures.items()]
    return Table(caption, ("Figure", "Value"), rows, numbers=(1,), is_folded=folded)


def _numeric(values: Sequence[Any]) -> bool:
    """Whether there are numbers only, and missing values."""
    known = [value for value in values if value is not None and value == value]
    return bool(known) and all(map(units.is_number, known))


def rendered(page: Page, libraries: str) -> str:
    """A page as HTML; `libraries` are the scripts that draw its charts, as source."""
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
    """The options of a command, those that were given first."""
    rows = sorted(made.options, key=lambda row: not row[2])
    texts = [[name, value or "-", "given" if given else "default"] for name, value, given in rows]
    return Table("Options of the command", ("Option", "Value", "Which"), texts)


def _inside(text: str) -> Any:
    """What stands in a page as it is: files of the house, and JSON that `script_json` made."""
    from markupsafe import Markup

    return Markup(text)


def _policy(scripts: Sequence[str]) -> str:
    """What the page may do: run these scripts, and draw; it may ask nothing of any network."""
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in scripts
    )
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data: blob:;"
        " base-uri 'none'; form-action 'none'"
    )


def document(title: str, body: str, head: str = "") -> str:
    """A whole document of a site that has its style and scripts in files of its own.

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


#: Draws charts, by the names of their places. Their sources are not offered: Vega-Embed shows them as HTML.
_DRAW = """\
const options = {mode: "vega-lite", actions: {export: true, source: false, compiled: false, editor: false}};
for (const [place, chart] of Object.entries(charts)) vegaEmbed("#" + place, chart, options);"""


def drawing(charts: Mapping[str, Mapping[str, Any]]) -> str:
    """The script that draws charts, by the names of their places; the libraries are there already."""
    # The address of the schema is of no use offline; the mode says the same.
    drawn = {
        place: {key: value for key, value in chart.items() if key != "$schema"}
        for place, chart in charts.items()
    }
    return f"<script>\nconst charts = {script_json(drawn)};\n{_DRAW}\n</script>"
