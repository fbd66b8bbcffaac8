"""The command ``sledsim``: the Python API from a shell.

Exit status: 0 success, 1 the run failed, 2 wrong usage or parameter, 130 interrupted by Ctrl-C, 143 ended by
SIGTERM, 129 ended by SIGHUP.
"""

import os
import signal
import sys


def main() -> None:
    """Run the command line; a user's mistake prints one line on stderr, never a traceback."""
    usual = (signal.default_int_handler, signal.SIG_DFL)
    ending = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    heeded = [number for number in ending if signal.getsignal(number) in usual]
    for number in heeded:
        # Before the signal handlers are loaded, the program does nothing that an interruption must undo.
        signal.signal(number, lambda number, _: os._exit(128 + number))
    from .interruption import INTERRUPTED, end, finish, has_heard, listen

    try:
        listen(heeded)
        from .program import run

        status = run()
        finish(heeded)
    except KeyboardInterrupt:
        status = INTERRUPTED
    except (OSError, RuntimeError):
        # A closed terminal cannot print the last message; a lock interrupted in the middle is released twice.
        if not has_heard():
            raise
        status = INTERRUPTED
    if status == INTERRUPTED:
        end()
    sys.exit(status)
