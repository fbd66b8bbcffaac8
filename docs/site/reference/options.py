"""Tables of the options of a name."""

from collections.abc import Iterable

from sledsim.model.core_tables import Option

from ..markdown import code, plain, table


def options_table(options: Iterable[Option]) -> str:
    """Format a table of options: default, unit, range and meaning."""
    rows = (
        (code(one.name), code(one.default), one.unit, plain(one.range), plain(one.meaning)) for one in options
    )
    return table(("option", "default", "unit", "range", "meaning"), rows)
