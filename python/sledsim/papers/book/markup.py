"""Functions that render the pages of the book from the templates in ``pages``; all values are escaped."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sledsim.files import pyarrow
from sledsim.pages import document, environment, units

#: Number of rows of a table that a page shows at most; the CSV file of the table has all rows.
ROWS_SHOWN = 40
_PAGES = Path(__file__).with_name("pages")


def page(name: str, title: str, **about: Any) -> str:
    """Render the template ``NAME.html`` as a page of the book, with a title and the values `about`."""
    body = environment(_PAGES).get_template(f"{name}.html").render(title=title, **about)
    return document(title, body.strip(), '<link rel="stylesheet" href="assets/style.css">')


def figures(columns: "pyarrow.Table") -> tuple[list[str], list[Sequence[str]], list[int]]:
    """Return a table for a page: headings with readable units, the first rows, and the numeric columns.

    Numeric columns are given by their indices.
    """
    shown = columns.slice(0, ROWS_SHOWN).to_pydict()
    numbers = [at for at, values in enumerate(shown.values()) if _numeric(values)]
    of = units.of_columns({name: values if _numeric(values) else () for name, values in shown.items()})
    texts = [
        [_number(value, unit.scale) for value in values]
        for unit, values in zip(of.values(), shown.values(), strict=True)
    ]
    return list(map(units.heading, shown, of.values())), list(zip(*texts, strict=True)), numbers


def _number(value: Any, scale: float) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not _numeric([value]):
        return str(value)
    return f"{value:,}" if isinstance(value, int) and scale == 1 else f"{value * scale:,.5g}"


def _numeric(values: Sequence[Any]) -> bool:
    """True if each value is a number or None."""
    return all(
        value is None or (isinstance(value, int | float) and not isinstance(value, bool)) for value in values
    )
