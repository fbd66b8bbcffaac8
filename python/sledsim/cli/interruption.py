"""Ctrl-C and its like, whatever is at work: a library that has no ear for signals is not waited for."""

import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn

from .. import _native

#: The exit status of what a user has interrupted.
INTERRUPTED = 130
#: The signals that have been heard.
_heard: list[int] = []


def listen(signals: Iterable[int] = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)) -> None:
    """From now on these end the program: by `KeyboardInterrupt`, or, where that takes too long, at once.

    Signals are handled between steps of Python, so that a long sort or the drawing of a chart, which are one
    step, would go on to their end. A thread that does not need Python takes away unfinished outputs and ends
    the program, and does not wait where Ctrl-C comes twice. A signal that is ignored, as Ctrl-C in the
    background of a shell and SIGHUP under ``nohup``, is to stay so, and is none of them.
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
    """Say nothing of Ctrl-C in what raises nothing, as the end of an object: the other thread hears it."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)


def has_heard() -> bool:
    """Whether a signal was to end the program."""
    return bool(_heard)


def finish(signals: Iterable[int]) -> None:
    """What was to be done is done, and said: from now on these come too late."""
    with suppress(OSError, ValueError):
        print(end="", flush=True)
    for number in signals:
        signal.signal(number, signal.SIG_IGN)


def end() -> NoReturn:
    """End what has been interrupted, with 128 and the number of the signal; nothing is waited for."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    _native.end_interrupted(_heard[0] if _heard else signal.SIGINT)


@contextmanager
def left_to_python() -> Iterator[None]:
    """While the block lasts, Ctrl-C is only a `KeyboardInterrupt`: there is something to be undone."""
    _native.leave_interruptions_to_python(True)
    try:
        yield
    finally:
        _native.leave_interruptions_to_python(False)


@contextmanager
def kept_in(folder: Path | None) -> Iterator[None]:
    """Say, where somebody interrupts, what is kept in the ledger of a folder, and how to go on.

    What ends the program says it, for that may be a thread that does not wait for Python.
    """
    from .terminal import in_line

    nothing = "stopped: nothing is kept; with --out FOLDER the same command goes on where it was"
    kept = None
    if folder is not None:
        nothing = in_line(f"stopped: nothing is kept in {folder} yet; the same command starts again")
        kept = folder, in_line(f"stopped: what is done is kept in {folder}; the same command goes on")
    _native.say_at_the_end((nothing, kept))
    try:
        yield
    finally:
        if not isinstance(sys.exc_info()[1], KeyboardInterrupt):
            _native.say_at_the_end(None)
