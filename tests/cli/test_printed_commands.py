"""Commands in messages: a copied command runs, and no file name in it runs anything else."""

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

import sledsim

from ..conftest import Cli

SOURCES = Path(sledsim.__file__).parent
#: A quoted command into which a value is put; quotes in the value would end the command.
QUOTED = re.compile(r"'sledsim [^'\0]*\0")
#: A command into which a value is put, up to that value.
WITH_VALUE = re.compile(r"\bsledsim (?:[a-z]+ )[^.;\n\0']*\0")
#: Functions whose results are safe in a shell.
SAFE = {"quote", "join"}


def texts() -> Iterator[tuple[str, str, list[ast.expr]]]:
    """Yield each text with values in it: the place, the text with NUL for each value, and the values."""
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
    """Names that sledsim assigns, to studies and experiments, are safe unquoted."""
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


@pytest.mark.dear("every source file is parsed", every_change=True)
def test_commands_out_of_words_name_what_is_of_a_users_own() -> None:
    """Words of the user are printed as typed; `runnable` joins all other words."""
    found = []
    for path in sorted(SOURCES.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.List | ast.Tuple) or not node.elts:
                continue
            first, *others = map(ast.unparse, node.elts)
            starred = {one for one in others if one.startswith("*")} - {"*sys.argv[1:]"}
            if first == "'sledsim'" and starred:
                found.append(f"{path.relative_to(SOURCES)}: {ast.unparse(node)}")
    assert found == ["cli/output.py: ['sledsim', *own, *map(str, words)]"]


OWN = """
from dataclasses import dataclass
import sledsim

@dataclass
class PrintedBelt:
    turn_ms: float = sledsim.extend.parameter(20.0, "Time of a turn", low=1)
    blocks: int = 1000
    def positioning_s(self, now_s, request):
        return self.turn_ms * 1e-3
    def serve(self, now_s, request):
        return {"positioning_s": self.turn_ms * 1e-3}

class PrintedFair:
    def choose(self, now_s, waiting):
        return 0
"""
VARIED = ("random:rate=20", "--device", "own.py:PrintedBelt", "--scheduler", "own.py:PrintedFair+deadline")
VARIED = (*VARIED, "--over", "turn_ms=10..20", "--count", "200")


@pytest.mark.dear("programs with policies of their own are started", every_change=True)
@pytest.mark.parametrize(
    "words",
    [
        ("holds", "mean < 1", *VARIED, "--samples", "8", "--no-indices"),
        ("optimise", *VARIED, "--minimise", "mean", "--budget", "3"),
    ],
)
def test_printed_commands_run_with_what_is_of_a_users_own(
    words: tuple[str, ...], cli: Cli, spawned: Cli, here: Path
) -> None:
    (here / "own.py").write_text(OWN)
    lines = [line for line in cli(*words).stdout.splitlines() if "sledsim " in line]
    assert lines
    command = shlex.split(lines[0][lines[0].index("sledsim ") :])
    done = spawned(*command[1:])
    assert (done.returncode, "1 of 1 points" in done.stdout) == (0, True), done.stderr
