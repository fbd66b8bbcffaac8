"""The tables of the documentation, and the output of the commands that stand before them."""

import csv
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
SHARED = ROOT.parent / "shared"
VALIDATION = SHARED / "traces" / "disksim-valid"
HP_TRACES = SHARED / "traces" / "hp-srt"
DISKSIM = SHARED / "golden" / "disksim"
#: A generated table, which is compared with its generator.
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.name != "parameters.md"),
]

_MARK = re.compile(r"<!-- figures: (.+) -->")
NUMBER = re.compile(r"(?<![\w.,])[+-]?\d[\d,]*(?:\.\d+)?")


class MissingError(Exception):
    """A command needs something that is not installed."""


@dataclass(frozen=True)
class Table:
    """A table of a page.

    Attributes:
        page: The name of the file.
        line: Number of the line with the headings.
        commands: The commands that print the figures; empty without a comment.
        headings: The cells of the first line.
        rows: The cells of the other lines.
    """

    page: str
    line: int
    commands: tuple[str, ...]
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def name(self) -> str:
        """Return the page and the first headings, by which lists know a table."""
        return f"{self.page}: {' | '.join(self.headings[:2])}"

    def column(self, heading: str) -> int:
        """Return the number of a column."""
        return self.headings.index(heading)


@dataclass(frozen=True)
class Printed:
    """The output of a command and the files that it wrote."""

    text: str
    folder: Path

    @property
    def json(self) -> Any:
        """Parse the output as JSON."""
        return json.loads(self.text)

    def rows(self, name: str) -> list[dict[str, str]]:
        """Read a file as rows of a table."""
        with (self.folder / name).open() as file:
            return list(csv.DictReader(file))

    def found(self, pattern: str) -> list[tuple[str, ...]]:
        """Return the groups of a pattern that matches at the beginning of a line."""
        return re.findall(rf"^{pattern}", self.text, re.MULTILINE)


@dataclass(frozen=True)
class Figures:
    """The wanted figures of a cell: its numbers in order; None for a number that is not measured."""

    row: int
    column: int
    values: Sequence[float | None]


@dataclass
class Shell:
    """A runner of the documentation's commands, each once.

    Attributes:
        folder: Folder for the files of the commands.
        quick: True if only commands of seconds are run.
    """

    folder: Path
    quick: bool
    _done: dict[str, Printed] = field(default_factory=dict)

    def run(self, command: str, needs: Path | None = None) -> Printed:
        """Run a command and return its output.

        Raises:
            MissingError: If something that the command needs is missing.
        """
        if needs is not None and not needs.exists():
            raise MissingError(f"{command}: it needs {needs}")
        if command not in self._done:
            folder = self.folder / str(len(self._done))
            folder.mkdir()
            program, *words = shlex.split(command, comments=True)
            start = [sys.executable, ROOT / words.pop(0)] if program == "python" else [_program(program)]
            done = subprocess.run([*start, *words], cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode:
                raise AssertionError(f"{command}: {done.stderr}")
            self._done[command] = Printed(done.stdout, folder)
        return self._done[command]


def _program(name: str) -> Path:
    return Path(sys.executable).with_name(name)


Reader = Callable[[Table, Shell], Iterator[Figures]]


def tables() -> Iterator[Table]:
    """Yield every table of every page."""
    for page in PAGES:
        lines = [*page.read_text().splitlines(), ""]
        starts = [at for at, line in enumerate(lines) if line[:1] == "|" and lines[at - 1][:1] != "|"]
        for start in starts:
            end = next(at for at in range(start, len(lines)) if lines[at][:1] != "|")
            mark = _MARK.fullmatch(lines[start - 1])
            commands = tuple(mark[1].split("; ")) if mark else ()
            head, _, *rows = (_cells(line) for line in lines[start:end])
            yield Table(page.name, start + 1, commands, head, tuple(rows))


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1])
