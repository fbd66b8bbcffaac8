"""Handling of Ctrl-C and other signals, also while a library runs that does not react to signals."""

import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

from .. import _native

#: Exit status of a command that the user has interrupted.
INTERRUPTED = 130
#: Numbers of the signals that have arrived to end the program, the first one first.
_heard: list[int] = []


def listen(signals: Iterable[int] = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)) -> None:
    """Make these signals raise `KeyboardInterrupt`, or end the process if a long call delays the exception.

    Python handles signals only between its steps, so that one long step, such as a sort or the drawing of a
    chart, would delay the end. Therefore a thread that runs no Python code removes unfinished outputs and
    ends the program; a second Ctrl-C ends the program at once. Signals that were ignored before, such as
    Ctrl-C in the background of a shell and SIGHUP under ``nohup``, stay ignored.
    """
    numbers = [*map(int, signals)]
    sys.unraisablehook = _swallowed
    signal.set_wakeup_fd(_native.watch_interruptions(numbers), warn_on_full_buffer=False)
    for number in numbers:
        signal.signal(number, _interrupt)


def _interrupt(number: int, _: FrameType | None) -> NoReturn:
    _heard.append(number)
    raise KeyboardInterrupt


def _swallowed(unraisable: "sys.UnraisableHookArgs") -> None:
    """Hide the traceback if Ctrl-C arrives in a destructor; a thread of the core then ends the program."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)


def has_heard() -> bool:
    """Return True if the program has received a signal to end."""
    return bool(_heard)


def finish(signals: Iterable[int]) -> None:
    """Ignore these signals from now on, because all output is complete."""
    with suppress(OSError, ValueError):
        print(end="", flush=True)
    for number in signals:
        signal.signal(number, signal.SIG_IGN)


def end() -> NoReturn:
    """End the interrupted program without delay; exit status: 128 plus the number of the signal."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    _native.end_interrupted(_heard[0] if _heard else signal.SIGINT)


@contextmanager
def left_to_python() -> Iterator[None]:
    """During the block, let Ctrl-C raise `KeyboardInterrupt` and not end the process, for a clean end."""
    _native.leave_interruptions_to_python(True)
    try:
        yield
    finally:
        _native.leave_interruptions_to_python(False)


@contextmanager
def kept_in(folder: Path | None) -> Iterator[None]:
    """If a signal interrupts the block, print whether `folder` has results, and how to resume.

    The code that ends the program prints the note, because that code may be a thread without Python.
    """
    from .terminal import in_line

    nothing = "stopped: no results are kept; with --out FOLDER, the same command would resume"
    kept = None
    if folder is not None:
        nothing = in_line(f"stopped: no results in {folder} yet; the same command starts from the beginning")
        kept = folder, in_line(f"stopped: finished results are kept in {folder}; the same command resumes")
    _native.say_at_the_end((nothing, kept))
    try:
        yield
    finally:
        if not (has_heard() or isinstance(sys.exc_info()[1], KeyboardInterrupt)):
            _native.say_at_the_end(None)
