"""Rendering of a chart as the bytes of a file: a web page that works offline, a PNG or an SVG picture."""

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


#: Version of Vega-Lite in which the specifications of charts are written.
_VERSION = ".".join(alt.SCHEMA_VERSION.split(".")[:2])
_PNG_SCALE = 1.5
#: Virtual memory in bytes that the drawing library reserves; `ulimit -v` limits virtual memory.
_ADDRESSES = 80 * 10**9


def specification(chart: Any, validate: bool = True) -> dict[str, Any]:
    """Return the Vega-Lite specification of a chart, with its texts escaped for HTML and SVG.

    Args:
        chart: Altair chart.
        validate: True to check the specification against the schema of Vega-Lite.
    """
    found: dict[str, Any] = printable(chart.to_dict(validate=validate))
    return found


def check_room() -> None:
    """Raise an error if the limit on virtual memory is too low for the drawing library.

    The library ends the whole process if it cannot reserve its memory: a limit of 64 GB is too low, a limit
    of 80 GB suffices.

    Raises:
        OSError: The limit on virtual memory is too low.
    """
    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    if resource.RLIM_INFINITY != most < _ADDRESSES:
        raise OSError(
            errno.ENOMEM,
            f"pictures take {_ADDRESSES / 1e9:g} GB of address space, but the limit (ulimit -v) is"
            f" {most / 1e9:.3g} GB",
        )


def as_svg(chart: dict[str, Any]) -> str:
    """Return a specification as an SVG picture."""
    check_room()
    import vl_convert

    return str(vl_convert.vegalite_to_svg(chart, vl_version=_VERSION))


@cache
def libraries() -> str:
    """Return one script with the libraries Vega, Vega-Lite and Vega-Embed, in the version of the charts."""
    import vl_convert

    return str(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;", _VERSION))


def as_page(chart: dict[str, Any], about: About) -> str:
    """Return a web page with the panels of a specification, and with the texts and tables of `about`."""
    title, says, shown = figures(chart, about.says)
    parts: list[Figure | Table] = [*shown, *about.tables]
    verdict, says = "".join(about.found[:1]), [*about.found[1:], *says]
    return rendered(Page(title or about.name, verdict, says, parts, about.folded), libraries())


def as_png(chart: dict[str, Any]) -> bytes:
    """Return a specification as a PNG picture."""
    check_room()
    import vl_convert

    return bytes(vl_convert.vegalite_to_png(chart, vl_version=_VERSION, scale=_PNG_SCALE))


#: Functions that render a specification as the bytes of a file, by the ending of the file.
RENDERED: Mapping[str, Callable[[dict[str, Any], About], bytes]] = {
    "html": lambda chart, about: as_page(chart, about).encode(),
    "png": lambda chart, _: as_png(chart),
    "svg": lambda chart, _: as_svg(chart).encode(),
}
