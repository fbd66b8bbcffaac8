"""Measured figures in the tables of the documentation, beside what their commands print today.

A comment before a table names the commands that print it: ``<!-- figures: sledsim paper run 003-E-3 -->``.
A row of `READERS` says which printed figure belongs into which cell. ``make figures`` lists every figure that
is stale, ``make figures FIGURES=--write`` puts today's in their places, in as many digits as the page has.
"""

import argparse
import csv
import json
import re
import shlex
import subprocess
import sys
import tempfile
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
_NUMBER = re.compile(r"(?<![\w.,])[+-]?\d[\d,]*(?:\.\d+)?")


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


def stale(table: Table, shell: Shell) -> Iterator[tuple[Figures, str, str]]:
    """The cells of a table that are not as printed: what belongs there, what they say, and should say."""
    for figures in READERS[table.name](table, shell):
        says = table.rows[figures.row][figures.column]
        should = renewed(says, figures.values)
        if should != says:
            yield figures, says, should


def renewed(cell: str, values: Sequence[float | None]) -> str:
    """A cell with other numbers, in the digits that it has; a number that agrees in these stays as it is."""
    numbers = _NUMBER.findall(cell)
    if len(numbers) != len(values):
        return f"{cell} (expected {len(values)} numbers: {', '.join(map(str, values))})"
    left = iter(zip(numbers, values, strict=True))

    def put(_: re.Match[str]) -> str:
        number, value = next(left)
        return number if value is None else _as(number, value)

    return _NUMBER.sub(put, cell)


def _as(number: str, value: float) -> str:
    """A value in the digits of a number; that number if it is the value to these digits."""
    decimals = len(number.partition(".")[2])
    # What lies in the middle between two may be rounded to either.
    if abs(float(number.replace(",", "")) - value) <= 0.5 * 10.0**-decimals * (1 + 1e-9):
        return number
    sign = "+" if number[0] == "+" or (number[0] == "-" and value > 0) else ""
    return f"{value:{sign},.{decimals}f}"


# What belongs where ------------------------------------------------------------


def _hierarchies(table: Table, shell: Shell) -> Iterator[Figures]:
    """Geometric means with intervals; only the captures are the same in a quick run."""
    printed: dict[tuple[str, str], list[float]] = {}
    for command in table.commands[: 1 if shell.quick else None]:
        if shell.quick:
            done = shell.run(f"{command.replace(' --traces FOLDER', '')} --quick --json")
        else:
            done = shell.run(f"{command.replace('FOLDER', str(HP_TRACES))} --json", HP_TRACES)
        for finding in (one for claim in done.json[0]["claims"] for one in claim["findings"]):
            pattern = r"on ([\w -]+): (\d+\.\d+)(?: \(([\d.]+) to ([\d.]+)\))?"
            for of, *ratio in re.findall(pattern, finding["found"]):
                key = finding["quantity"].replace("squared coefficient of variation", "variation of response")
                printed[key, of] = [float(number) for number in ratio if number]
    kind = ""
    for at, row in enumerate(table.rows):
        kind = row[0].partition(", ")[0] if ", " in row[0] else kind
        quantity = f"{kind}, {row[0].rpartition(', ')[2]}"
        for column, heading in enumerate(table.headings[1:-1], 1):
            if not shell.quick or (heading, kind) == ("own captures", "mean response"):
                found = printed[quantity, heading]
                yield Figures(at, column, found[: len(_NUMBER.findall(row[column]))])


