"""Code of a user's own by its name, ``file.py:Name`` or ``module:Name``: imported, and registered."""

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
    """A kind of things that users add, such as devices.

    Attributes:
        key: The key of errors: ``device``.
        noun: A thing of the kind in a file: ``class``; the last of several kinds has the word for all.
        form: The form that it must have: ``a dataclass``.
        built_in: Things that have names already: ``built-in device``.
        fits: Tells whether a member of a module could be one.
        registered: Finds what is registered under a name; None if nothing is.
        taken: The names of these.
        register: Adds one under a name.
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
    """Where a class or function is from.

    Attributes:
        file: That of its module.
        member: Its name there.
        changed_ns: When the file was changed.
        text: How another process on this machine names it.
    """

    file: Path
    member: str
    changed_ns: int
    text: str


#: Where each one that was named is from, and itself, by the key of its kind and its name.
_LOADED: dict[tuple[str, str], tuple[_Source, object]] = {}


def load(text: str, *kinds: OwnKind) -> str:
    """Import what is named as ``module:Name`` or ``file.py:Name``, and register it.

    A file that was imported before is imported again if it has changed.

    Args:
        text: The module or file, and the class or function in it.
        kinds: The kinds of which it may be one.

    Returns:
        The name under which it is registered: that of the class in small letters, ``LinearTape`` is
        ``linear-tape``; ``reads_sooner`` is ``reads-sooner``.

    Raises:
        ParameterError: There is no such module, or no such class in it; or the name is that of something
            built in, or of a class in another file.
        OSError: There is no such file. What importing it raises is raised as it is.
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
    """What was named in this process, so that another one can load it."""
    return tuple(source.text for source, _ in _LOADED.values())


def _is_of(found: object, module: ModuleType) -> bool:
    return getattr(found, "__module__", None) == module.__name__


def _name(member: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", member).replace("_", "-").strip("-").lower()


def _before(kind: OwnKind, name: str) -> _Source | None:
    """Where the one that has the name is from, unless somebody has registered another one."""
    before, found = _LOADED.get((kind.key, name), (None, None))
    return before if kind.registered(name) is found else None


def _is_loaded(kind: OwnKind, name: str, where: str, member: str) -> bool:
    before = _before(kind, name)
    return before is not None and where.endswith(".py") and before == _source(where, Path(where), member)


def _check_name(kind: OwnKind, name: str, source: _Source, text: str) -> None:
    expected = f"{kind.key} = {text}: expected a {kind.noun} of another name"
    before = _before(kind, name)
    if before is not None and (before.file, before.member) != (source.file, source.member):
        raise _native.ParameterError(f"{expected}: {name} is the kind of {before.text} already")
    if kind.registered(name) is None and name in kind.taken():
        raise _native.ParameterError(f"{expected}: {name} is a {kind.built_in}")


def _source(where: str, file: Path, member: str) -> _Source:
    path = file.resolve()
    changed_ns = path.stat().st_mtime_ns if path.is_file() else 0
    text = f"{path if where.endswith('.py') else where}:{member}"
    return _Source(path, member, changed_ns, text)


def _typed(noun: str) -> str:
    """The two ways to name such a thing."""
    name = "Class" if noun == "class" else "Name"
    return f"module:{name} or file.py:{name}"


def _imported(where: str, text: str, key: str, noun: str) -> ModuleType:
    """A module by its name, or by its file."""
    if not where.endswith(".py"):
        if "" not in sys.path:
            sys.path.insert(0, "")
        none = f"{key} = {text}: expected {_typed(noun)}, found no module {where}"
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
        raise FileNotFoundError(f"{key} = {text}: no such file: {where}")
    if str(path.parent) not in sys.path:
        # What lies beside it can be imported, as by a program; behind all else, so that nothing is hidden.
        sys.path.append(str(path.parent))
    # Under a name of its own: a file may be called as a module of Python's library is.
    name = f"sledsim_own_of_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise _native.ParameterError(f"{key} = {text}: expected a file of Python, found {where}")
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up there.
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
