"""Number of lines of production code: without tests, comments, docstrings and empty lines.

``python -m tests.production_lines`` counts the checkout; with a commit, also that commit, and the difference.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PARTS = {
    "core": "crates/sledsim/src",
    "emulator": "crates/sledsim-emulator/src",
    "binding": "crates/sledsim-py/src",
    "Python": "python/sledsim",
}
_LAYOUT = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}


def rust_lines(text: str) -> int:
    """Count lines with code, up to the unit tests, which stand at the end of a file."""
    text = re.split(r"^#\[cfg\(test\)\]\nmod \w+ \{", text, maxsplit=1, flags=re.MULTILINE)[0]
    return sum(1 for line in text.splitlines() if line.strip() and not line.strip().startswith("//"))


def python_lines(text: str) -> int:
    """Count lines with a token that is neither a comment nor of a docstring."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
            docstrings.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _LAYOUT:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstrings)


def _tests(texts: dict[str, str]) -> tuple[str, ...]:
    """Return the beginnings of paths of Rust modules that are declared for tests only."""
    found = []
    for path, text in texts.items():
        folder, _, file = path.rpartition("/")
        home = folder if file in ("mod.rs", "lib.rs") else path.removesuffix(".rs")
        names = re.findall(r"#\[cfg\(test\)\]\s+(?:pub(?:\([^)]*\))? )?mod (\w+);", text)
        found += [f"{home}/{name}{end}" for name in names for end in (".rs", "/")]
    return tuple(found)


def count(texts: dict[str, str]) -> Counter[str]:
    """Count production lines per part, of files by their path in the repository."""
    lines: Counter[str] = Counter()
    tests = _tests(texts)
    for path, text in texts.items():
        for part, folder in PARTS.items():
            if path.startswith(folder + "/") and not path.startswith(tests):
                lines[part] += python_lines(text) if path.endswith(".py") else rust_lines(text)
    return lines


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def _is_code(path: str) -> bool:
    return path.endswith((".py", ".rs")) and path.startswith(tuple(PARTS.values()))


def checkout() -> dict[str, str]:
    """Return the files of the checkout."""
    paths = _git("ls-files", "--cached", "--others", "--exclude-standard").splitlines()
    return {path: (ROOT / path).read_text() for path in paths if _is_code(path) and (ROOT / path).exists()}


def commit(name: str) -> dict[str, str]:
    """Return the files of a commit."""
    paths = _git("ls-tree", "-r", "--name-only", name).splitlines()
    return {path: _git("show", f"{name}:{path}") for path in paths if _is_code(path)}


def main() -> None:
    """Print the lines of each part."""
    now = count(checkout())
    before = count(commit(sys.argv[1])) if len(sys.argv) > 1 else None
    for part in PARTS:
        change = "" if before is None else f"{before[part]:8,d} {now[part] - before[part]:+7,d}"
        print(f"{part:8s} {now[part]:8,d} {change}".rstrip())


if __name__ == "__main__":
    main()
