"""Results that can be drawn.

A result knows no chart: the table of the room `charts` knows the results, and is loaded when one is drawn.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from .. import _native
from .output_files import PathLike, check_writable

_TABLE = "sledsim.charts.chart_table"
_RUN_PAGE = "sledsim.charts.run_page"
_RUNS_PAGE = "sledsim.charts.side_by_side_page"
_EXPLANATIONS_PAGE = "sledsim.charts.explanation_page"
_PAGE = ".html"


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


class Reported:
    """A run, which has a page of its own."""

    def report(self, path: PathLike) -> Path:
        """Write a page that works offline: where the time of requests goes, responses, queue, seeks, energy.

        Charts of columns that the run did not keep are not there, and the page says so.

        Args:
            path: The file, whose name ends in ``.html``.

        Raises:
            ParameterError: The name has another ending.
            OSError: The file cannot be written; no part of it is left.
            ModuleNotFoundError: It needs ``sledsim[plot]``.
        """
        check_report(path)
        import_module(_RUN_PAGE).write_run_page(self, path)
        return Path(path)


def check_report(path: PathLike) -> None:
    """Find out, before a long run, whether a page can be written there; nothing is left behind.

    Raises:
        ParameterError: The name has not the ending of a page.
        OSError: It cannot be written.
    """
    if Path(path).suffix.lower() != _PAGE:
        raise _native.ParameterError(f"{path}: expected the name of a page, which ends in {_PAGE}")
    check_writable(path)


def write_side_by_side(entries: Sequence[Any], path: PathLike) -> None:
    """Write the page of several runs, as `sledsim.report_runs` does."""
    import_module(_RUNS_PAGE).write_side_by_side(entries, path)


def write_explanations(made: Sequence[Any], path: PathLike) -> None:
    """Write the page of some explained requests of one run."""
    import_module(_EXPLANATIONS_PAGE).write_explanations(made, path)


def write_chart(
    result: object, folder: PathLike, progress: Callable[[int], object] | None = None
) -> list[Path]:
    """Write the chart of a result, as `Charted.write_plots` does."""
    written: list[Path] = import_module(_TABLE).write(result, folder, progress)
    return written
