"""Results that can be drawn.

A result knows no chart: the table of the room `charts` knows the results, and is loaded when one is drawn.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from .files import PathLike

_TABLE = "sledsim.charts.table"


class Charted:
    """A result that has a chart."""

    def plot(self) -> Any:
        """The chart, from Altair (needs ``sledsim[plot]``)."""
        return import_module(_TABLE).draw(self)

    def write_plots(self, folder: PathLike, progress: Callable[[int], object] | None = None) -> list[Path]:
        """Write the chart as a web page that works offline, as PNG and as SVG.

        Args:
            folder: Where; it is made if it is not there.
            progress: Told how many percent are done.

        Raises:
            OSError: A file cannot be written; no part of it is left.
            ModuleNotFoundError: It needs ``sledsim[plot]``.
        """
        return write_chart(self, folder, progress)


def write_chart(
    result: object, folder: PathLike, progress: Callable[[int], object] | None = None
) -> list[Path]:
    """Write the chart of a result, as `Charted.write_plots` does."""
    written: list[Path] = import_module(_TABLE).write(result, folder, progress)
    return written
