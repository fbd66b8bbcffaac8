"""Classes of devices of a user's own by their names: ``file.py:Class`` or ``module:Class``."""

import dataclasses
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from .. import _native
from ..common.nested import replaced
from .core_tables import rows, table
from .devices import is_class
from .own_classes import OwnKind, load
from .own_devices import register_device, registered
from .scheduler_classes import imported_schedulers

#: Devices, as `own_classes` loads them.
DEVICES = OwnKind(
    "device",
    "class",
    "a dataclass",
    "built-in device or kind",
    lambda found: dataclasses.is_dataclass(found) and not hasattr(found, "choose"),
    registered,
    lambda: {*rows("kinds"), *(name for name, *_ in _native.devices())},
    register_device,
)


def imported_name(text: str) -> str:
    """The name of a device; where a class is named instead, it is imported and registered.

    Raises:
        ParameterError: As `load_device_class`, or a file of Python is named without a class.
        OSError: As `load_device_class`.
    """
    file = text.removesuffix(":")
    if file.endswith(".py"):
        raise _native.ParameterError(f"device = {text}: expected a class of the file, as {file}:Class")
    return load_device_class(text) if is_class(text) else text


def imported_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of a volume, in which members and policies may be classes, which are registered.

    Raises:
        ParameterError: As `imported_name`.
        OSError: As `imported_name`.
    """
    named = replaced(
        settings, lambda one: imported_name(one) if isinstance(one, str) else one, _roles() | {"extends"}
    )
    schedulers = {"scheduler", *(key for key in settings if key.endswith(".scheduler"))}
    found: dict[str, Any] = replaced(named, imported_schedulers, _roles() | schedulers)
    return found


def imported_members(text: str) -> str:
    """A kind of volume with its options, ``mirror:device=file.py:Class``, of which classes are registered.

    Raises:
        ParameterError: As `imported_name`.
        OSError: As `imported_name`.
    """
    kind, colon, options = text.partition(":")
    parts = [part.partition("=") for part in options.split(",")]
    changes: dict[str, Callable[[str], str]] = dict.fromkeys(_roles(), imported_name)
    changes["scheduler"] = imported_schedulers
    said = (f"{key}{sign}{changes.get(key.strip(), str)(value)}" for key, sign, value in parts)
    return f"{kind}{colon}{','.join(said)}"


@cache
def _roles() -> frozenset[str]:
    """What the members of volumes are called."""
    return frozenset(role for row in table("volumes").values() for role, *_ in row.members)


def load_device_class(text: str) -> str:
    """Import a class of devices that is named as ``module:Class`` or ``file.py:Class``, and register it.

    Returns:
        The name under which it is registered: that of the class in small letters, ``LinearTape`` is
        ``linear-tape``.

    Raises:
        ParameterError: As `own_classes.load`.
        OSError: As `own_classes.load`.
    """
    return load(text, DEVICES)
