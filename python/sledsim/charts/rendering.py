"""A chart as the content of a file: a web page that works offline, PNG or SVG, from one specification."""

import errno
import resource
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from ..common.html_text import printable
from ..pages.page import About, Figure, Page, Table, rendered
from .page_figures import figures

try:
    import altair as alt
except ModuleNotFoundError as error:
    raise ModuleNotFoundError("plots need altair: pip install 'sledsim[plot]'", name="altair") from error

__all__ = ["RENDERED", "alt", "as_page", "as_png", "as_svg", "libraries", "specification"]


#: The version of Vega-Lite that charts are written for.
_VERSION = ".".join(alt.SCHEMA_VERSION.split(".")[:2])
_PNG_SCALE = 1.5
#: What the library that draws pictures reserves, as `ulimit -v` counts.
_ADDRESSES = 80 * 10**9


def specification(chart: Any, validate: bool = True) -> dict[str, Any]:
    """A chart as Vega-Lite has it, whose texts can stand in any document.

    Args:
        chart: From Altair.
        validate: Whether it is compared with the schema.
    """
    found: dict[str, Any] = printable(chart.to_dict(validate=validate))
    return found


def check_room() -> None:
    """Find out whether the library that draws pictures can reserve the addresses that it wants.

    It ends the whole process where it cannot: under 64 GB it does, under 80 it draws.

    Raises:
        OSError: It cannot.
    """
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if resource.RLIM_INFINITY != most < _ADDRESSES:
        raise OSError(
            errno.ENOMEM,
            f"pictures take {_ADDRESSES / 1e9:g} GB of addresses, the limit (ulimit -v) is"
            f" {most / 1e9:.3g} GB",
        )


def as_svg(chart: dict[str, Any]) -> str:
    """The picture of a specification."""
    check_room()
    import vl_convert

    return str(vl_convert.vegalite_to_svg(chart, vl_version=_VERSION))


@cache
def libraries() -> str:
    """Vega, Vega-Lite and Vega-Embed of the version that charts are written for, as one script."""
    import vl_convert

    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", _VERSION))


def as_page(chart: dict[str, Any], about: About) -> str:
    """The panels of a specification, and tables, as a web page."""
    title, says, shown = figures(chart, about.says)
    parts: list[Figure | Table] = [*shown, *about.tables]
    verdict, says = "".join(about.found[:1]), [*about.found[1:], *says]
    return rendered(Page(title or about.name, verdict, says, parts, about.folded), libraries())


def as_png(chart: dict[str, Any]) -> bytes:
    """The picture of a specification in pixels."""
    check_room()
    import vl_convert

    return bytes(vl_convert.vegalite_to_png(chart, vl_version=_VERSION, scale=_PNG_SCALE))


#: The bytes of a specification, by the ending of the file.
RENDERED: Mapping[str, Callable[[dict[str, Any], About], bytes]] = {
    "html": lambda chart, about: as_page(chart, about).encode(),
    "png": lambda chart, _: as_png(chart),
    "svg": lambda chart, _: as_svg(chart).encode(),
}
