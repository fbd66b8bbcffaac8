"""Policies of a user's own by their names: ``file.py:Name``, with options and wrappers behind."""

import inspect
import re
from collections.abc import Mapping
from typing import Any, TypeVar

from .. import _native
from .core_tables import rows
from .own_classes import OwnKind, load
from .scheduling import REGISTERED, share_scheduler

_Given = TypeVar("_Given")

#: A class or function before its options and wrappers, and those.
_OWN = re.compile(r"(?P<own>(?P<where>.+?\.py|[A-Za-z_][\w.]*):[A-Za-z_]\w*)(?P<rest>(?:[:+].*)?)", re.DOTALL)
#: A file of Python, of which nothing is named.
_FILE = re.compile(r"(?P<file>[^:+]+\.py):?(?P<rest>\+.*)?", re.DOTALL)

#: Policies, as `own_classes` loads them.
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
    """The policies that are given, of which each class or function is imported and has become its name.

    Args:
        given: A name with options and wrappers, ``file.py:Fair:depth=3+deadline``; a list of such; or a
            mapping that has them under ``scheduler``. What is none of these stays as it is.

    Raises:
        ParameterError: There is no such class or function, or it is no policy.
        OSError: There is no such file.
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
    """Tell whether a module is meant, and no policy with an option that lacks its value."""
    try:
        _native.row_name("schedulers", name)
    except _native.ParameterError:
        return True
    return False
