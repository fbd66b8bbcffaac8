"""Files and functions stay short enough to read; clippy checks the functions in Rust."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("bench", "crates", "docs", "examples", "python", "tests")
FILE_LINES = 400
FUNCTION_LINES = 70


def sources(*suffixes: str) -> Iterator[Path]:
    """Return the source files of the repository with one of these endings."""
    for folder in FOLDERS:
        yield from (path for path in (ROOT / folder).rglob("*") if path.suffix in suffixes)


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines of a function from its name on, without its docstring."""
    assert function.end_lineno is not None
    first, *_ = function.body
    told = ast.get_docstring(function) is not None
    docstring = (first.end_lineno or first.lineno) - first.lineno + 1 if told else 0
    return function.end_lineno - function.lineno + 1 - docstring


def test_no_file_is_long() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in sources(".rs", ".py", ".pyi")}
    assert len(lengths) > 500, "the sources are where they are looked for"
    long = {str(path.relative_to(ROOT)): lines for path, lines in lengths.items() if lines > FILE_LINES}
    assert long == {}, "files over 400 lines: split them by what their parts do"


@pytest.mark.dear("every source file is parsed", every_change="crates")
@pytest.mark.parametrize("folder", FOLDERS)
def test_no_function_is_long(folder: str) -> None:
    long = {
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}": lines_of(node)
        for path in sources(".py")
        if path.is_relative_to(ROOT / folder)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and lines_of(node) > FUNCTION_LINES
    }
    assert long == {}, "functions over 70 lines: name their steps"
