"""The templates of pages: whatever they are given is escaped."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..common.html_text import escape

if TYPE_CHECKING:
    import jinja2

_HOUSE = Path(__file__).parent


@cache
def environment(*folders: Path) -> "jinja2.Environment":
    """Those of some folders, and of the house, which have the macros that all share."""
    import jinja2
    from markupsafe import Markup

    def escaped(value: Any) -> Markup:
        return value if isinstance(value, Markup) else Markup(escape(value))

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader([*folders, _HOUSE]),
        autoescape=True,
        finalize=escaped,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )


@cache
def part(name: str) -> str:
    """A file of the house: ``style.css`` or ``script.js``."""
    return (_HOUSE / name).read_text(encoding="utf-8")
