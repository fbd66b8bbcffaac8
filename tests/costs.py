"""The processor time of each test, kept in ``costs.json``: ``make costs`` measures it again.

A test is charged for its own work and for all that it starts: commands, browsers, servers. A fixture that
several tests share has a row of its own. A test is not charged for a result that an earlier test has
computed.
"""

import ast
import json
import os
import time
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, NamedTuple

import pytest

import sledsim

FILE = Path(__file__).with_suffix(".json")
ROOT = Path(__file__).parents[1]
#: Processor seconds above which a test needs a reason.
DEAR_S = 0.3
#: Modules that load slowly, loaded in advance like sledsim: the first user would be charged for the loading.
SLOW_TO_LOAD = (
    "altair",
    "vl_convert",
    "pandas",
    "polars",
    "scipy.stats",
    "distributed",
    "playwright.sync_api",
)
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_PROPERTY = "cpu_s of "

Step = Generator[None, Any, Any]


class Cost(NamedTuple):
    """The processor time of a test function or of a shared fixture.

    Attributes:
        cases: Number of its cases.
        total_s: Sum over the cases, in seconds.
        dearest_s: The dearest case, in seconds.
    """

    cases: int
    total_s: float
    dearest_s: float


def processor_s() -> float:
    """Return the processor seconds of this process and of all that it has started, ended or not."""
    ended = os.times()
    below_s = sum(map(_used_s, _below())) if _has_children() else 0.0
    return time.process_time() + ended.children_user + ended.children_system + below_s


def _has_children() -> bool:
    """True if a process that this one has started still runs; few tests have any."""
    if not hasattr(os, "waitid"):  # Python before 3.13 on macOS.
        return True
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _below() -> Iterator[int]:
    """Yield the running processes below this one."""
    waiting = [os.getpid()]
    while waiting:
        for threads in Path(f"/proc/{waiting.pop()}/task").glob("*/children"):
            try:
                found = [int(word) for word in threads.read_text().split()]
            except OSError:  # The process has ended in between.
                continue
            yield from found
            waiting += found


def _used_s(process: int) -> float:
    """Return the processor seconds of a process and of its ended children; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / _TICKS_PER_S


class Meter:
    """A plugin of pytest that charges processor time to tests and shared fixtures, and keeps it in a file.

    Under pytest-xdist the workers measure, and the process that distributes the tests writes.
    """

    def __init__(self, file: Path, writes: bool) -> None:
        self._file, self._writes = file, writes
        self._begun_s = 0.0
        self._shared: dict[str, float] = {}
        self._found: dict[str, list[float]] = {}
        self._skipped: set[str] = set()
        for name in SLOW_TO_LOAD:
            if find_spec(name.partition(".")[0]):
                __import__(name)
        own = walk_packages(sledsim.__path__, "sledsim.") if SLOW_TO_LOAD else ()
        for module in own:
            if not module.name.endswith("__main__"):
                __import__(module.name)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self) -> Step:
        """Open the account of a test."""
        self._begun_s, self._shared = processor_s(), {}
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Step:
        """Charge a shared fixture, without the fixtures that it requests."""
        begun_s, before_s = processor_s(), sum(self._shared.values())
        try:
            return (yield)
        finally:
            if fixturedef.scope != "function":
                inner_s = sum(self._shared.values()) - before_s
                name = f"{fixturedef.baseid}::fixture {fixturedef.argname}"
                self._shared[name] = processor_s() - begun_s - inner_s

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Step:
        """Close the account of a test, and attach it to the last report."""
        try:
            return (yield)
        finally:
            own_s = processor_s() - self._begun_s - sum(self._shared.values())
            for name, cost_s in {item.nodeid: own_s, **self._shared}.items():
                item.user_properties.append((_PROPERTY + name, cost_s))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take the accounts of the workers; a skipped test keeps the row of its last run."""
        if report.skipped:
            self._skipped.add(_PROPERTY + report.nodeid)
        if report.when == "teardown":
            for key, cost_s in report.user_properties:
                if key.startswith(_PROPERTY) and key not in self._skipped:
                    name = test_of(key.removeprefix(_PROPERTY))
                    self._found.setdefault(name, []).append(float(str(cost_s)))

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Write the rows of the tests that ran in the place of their earlier rows.

        If only some cases may have run, a row with more cases stays.
        """
        if not self._writes:
            return
        rows = read(self._file)
        is_whole = _runs_whole_tests(session.config) and exitstatus in (pytest.ExitCode.OK, 1)
        for name, found in self._found.items():
            if is_whole or name not in rows or rows[name].cases <= len(found):
                rows[name] = cost(found)
        write(rows, self._file)


def test_of(id: str) -> str:
    """Return the id of a test without its case in brackets and without the group that pytest-xdist adds."""
    return id.partition("[")[0].partition("@")[0]


def collects_whole_tests(config: pytest.Config) -> bool:
    """True if all cases of each chosen test are collected, as far as the command line shows."""
    return not any("::" in word for word in config.args) and not config.getoption("lf", None)


def _runs_whole_tests(config: pytest.Config) -> bool:
    """True if all cases of each chosen test run, too."""
    options = ("keyword", "markexpr", "every_change", "deselect")
    return collects_whole_tests(config) and not any(config.getoption(option, None) for option in options)


def cost(cases_s: list[float]) -> Cost:
    """Return the row of a test function, to a hundredth of a second; running programs are read in ticks."""
    spent_s = [max(case_s, 0.0) for case_s in cases_s]
    return Cost(len(spent_s), round(sum(spent_s), 2), round(max(spent_s), 2))


def read(file: Path = FILE) -> dict[str, Cost]:
    """Return the costs by the ids of the tests without their cases.

    Raises:
        pytest.UsageError: If the file is no such table.
    """
    if not file.is_file():
        return {}
    try:
        files: dict[str, dict[str, list[Any]]] = json.loads(file.read_text())
        found = {f"{path}::{name}": Cost(*row) for path, rows in files.items() for name, row in rows.items()}
        if not all(row.cases > 0 and 0 <= row.dearest_s <= row.total_s for row in found.values()):
            raise ValueError("a row has no cases, or costs less than nothing")
    except (ValueError, TypeError, AttributeError) as error:
        mend = "take one of its versions whole, or remove it and say make costs"
        raise pytest.UsageError(
            f"{file}: expected rows of cases and seconds, found: {error}: {mend}"
        ) from None
    return found


def write(costs: dict[str, Cost], file: Path = FILE) -> None:
    """Write costs, a line for each test; deleted tests are left out."""
    files: dict[str, list[str]] = {}
    for test in sorted(costs):
        path, _, name = test.partition("::")
        if name in declared(ROOT / path):
            files.setdefault(path, []).append(f"  {json.dumps(name)}: {json.dumps(costs[test])}")
    rows = [f"{json.dumps(path)}: {{\n" + ",\n".join(lines) + "\n }" for path, lines in files.items()]
    part = file.with_name(f".{file.name}.part")
    part.write_text("{\n " + ",\n ".join(rows) + "\n}\n")
    part.replace(file)


def declared(path: Path) -> set[str]:
    """Return the test functions and fixtures that a file declares."""
    if path.is_dir():
        path /= "conftest.py"
    if not path.is_file():
        return set()
    names = [node.name for node in ast.parse(path.read_text()).body if isinstance(node, ast.FunctionDef)]
    return {*names, *(f"fixture {name}" for name in names)}
