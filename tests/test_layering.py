"""The map of the Python package: permitted imports between rooms, as `layering.rs` has them for the core."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import sledsim
from sledsim.public import homes

from .circles import circles
from .public import FOR_PACKAGES, MODULES as LISTED

SOURCES = Path(sledsim.__file__).parent
#: All rooms up to runs, and up to studies.
RUNS = {"common", "model", "traces", "runs"}
STUDIED = {*RUNS, "charts", "studies"}
#: Each room and the rooms that it uses, besides the compiled core, which all may use.
MAP = {
    "common": set(),
    "pages": {"common", ""},
    "model": {"common"},
    "uncertainty": {"common"},
    "traces": {"common", "model", ""},
    "runs": {"common", "model", "traces", ""},
    "ledger": {"common"},
    "exploration": {*RUNS, "ledger", "uncertainty"},
    "charts": {*RUNS, "pages", "emulator", "exploration", ""},
    "grids": {"common", "traces", "runs", "exploration"},
    "studies": {*RUNS, "charts", "pages"},
    # Rooms whose public names alone are used here, which are not on the map.
    "papers/shared": set(),
    "papers/p000": {"papers/shared"},
    "papers/p001": {"papers/shared"},
    "papers/p002": {"papers/shared"},
    "papers/p003": {"papers/shared"},
    "papers/p004": {"papers/shared"},
    "papers/robustness": {"papers/shared", "papers/p001"},
    "papers/book": {
        *("papers/shared", "papers/robustness"),
        *("papers/p000", "papers/p001", "papers/p002", "papers/p003", "papers/p004"),
    },
    "papers/commands": {"papers", "papers/robustness"},
    "papers": {"papers/book"},
    "emulator": {"common", "model", "runs"},
    "cli": {
        *STUDIED,
        "pages",
        "grids",
        "emulator",
        "ledger",
        "exploration",
        "uncertainty",
    },
    # The package itself, with old names of modules; its public names are strings.
    "": {"common", "model"},
    "__main__": {"cli"},
}
#: Modules that packages may import: those with lists of names, and some without.
PUBLIC = {*LISTED, *FOR_PACKAGES, "sledsim.public", "sledsim.studies", "sledsim.traces.tools"}
#: The only files that load a module by a name in a string.
LOADERS = {"public.py", "moved.py", "common/charted.py", "common/shown.py"}
LOADERS |= {"studies/registry.py", "papers/book/table.py", "cli/app.py"}
#: A user's class is imported by the name of its module.
LOADERS |= {"model/own_classes.py"}
#: A function that makes an object of a file or of its content.
READS = re.compile(r"^ *def (read_\w+|from_(definition|parameters|state))\(", re.MULTILINE)
#: Lists among these files, with the rooms in which each loads the files that have a row.
LISTS = {"studies.registry": "studies", "papers.book.table": "papers/p", "cli.app": "cli"}
ROW_LINES = ("\nROW = ", "\nROWS = ", "\nCOMMANDS = {", "\ndef run(quick: bool")


def modules() -> dict[str, Path]:
    """Return every file of the package by its module name below the package; the package's name is empty."""
    found = {}
    for path in SOURCES.rglob("*.py"):
        parts = path.relative_to(SOURCES).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def uses(name: str) -> Iterator[str]:
    """Return the modules that a module imports, anywhere in its file."""
    parts = name.split(".") if name else []
    package = parts if MODULES[name].name == "__init__.py" else parts[:-1]
    for node in ast.walk(ast.parse(MODULES[name].read_text())):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = [*package[: len(package) - node.level + 1], *(node.module or "").split(".")]
            home = ".".join(filter(None, base))
            for one in node.names:
                inside = ".".join(filter(None, (home, one.name)))
                if inside != "_native" and home != "_native":
                    yield inside if inside in MODULES else home
        elif isinstance(node, ast.Import | ast.ImportFrom):
            named = (
                [node.module or ""] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
            )
            ours = [one for one in named if one.split(".")[0] == "sledsim"]
            assert not ours or is_of_papers(name), f"{name}: imports are relative"


def is_of_papers(name: str) -> bool:
    """True if a module belongs to the papers, which use the others as an installed package does."""
    return name.partition(".")[0] == "papers"


