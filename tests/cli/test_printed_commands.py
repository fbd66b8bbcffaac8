"""Commands in messages: whoever copies one runs it, and nothing that a name of a file says."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sledsim

SOURCES = Path(sledsim.__file__).parent
#: A command between quotes in which something is put, whose own quotes would end them.
QUOTED = re.compile(r"'sledsim [^'\0]*\0")
#: A command with something put into it, up to there.
WITH_VALUE = re.compile(r"\bsledsim (?:[a-z]+ )[^.;\n\0']*\0")
#: Functions whose results are safe in a shell.
SAFE = {"quote", "join"}


def texts() -> Iterator[tuple[str, str, list[ast.expr]]]:
    """Each text with values in it, which are NUL there: where it is, the text, and the values."""
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.JoinedStr):
                parts = ["\0" if isinstance(one, ast.FormattedValue) else one.value for one in node.values]
                values = [one.value for one in node.values if isinstance(one, ast.FormattedValue)]
                yield f"{path.relative_to(SOURCES)}:{node.lineno}", "".join(map(str, parts)), values


@pytest.mark.dear("every source file is parsed", every_change=True)
def test_no_command_with_a_value_stands_between_quotes() -> None:
    assert [where for where, text, _ in texts() if QUOTED.search(text)] == []


@pytest.mark.dear("every source file is parsed", every_change=True)
def test_values_in_commands_are_quoted_for_a_shell() -> None:
    """Names that sledsim gave itself, those of studies and experiments, are safe as they are."""
    own = {
        ("cli/commands/study.py", "name"),
        ("exploration/slurm.py", "tasks"),
        ("papers/book/recordings.py", "self.id"),
        ("papers/shared/experiments.py", "self.experiment.id"),
    }
    found = []
    for where, text, values in texts():
        for command in WITH_VALUE.finditer(text):
            at = text[: command.end()].count("\0") - 1
            value = values[at]
            is_quoted = isinstance(value, ast.Call) and getattr(value.func, "attr", "") in SAFE
            if not is_quoted and (where.partition(":")[0], ast.unparse(value)) not in own:
                found.append(f"{where}: {ast.unparse(value)}")
    assert found == []
