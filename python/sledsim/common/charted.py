"""Base classes of results that have a chart or a page.

A result has no code for charts: a table in the package `charts` maps results to charts.
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
    """Base class of a result that can be drawn as a chart."""

    def plot(self) -> Any:
        """Return the chart of the result as an Altair chart (needs ``sledsim[plot]``)."""
        return import_module(_TABLE).draw(self)

    def write_plots(self, folder: PathLike, progress: Callable[[int], object] | None = None) -> list[Path]:
        """Write the chart of the result as a web page that works offline, as PNG and as SVG.

        Args:
            folder: Folder of the files; it is created if missing.
            progress: Callback for the percentage done.

        Raises:
            OSError: A file cannot be written; no partial file is left.
            ModuleNotFoundError: The packages of ``sledsim[plot]`` are not installed.
        """
        return write_chart(self, folder, progress)


class Reported:
    """Base class of runs: it adds the method `report`, which writes a page of charts."""

    def report(self, path: PathLike) -> Path:
        """Write a page of charts that works offline: time by phase, response times, queue, seeks, energy.

        If the run did not keep the columns of a chart, the page names the missing chart.

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
    """Check before a long run that a page can be written to a path, without leaving a file.

    Raises:
        ParameterError: The name does not end in ``.html``.
        OSError: The page cannot be written.
    """
    if Path(path).suffix.lower() != _PAGE:
        raise _native.ParameterError(f"{path}: expected the name of a page, which ends in {_PAGE}")
    check_writable(path)


def write_side_by_side(entries: Sequence[Any], path: PathLike) -> None:
    """Write a page that compares several runs (see `sledsim.report_runs`)."""
    import_module(_RUNS_PAGE).write_side_by_side(entries, path)


def write_explanations(made: Sequence[Any], path: PathLike) -> None:
    """Write a page with the explanations of some requests of one run."""
    import_module(_EXPLANATIONS_PAGE).write_explanations(made, path)


def write_chart(
    result: object, folder: PathLike, progress: Callable[[int], object] | None = None
) -> list[Path]:
    """Write the chart of a result to files (see `Charted.write_plots`)."""
    written: list[Path] = import_module(_TABLE).write(result, folder, progress)
    return written
