"""The pages of the book, of the templates in ``pages``: whatever these are given is escaped."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sledsim.files import pyarrow
from sledsim.pages import document, environment, units

#: A longer table is shown by its first rows; the whole of it is in its file.
ROWS_SHOWN = 40
_PAGES = Path(__file__).with_name("pages")


def page(name: str, title: str, **about: Any) -> str:
    """A whole page of the book, of the template of that name and what it tells."""
    body = environment(_PAGES).get_template(f"{name}.html").render(title=title, **about)
    return document(title, body.strip(), '<link rel="stylesheet" href="assets/style.css">')


def figures(columns: "pyarrow.Table") -> tuple[list[str], list[Sequence[str]], list[int]]:
    """Headings, first rows and columns of numbers of a table, in units in which people read."""
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
    """Whether there are numbers only, and missing values."""
    return all(
        value is None or (isinstance(value, int | float) and not isinstance(value, bool)) for value in values
    )
