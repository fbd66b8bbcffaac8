"""The modules whose names users type: each name is loaded from its home at its first use (PEP 562).

The ``.pyi`` file beside such a module lists its names, for type checkers and for this file, so that
``import sledsim`` costs nothing.
"""

import sys
from importlib import import_module

# That of `typing`, which takes longer to load than all of this.
TYPE_CHECKING = False

#: Public modules with building blocks for packages that add commands, charts and experiments.
FOR_PACKAGES = ("charts", "commands", "estimates", "files", "pages", "plausible")

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def homes(name: str) -> "Mapping[str, str]":
    """The names of a public module, each with the module from which it is imported.

    Args:
        name: The module, which has a ``.pyi`` file beside it.
    """
    # Not sooner: nothing is loaded before the command line hears Ctrl-C.
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
        other: Finds a name that is not public; it may raise AttributeError.
        checks: Whether functions name arguments of wrong types, as those that people call do.
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
    """Make a function refuse arguments of other types than it states; sledsim's own calls go past that."""
    from types import FunctionType

    if not isinstance(found, FunctionType):
        return found
    from .common.signatures import checked
    from .model.typed import taking_own_policies

    public = checked(taking_own_policies(found))
    public.__module__ = module  # Where `pickle` finds it.
    return public