def _drives(table: Table, shell: Shell) -> Iterator[Figures]:
    validate, leave_one_out = table.commands
    others = {
        name: (float(built_in), float(left_out))
        for name, built_in, left_out in shell.run(leave_one_out, VALIDATION).found(
            r"([\w-]+) +([\d.]+) +([\d.]+) +(?:every|sequential)"
        )
    }
    names = {path.name.partition(".")[0] for path in VALIDATION.glob("*.trace.zst")}
    traces = {name.lower().replace("_", "-"): f"{name}.trace.zst" for name in names}
    for at, row in enumerate(table.rows):
        name = row[0].strip("`")
        yield Figures(at, 1, others[name][:1])
        yield Figures(at, 2, others[name][1:])
        if shell.quick:
            continue
        trace = VALIDATION / traces[name]
        done = shell.run(validate.replace("TRACE", str(trace)).replace("NAME", name))
        percents = {
            which: (float(simulated), float(measured), float(difference))
            for which, simulated, measured, difference in done.found(
                r" (mean|25%|50%)(?: of requests within)? +([\d.]+) ms +([\d.]+) ms +([-+\d.]+)%"
            )
        }
        simulated, measured, difference = percents["mean"]
        yield Figures(at, table.column("mean, ms"), [simulated])
        yield Figures(at, table.column("measured, ms"), [measured])
        yield Figures(at, table.column("mean"), [difference])
        yield Figures(at, table.column("25 %"), [percents["25%"][2]])
        yield Figures(at, table.column("median"), [percents["50%"][2]])


def _sizes(table: Table, shell: Shell) -> Iterator[Figures]:
    (command,) = table.commands
    rows = shell.run(command).found(
        r"(\w+) +(cached|uncached) +(read|write) +(\d+) +[\d.]+ +([\d.]+) +[\d.]+ +([-+\d.]+)%"
    )
    printed = {(drive, f"{cache} {op}s", blocks): (ms, off) for drive, cache, op, blocks, ms, off in rows}
    drive = ""
    for at, row in enumerate(table.rows):
        named = re.match(r"`(\w+)`, ", row[0])
        drive = named[1] if named else drive
        what = re.sub(r"`\w+`, |, ms", "", row[0])
        for column, blocks in enumerate(table.headings[1:], 1):
            found = printed.get((drive, what, blocks.replace(",", "")))
            assert bool(found) == bool(row[column]), (drive, what, blocks)
            if found:
                yield Figures(at, column, [float(number) for number in found])


def _arrays(table: Table, shell: Shell) -> Iterator[Figures]:
    if shell.quick:
        return
    (command,) = table.commands
    printed = shell.run(command).found(
        r"\w+:devices=\d.{14,30}(?:read|write), \S+ +([\d.]+) +([\d.]+) \+-([\d.]+) +([-+\d.]+)% +([\d.]+)"
    )
    for at, numbers in enumerate(zip(table.rows, printed, strict=True)):
        disksim, ours, half_width, off, parts = map(float, numbers[1])
        for column, values in ((3, [disksim]), (4, [ours, half_width]), (5, [off]), (6, [parts])):
            yield Figures(at, column, values)


def _open_runs(table: Table, shell: Shell) -> Iterator[Figures]:
    if shell.quick:
        return
    (command,) = table.commands
    lines = shell.run(command, DISKSIM).found(
        r"(g[12]) +(\d+)/s (\w+) +([\d.]+) +([\d.]+) +([-+\d.]+)% +([-+\d.]+)% +([-+\d.]+)%"
    )
    names = {"FCFS": "fcfs", "C-LOOK": "clook_lbn", "SSTF": "sstf_lbn", "SPTF": "sptf"}
    for at, row in enumerate(table.rows):
        device, rate, policy = re.match(r"(\w+) (\d+)/s, ([\w -]+)", row[0]).groups()  # type: ignore[union-attr]
        wanted = names.get(policy.split(" ")[0])
        found = [line for line in lines if line[:2] == (device.lower(), rate) and wanted in (None, line[2])]
        assert found, row[0]
        for column in range(1, 6):
            values = [float(line[column + 2]) for line in found]
            several = len(_NUMBER.findall(row[column])) == 2
            if several:
                yield Figures(at, column, [min(values), max(values)])
            else:
                yield from (Figures(at, column, [value]) for value in values)


def _words(table: Table, shell: Shell) -> Iterator[Figures]:
    (command,) = table.commands
    shown = shell.run(f"{command} --json").json
    is_set, found = shown["parameters"], shown["characteristics"]
    expected: dict[str, list[float | None]] = {
        "cylinder": [found["cylinders"]],
        "track": [found["tracks_per_cylinder"], is_set["active_tips"]],
        "row": [found["rows_per_track"]],
        "tip sector": [is_set["sector_data_bytes"], is_set["sector_encoded_bits"], is_set["servo_bits"]],
        "block": [found["block_bytes"], is_set["tips_per_block"], found["blocks_per_row"]],
        "turnaround": [found["turnaround_s"] * 1e3],
        "settling": [found["settle_s"] * 1e3],
    }
    for at, row in enumerate(table.rows):
        yield Figures(at, 3, expected[row[0]])


