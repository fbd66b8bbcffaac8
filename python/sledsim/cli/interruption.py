"""Ctrl-C, whatever is at work: a library that has no ear for signals is not waited for."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

from .. import _native

#: The exit status of what a user has interrupted.
INTERRUPTED = 130


def listen() -> None:
    """From now on Ctrl-C ends the program: by `KeyboardInterrupt`, or, where that takes too long, at once.

    Signals are handled between steps of Python, so that a long sort or the drawing of a chart, which are one
    step, would go on to their end. A thread that does not need Python takes away unfinished outputs and ends
    the program, and does not wait where Ctrl-C comes twice. Where Ctrl-C is ignored, as in the background of
    a shell, it is to stay so.
    """
    signal.set_wakeup_fd(_native.watch_interruptions(), warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def finish() -> None:
    """What was to be done is done, and said: from now on Ctrl-C comes too late."""
    with suppress(OSError, ValueError):
        print(end="", flush=True)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def end() -> NoReturn:
    """End what has been interrupted; nothing is waited for."""
    with suppress(OSError, ValueError):
        sys.stdout.flush()
    _native.end_interrupted()


@contextmanager
def left_to_python() -> Iterator[None]:
    """While the block lasts, Ctrl-C is only a `KeyboardInterrupt`: there is something to be undone."""
    _native.leave_interruptions_to_python(True)
    try:
        yield
    finally:
        _native.leave_interruptions_to_python(False)
