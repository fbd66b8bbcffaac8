"""Measured figures in the tables of the documentation, beside what their commands print today.

A comment before a table names the commands that print it: ``<!-- figures: sledsim paper run 003-E-3 -->``.
A row of `READERS` says which printed figure belongs into which cell. ``make figures`` lists every figure that
is stale, ``make figures FIGURES=--write`` puts today's in their places, in as many digits as the page has.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from .docs_readers import READERS
from .docs_tables import NUMBER, PAGES, Figures, MissingError, Shell, Table, tables


def stale(table: Table, shell: Shell) -> Iterator[tuple[Figures, str, str]]:
    """Yield each wrong cell of a table: its place and figures, its text, and the wanted text."""
    for figures in READERS[table.name](table, shell):
        says = table.rows[figures.row][figures.column]
        should = renewed(says, figures.values)
        if should != says:
            yield figures, says, should


def renewed(cell: str, values: Sequence[float | None]) -> str:
    """Return a cell with new numbers in its digits; a number that agrees in these digits stays unchanged."""
    numbers = NUMBER.findall(cell)
    if len(numbers) != len(values):
        return f"{cell} (expected {len(values)} numbers: {', '.join(map(str, values))})"
    left = iter(zip(numbers, values, strict=True))

    def put(_: re.Match[str]) -> str:
        number, value = next(left)
        return number if value is None else _as(number, value)

    return NUMBER.sub(put, cell)


def _as(number: str, value: float) -> str:
    """Format a value in the digits of a number; return that number if both agree to these digits."""
    decimals = len(number.partition(".")[2])
    # A value in the middle between two numbers may be rounded to either.
    if abs(float(number.replace(",", "")) - value) <= 0.5 * 10.0**-decimals * (1 + 1e-9):
        return number
    sign = "+" if number[0] == "+" or (number[0] == "-" and value > 0) else ""
    return f"{value:{sign},.{decimals}f}"


# Figures by cell ---------------------------------------------------------------


_MACHINE = "times of one machine: `make bench` prints those of this one"
_SERVING = "times of one machine: `python bench/serving.py` prints those of this one"
_NAMES = "names and what they mean, no measured figure"
_CLAIMS = "bounds that the tests in its last column hold"
_TEXT = "sentences with some figures of experiments, which their notes print"
#: Tables for which no command is run, and the reasons.
EXCEPTIONS: dict[str, str] = {
    "README.md: part | content": _NAMES,
    "glossary.md: word | meaning": _TEXT,
    "bounds.md:  | up to 15 requests": "what is computed, no measured figure",
    "traces.md: aspect | doubtful if": "kinds of evidence, which tests/traces/test_corpus.py holds",
    "commits.md: device | commits/s": "figures that python bench/commits.py prints",
    "commits.md: device | fdatasync": "times of served databases, which python bench/databases.py prints",
    "comparing.md: `--out` | what is written": _NAMES,
    "devices.md: name | device": "what devices are; their files hold the figures, with sources",
    "devices.md: key | meaning": "keys of a file, which tests/model/test_certainty.py reads and refuses",
    "devices.md: kind | the number": "names, which tests/model/test_certainty.py holds",
    "devices.md: DiskSim | here": "keys; tests/model/test_disksim_import.py holds what becomes of them",
    "emulator.md: scheduler | requests at a time": _SERVING,
    "episodes.md: key | in Python": _NAMES,
    "explain.md: due to | when": _NAMES,
    "own-devices.md: name | content": _NAMES,
    "packages.md: group | the object": _NAMES,
    "faults.md: `remapping` | a block with lost tip sectors": _TEXT,
    "faults.md: spares, failures a tip and year | in the study": "read by tests/docs/test_docs_faults.py",
    "install.md: extra | what for": _NAMES,
    "install.md: system | what works": _NAMES,
    "install.md: what | what another version does with it": "tests/common/test_earlier.py holds it",
    "layouts.md: layout | where the blocks lie": _NAMES,
    "long-runs.md: argument | what it does": _NAMES,
    "model.md: motion | time": "formulas",
    "papers.md: models of | listed models, where a number is a factor": _NAMES,
    "papers.md: experiment | what the paper expects": _TEXT,
    "papers.md: file | used by": _NAMES,
    "model.md: account | consumer": _NAMES,
    "papers.md: verdict | a claim gets it if": _NAMES,
    "papers.md: kind | what it compares": _NAMES,
    "papers.md: field | what it is": "read by tests/cli/test_cli_paper.py",
    "papers.md: claim | reading used": "readings, no measured figure",
    "papers.md: rule | where it is open": "readings, no measured figure",
    "performance.md: file | sledsim": _MACHINE,
    "perfetto.md: track | what it shows": "read by tests/docs/test_docs_perfetto.py",
    "perfetto.md: argument | of": "read by tests/docs/test_docs_perfetto.py",
    "robustness.md: claims that are not tested | reason": "read by tests/papers/test_robustness.py",
    "robustness.md: field | what it is": "read by tests/papers/test_robustness.py",
    "schedulers.md: column | meaning": "read by tests/docs/test_docs_schedulers.py",
    "crash.md: cache | open writes": _NAMES,
    "serving.md: program | what it needs": _NAMES,
    "serving.md: option | meaning": _NAMES,
    "serving.md: option | when power is cut": _NAMES,
    "stepping.md: method | answers": _NAMES,
    "stepping.md: kind | the request is complete": "rules, which tests/runs/test_flushes.py holds",
    "uncertainty.md: figure | unit": _NAMES,
    "uncertainty.md: exit status | meaning": _NAMES,
    "sweeps.md: state of a point | what it means": _NAMES,
    "sweeps.md: option | what it does": _NAMES,
    "studies.md: study | what it shows": _NAMES,
    "traces.md: format | what": "read by tests/docs/test_docs_traces.py",
    "traces.md: what is found | what to add": "read by tests/traces/test_foreign_traces.py",
    "traces.md: replay | when a request comes": "read by tests/docs/test_docs_traces.py",
    "traces.md: command | what it does": _NAMES,
    "validation.md: check | agreement": _CLAIMS,
    "validation.md: DiskSim's rule | effect": _TEXT,
    "volumes.md: kind | what it does": "read by tests/docs/test_docs_volumes.py",
    "workloads.md: workload | draws": "read by tests/docs/test_docs_workloads.py",
    "workloads.md: arrivals | when": "read by tests/docs/test_docs_workloads.py",
    "workloads.md: figure | 1999-01-13 published": "read by tests/docs/test_docs_workloads.py",
}


def main() -> int:
    """List the stale figures; return 1 if any figure is stale."""
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
    """Print the stale figures of tables, and their number; write today's figures if asked."""
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
