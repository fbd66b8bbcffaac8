"""One command, from its words to its exit status; an error in a user's own code shows where."""

import sysconfig
import traceback
from pathlib import Path
from types import TracebackType

import typer

from .. import _native
from ..common import deprecation, packages
from .app import app
from .interruption import INTERRUPTED
from .output import print_error, print_note
from .shell import noted_command

#: What is not the user's: this package, and what is installed.
_OTHERS = (Path(__file__).parents[1], *map(Path, map(sysconfig.get_path, ("stdlib", "purelib", "platlib"))))


def print_own(error: Exception) -> bool:
    """Print the traceback of what was raised in a user's code, without the frames that led there.

    Returns:
        Whether it was; if not, nothing is printed.
    """
    at = error.__traceback__
    while at is not None and not _is_own(at):
        at = at.tb_next
    # Of a file that is no Python there is no frame; what is raised says where it is.
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
    """Run the command that the words of the program say; what was wrong is said on stderr in a line."""
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
