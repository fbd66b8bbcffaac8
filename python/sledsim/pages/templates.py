"""Jinja templates of pages; all values in them are escaped."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..common.html_text import escape

if TYPE_CHECKING:
    import jinja2

_HOUSE = Path(__file__).parent


@cache
def environment(*folders: Path) -> "jinja2.Environment":
    """Return the Jinja environment for templates in some folders, which can use those of this package."""
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
    """Return the text of a file of this package: ``style.css`` or ``script.js``."""
    return (_HOUSE / name).read_text(encoding="utf-8")