def taken(name: str) -> Iterator[tuple[str, str]]:
    """Return the package's modules that a module imports by absolute names, each with an imported name."""
    tree = ast.parse(MODULES[name].read_text())
    modules = {"sledsim"}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and not node.level and (node.module or "").startswith("sledsim"):
            yield from ((node.module or "", one.name) for one in node.names)
            modules |= {f"{node.module}.{one.name}" for one in node.names} & PUBLIC
        elif isinstance(node, ast.Import):
            assert not any(one.name.startswith("sledsim.") for one in node.names), f"{name}: say from"
    attributes = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    for node in attributes:
        of = ast.unparse(node.value)
        yield from ((one, node.attr) for one in modules if one.rpartition(".")[2] == of)


def offered(module: str) -> set[str]:
    """Return the public names of a module: those of its stub, or all names of a module without one."""
    if Path(f"{import_module(module).__file__}i").exists():
        return {*homes(module)}
    return {name for name in vars(import_module(module)) if not name.startswith("_")}


def room(name: str) -> str:
    """Return the room of a module: its folder below the package, and of papers the folder below that."""
    folder = MODULES[name].relative_to(SOURCES).parent.parts
    if not folder:
        return "__main__" if name == "__main__" else ""
    return "/".join(folder[: 2 if folder[0] == "papers" else 1])


def listed(rooms: str) -> set[str]:
    """Return the modules with a row, a command or an experiment, in rooms with these beginnings of names."""
    return {
        name
        for name, path in MODULES.items()
        if room(name).startswith(rooms) and any(line in path.read_text() for line in ROW_LINES)
    }


@cache
def graph() -> dict[str, set[str]]:
    """Return the modules that each module imports; imports of a list include the files with a row."""
    found = {name: set(uses(name)) - {name} for name in MODULES}
    for name, rooms in LISTS.items():
        found[name] |= listed(rooms)
    return found


@pytest.mark.dear("every source file is parsed", every_change=True)
def test_every_import_is_of_a_file_of_the_package() -> None:
    assert set().union(*graph().values()) <= MODULES.keys()


@pytest.mark.parametrize("own", MAP)
def test_rooms_know_what_the_map_says(own: str) -> None:
    """Unused entries of the map are errors, too."""
    found: dict[str, list[str]] = {}
    for name in (name for name in MODULES if room(name) == own):
        for used in graph()[name]:
            found.setdefault(room(used), []).append(name)
    found.pop(own, None)
    beyond = {used: sorted(names) for used, names in found.items() if used not in MAP[own]}
    assert not beyond, f"{own} must not know these, which it is imported from: {beyond}"
    assert MAP[own] == found.keys()


@pytest.mark.parametrize("own", sorted(filter(is_of_papers, MODULES)))
def test_papers_import_public_names_only(own: str) -> None:
    """Imports at the top of a file and within functions follow the rule of an installed package."""
    for module, name in taken(own):
        assert module in PUBLIC, f"{own}: {module} is not public"
        assert name in offered(module) or f"{module}.{name}" in PUBLIC, f"{own}: {name} is not of {module}"


def test_nothing_outside_of_the_papers_imports_them() -> None:
    outside = {name for name in MODULES if not is_of_papers(name)}
    assert {name for name in outside if any(map(is_of_papers, graph()[name]))} == set()


def test_every_public_module_is_used_or_listed() -> None:
    """A module with a stub is public, except the papers' own; modules for packages have no unused name."""
    stubs = {path.relative_to(SOURCES.parent).with_suffix("") for path in SOURCES.rglob("*.pyi")}
    names = {".".join(path.parts).removesuffix(".__init__") for path in stubs}
    assert names - {"sledsim._native", "sledsim.papers", "sledsim.papers.shared"} == {*LISTED, *FOR_PACKAGES}
    used = {pair for name in MODULES if is_of_papers(name) for pair in taken(name)}
    assert {(module, name) for module in FOR_PACKAGES for name in homes(module)} <= used


@pytest.mark.parametrize("module", [*LISTED, *FOR_PACKAGES])
def test_no_file_takes_the_place_of_a_public_name(module: str) -> None:
    """An imported module becomes an attribute of its package and would hide a function of that name."""
    of_others = {name for name, home in homes(module).items() if home != "."}
    assert {name for name in of_others if f"{module}.{name}".removeprefix("sledsim.") in MODULES} == set()


def test_every_name_that_experiments_share_is_taken() -> None:
    texts = [path.read_text() for name, path in MODULES.items() if room(name).startswith("papers/p0")]
    lines = [one for text in texts for one in ast.walk(ast.parse(text)) if isinstance(one, ast.ImportFrom)]
    taken_names = {name.name for line in lines if line.module == "shared" for name in line.names}
    assert {*homes("sledsim.papers.shared")} <= taken_names