def _studies(table: Table, shell: Shell) -> Iterator[Figures]:
    """Each row has its command; the quick ones are those that draw nothing."""
    for at, row in enumerate(table.rows):
        words = row[3].strip("`")
        study = words.split()[0]
        if study not in _OF_STUDIES or (shell.quick and study.startswith("sensitivity")):
            continue
        done = shell.run(f"sledsim study {words} --json")
        if values := _OF_STUDIES[study](row[0], done.json["rows"]):
            yield Figures(at, 2, values)


def _regions(figure: str, rows: list[dict[str, Any]]) -> list[float]:
    if not figure.startswith("height"):
        return []
    same = [row for row in rows if row["parity"] == "same"]
    times = sorted({row["threshold_s"] for row in same})
    ratios = [[row["ratio"] for row in same if row["threshold_s"] == time] for time in times]
    return [sum(each) / len(each) for each in ratios]


def _threshold(figure: str, rows: list[dict[str, Any]]) -> list[float]:
    (row,) = (row for row in rows if f"{row['zone_x_bits']} x {row['zone_y_bits']} bits" in figure)
    return [row[f"centre_{where}_s"] * 1e3 for where in ("x", "ahead", "behind")]


def _velocities(figure: str, rows: list[dict[str, Any]]) -> list[float]:
    times = {
        row["access_velocity_mm_per_s"]: row["mean_service_s"] * 1e3
        for row in rows
        if row["acceleration_m_per_s2"] == 114.8
    }
    return [times[velocity] for velocity in (10, 20, 30, 60, 100)]


def _frequencies(figure: str, rows: list[dict[str, Any]]) -> list[float]:
    times = {row["resonant_frequency_hz"]: row["mean_service_s"] * 1e3 for row in rows}
    return [times[frequency] for frequency in (50, 220, 800)]


def _increases(figure: str, rows: list[dict[str, Any]]) -> list[float]:
    return [row["increase"] * 100 for row in rows[1:]]


def _rewrites(figure: str, rows: list[dict[str, Any]]) -> list[float]:
    return [row["total_s"] * 1e3 for row in rows if row["operation"] == "read-modify-write"]


_OF_STUDIES = {
    "equivalence-regions": _regions,
    "zone-threshold": _threshold,
    "sensitivity-velocity": _velocities,
    "sensitivity-frequency": _frequencies,
    "large-requests": _increases,
    "read-modify-write": _rewrites,
}


def _rebuilds(table: Table, shell: Shell) -> Iterator[Figures]:
    if shell.quick:
        return
    (command,) = table.commands
    rows = [row for row in shell.run(f"{command} --json").json["rows"] if row["array"] == "raid5"]
    for at, row in enumerate(table.rows):
        shares = {one["rebuild_share"]: one for one in rows if one["device"] == row[0].strip("`")}
        slow, fast = shares[0.1], shares[1.0]
        yield Figures(at, 1, [slow["rebuild_arithmetic_s"], slow["rebuild_s"]])
        yield Figures(at, 2, [fast["rebuild_arithmetic_s"], fast["rebuild_s"]])
        states = ("whole", "degraded", "rebuilding")
        yield Figures(at, 3, [slow[f"response_{state}_s"] * 1e3 for state in states])


def _bounds(table: Table, shell: Shell) -> Iterator[Figures]:
    """Times are of the machine."""
    (command,) = table.commands
    found = shell.run(f"{command} 15 100" if shell.quick else command).found(
        r"(\w+) +(\w+) +([\d,]+) +[\d.]+ +[\d.]+ +([\d.]+)% +([\d.]+)%"
    )
    printed = {line[:3]: [float(number) for number in line[3:]] for line in found}
    for at, row in enumerate(table.rows):
        if not shell.quick or (row[1] == "random" and row[2] != "1,000"):
            gap, policy = printed[row[0].strip("`"), row[1], row[2]]
            yield Figures(at, 5, [gap])
            yield Figures(at, 6, [policy])


