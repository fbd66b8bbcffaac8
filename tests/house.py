"""How large and how plain the house is: counts of the repository, each beside its goal.

``python -m tests.house`` prints the table. Counts that may only fall are tests (`test_house.py`).
"""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import sledsim
from sledsim.cli.app import Program
from sledsim.common import packages

from .circles import circles
from .common.test_errors import read_messages
from .live.test_layering import LIVE, uses
from .production_lines import python_lines
from .test_layering import graph

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "python/sledsim"
#: Words with which a line of documentation does not begin.
CLAUSE_WORDS = ("What", "Of", "Those", "As", "That", "Whether", "How", "Where", "Which", "So", "From")
#: Bases of results, and the methods that show a result.
_BASES = {"Shown", "Tabular", "Charted", "Reported", "Result"}
_SHOWING = {"_form", "_arrow", "_repr_html_", "_repr_mimebundle_", "__str__", "report", "plot"}


class Count(NamedTuple):
    """A figure of the house.

    Attributes:
        what: The thing that is counted.
        now: Function that counts; several numbers are named in `what`, with slashes between.
        goals: Upper bound of each number.
    """

    what: str
    now: Callable[[], tuple[float, ...]]
    goals: tuple[float, ...]


@cache
def _files(*patterns: str) -> tuple[Path, ...]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns],
        **{"cwd": ROOT, "check": True, "capture_output": True, "text": True},
    )
    return tuple(path for name in listed.stdout.split("\n") if name and (path := ROOT / name).exists())


def _python() -> tuple[Path, ...]:
    return _files("python/sledsim/*.py")


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _lines(are_papers: bool) -> int:
    papers = PACKAGE / "papers"
    return sum(
        python_lines(path.read_text(encoding="utf-8"))
        for path in _python()
        if path.is_relative_to(papers) == are_papers
    )


def _cli() -> tuple[float, ...]:
    files = [path for path in _python() if path.is_relative_to(PACKAGE / "cli")]
    imports = 0
    for path in files:
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.ImportFrom):
                depth = len(path.relative_to(PACKAGE / "cli").parts)
                is_own = 1 <= node.level <= depth
                imports += (len(node.names) if node.module is None else 1) if is_own else 0
    return len(files), sum(python_lines(path.read_text(encoding="utf-8")) for path in files), imports


def _first_page() -> int:
    own = (one for one in packages._all("command").values() if getattr(one, "package", "") == packages.OWN)
    return len(Program.first_page) + len([*own])


def _signatures() -> Iterator[tuple[int, str]]:
    for path in _python():
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.FunctionDef):
                given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                count = sum(1 for one in given if one.arg not in ("self", "cls"))
                yield count, f"{path.relative_to(PACKAGE)}: {node.name}"


def longest_signatures(most: int) -> list[str]:
    """Return the functions with more parameters, the longest first."""
    found = sorted(_signatures(), reverse=True)
    return [f"{name} has {count}" for count, name in found if count > most]


def _runners() -> int:
    """Return the number of modules that run points and keep them in a ledger."""
    found = set()
    for path in _python():
        text = path.read_text(encoding="utf-8")
        if re.search(r"(?<!class )\bLedger\(", text):
            found.add(path)
    return len(found)


def results() -> dict[str, int]:
    """Return the classes of results, each with the number of its own methods that show it."""
    found = {}
    for path in _python():
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.ClassDef):
                bases = {ast.unparse(base).partition("[")[0].rpartition(".")[2] for base in node.bases}
                if bases & _BASES and node.name not in _BASES:
                    own = [one.name for one in node.body if isinstance(one, ast.FunctionDef)]
                    found[node.name] = len({*own} & _SHOWING)
    return found


def _repeated(pattern: str, usual: set[str]) -> int:
    names = Counter(path.name for path in _files(pattern) if path.name not in usual)
    return sum(1 for count in names.values() if count > 1)


def _first_lines() -> Iterator[str]:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    for path in _python():
        for node in ast.walk(_tree(path)):
            if isinstance(node, documented) and (said := ast.get_docstring(node)):
                yield said.partition("\n")[0]


def _clauses() -> float:
    lines = [*_first_lines()]
    return 100 * sum(1 for line in lines if line.split()[0] in CLAUSE_WORDS) / len(lines)


def _so_many() -> int:
    texts = _files("python/sledsim/*.py", "crates/*.rs", "docs/*.md", "README.md", "ARCHITECTURE.md")
    return sum(path.read_text(encoding="utf-8").lower().count("so many") for path in texts)


def _words() -> int:
    made = ROOT / "docs/reference/parameters.md"
    return sum(len(path.read_text(encoding="utf-8").split()) for path in _files("docs/*.md") if path != made)


def _by_text() -> int:
    return sum(len([*read_messages(path.read_text(encoding="utf-8"))]) for path in _python())


COUNTS = (
    Count("Python production lines without papers", lambda: (_lines(False),), (25_500,)),
    Count("Python production lines of papers", lambda: (_lines(True),), (8_500,)),
    Count("command line: files / production lines / imports between them", _cli, (32, 4_600, 110)),
    Count("public names at the root of the package", lambda: (len(sledsim.__all__),), (60,)),
    Count("commands on the first page of --help", lambda: (_first_page(),), (14,)),
    Count("parameters of the longest signature", lambda: (max(_signatures())[0],), (9,)),
    Count("modules that run points into a ledger", lambda: (_runners(),), (1,)),
    Count(
        "classes of results / methods that show them",
        lambda: (len(results()), sum(results().values())),
        (31, 40),
    ),
    Count(
        "names of files that occur more than once: Python / Rust",
        lambda: (
            _repeated("python/*.py", {"__init__.py"}),
            _repeated("crates/*/src/*.rs", {"mod.rs", "lib.rs"}),
        ),
        (15, 20),
    ),
    Count("import circles: Python / page", lambda: (len(circles(graph())), len(circles(uses(LIVE)))), (0, 0)),
    Count("places where control flow reads the text of an error", lambda: (_by_text(),), (0,)),
    Count("docstrings that begin with a clause word, %", lambda: (_clauses(),), (3,)),
    Count('"so many" in sources and docs', lambda: (_so_many(),), (10,)),
    Count("words of documentation without generated pages", lambda: (_words(),), (45_000,)),
)


def _written(numbers: tuple[float, ...]) -> str:
    return " / ".join(
        f"{number:,.0f}" if number >= 10 or number == int(number) else f"{number:.1f}" for number in numbers
    )


def main() -> None:
    """Print every count beside its goal."""
    print("| what | now | goal | |\n|---|---|---|---|")
    for one in COUNTS:
        now = one.now()
        met = all(number <= goal for number, goal in zip(now, one.goals, strict=True))
        print(f"| {one.what} | {_written(now)} | {_written(one.goals)} | {'met' if met else ''} |")


if __name__ == "__main__":
    main()
