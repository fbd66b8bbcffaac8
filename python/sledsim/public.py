"""Public modules: each name is loaded from its home module at its first use (PEP 562).

The ``.pyi`` file beside such a module lists its names, for type checkers and for this file. ``import
sledsim`` therefore loads nothing.
"""

import sys
from importlib import import_module

# The constant of `typing`, which takes longer to load than this whole file.
TYPE_CHECKING = False

#: Public modules with building blocks for packages that add commands, charts and experiments.
FOR_PACKAGES = ("charts", "commands", "estimates", "files", "pages", "plausible")

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def homes(name: str) -> "Mapping[str, str]":
    """Return the names of a public module, each with the module that defines it.

    Args:
        name: The module; a ``.pyi`` file stands beside it.
    """
    # Imported here because nothing may be loaded before the command line handles Ctrl-C.
    import ast

    module = import_module(name)
    stub = module.__loader__.get_data(f"{module.__file__}i")  # type: ignore[union-attr]
    lines = [line for line in ast.parse(stub).body if isinstance(line, ast.ImportFrom)]
    return {one.name: f"{'.' * line.level}{line.module or ''}" for line in lines for one in line.names}


def lazily(
    name: str, other: "Callable[[str], object] | None" = None, checks: bool = True
) -> "tuple[Callable[[str], object], Callable[[], list[str]]]":
    """Make the functions ``__getattr__`` and ``__dir__`` of a public module.

    Args:
        name: The module.
        other: A function that finds a name that is not public; it may raise AttributeError.
        checks: True if functions check the types of their arguments, as public functions do.
    """
    known: dict[str, str] = {}

    def read() -> dict[str, str]:
        if not known:
            known.update(homes(name))
        return known

    def load(wanted: str) -> object:
        if wanted == "__all__":
            return names()
        if wanted not in read():
            if other is not None and not wanted.startswith("__"):
                return other(wanted)
            raise AttributeError(f"module {name!r} has no attribute {wanted!r}")
        home = import_module(read()[wanted], sys.modules[name].__package__)
        if wanted not in vars(home):
            return import_module(f"{home.__name__}.{wanted}")
        found = vars(home)[wanted]
        if checks:
            found = _public(found, name)
        setattr(sys.modules[name], wanted, found)
        return found

    def names() -> list[str]:
        return sorted(read())

    return load, names


def _public(found: object, module: str) -> object:
    """Make a function reject arguments of wrong types; sledsim's own calls skip this check."""
    from types import FunctionType

    if not isinstance(found, FunctionType):
        return found
    from .common.signatures import checked
    from .model.typed import taking_own_policies

    public = checked(taking_own_policies(found))
    public.__module__ = module  # Where `pickle` finds it.
    return public
