"""The tables of the documentation, and what commands print that are named before them."""

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
#: This one is generated, and held to its generator.
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.name != "parameters.md"),
]

_MARK = re.compile(r"<!-- figures: (.+) -->")
NUMBER = re.compile(r"(?<![\w.,])[+-]?\d[\d,]*(?:\.\d+)?")


class MissingError(Exception):
    """What a command needs is not at hand."""


@dataclass(frozen=True)
class Table:
    """A table of a page.

    Attributes:
        page: The name of the file.
        line: The number of the line of its headings.
        commands: Those that print its figures; none if no comment names any.
        headings: The cells of its first line.
        rows: The cells of the others.
    """

    page: str
    line: int
    commands: tuple[str, ...]
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def name(self) -> str:
        """The page and the first headings, by which lists know a table."""
        return f"{self.page}: {' | '.join(self.headings[:2])}"

    def column(self, heading: str) -> int:
        """The number of a column."""
        return self.headings.index(heading)


@dataclass(frozen=True)
class Printed:
    """What a command left: its words, and its files."""

    text: str
    folder: Path

    @property
    def json(self) -> Any:
        """The words as JSON."""
        return json.loads(self.text)

    def rows(self, name: str) -> list[dict[str, str]]:
        """A file as rows of a table."""
        with (self.folder / name).open() as file:
            return list(csv.DictReader(file))

    def found(self, pattern: str) -> list[tuple[str, ...]]:
        """The groups of a pattern, wherever it is at the begin of a line."""
        return re.findall(rf"^{pattern}", self.text, re.MULTILINE)


@dataclass(frozen=True)
class Figures:
    """What a cell should say: its numbers in their order; None for one that is not measured."""

    row: int
    column: int
    values: Sequence[float | None]


@dataclass
class Shell:
    """Runs commands of the documentation, each once.

    Attributes:
        folder: Where they may leave files.
        quick: Whether only what takes seconds is to be run.
    """

    folder: Path
    quick: bool
    _done: dict[str, Printed] = field(default_factory=dict)

    def run(self, command: str, needs: Path | None = None) -> Printed:
        """What a command prints.

        Raises:
            MissingError: What it needs is not there.
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
    """Every table of every page."""
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
