"""One command, from its words to its exit status."""

import typer

from .. import _native
from ..common import packages
from .app import app
from .interruption import INTERRUPTED
from .made_by import noted_command
from .output import print_error, print_note
from .own_code import print_own


def run() -> int:
    """Run the command that the words of the program say; what was wrong is said on stderr in a line."""
    before, packages.say = packages.say, print_note
    try:
        with noted_command():
            return _run()
    finally:
        packages.say = before


def _run() -> int:
    try:
        status: int = app(prog_name="sledsim", standalone_mode=False)
        return status
    except typer.TyperException as error:
        return _failed(error.format_message(), error.exit_code)
    except typer.Abort:
        return INTERRUPTED
    except _native.ParameterError as error:
        return _failed(str(error), 2)
    except _native.TraceError as error:
        status = _failed(str(error), 1)
        print_note(*getattr(error, "ways", ()))
        return status
    except UnicodeEncodeError as error:
        return _failed(f"expected names in UTF-8, found {error.object[:100]!r}", 2)
    except OSError as error:
        named = error.filename is not None and error.strerror
        return _failed(f"{error.filename}: {error.strerror}" if named else str(error), 1)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and error.name == "altair":
            return _failed(str(error), 1)
        if not print_own(error):
            raise
        return 1


def _failed(message: str, status: int) -> int:
    if message:  # There is none where the help has been printed instead.
        first, *shown = message.split("\n")
        is_marked = len(shown) == 2 and shown[1].strip() == "^"
        print_error(first if is_marked else message)
        print_note(*(shown if is_marked else ()))
    return status
