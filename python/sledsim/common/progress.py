"""Progress of long work: the amount of finished work goes to a callback or to a progress bar.

Functions with an argument ``progress`` are decorated by `watched`. Values of the argument: a callback for the
amount of work done; True for a bar (of tqdm if installed, otherwise of rich); False for no bar. By default, a
notebook shows a bar if the work takes over two seconds, and other programs show no bar. Work inside other
work shows no bar.
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from importlib.util import find_spec
from typing import Any, ParamSpec, Protocol, TypeAlias, TypeVar

from .. import _native

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")

#: Callback that takes the amount of finished work.
Told: TypeAlias = Callable[[int], object]
#: Values of an argument ``progress``: callback; True for a bar; False for no bar; None for a bar only in
#: notebooks.
Progress: TypeAlias = Told | bool | None

#: Delay in seconds before a notebook shows a bar by itself, and time in seconds between two updates of the
#: bar.
_PATIENCE_S, _EVERY_S = 2.0, 0.2


def watched(function: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """Decorate a function so that its argument ``progress`` may be a callback, True, False or None."""
    place = function.__code__.co_varnames.index("progress")

    @wraps(function)
    def called(*args: Any, **options: Any) -> Any:
        by_place = len(args) > place
        given = args[place] if by_place else options.get("progress")
        with _watching(given, function.__name__.replace("_", " ")) as progress:
            if by_place:
                args = (*args[:place], progress, *args[place + 1 :])
            else:
                options["progress"] = progress
            return function(*args, **options)

    return called


def told(progress: Progress, total: float | None) -> Told | None:
    """Return the callback to which a `watched` function reports finished work, or None; set its `total`."""
    if isinstance(progress, Bar):
        progress.begin(total)
    return progress if callable(progress) else None


class Bar:
    """Progress bar that appears only if the work takes longer than a delay."""

    def __init__(self, title: str, patience_s: float) -> None:
        self._total: float | None = None
        self._begun = False
        self._title, self._due_s = title, time.monotonic() + patience_s
        self._drawn: _Drawn | None = None
        self._lock = threading.Lock()

    def begin(self, total: float | None) -> None:
        """Set the total amount of work, unless it is set already."""
        if not self._begun:
            self._begun, self._total = True, total
            self(0)

    def __call__(self, done: int) -> None:
        """Set the amount of finished work; any thread may call this."""
        with self._lock:
            if self._drawn is None:
                if time.monotonic() < self._due_s:
                    return
                self._drawn = _drawn(self._title, self._total)
            # Work that is repeated as a check is not part of the total.
            self._drawn.show(done if self._total is None else min(done, int(self._total)))

    def close(self) -> None:
        """Remove the bar."""
        if self._drawn is not None:
            self._drawn.close()


class _Depth:
    """Count of the `watched` functions that run now, one inside another or in several threads."""

    def __init__(self) -> None:
        self.count = 0
        self.lock = threading.Lock()

    def add(self, number: int) -> None:
        with self.lock:
            self.count += number


_DEPTH = _Depth()


@contextmanager
def _watching(given: Progress, title: str) -> Iterator[Told | None]:
    """Yield the callback or bar for the argument ``progress`` that is given; None for no progress."""
    if not (given is None or isinstance(given, bool) or callable(given)):
        raise _native.ParameterError(f"progress: expected a function, True, False or None, found {given!r}")
    by_itself = given is None and not _DEPTH.count and in_notebook()
    bar = Bar(title, _PATIENCE_S if by_itself else 0.0) if given is True or by_itself else None
    _DEPTH.add(1)
    try:
        yield bar if bar is not None else given if callable(given) else None
    finally:
        _DEPTH.add(-1)
        if bar is not None:
            bar.close()


def in_notebook() -> bool:
    """Return True if this process is the kernel of a notebook."""
    # A notebook kernel has loaded IPython.
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return getattr(shell, "kernel", None) is not None


class _Drawn(Protocol):
    """A progress bar that is shown by tqdm, rich or a notebook."""

    def show(self, done: int) -> None: ...

    def close(self) -> None: ...


def _drawn(title: str, total: float | None) -> _Drawn:
    if find_spec("tqdm") is not None:
        return _Tqdm(title, total)
    return _InNotebook(title, total) if in_notebook() else _InTerminal(title, total)


class _Tqdm:
    def __init__(self, title: str, total: float | None) -> None:
        # The widgets of tqdm need a library that notebooks may lack; without it, tqdm draws a text bar.
        if in_notebook() and find_spec("ipywidgets") is not None:
            from tqdm.notebook import tqdm
        else:
            from tqdm.std import tqdm
        self._bar: Any = tqdm(total=total, desc=title, leave=False)

    def show(self, done: int) -> None:
        self._bar.update(done - self._bar.n)

    def close(self) -> None:
        self._bar.close()


def bars(console: Any, *figures: Any, **options: Any) -> Any:
    """Return a display of progress bars by `rich`, each with the columns `figures` before the remaining time.

    The display is erased when it is done.
    """
    from rich.progress import BarColumn, Progress as Bars, TextColumn, TimeRemainingColumn

    # Titles have names of files, which must not be read as markup.
    title = TextColumn("{task.description}", markup=False)
    columns = (title, BarColumn(), *figures, TimeRemainingColumn())
    return Bars(*columns, console=console, transient=True, **options)


def _rich(title: str, total: float | None, **options: Any) -> tuple[Any, Any]:
    """Return a display of `rich` with one progress bar, and the bar's number in the display."""
    from rich.console import Console
    from rich.progress import TaskProgressColumn

    made = bars(Console(stderr=True), TaskProgressColumn(show_speed=True), **options)
    return made, made.add_task(title, total=total)


class _InTerminal:
    def __init__(self, title: str, total: float | None) -> None:
        self._bars, self._task = _rich(title, total)
        self._bars.start()

    def show(self, done: int) -> None:
        self._bars.update(self._task, completed=done)

    def close(self) -> None:
        self._bars.stop()


class _InNotebook:
    """Progress bar of `rich` in a notebook: HTML that each update replaces, without widgets."""

    def __init__(self, title: str, total: float | None) -> None:
        from IPython import display

        show: Any = display.display  # IPython has no types.
        self._bars, self._task = _rich(title, total, auto_refresh=False)
        self._handle = show(self._picture(), display_id=True)
        self._shown_s = time.monotonic()

    def show(self, done: int) -> None:
        self._bars.update(self._task, completed=done)
        if time.monotonic() - self._shown_s >= _EVERY_S:
            self._shown_s = time.monotonic()
            self._handle.update(self._picture())

    def close(self) -> None:
        self._handle.update({"text/plain": ""}, raw=True)

    def _picture(self) -> Any:
        return self._bars.make_tasks_table(self._bars.tasks)
