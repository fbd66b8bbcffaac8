"""Simulator and design tool for MEMS-based (probe) storage.

Everything public is here. ``__init__.pyi`` lists the names, for type checkers and for this file; each is
loaded from its module when it is first used, so that ``import sledsim`` costs nothing.
"""

from importlib import import_module

from . import moved

moved.watch()
#: The public names, each with the module or the room that it is imported from, once they have been read.
_HOMES: dict[str, str] = {}


def _homes() -> dict[str, str]:
    if not _HOMES:
        # Not sooner: nothing is loaded before the command line hears Ctrl-C.
        import ast

        lines = ast.parse(__loader__.get_data(f"{__file__}i")).body
        _HOMES.update({name.name: f".{line.module or ''}" for line in lines for name in line.names})
    return _HOMES


def __getattr__(name: str) -> object:
    """Load a public name from its module when it is first used (PEP 562)."""
    if name == "__all__":
        return __dir__()
    if name in moved.MOVED and name not in _homes():
        moved.warn(f"{__name__}.{name}", stacklevel=2)
        return import_module(f"{__name__}.{moved.MOVED[name]}")
    if name not in _homes():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(_homes()[name], __name__)
    if name not in vars(home):
        return import_module(f"{home.__name__}.{name}")
    globals()[name] = _public(vars(home)[name])
    return globals()[name]


def _public(found: object) -> object:
    """A public function refuses arguments of other types than it states; sledsim's own calls go past that."""
    from types import FunctionType

    if not isinstance(found, FunctionType):
        return found
    from .common.signatures import checked
    from .model.typed import taking_own_policies

    public = checked(taking_own_policies(found))
    public.__module__ = __name__  # Where `pickle` finds it.
    return public


def __dir__() -> list[str]:
    return sorted(_homes())
