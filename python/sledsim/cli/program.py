"""Run of the command line, from the typed words to the exit status, with one line for each error."""

import sysconfig
import traceback
from pathlib import Path
from types import TracebackType

import typer

from .._native import ParameterError, TraceError
from ..common import deprecation, packages
from .app import app
from .interruption import INTERRUPTED
from .output import print_error, print_note
from .shell import noted_command

#: Folders whose code is not the user's: this package, the standard library, and installed packages.
_OTHERS = (Path(__file__).parents[1], *map(Path, map(sysconfig.get_path, ("stdlib", "purelib", "platlib"))))


def print_own(error: Exception) -> bool:
    """Print the traceback of an error in the user's code, from the first frame of that code on.

    Returns:
        True if the traceback was printed; False if the user's code did not raise the error.
    """
    at = error.__traceback__
    while at is not None and not _is_own(at):
        at = at.tb_next
    # A file that is not valid Python has no frame; the error itself names the place.
    if at is None and not isinstance(error, SyntaxError):
        return False
    traceback.print_exception(type(error), error, at)
    return True


def _is_own(at: TracebackType) -> bool:
    file = at.tb_frame.f_code.co_filename
    if packages.owns(at.tb_frame.f_globals.get("__name__", "")):
        return True
    return not file.startswith("<") and not any(Path(file).is_relative_to(other) for other in _OTHERS)


def run() -> int:
    """Run the command that the user typed, and return the exit status; an error prints a line on stderr."""
    before = packages.say, deprecation.say
    packages.say, deprecation.say = print_note, lambda message, _: print_note(message)
    try:
        with noted_command():
            return _run()
    finally:
        packages.say, deprecation.say = before


def _run() -> int:
    try:
        status: int = app(prog_name="sledsim", standalone_mode=False)
        return status
    except typer.TyperException as error:
        return _failed(error.format_message(), error.exit_code)
    except typer.Abort:
        return INTERRUPTED
    except ParameterError as error:
        return _failed(str(error), 2)
    except TraceError as error:
        status = _failed(str(error), 1)
        print_note(*getattr(error, "ways", ()))
        return status
    except UnicodeEncodeError as error:
        return _failed(f"expected names of files and devices in UTF-8, found {error.object[:100]!r}", 2)
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
    if message:  # Empty if the help was printed instead.
        first, *shown = message.split("\n")
        is_marked = len(shown) == 2 and shown[1].strip() == "^"
        print_error(first if is_marked else message)
        print_note(*(shown if is_marked else ()))
    return status
