"""The command ``sledsim``: the Python API from a shell.

Exit status: 0 done, 1 the run failed, 2 wrong usage or parameter, 130 interrupted.
"""

import sys

import typer

from .. import _native
from .app import app
from .output import print_error


def main() -> None:
    """Run the command line; a user's mistake becomes one line on stderr, never a traceback."""
    try:
        status = app(standalone_mode=False)
    except typer.TyperException as error:
        status = _failed(error.format_message(), error.exit_code)
    except typer.Abort:
        status = 130
    except _native.ParameterError as error:
        status = _failed(str(error), 2)
    except _native.TraceError as error:
        status = _failed(str(error), 1)
    except UnicodeEncodeError as error:
        status = _failed(f"expected words in UTF-8, found {error.object!r}", 2)
    except OSError as error:
        named = error.filename is not None and error.strerror
        status = _failed(f"{error.filename}: {error.strerror}" if named else str(error), 1)
    except ModuleNotFoundError as error:
        if error.name != "altair":
            raise
        status = _failed(str(error), 1)
    sys.exit(status)


def _failed(message: str, status: int) -> int:
    if message:  # There is none where the help has been printed instead.
        print_error(message)
    return status
