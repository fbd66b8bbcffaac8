"""Plots of a command, where the plotting libraries are installed."""

from collections.abc import Callable
from pathlib import Path

from .output import print_note
from .progress import progress


def write_plots(
    write: Callable[[Path, Callable[[int], object] | None], list[Path]], folder: Path
) -> list[Path]:
    """Write plots, and without the plotting libraries say how to get them.

    Args:
        write: Is told the folder, and whom to report the percentage to; gives the files it has written.
        folder: Where.
    """
    try:
        from ..charts import rendering

        rendering.check_room()
    except (ModuleNotFoundError, OSError) as error:
        print_note(f"no plots: {getattr(error, 'strerror', None) or error}")
        return []
    with progress("Plotting", 100) as report:
        return write(folder, report)
