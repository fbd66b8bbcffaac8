"""A progress bar on stderr, only where somebody watches."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .terminal import Terminal


@contextmanager
def progress(title: str, total: float | None) -> Iterator[Callable[[int], object] | None]:
    """Yield a function that is told the work done so far, or None where stderr is no terminal.

    Work whose amount is not known has a `total` of None.
    """
    console = Terminal(stderr=True)
    if not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.update(task, completed=done)
