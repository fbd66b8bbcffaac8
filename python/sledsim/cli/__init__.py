"""The command ``sledsim``: the Python API from a shell.

Exit status: 0 done, 1 the run failed, 2 wrong usage or parameter, 130 interrupted.
"""

import sys

from .interruption import INTERRUPTED, end, listen


def main() -> None:
    """Run the command line; a user's mistake becomes one line on stderr, never a traceback."""
    listen()
    try:
        # Loading takes a while, in which Ctrl-C is heard, too.
        from .program import run

        status = run()
    except KeyboardInterrupt:
        status = INTERRUPTED
    if status == INTERRUPTED:
        end()
    sys.exit(status)
