"""The common style of all charts, and the writing of chart files.

A chart is written as a web page that works offline, as PNG and as SVG.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from .. import _native
from ..common.output_files import CHARTS, PathLike, make_folder, writing
from ..pages.page import About
from .colours import COLOURS
from .library import alt

__all__ = ["COLOURS", "WIDEST", "alt", "log_ticks", "readable", "save_chart", "save_charts"]

#: Largest width of a chart in pixels, so that pages of the documentation show it without scrolling in a
#: window of 1280 pixels.
WIDEST = 1160
#: Leading digits of the ticks in each decade of a logarithmic axis, from few ticks to many.
_LEADING = (
    (1,),
    (1, 2, 5),
    range(1, 10),
    [half / 2 for half in range(2, 20)],
    [tenth / 10 for tenth in range(10, 100)],
)
_FONT = "DejaVu Sans, Verdana, sans-serif"


def save_chart(chart: Any, path: PathLike, about: About | None = None) -> Path:
    """Write a chart as HTML (with all scripts), PNG or SVG, by the ending of `path`; return the path.

    Args:
        chart: Altair chart.
        path: File to write.
        about: Texts and tables besides the chart; only a web page shows them.

    Raises:
        ParameterError: The path does not end in .html, .png or .svg.
        OSError: The file cannot be written; an incomplete file is removed.
    """
    from .rendering import RENDERED, specification

    ending = Path(path).suffix.removeprefix(".")
    if ending not in RENDERED:
        raise _native.ParameterError(f"{path}: expected a name that ends in .{', .'.join(RENDERED)}")
    content = RENDERED[ending](specification(chart), about or About(Path(path).stem))
    with writing(path) as file:
        file.write(content)
    return Path(path)


def save_charts(
    chart: Any,
    folder: PathLike,
    name: str,
    progress: Callable[[int], object] | None = None,
    about: About | None = None,
) -> list[Path]:
    """Write a chart as a web page that works offline, as PNG and as SVG; return the paths.

    Args:
        chart: Altair chart.
        folder: Folder for the files, created if missing.
        name: Common name of the files, without ending.
        progress: Function that is called with the finished share in percent.
        about: Texts and tables besides the chart; only the web page shows them.

    Raises:
        OSError: A file cannot be written; an incomplete file is removed.
    """
    make_folder(folder)
    written = []
    for done, ending in enumerate(CHARTS, 1):
        written.append(save_chart(chart, Path(folder) / f"{name}.{ending}", about))
        if progress:
            progress(100 * done // len(CHARTS))
    return written


def log_ticks(values: Iterable[float], least: int = 3) -> list[float]:
    """Return ticks of a logarithmic axis over some values: powers of ten, or more per decade if needed.

    Values of 0 or less are ignored.

    Args:
        values: Values that the axis must include.
        least: Least number of ticks: the ticks come from the first entry of `_LEADING` that yields this
            number.
    """
    positive = [value for value in values if value > 0] or [1.0]
    low, high = min(positive), max(positive)
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks: list[float] = []
    for leading in _LEADING:
        every = [float(f"{number}e{decade}") for decade in decades for number in leading]
        ticks = [tick for tick in every if low <= tick <= high]
        if len(ticks) >= least:
            break
    return ticks


def readable(
    chart: Any, legend_columns: int | None = None, title: str = "", subtitle: str | Sequence[str] = ""
) -> Any:
    """Return a copy of a chart in the common style: fonts and sizes of titles, axes and legends.

    Args:
        chart: Chart to style.
        legend_columns: Number of columns of a legend below the panels; None places the legend beside them.
        title: New headline; an empty text keeps the title of the chart.
        subtitle: Lines below the headline.
    """
    # Attributes are set directly: each of Altair's methods would copy the whole chart.
    made = chart.copy(deep=False)
    if title:
        made.title = alt.TitleParams(title, subtitle=subtitle)
    below: dict[str, Any] = {}
    if legend_columns is not None:
        # Padding separates a legend from the previous one.
        below = {"orient": "bottom", "columns": legend_columns, "padding": 10}
    made.padding = 16
    made.config = {
        "font": _FONT,
        "background": "white",
        "title": {
            "fontSize": 15,
            "anchor": "start",
            "frame": "group",
            "offset": 10,
            "subtitleFontSize": 12,
            "subtitlePadding": 6,
        },
        # Labels are centred at their ticks, even at the ends of the axis; one of two that touch is left out.
        "axis": {
            "labelFlush": False,
            "labelOverlap": "greedy",
            "labelSeparation": 4,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "gridColor": "#e6e6e6",
        },
        # The gap between panels leaves room for the outer halves of two labels.
        "facet": {"spacing": 36},
        "header": {"labelFontSize": 13, "labelFontWeight": "bold"},
        "legend": {
            "titleFontSize": 13,
            "labelFontSize": 13,
            "symbolStrokeWidth": 3,
            "symbolSize": 120,
            **below,
        },
        "view": {"stroke": "#cccccc"},
    }
    return made
