"""Devices and volumes as a user names them in a call or a command, where a class of devices is imported.

No reader of files may use this module, as a test of the package's map checks: what comes out of a file goes
to `load_device` and `load_volume`, which import nothing.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import signature
from typing import Any, TypeVar

from .device_classes import (
    DEVICES,
    imported_members as imported_members,
    imported_name,
    imported_settings as imported_settings,
)
from .devices import Device, load_device
from .own_classes import load
from .scheduler_classes import SCHEDULERS, imported_schedulers as imported_schedulers
from .volumes import Volume, load_volume

_Given = TypeVar("_Given")


def device(name_or_path: str | os.PathLike[str], /, **overrides: Any) -> Device:
    """Load a built-in device or a device file (TOML).

    Args:
        name_or_path: A name out of `devices`, or the path of a file; or a class of your own as
            ``module:Class`` or ``file.py:Class``, which is imported and registered (`register_device`).
        overrides: Parameters to change, by the device file's keys.

    Raises:
        ParameterError: A name or key is unknown, or a value is out of range.
        OSError: The file cannot be read.
    """
    return load_device(imported(name_or_path), **overrides)


def volume(name_or_path: str | os.PathLike[str], /, scheduler: str | None = None, **settings: Any) -> Volume:
    """Make a volume of a kind, or the one that a file (TOML) describes.

    Args:
        name_or_path: One of `volumes`, with options if any are to be given: ``raid5:devices=5``; or the path
            of a file with ``volume = "raid5"``, options and members.
        scheduler: The policy of each device that has none of its own, unless a run says another; None for
            that of the file, or ``sptf``.
        settings: Options and members to change. A member is the name of a device or a class of your own, as
            `device` takes it, a device or volume, which keeps the policies that it was made with, a
            dictionary with ``device`` or ``volume`` in it, or a list of such;
            ``**{"disk.rotation_rpm": 15000}`` changes a parameter of a member.

    Raises:
        ParameterError: A name or key is unknown, or a value is out of range.
        OSError: The file cannot be read.
    """
    return load_volume(imported_members(os.fspath(name_or_path)), scheduler, **imported_settings(settings))


def imported(given: _Given) -> _Given:
    """The devices that are given, of which each class is imported and has become the name of its kind.

    Args:
        given: A name, a path, or anything else, such as a device; or a list or a mapping of such.

    Raises:
        ParameterError: There is no such class.
        OSError: There is no such file.
    """
    found: Any = given
    if isinstance(given, str | os.PathLike):
        text = os.fspath(found)
        name = imported_name(text)
        found = given if name == text else name
    elif isinstance(given, Mapping):
        found = {key: imported(one) for key, one in given.items()}
    elif isinstance(given, Iterable):
        found = [imported(one) for one in given]
    return found  # type: ignore[no-any-return]


def load_own(text: str) -> str:
    """Import a class of devices, or a class or function that is a policy, and register it.

    Returns:
        The name under which it is registered.

    Raises:
        ParameterError: As `own_classes.load`.
        OSError: As `own_classes.load`.
    """
    return load(text, DEVICES, SCHEDULERS)


def taking_own_policies(function: Callable[..., Any]) -> Callable[..., Any]:
    """A public function that takes policies by file and class where it takes policies."""
    names = {"scheduler", "schedulers", "over"}
    order = list(signature(function).parameters)
    if not names & {*order}:
        return function

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        # What is too much Python refuses.
        keys = [*order[: len(given)], *[""] * (len(given) - len(order))]
        pairs = zip(keys, given, strict=True)
        changed = [imported_schedulers(one) if key in names else one for key, one in pairs]
        others = {key: imported_schedulers(one) if key in names else one for key, one in named.items()}
        return function(*changed, **others)

    return call
