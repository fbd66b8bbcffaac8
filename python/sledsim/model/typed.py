"""Devices and volumes by the names that users type; device classes in users' files are imported.

Code that reads files must not use this module: names in files go to `load_device` and `load_volume`, which
import no classes. A test checks this.
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
        name_or_path: Name from `devices`, or path of a file; or the user's device class as ``module:Class``
            or ``file.py:Class``, which is imported and registered (`register_device`).
        overrides: Parameters to change, by the keys of a device file.

    Raises:
        ParameterError: A name or key is unknown, or a value is out of range.
        OSError: The file cannot be read.
    """
    return load_device(imported(name_or_path), **overrides)


def volume(name_or_path: str | os.PathLike[str], /, scheduler: str | None = None, **settings: Any) -> Volume:
    """Make a volume of a kind, or the volume that a file (TOML) describes.

    Args:
        name_or_path: Kind from `volumes`, with any options behind a colon: ``raid5:devices=5``; or path of a
            file with ``volume = "raid5"``, options and members.
        scheduler: Policy of each member without its own policy, unless a run has another policy; None is the
            policy in the file, or ``sptf``.
        settings: Options and members to change, by key. A member is the name of a device or of the user's
            device class, as for `device`; or a device or volume, which keeps its policies; or a dictionary
            with the key ``device`` or ``volume``; or a list of these. ``**{"disk.rotation_rpm": 15000}``
            changes a parameter of a member.

    Raises:
        ParameterError: A name or key is unknown, or a value is out of range.
        OSError: The file cannot be read.
    """
    return load_volume(imported_members(os.fspath(name_or_path)), scheduler, **imported_settings(settings))


def imported(given: _Given) -> _Given:
    """Import device classes such as ``file.py:Class``, and replace their names by names of kinds of devices.

    Args:
        given: A name or path, or a list or mapping of such; any other value, such as a device, is returned
            unchanged.

    Raises:
        ParameterError: The class does not exist.
        OSError: The file does not exist.
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
    """Import and register a device class, or a class or function that is a policy.

    Returns:
        The name under which the class or function is registered.

    Raises:
        ParameterError: The class or function is invalid, as for `own_classes.load`.
        OSError: The file cannot be read.
    """
    return load(text, DEVICES, SCHEDULERS)


def taking_own_policies(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function so that its arguments for policies accept ``file.py:Name``, too."""
    names = {"scheduler", "schedulers", "over"}
    order = list(signature(function).parameters)
    if not names & {*order}:
        return function

    @wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        # Python refuses surplus arguments.
        keys = [*order[: len(given)], *[""] * (len(given) - len(order))]
        pairs = zip(keys, given, strict=True)
        changed = [imported_schedulers(one) if key in names else one for key, one in pairs]
        others = {key: imported_schedulers(one) if key in names else one for key, one in named.items()}
        return function(*changed, **others)

    return call