def test_every_room_is_on_the_map() -> None:
    assert {room(name) for name in MODULES} == MAP.keys()


def test_there_are_no_circles() -> None:
    """Circles of rooms on the map and of files, also by imports within functions and for types alone."""
    assert circles(MAP) == []
    assert circles(graph()) == []


def test_every_circle_is_found() -> None:
    arrows: dict[str, set[str]] = {
        "a": {"b"},
        "b": {"c", "d"},
        "c": {"a"},
        "d": {"e"},
        "e": {"f"},
        "f": {"e"},
    }
    assert sorted(map(sorted, circles(arrows))) == [["a", "b", "c"], ["e", "f"]]
    assert circles({"a": {"a"}, "b": {"a"}}) == [["a"]]
    assert circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_what_stands_in_one_folder_has_no_circle() -> None:
    """Circles of files and folders: an import connects the first that differ on the paths of both files."""
    beside: dict[str, set[str]] = {}
    for pair in ((name, used) for name in MODULES for used in graph()[name]):
        own, other = (MODULES[name].relative_to(SOURCES).parts for name in pair)
        fork = next(at for at, ends in enumerate(zip(own, other, strict=False)) if ends[0] != ends[1])
        from_, to = ("/".join(parts[: fork + 1]) for parts in (own, other))
        beside.setdefault(from_, set()).add(to)
    assert circles(beside) == []


#: Modules that import a user's devices and policies, and the callers besides the command line.
TYPED = {"model.typed", "model.device_classes", "model.own_classes", "model.scheduler_classes"}
TAKES_TYPED = {
    *("exploration.comparing", "exploration.holding", "exploration.optimising.best_design"),
    *("exploration.sobol_sensitivity", "exploration.sweeping", "exploration.design.exploring"),
    # Public functions and simulations take policies that a user names.
    *("public", "runs.device_check", "runs.simulation"),
    # The classes of this process are passed on to its workers.
    "exploration.executors.cluster",
}


def test_what_reads_files_reaches_nothing_that_imports_classes() -> None:
    importing = {name for name in MODULES if graph()[name] & TYPED and room(name) != "cli"}
    assert importing - TYPED == TAKES_TYPED
    reading = {name for name in MODULES if READS.search(MODULES[name].read_text())}
    assert {
        "exploration.experiment",
        "exploration.compared",
        "runs.result_files",
        "exploration.design.space",
    } <= reading
    assert reading & TAKES_TYPED == {"exploration.sweeping"}, (
        "it reads the rows of a sweep, and makes nothing of names"
    )


def test_names_in_strings_are_few() -> None:
    found = {
        path.relative_to(SOURCES).as_posix()
        for path in MODULES.values()
        if any(name in path.read_text() for name in ("import_module", "__import__"))
    }
    assert found == LOADERS


#: Functions that start threads.
_STARTS = re.compile(r"(?<!class )\b(Workers|Thread|ThreadPoolExecutor|SpawnProcess)\(|\.get_context\(")
#: Modules that start threads, besides the room of studies, with the work of the threads.
STARTERS = {
    "runs.workers": "the pool itself",
    "runs.result_writer": "one file, while the run goes on",
    "runs.explanations.alternatives": "runs that ask what a request would have taken otherwise",
    "traces.capture": "what a program writes",
    "emulator.checking": "the file system of each disk image",
    "papers.p004.zones": "runs of which the energy is divided by its use",
    "papers.book.fresh": "experiments that perturb the process that they run in",
    "papers.book.reactions": "experiments on wrong models",
    "papers.commands.paper": "experiments of papers",
}


def test_points_are_run_kept_and_known_by_one_room() -> None:
    """Other rooms ask that room for points; modules listed here do other work."""
    starting = {name for name, path in MODULES.items() if _STARTS.search(path.read_text())}
    studies = {name for name in starting if room(name) == "exploration"}
    assert starting - studies == STARTERS.keys()
    assert studies == {
        "exploration.climbing",
        "exploration.executors.cluster",
        "exploration.executors.threads",
    }
    keeping = re.compile(r"\b(Ledger|point_key)\(")
    found = {name for name, path in MODULES.items() if keeping.search(path.read_text())}
    assert {room(name) for name in found if room(name) != "ledger"} == {"exploration"}
