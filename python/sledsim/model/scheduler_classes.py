"""Custom policies that users name as ``file.py:Name``, with options and wrappers after the name."""

import inspect
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from .. import _native
from .core_tables import rows
from .own_classes import OwnKind, load
from .scheduling import REGISTERED, share_scheduler

_Given = TypeVar("_Given")

#: Pattern of the name of a class or function, followed by options and wrappers.
_OWN = re.compile(r"(?P<own>(?P<where>.+?\.py|[A-Za-z_][\w.]*):[A-Za-z_]\w*)(?P<rest>(?:[:+].*)?)", re.DOTALL)
#: Pattern of a Python file that is not followed by the name of a class or function.
_FILE = re.compile(r"(?P<file>[^:+]+\.py):?(?P<rest>\+.*)?", re.DOTALL)

#: Facts about custom policies with which `own_classes` imports and registers them.
SCHEDULERS = OwnKind(
    "scheduler",
    "class or function",
    "a function or a class with a method choose",
    "built-in policy or wrapper",
    lambda found: inspect.isfunction(found) or callable(getattr(found, "choose", None)),
    REGISTERED.get,
    lambda: {*rows("schedulers"), *rows("wrappers")},
    share_scheduler,
)


def imported_schedulers(given: _Given) -> _Given:
    """Import custom policies such as ``file.py:Name`` and replace their names by registered names.

    Args:
        given: A name such as ``file.py:Fair:depth=3+deadline``, with options and wrappers; or a list of
            names; or a mapping in which ``scheduler`` has names. Any other value is returned unchanged.

    Raises:
        ParameterError: The class or function does not exist, or is not a policy.
        OSError: The file does not exist.
    """
    found: Any = given
    if isinstance(given, str):
        found = _imported(given)
    elif isinstance(given, Mapping):
        found = {key: imported_schedulers(one) if key == "scheduler" else one for key, one in given.items()}
    elif isinstance(given, list | tuple):
        found = [imported_schedulers(one) for one in given]
    return found  # type: ignore[no-any-return]


def _imported(text: str) -> str:
    if file := _FILE.fullmatch(text):
        raise _native.ParameterError(
            f"scheduler = {text}: expected a class or function of the file, as {file['file']}:Name"
        )
    own = _OWN.fullmatch(text)
    if own is None or (not own["where"].endswith(".py") and not _is_module(own["where"])):
        return text
    return load(own["own"], SCHEDULERS) + own["rest"]


def _is_module(name: str) -> bool:
    """Return True if a name is that of a Python module, False if it is that of a known policy."""
    try:
        _native.row_name("schedulers", name)
    except _native.ParameterError:
        return True
    return False
