"""The command ``sledsim``: the Python API from a shell.

Exit status: 0 done, 1 the run failed, 2 wrong usage or parameter, 130 interrupted.
"""

import os
import signal
import sys


def main() -> None:
    """Run the command line; a user's mistake becomes one line on stderr, never a traceback."""
    is_heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_heeded:
        # What hears Ctrl-C takes a while to load, in which nothing is done that would have to be undone.
        signal.signal(signal.SIGINT, lambda *_: os._exit(130))
    from .interruption import INTERRUPTED, end, finish, listen

    try:
        if is_heeded:
            listen()
        from .program import run

        status = run()
        if is_heeded:
            finish()
    except KeyboardInterrupt:
        status = INTERRUPTED
    if status == INTERRUPTED:
        end()
    sys.exit(status)
