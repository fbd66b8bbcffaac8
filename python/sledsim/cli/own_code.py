"""What code of a user's own, or of an installed package, raises: its traceback, from where that begins."""

import sysconfig
import traceback
from pathlib import Path
from types import TracebackType

from ..common import packages

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