def _file_layouts(table: Table, shell: Shell) -> Iterator[Figures]:
    if shell.quick:
        return
    rows = _layouts(table, shell).rows("book/tables/001-E-7-1.csv")
    for at, row in enumerate(table.rows):
        name = re.match(r"`([\w-]+)`", row[0])[1]  # type: ignore[index]
        for column, settle_s in ((1, 0.22e-3), (2, 0.0)):
            (one,) = (one for one in rows if one["layout"] == name and float(one["settle_s"]) == settle_s)
            yield Figures(at, column, [float(one["over_random"]), float(one["over_random_half_width"])])


def _trace_layouts(table: Table, shell: Shell) -> Iterator[Figures]:
    rows = _layouts(table, shell).rows("book/tables/001-E-7-4.csv")
    settled = [row for row in rows if float(row["settle_s"]) == 0.22e-3]
    names = {"had it known": "by-popularity of the second half itself"}
    for at, row in enumerate(table.rows):
        trace = row[0].strip("`")
        layouts = {one["layout"]: one for one in settled if one["trace"] == trace}
        if not layouts:
            assert shell.quick, f"{trace}: nothing is printed"
            continue
        for column, heading in enumerate(table.headings[1:-1], 1):
            one = layouts[names.get(heading, heading.strip("`"))]
            low, high = float(one["over_streaming_low"]), float(one["over_streaming_high"])
            yield Figures(at, column, [float(one["over_streaming"]), (high - low) / 2])
        yield Figures(at, len(table.headings) - 1, [float(layouts["streaming"]["still_popular"]) * 100])


def _layouts(table: Table, shell: Shell) -> Printed:
    """The book of 001-E-7; in a quick run only its files are fewer, and there are no real traces."""
    (command,) = table.commands
    if shell.quick:
        return shell.run(f"{command.replace(' --traces FOLDER', '')} --quick")
    return shell.run(command.replace("FOLDER", str(HP_TRACES)), HP_TRACES)


def _saturation(table: Table, shell: Shell) -> Iterator[Figures]:
    if shell.quick:
        return
    (command,) = table.commands
    states: dict[str, dict[str, list[float]]] = {}
    for row in shell.run(command).rows("compare-out/curves.csv"):
        state = next((name for name in ("saturated", "unsettled") if row[name] == "true"), "sustained")
        states.setdefault(row["scheduler"], {}).setdefault(state, []).append(float(row["rate_per_s"]))
    named = {"FCFS": ["fcfs"], "SATF": ["satf"], "SDF": ["sdf"], "WPTF": ["wptf"]}
    named |= {"ZSPTF, ZTSPTF": ["zsptf", "ztsptf"], "SPTF, pyramid": ["sptf", "sptf_driver", "pyramid"]}
    others = [name for name in states if not any(name in names for names in named.values())]
    for at, row in enumerate(table.rows):
        for policy in named.get(row[0], others):
            found = states[policy]
            yield Figures(at, 1, [max(found["sustained"])])
            yield Figures(at, 2, found.get("unsettled", []))
            yield Figures(at, 3, [min(found["saturated"])])


#: The tables with measured figures, and how what is printed gets into their cells.
READERS: dict[str, Reader] = {
    "bounds.md: device | batch": _bounds,
    "comparing.md: policy | keeps up at": _saturation,
    "faults.md: `raid5` of | rebuild at 10 % of a stream: arithmetic, simulated": _rebuilds,
    "layouts.md: layout | settling 0.22 ms": _file_layouts,
    "layouts.md: trace | `random`": _trace_layouts,
    "model.md: word | is": _words,
    "studies.md: figure | paper or check": _studies,
    "validation.md:  | drawn 1999-01-13": _hierarchies,
    "validation.md: array | unit": _arrays,
    "validation.md: blocks | 8": _sizes,
    "validation.md: drive | demerit, ms": _drives,
    "validation.md: run | DiskSim ms": _open_runs,
}

