"""Base classes of results that can be drawn.

A result has no chart code: a table in the package `charts` maps results to charts, and is loaded for a chart.
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
    """A result with a chart."""

    def plot(self) -> Any:
        """Return the chart, from Altair (needs ``sledsim[plot]``)."""
        return import_module(_TABLE).draw(self)

    def write_plots(self, folder: PathLike, progress: Callable[[int], object] | None = None) -> list[Path]:
        """Write the chart as an offline web page, as PNG and as SVG.

        Args:
            folder: Folder of the files; it is created if missing.
            progress: Function that takes the finished per cent.

        Raises:
            OSError: A file cannot be written; no partial file is left.
            ModuleNotFoundError: The packages of ``sledsim[plot]`` are not installed.
        """
        return write_chart(self, folder, progress)


class Reported:
    """A run, with a page of charts."""

    def report(self, path: PathLike) -> Path:
        """Write an offline page with the time of requests by part, responses, queue, seeks and energy.

        Charts of columns that the run did not keep are missing, and the page states it.

        Args:
            path: File name, with the ending ``.html``.

        Raises:
            ParameterError: The name has another ending.
            OSError: The file cannot be written; no partial file is left.
            ModuleNotFoundError: The packages of ``sledsim[plot]`` are not installed.
        """
        check_report(path)
        import_module(_RUN_PAGE).write_run_page(self, path)
        return Path(path)


def check_report(path: PathLike) -> None:
    """Check before a long run that a page can be written to a path; nothing is left behind.

    Raises:
        ParameterError: The name does not have the ending of a page.
        OSError: The page cannot be written.
    """
    if Path(path).suffix.lower() != _PAGE:
        raise _native.ParameterError(f"{path}: expected the name of a page, which ends in {_PAGE}")
    check_writable(path)


def write_side_by_side(entries: Sequence[Any], path: PathLike) -> None:
    """Write the page of several runs; see `sledsim.report_runs`."""
    import_module(_RUNS_PAGE).write_side_by_side(entries, path)


def write_explanations(made: Sequence[Any], path: PathLike) -> None:
    """Write the page of some explained requests of one run."""
    import_module(_EXPLANATIONS_PAGE).write_explanations(made, path)


def write_chart(
    result: object, folder: PathLike, progress: Callable[[int], object] | None = None
) -> list[Path]:
    """Write the chart of a result; see `Charted.write_plots`."""
    written: list[Path] = import_module(_TABLE).write(result, folder, progress)
    return written
