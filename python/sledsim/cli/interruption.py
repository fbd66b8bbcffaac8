"""Ctrl-C, whatever is at work: a library that has no ear for signals is not waited for."""

import os
import signal
import sys
import threading
from types import FrameType

#: The exit status of what a user has interrupted.
INTERRUPTED = 130
#: How long Python may take to hear of it: our own compiled code asks twenty times a second.
_PATIENCE_S = 0.3


def listen() -> None:
    """From now on Ctrl-C ends the program: by `KeyboardInterrupt`, or, where that is not raised, at once.

    Signals are handled between steps of Python, so that a long sort or the drawing of a chart, which are one
    step, would go on to their end. A thread beside them takes away unfinished outputs and ends the program.
    Where Ctrl-C is ignored, as in the background of a shell, it stays so.
    """
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    heard = threading.Event()

    def interrupt(number: int, frame: FrameType | None) -> None:
        heard.set()
        raise KeyboardInterrupt

    readable, writable = os.pipe()
    os.set_blocking(writable, False)
    signal.set_wakeup_fd(writable, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, interrupt)

    def watch() -> None:
        while number := os.read(readable, 1):
            # Who has taken Ctrl-C over since is not to be ended.
            if number[0] != signal.SIGINT or signal.getsignal(signal.SIGINT) is not interrupt:
                continue
            if not heard.wait(_PATIENCE_S):
                _end()
            heard.clear()

    threading.Thread(target=watch, daemon=True).start()


def _end() -> None:
    from ..unfinished import remove_unfinished

    remove_unfinished()
    if sys.stderr.isatty():
        # A progress bar hides the cursor.
        os.write(sys.stderr.fileno(), b"\r\x1b[K\x1b[?25h")
    os._exit(INTERRUPTED)
