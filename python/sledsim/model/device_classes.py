"""Classes of devices of a user's own by their names: ``file.py:Class`` or ``module:Class``."""

import dataclasses
import importlib.util
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from .. import _native
from ..common.nested import replaced
from .catalogue import devices
from .devices import is_class
from .own_devices import register_device, registered
from .tables import table


@dataclass(frozen=True)
class _Source:
    """Where a class is from.

    Attributes:
        file: That of its module.
        class_name: Its name there.
        changed_ns: When the file was changed.
        text: How another process on this machine names it.
    """

    file: Path
    class_name: str
    changed_ns: int
    text: str


#: Of the kinds whose classes were named: where each is from.
_LOADED: dict[str, tuple[_Source, type]] = {}


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
    """Settings of a volume, in which members may be classes, which are registered.

    Raises:
        ParameterError: As `imported_name`.
        OSError: As `imported_name`.
    """
    found: dict[str, Any] = replaced(
        settings, lambda one: imported_name(one) if isinstance(one, str) else one, _roles() | {"extends"}
    )
    return found


def imported_members(text: str) -> str:
    """A kind of volume with its options, ``mirror:device=file.py:Class``, of which classes are registered.

    Raises:
        ParameterError: As `imported_name`.
        OSError: As `imported_name`.
    """
    kind, colon, options = text.partition(":")
    parts = [part.partition("=") for part in options.split(",")]
    roles = _roles()
    said = (
        f"{key}{sign}{imported_name(value) if key.strip() in roles else value}" for key, sign, value in parts
    )
    return f"{kind}{colon}{','.join(said)}"


@cache
def _roles() -> frozenset[str]:
    """What the members of volumes are called."""
    return frozenset(role for row in table("volumes").values() for role, *_ in row.members)


def load_device_class(text: str) -> str:
    """Import a class of devices that is named as ``module:Class`` or ``file.py:Class``, and register it.

    A file that was imported before is imported again if it has changed.

    Returns:
        The name under which it is registered: that of the class in small letters, ``LinearTape`` is
        ``linear-tape``.

    Raises:
        ParameterError: There is no such module, or no such class in it; or the name is that of a built-in
            device, or of a class in another file.
        OSError: There is no such file. What importing it raises is raised as it is.
    """
    if not is_class(text):
        raise _native.ParameterError(f"device = {text}: expected module:Class or file.py:Class")
    where, _, class_name = text.rpartition(":")
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", class_name).lower()
    before, model = _LOADED.get(name, (None, None))
    if before is not None and registered(name) is not model:
        before = None  # Somebody has registered another class under the name, who knows of it.
    if before is not None and where.endswith(".py") and before == _source(where, Path(where), class_name):
        return name
    module = _imported(where, text)
    if class_name not in vars(module):
        classes = [name for name, value in vars(module).items() if dataclasses.is_dataclass(value)]
        raise _native.ParameterError(
            f"device = {text}: expected a class of {where}, found none of that name; it has the dataclasses"
            f" {', '.join(classes) or '(none)'}"
        )
    source = _source(where, Path(module.__file__ or where), class_name)
    if before is not None and (before.file, before.class_name) != (source.file, source.class_name):
        raise _native.ParameterError(
            f"device = {text}: expected a class of another name: {name} is the kind of {before.text} already"
        )
    if registered(name) is None and name in {*table("kinds"), *devices()}:
        raise _native.ParameterError(
            f"device = {text}: expected a class of another name: {name} is a built-in device or kind"
        )
    register_device(name, getattr(module, class_name))
    _LOADED[name] = (source, getattr(module, class_name))
    return name


def loaded_classes() -> tuple[str, ...]:
    """The classes that were named in this process, so that another one can load them."""
    return tuple(source.text for source, _ in _LOADED.values())


def _source(where: str, file: Path, class_name: str) -> _Source:
    path = file.resolve()
    changed_ns = path.stat().st_mtime_ns if path.is_file() else 0
    text = f"{path if where.endswith('.py') else where}:{class_name}"
    return _Source(path, class_name, changed_ns, text)


def _imported(where: str, text: str) -> ModuleType:
    """A module by its name, or by its file."""
    if not where.endswith(".py"):
        if "" not in sys.path:
            sys.path.insert(0, "")
        none = f"device = {text}: expected module:Class or file.py:Class, found no module {where}"
        if where.startswith("."):  # It is relative to nothing.
            raise _native.ParameterError(none)
        try:
            return importlib.import_module(where)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{where}.".startswith(f"{error.name}."):
                raise
            raise _native.ParameterError(none) from None
    path = Path(where).resolve()
    if not path.is_file():
        raise FileNotFoundError(f"device = {text}: no such file: {where}")
    if str(path.parent) not in sys.path:
        # What lies beside it can be imported, as by a program; behind all else, so that nothing is hidden.
        sys.path.append(str(path.parent))
    # Under a name of its own: a file may be called as a module of Python's library is.
    name = f"sledsim_devices_of_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise _native.ParameterError(f"device = {text}: expected a file of Python, found {where}")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up there.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
