"""Device classes that users name as ``file.py:Class`` or ``module:Class``."""

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

#: Facts about device classes with which `own_classes` imports and registers them.
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
    """Return the name of a kind for a device class, which is imported; return any other name unchanged.

    Raises:
        ParameterError: The class is invalid, as for `load_device_class`, or a Python file is given without a
            class.
        OSError: The file cannot be read.
    """
    file = text.removesuffix(":")
    if file.endswith(".py"):
        raise _native.ParameterError(f"device = {text}: expected a class in the file, as {file}:Class")
    return load_device_class(text) if is_class(text) else text


def imported_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings of a volume; classes named in them are imported, and their names replaced.

    Raises:
        ParameterError: A class is invalid, as for `imported_name`.
        OSError: A file cannot be read.
    """
    named = replaced(
        settings, lambda one: imported_name(one) if isinstance(one, str) else one, _roles() | {"extends"}
    )
    schedulers = {"scheduler", *(key for key in settings if key.endswith(".scheduler"))}
    found: dict[str, Any] = replaced(named, imported_schedulers, _roles() | schedulers)
    return found


def imported_members(text: str) -> str:
    """Return the text of a volume, as ``mirror:device=file.py:Class``, with imported classes by kind name.

    Raises:
        ParameterError: A class is invalid, as for `imported_name`.
        OSError: A file cannot be read.
    """
    kind, colon, options = text.partition(":")
    parts = [part.partition("=") for part in options.split(",")]
    changes: dict[str, Callable[[str], str]] = dict.fromkeys(_roles(), imported_name)
    changes["scheduler"] = imported_schedulers
    said = (f"{key}{sign}{changes.get(key.strip(), str)(value)}" for key, sign, value in parts)
    return f"{kind}{colon}{','.join(said)}"


@cache
def _roles() -> frozenset[str]:
    """Return the roles of members in all kinds of volumes, such as ``disk``."""
    return frozenset(role for row in table("volumes").values() for role, *_ in row.members)


def load_device_class(text: str) -> str:
    """Import a device class named as ``module:Class`` or ``file.py:Class``, and register it.

    Returns:
        The name under which the class is registered, in kebab case: ``linear-tape`` for ``LinearTape``.

    Raises:
        ParameterError: The class is invalid, as for `own_classes.load`.
        OSError: The file cannot be read.
    """
    return load(text, DEVICES)
