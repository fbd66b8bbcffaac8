"""Safe output to a terminal, and display of the progress of long work."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from ..common.progress import bars

#: Characters to escape: control characters (C0 and C1) except tabs and line ends, marks of the direction of
#: a text, and lone surrogates, which cannot be encoded.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


def seen(text: str) -> str:
    """Return a text with control characters escaped, since names from strangers' files may contain some."""
    return _UNSEEN.sub(lambda found: found.group().encode("unicode_escape").decode(), text)


def in_line(text: str) -> str:
    """Return a text as one line, with line ends and control characters escaped."""
    return seen(text).replace("\n", "\\n")


class Terminal(Console):
    """Console for stdout or stderr that prints every text literally, with control characters escaped."""

    def __init__(self, **options: Any) -> None:
        super().__init__(markup=False, highlight=False, emoji=False, **options)

    def render_str(self, text: str, **options: Any) -> Text:
        """Render a text with control characters escaped, even those that rich would drop, such as bells."""
        return super().render_str(seen(text), **options)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Render with control characters escaped, except those that rich itself adds, such as colours."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(seen(segment.text), segment.style)


#: Least number of seconds between two progress lines if stderr is no terminal.
_LINE_EVERY_S = 10.0


@contextmanager
def progress(title: str, total: float | None) -> Iterator[Callable[[int], object]]:
    """Show a progress bar during the block; the block reports finished work to the function that it gets.

    Args:
        title: Words for the work at the left of the bar, such as ``Reading``.
        total: Total amount of work in the unit of the reported work; None if it is unknown.
    """
    with counted_progress(title, total, "") as report:
        yield report


@contextmanager
def counted_progress(title: str, total: float | None, counted: str) -> Iterator["Report"]:
    """Show a progress bar with a count, such as finished requests, and the count per second.

    Args:
        title: Words for the work at the left of the bar, such as ``Reading``.
        total: Total amount of work in the unit of the reported work; None if it is unknown.
        counted: Word after the count, such as ``requests``.
    """
    console = Terminal(stderr=True)
    if not console.is_terminal:
        yield Report(_Lines(console, title, total, counted))
        return
    from rich.progress import TextColumn

    share = TextColumn("{task.percentage:>3.0f} %")
    counts = TextColumn("{task.fields[counts]}", markup=False)
    with bars(console, share, counts) as bar:
        yield Report(_Bar(bar, bar.add_task(title, total=total, counts=""), counted))


class Report:
    """Object to which the block of `counted_progress` reports finished work and the count."""

    def __init__(self, shown: "_Bar | _Lines") -> None:
        self._shown = shown
        self._begun_s = time.monotonic()

    def __call__(self, done: int) -> None:
        """Set the amount of finished work, in the unit of the total."""
        self._shown.show(done=done)

    def both(self, number: int) -> None:
        """Set the count, and the amount of finished work to the same number."""
        self(number)
        self.count(number)

    def count(self, number: int) -> None:
        """Set the count that the bar shows, such as the number of finished requests."""
        rate_per_s = number / max(time.monotonic() - self._begun_s, 1e-3)
        self._shown.show(counts=(number, rate_per_s))


def _in_words(counts: tuple[int, float], counted: str) -> str:
    number, rate_per_s = counts
    return f"{number:,} {counted}, {rate_per_s:,.0f}/s"


class _Bar:
    def __init__(self, bar: Any, task: Any, counted: str) -> None:
        self._bar, self._task, self._counted = bar, task, counted

    def show(self, done: int | None = None, counts: tuple[int, float] | None = None) -> None:
        if done is not None:
            self._bar.update(self._task, completed=done)
        if counts is not None:
            self._bar.update(self._task, counts=_in_words(counts, self._counted))


class _Lines:
    def __init__(self, console: Terminal, title: str, total: float | None, counted: str) -> None:
        self._console, self._title, self._total, self._counted = console, title, total, counted
        self._begun_s = self._said_s = time.monotonic()
        self._done = 0
        self._counts: tuple[int, float] | None = None

    def show(self, done: int | None = None, counts: tuple[int, float] | None = None) -> None:
        self._done = self._done if done is None else done
        self._counts = counts or self._counts
        now_s = time.monotonic()
        if now_s - self._said_s >= _LINE_EVERY_S:
            self._said_s = now_s
            self._console.print(f"{self._title}: {', '.join(self._parts(now_s))}", soft_wrap=True)

    def _parts(self, now_s: float) -> Iterator[str]:
        if self._total and self._done:
            share = min(self._done / self._total, 1.0)
            yield f"{share:.0%}"
        if self._counts is not None:
            yield _in_words(self._counts, self._counted)
        if self._total and self._done:
            yield f"{(now_s - self._begun_s) * (1 - share) / share:,.0f} s left"
        else:
            yield f"{now_s - self._begun_s:,.0f} s so far"
