"""Pages of the Python package: every public name with its docstring."""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module, resources
from itertools import takewhile
from pathlib import Path
from types import ModuleType

import sledsim
from sledsim import papers
from sledsim.public import FOR_PACKAGES, homes

from ..markdown import directive, joined, table, toctree

#: Title of each part of the package.
_ROOMS = {
    "model": "Devices, volumes and policies",
    "traces": "Traces and workloads",
    "runs": "Runs, comparisons, curves and designs",
    "exploration": "Sweeps, sensitivities and optima",
    "emulator": "Served devices",
    "_native": "Errors and version",
    "results": "`sledsim.results`: classes of results",
    "listings": "`sledsim.listings`: everything that has a name",
    "options": "`sledsim.options`: groups of options",
    "extend": "`sledsim.extend`: your own devices, policies and seek models",
    "tips": "`sledsim.tips`: codes over tips",
    "design": "`sledsim.design`: formats",
    "crash": "`sledsim.crash`: power failures",
    "studies": "`sledsim.studies`: one device without a queue",
    "papers": "`sledsim.papers`: the experiments of the papers",
    "charts": "`sledsim.charts`: blocks of charts",
    "commands": "`sledsim.commands`: parts of commands",
    "estimates": "`sledsim.estimates`: figures with intervals",
    "files": "`sledsim.files`: files that a package reads and writes",
    "pages": "`sledsim.pages`: blocks of web pages",
    "plausible": "`sledsim.plausible`: claims on plausible devices",
}


def pages() -> Iterator[tuple[str, str]]:
    """Yield the list of names and a page of each part of the package."""
    rooms: dict[str, list[str]] = {}
    for name, room in public_names().items():
        rooms.setdefault(room, []).append(name)
    rows = (
        (f"[{_title(room)}]({room.strip('_')}.md)", ", ".join(f"`{name}`" for name in names))
        for room, names in rooms.items()
    )
    yield (
        "generated/python/index.md",
        joined(
            "# Every name of the Python package",
            "Find the arguments, results and errors of each function and class. Quantities without a unit in"
            " the name are in SI units.",
            table(("topic", "names"), rows),
            toctree((room.strip("_") for room in rooms), hidden="", titlesonly=""),
        ),
    )
    for room, names in rooms.items():
        here = [name for name in names if name.rpartition(".")[2] not in _elsewhere(name, rooms)]
        links = ", ".join(f"{{py:obj}}`~sledsim.{name}`" for name in here)
        text = joined(f"# {_title(room)}", _about(room), f"On this page: {links}.", *map(_entry, here))
        yield f"generated/python/{room.strip('_')}.md", text


def _elsewhere(name: str, rooms: dict[str, list[str]]) -> set[str]:
    """Return the names of a module that another page documents already."""
    return {one for names in rooms.values() for one in names} if "." in name else set()


def public_names() -> dict[str, str]:
    """Return the part of the package of every public name; modules are listed by their contents."""
    stub = resources.files(sledsim).joinpath("__init__.pyi").read_text(encoding="utf-8")
    found = {}
    for line in ast.parse(stub).body:
        assert isinstance(line, ast.ImportFrom)
        for name in (alias.name for alias in line.names):
            value = getattr(sledsim, name)
            if isinstance(value, ModuleType):
                found |= _inner(value)
            else:
                found[name] = (line.module or name).partition(".")[0]
    for module in (papers, *(import_module(f"sledsim.{name}") for name in FOR_PACKAGES)):
        found |= _inner(module)
    return found


def _inner(module: ModuleType) -> dict[str, str]:
    """Return the public names of a public module, without ``sledsim.``."""
    name = module.__name__.removeprefix("sledsim.").rpartition(".")[2]
    is_lazy = Path(f"{module.__file__}i").exists()
    return {f"{name}.{inner}": name for inner in (homes(module.__name__) if is_lazy else names_in(module))}


def names_in(module: ModuleType) -> list[str]:
    """Return the public names of a module: its own, and re-exported names."""
    found = []
    for line in ast.parse(inspect.getsource(module)).body:
        match line:
            case ast.ImportFrom():
                found += [one.name for one in line.names if one.asname == one.name]
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) if not name.startswith("_"):
                found.append(name)
    return found


def _about(room: str) -> str:
    """Return an introduction, with the docstring of the module if users import it."""
    said = inspect.getdoc(getattr(sledsim, room)) if room in dir(sledsim) else None
    return f"Find the arguments, results and errors. {(said or '').partition(chr(10) * 2)[0]}".strip()


def _title(room: str) -> str:
    return _ROOMS.get(room, room)


def _entry(name: str) -> str:
    """Return the autodoc directive of a name; a value is documented by its comment."""
    owner, value = sledsim, sledsim
    for part in name.split("."):
        owner, value = value, getattr(value, part)
    short = name.rpartition(".")[2]
    if isinstance(value, type) and issubclass(value, BaseException):
        made = f".. autoexception:: sledsim.{name}"
    elif isinstance(value, type):
        made = f".. autoclass:: sledsim.{name}\n   :members:"
    elif isinstance(value, ModuleType):
        made = f".. py:data:: sledsim.{name}\n\n   {(inspect.getdoc(value) or '').partition(chr(10) * 2)[0]}"
    elif callable(value):
        made = f".. autofunction:: sledsim.{name}"
    else:
        made = f".. py:data:: sledsim.{name}\n\n   {_comment(owner, short)}"
    return directive("eval-rst", body=made)


def _comment(module: ModuleType, name: str) -> str:
    """Return the comment before a value, in the file that defines it."""
    if name == "__version__":
        return "Version of the package."
    stub = Path(f"{module.__file__}i")
    source = stub.read_text(encoding="utf-8") if stub.exists() else inspect.getsource(module)
    for line in ast.parse(source).body:
        if isinstance(line, ast.ImportFrom) and name in [one.name for one in line.names]:
            return _comment(import_module(f"{'.' * line.level}{line.module}", module.__package__), name)
    above = source.partition(f"\n{name}")[0].splitlines()
    told = takewhile(lambda line: line.startswith("#: "), reversed(above))
    comment = " ".join(line.removeprefix("#: ") for line in reversed([*told]))
    return comment or (inspect.getdoc(module) or "").partition("\n")[0]
