"""Options of rows of tables, as tables of a page."""

from collections.abc import Iterable

from sledsim.model.core_tables import Option

from ..markdown import code, plain, table


def options_table(options: Iterable[Option]) -> str:
    """What can be set: default, unit, range and meaning."""
    rows = (
        (code(one.name), code(one.default), one.unit, plain(one.range), plain(one.meaning)) for one in options
    )
    return table(("option", "default", "unit", "range", "meaning"), rows)
