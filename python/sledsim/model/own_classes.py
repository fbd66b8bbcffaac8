"""Import of classes and functions from users' files, named ``file.py:Name`` or ``module:Name``."""

import importlib.util
import re
import sys
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from .. import _native
from .devices import is_class


@dataclass(frozen=True)
class OwnKind:
    """A kind of things that users can write in Python: devices, or policies.

    Attributes:
        key: Name of the kind in messages, such as ``device``.
        noun: Python word for one of the kind, such as ``class``.
        form: Required form, such as ``a dataclass``, for messages.
        built_in: Words for built-in ones of the kind, such as ``built-in device``.
        fits: Function that returns True if a class or function can be of this kind.
        registered: Function that returns what is registered under a name; None if nothing is.
        taken: Function that returns the names of the built-in ones, which others cannot have.
        register: Function that registers a class or function under a name.
    """

    key: str
    noun: str
    form: str
    built_in: str
    fits: Callable[[object], bool]
    registered: Callable[[str], object]
    taken: Callable[[], Collection[str]]
    register: Callable[[str, Any], None]


@dataclass(frozen=True)
class _Source:
    """Origin of a class or function: its file, and its name there.

    Attributes:
        file: File of the module that has the class or function.
        member: Name of the class or function in the module.
        changed_ns: Time of the last change of the file, in nanoseconds since 1970.
        text: Text, such as ``file.py:Name``, with which another process can load the class or function.
    """

    file: Path
    member: str
    changed_ns: int
    text: str


#: Origin of each loaded class or function, and itself, by key of the kind and registered name.
_LOADED: dict[tuple[str, str], tuple[_Source, object]] = {}


def load(text: str, *kinds: OwnKind) -> str:
    """Import a class or function, named ``module:Name`` or ``file.py:Name``, and register it.

    A file that has changed since it was imported is imported again.

    Args:
        text: Name of the class or function after its module or file.
        kinds: Kinds of which the class or function may be.

    Returns:
        The name under which the object is registered, in kebab case: ``linear-tape`` for
        ``LinearTape``, ``reads-sooner`` for ``reads_sooner``.

    Raises:
        ParameterError: The module does not exist or lacks the class or function; or its name belongs to a
            built-in one, or to one of another file.
        OSError: The file does not exist. Errors of the import are passed on.
    """
    key, noun = " or ".join(kind.key for kind in kinds), kinds[-1].noun
    if not is_class(text):
        raise _native.ParameterError(f"{key} = {text}: expected {_typed(noun)}")
    where, _, member = text.rpartition(":")
    name = _name(member)
    if any(_is_loaded(kind, name, where, member) for kind in kinds):
        return name
    module = _imported(where, text, key, noun)
    if member not in vars(module):
        own = [(name, one) for name, one in vars(module).items() if _is_of(one, module)]
        offered = [name for name, one in own if any(kind.fits(one) for kind in kinds)]
        ones = "the dataclasses" if noun == "class" else "these:"
        raise _native.ParameterError(
            f"{key} = {text}: expected a {noun} of {where}, found none of that name; it has {ones}"
            f" {', '.join(offered) or '(none)'}"
        )
    found = getattr(module, member)
    if not callable(found):
        raise _native.ParameterError(f"{key} = {text}: expected a {noun}, found {found!r}")
    kind = next((kind for kind in kinds if kind.fits(found)), kinds[0])
    if len(kinds) > 1 and not kind.fits(found):
        forms = " or ".join(f"{one.form} for a {one.key}" for one in kinds)
        raise _native.ParameterError(f"{key} = {text}: expected {forms}, found {found!r}")
    source = _source(where, Path(module.__file__ or where), member)
    _check_name(kind, name, source, text)
    kind.register(name, found)
    _LOADED[kind.key, name] = (source, found)
    return name


def loaded() -> tuple[str, ...]:
    """Return texts, such as ``file.py:Name``, with which another process can load the same."""
    return tuple(source.text for source, _ in _LOADED.values())


def _is_of(found: object, module: ModuleType) -> bool:
    return getattr(found, "__module__", None) == module.__name__


def _name(member: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", member).replace("_", "-").strip("-").lower()


def _before(kind: OwnKind, name: str) -> _Source | None:
    """Return the origin of what was loaded under a name; None if the name has been registered anew."""
    before, found = _LOADED.get((kind.key, name), (None, None))
    return before if kind.registered(name) is found else None


def _is_loaded(kind: OwnKind, name: str, where: str, member: str) -> bool:
    before = _before(kind, name)
    return before is not None and where.endswith(".py") and before == _source(where, Path(where), member)


def _check_name(kind: OwnKind, name: str, source: _Source, text: str) -> None:
    expected = f"{kind.key} = {text}: expected a {kind.noun} of another name"
    before = _before(kind, name)
    if before is not None and (before.file, before.member) != (source.file, source.member):
        raise _native.ParameterError(f"{expected}: the name {name} belongs to {before.text} already")
    if kind.registered(name) is None and name in kind.taken():
        raise _native.ParameterError(f"{expected}: the name {name} belongs to a {kind.built_in}")


def _source(where: str, file: Path, member: str) -> _Source:
    path = file.resolve()
    changed_ns = path.stat().st_mtime_ns if path.is_file() else 0
    text = f"{path if where.endswith('.py') else where}:{member}"
    return _Source(path, member, changed_ns, text)


def _typed(noun: str) -> str:
    """Return the two forms of a name, ``module:Class or file.py:Class``, for messages."""
    name = "Class" if noun == "class" else "Name"
    return f"module:{name} or file.py:{name}"


def _imported(where: str, text: str, key: str, noun: str) -> ModuleType:
    """Import a module by its name or its file."""
    if not where.endswith(".py"):
        if "" not in sys.path:
            sys.path.insert(0, "")
        none = f"{key} = {text}: expected {_typed(noun)}, found no module {where}"
        if where.startswith("."):  # Relative imports have no base here.
            raise _native.ParameterError(none)
        try:
            return importlib.import_module(where)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{where}.".startswith(f"{error.name}."):
                raise
            raise _native.ParameterError(none) from None
    path = Path(where).resolve()
    if not path.is_file():
        raise FileNotFoundError(f"{key} = {text}: no such file: {where}")
    if str(path.parent) not in sys.path:
        # The file can import modules in its folder; as the folder is last, they hide no other modules.
        sys.path.append(str(path.parent))
    # A separate name prevents a clash with modules of Python's library.
    name = f"sledsim_own_of_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise _native.ParameterError(f"{key} = {text}: expected a Python file, found {where}")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look up their module in this table.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
