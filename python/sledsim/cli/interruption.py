"""Handling of Ctrl-C and other signals, without waiting for a library that does not react to them."""

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
#: Signals that have arrived.
_heard: list[int] = []


def listen(signals: Iterable[int] = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)) -> None:
    """End the program on these signals: by `KeyboardInterrupt`, or, if that takes too long, at once.

    Python handles signals between its steps, so that one long step, such as a sort or the drawing of a chart,
    would run to its end. A thread without Python removes unfinished outputs and ends the program, and ends it
    at once on a second Ctrl-C. Ignored signals, such as Ctrl-C in the background of a shell and SIGHUP under
    ``nohup``, stay ignored.
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
    """Hide the traceback of a Ctrl-C in a destructor; the other thread ends the program."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)


def has_heard() -> bool:
    """Return True if a signal has arrived to end the program."""
    return bool(_heard)


def finish(signals: Iterable[int]) -> None:
    """Ignore these signals from now on: all work and all output are complete."""
    with suppress(OSError, ValueError):
        print(end="", flush=True)
    for number in signals:
        signal.signal(number, signal.SIG_IGN)


def end() -> NoReturn:
    """End the interrupted program at once, with 128 plus the number of the signal as exit status."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    _native.end_interrupted(_heard[0] if _heard else signal.SIGINT)


@contextmanager
def left_to_python() -> Iterator[None]:
    """Handle Ctrl-C only as a `KeyboardInterrupt` during the block, which has cleanup to do."""
    _native.leave_interruptions_to_python(True)
    try:
        yield
    finally:
        _native.leave_interruptions_to_python(False)


@contextmanager
def kept_in(folder: Path | None) -> Iterator[None]:
    """Print, after an interruption, the results kept in the ledger of a folder and the way to resume.

    The code that ends the program prints the note, since it may be a thread that does not wait for Python.
    """
    from .terminal import in_line

    nothing = "stopped: no results kept; with --out FOLDER the same command would resume"
    kept = None
    if folder is not None:
        nothing = in_line(f"stopped: no results in {folder} yet; the same command starts again")
        kept = folder, in_line(f"stopped: finished results are kept in {folder}; the same command resumes")
    _native.say_at_the_end((nothing, kept))
    try:
        yield
    finally:
        if not isinstance(sys.exc_info()[1], KeyboardInterrupt):
            _native.say_at_the_end(None)