_MACHINE = "times of one machine: `make bench` prints those of this one"
_NAMES = "names and what they mean, no measured figure"
_CLAIMS = "bounds that the tests in its last column hold"
_TEXT = "sentences with some figures of experiments, which their notes print"
#: The tables that no command is run for, and why.
EXCEPTIONS: dict[str, str] = {
    "README.md: door | behind it": _NAMES,
    "code.md: text | stands in": _NAMES,
    "glossary.md: word | meaning": _TEXT,
    "bounds.md:  | up to 15 requests": "what is computed, no measured figure",
    "comparing.md: file | what it holds": _NAMES,
    "comparing.md: figure | what it is": _NAMES,
    "devices.md: name | device": "what devices are; their files hold the figures, with sources",
    "devices.md: name | drive": "what devices are; their files hold the figures, with sources",
    "devices.md: DiskSim | here": "keys; tests/model/test_disksim_import.py holds what becomes of them",
    "faults.md: `remapping` | what becomes of a block that has lost tip sectors": _TEXT,
    "faults.md: compared | found": _CLAIMS,
    "layouts.md: layout | where the blocks lie": _NAMES,
    "model.md: motion | time": "formulas",
    "papers.md: perturbation | what is wrong": _NAMES,
    "model.md: key | names": _NAMES,
    "model.md: account | what takes it": _NAMES,
    "papers.md: verdict | a claim gets it if": _NAMES,
    "papers.md: kind | what it compares": _NAMES,
    "papers.md: command | field": _NAMES,
    "papers.md: claim | reading used": "readings, no measured figure",
    "papers.md: experiment | what the paper expects": _TEXT,
    "performance.md: `cargo bench` | requests a second": _MACHINE,
    "performance.md: file | sledsim": _MACHINE,
    "performance.md: device | policy": _MACHINE,
    "performance.md: volume | million requests a second": _MACHINE,
    "schedulers.md: column | meaning": "read by tests/docs/test_docs_schedulers.py",
    "studies.md: study | what it shows": _NAMES,
    "traces.md: format | what": "read by tests/docs/test_docs_traces.py",
    "traces.md: replay | when a request comes": "read by tests/docs/test_docs_traces.py",
    "traces.md: command | what it does": _NAMES,
    "validation.md: check | agreement": _CLAIMS,
    "volumes.md: kind | what it does": "read by tests/docs/test_docs_volumes.py",
    "workloads.md: workload | draws": "read by tests/docs/test_docs_workloads.py",
    "workloads.md: arrivals | when": "read by tests/docs/test_docs_workloads.py",
    "workloads.md: figure | 1999-01-13 published": "read by tests/docs/test_docs_workloads.py",
}


def main() -> int:
    """List what is stale; 1 if anything is."""
    parser = argparse.ArgumentParser(description="List the figures of the documentation that are stale.")
    parser.add_argument("--quick", action="store_true", help="only what takes seconds")
    parser.add_argument("--write", action="store_true", help="write today's figures into the pages")
    parser.add_argument("pages", nargs="*", help="such as validation.md; all if none is named")
    given = parser.parse_args()
    wanted = [table for table in tables() if table.name in READERS]
    with tempfile.TemporaryDirectory() as folder:
        shell = Shell(Path(folder), given.quick)
        count = _list(shell, [one for one in wanted if one.page in (given.pages or [one.page])], given.write)
    print(f"{count} stale")
    return int(count > 0)


def _list(shell: Shell, wanted: Sequence[Table], write: bool) -> int:
    """Print the stale figures of tables, and how many they are; write today's where that is asked for."""
    count = 0
    for table in wanted:
        try:
            found = list(stale(table, shell))
        except MissingError as missing:
            print(f"{table.name}: not compared: {missing}")
            continue
        for figures, says, should in found:
            print(f"{table.page}:{table.line + 2 + figures.row}: {says} -> {should}", flush=True)
        if write:
            _write(table, found)
        count += len(found)
    return count


def _write(table: Table, found: Sequence[tuple[Figures, str, str]]) -> None:
    """Put cells into their places; lines keep their numbers."""
    (path,) = (page for page in PAGES if page.name == table.page)
    lines = path.read_text().split("\n")
    for figures, says, should in found:
        at = table.line + 1 + figures.row
        cells = re.split(r"(?<!\\)\|", lines[at])
        cells[figures.column + 1] = cells[figures.column + 1].replace(says, should)
        lines[at] = "|".join(cells)
    path.write_text("\n".join(lines))


if __name__ == "__main__":
    sys.exit(main())
