"""Expensive tests state a reason, and a file with only such tests keeps a case on every change."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from . import costs, tiers

ROOT = Path(__file__).parents[1]
FILES = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")}


@pytest.fixture
def collected(request: pytest.FixtureRequest) -> list[pytest.Item]:
    """Return all tests that this run has found, in both tiers."""
    return request.config.stash[tiers.COLLECTED]


def test_expensive_tests_have_a_mark(collected: list[pytest.Item]) -> None:
    known = costs.read()
    assert len(known) > 1500, "make costs"
    unmarked = {
        test: known[test].dearest_s
        for test in {costs.test_of(item.nodeid) for item in collected if tiers.dear(item) is None}
        if test in known and known[test].dearest_s > costs.DEAR_S
    }
    assert unmarked == {}, f"more than {costs.DEAR_S} s of a processor: cheaper, or @pytest.mark.dear(REASON)"


def test_every_test_of_the_every_change_tier_is_measured(collected: list[pytest.Item]) -> None:
    cheap = {costs.test_of(item.nodeid) for item in collected if tiers.dear(item) is None}
    new = {test.partition("::")[0] for test in cheap - costs.read().keys()}
    assert new == set(), f"make costs TESTS='{' '.join(sorted(new))}'"


def test_tests_are_functions(collected: list[pytest.Item]) -> None:
    """A method of a class would have no row of costs."""
    assert {item.nodeid for item in collected if costs.test_of(item.nodeid).count("::") != 1} == set()


def left_out(tests: list[pytest.Item]) -> list[str]:
    """Return the files of dear tests alone of which the every-change tier lacks a case for some reason."""
    marks = [(item, tiers.dear(item)) for item in tests]
    kept = {mark.reason for item, mark in marks if mark and tiers.runs_on_every_change(item)}
    reasons: dict[str, set[str | None]] = {}
    for item, mark in marks:
        reasons.setdefault(item.nodeid.partition("::")[0], set()).add(mark and mark.reason)
    return [file for file, found in reasons.items() if None not in found and found - kept]


def test_a_file_of_dear_tests_keeps_a_case_of_each_reason(collected: list[pytest.Item]) -> None:
    if {item.nodeid.partition("::")[0] for item in collected} < FILES:
        pytest.skip("a reason may keep its case in a file that is not collected")
    assert left_out(collected) == [], "dear(..., every_change=CASE)"


class Item(NamedTuple):
    """The attributes of a test that the tiers read."""

    nodeid: str
    mark: pytest.Mark | None = None
    fixturenames: tuple[str, ...] = ()

    @property
    def callspec(self) -> "Item":
        return self

    @property
    def id(self) -> str:
        return self.nodeid.partition("[")[2].rstrip("]")

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.mark if self.mark and self.mark.name == name else None

    def add_marker(self, mark: object) -> None: ...


def items(*named: tuple[str, bool | str | tuple[str, ...] | None]) -> list[pytest.Item]:
    return [  # type: ignore[return-value]
        Item(name, None if kept is None else pytest.mark.dear("a reason of words", every_change=kept).mark)
        for name, kept in named
    ]


def test_a_reason_without_a_case_is_found() -> None:
    dear = items(("x/all.py::a[1]", "2"), ("x/all.py::b[1]", False))
    assert left_out(dear) == ["x/all.py"]
    for more in (("x/all.py::c", None), ("x/all.py::a[2]", "2"), ("x/other.py::c", True)):
        assert left_out([*dear, *items(more)]) == []
    kept: pytest.Item = Item(
        "x/all.py::c", pytest.mark.dear("another reason altogether", every_change=True).mark
    )  # type: ignore[assignment]
    assert left_out([*dear, kept]) == ["x/all.py"]


def test_the_tier_keeps_what_the_marks_keep() -> None:
    kept, left = tiers.split(
        items(
            ("x::a", None),
            ("x::b[1]", "2"),
            ("x::b[2]", "2"),
            ("x::c[p-q]", ("p-q", "r")),
            ("x::c[r]", ("p-q", "r")),
            ("x::d[1]", True),
            ("x::e[1]", False),
        )
    )
    assert [item.nodeid for item in kept] == ["x::a", "x::b[2]", "x::c[p-q]", "x::c[r]", "x::d[1]"]
    assert [item.nodeid for item in left] == ["x::b[1]", "x::e[1]"]


def test_a_case_that_is_gone_is_named_where_all_would_be_there() -> None:
    chosen = items(("x::b[1]", ("1", "gone")))
    with pytest.raises(pytest.UsageError, match="x::b: no case 'gone'"):
        tiers.check(chosen, are_whole=True)
    tiers.check(chosen, are_whole=False)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), {}),
        (("too short",), {}),
        (("a reason", "and another one"), {}),
        ((), {"reason": "a reason of words"}),
        (("a reason of words",), {"every_chnage": True}),
        (("a reason of words",), {"every_change": None}),
        (("a reason of words",), {"every_change": 1}),
        (("a reason of words",), {"every_change": ()}),
        (("a reason of words",), {"cases": True}),
        (("a reason of words",), {"cases": ()}),
    ],
)
def test_an_unknown_mark_is_reported(args: tuple[str, ...], words: dict[str, object]) -> None:
    wrong: pytest.Item = Item("x::a[1]", pytest.mark.dear(*args, **words).mark)  # type: ignore[assignment]
    with pytest.raises(pytest.UsageError, match=r"x::a\[1\]: expected dear\(REASON\).*, found dear\("):
        tiers.check([wrong], are_whole=False)


def test_groups_come_dearest_first_and_stay_together() -> None:
    costs_s = {test: row.total_s for test, row in costs.read().items()}
    dear, cheap = max(costs_s, key=costs_s.__getitem__), min(costs_s, key=costs_s.__getitem__)
    named = [cheap, dear, f"{cheap.partition('::')[0]}::test_b", f"{dear.partition('::')[0]}::test_a"]
    found = [item.nodeid for item in tiers.ordered(items(*((name, None) for name in named)))]
    assert found == [dear, named[3], cheap, named[2]]


def test_a_group_costs_what_its_shared_fixtures_do_once(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {
        "tests/a/test_x.py::test_one": costs.Cost(2, 1.0, 0.9),
        "tests/a/test_y.py::test_two": costs.Cost(1, 3.0, 3.0),
        "tests/a::fixture shared": costs.Cost(2, 8.0, 4.0),
        "tests/b::fixture shared": costs.Cost(1, 100.0, 100.0),
    }
    monkeypatch.setattr(tiers, "read", lambda: rows)
    asking = [Item(f"tests/a/test_x.py::test_one[{case}]", None, ("shared", "tmp_path")) for case in (1, 2)]
    found = [item.nodeid for item in tiers.ordered([Item("tests/a/test_y.py::test_two"), *asking])]  # type: ignore[list-item]
    assert found == [*(item.nodeid for item in asking), "tests/a/test_y.py::test_two"]


def test_without_costs_tests_run_all_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "costs.json"
    for text in (
        "<<<<<<< HEAD",
        "[]",
        '{"tests": {"test_a": [0, 0, 0]}}',
        '{"tests": {"test_a": [1, -1, -1]}}',
    ):
        broken.write_text(text)
        with pytest.raises(pytest.UsageError, match="make costs"):
            costs.read(broken)
    monkeypatch.setattr(tiers, "read", lambda: costs.read(broken))
    assert len(list(tiers.ordered(items(("x::a", None))))) == 1


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="running programs are counted by /proc")
def test_processor_time_counts_programs_that_run_and_that_have_ended() -> None:
    """Processor time does not depend on the load."""
    burn = "import time; end = time.process_time() + 0.1\nwhile time.process_time() < end: pass\n"
    before_s = costs.processor_s()
    subprocess.run([sys.executable, "-S", "-c", burn], check=True)
    ended_s = costs.processor_s()
    assert ended_s - before_s > 0.09
    with subprocess.Popen(
        [sys.executable, "-S", "-c", f"{burn}print(flush=True); input()"], stdin=-1, stdout=-1
    ) as program:
        assert program.stdout is not None
        program.stdout.readline()
        # The kernel counts running programs in ticks of 10 ms.
        assert costs.processor_s() - ended_s > 0.07
        program.communicate(b"\n")


def test_costs_are_kept_in_lines_without_tests_that_are_gone(tmp_path: Path) -> None:
    kept = "tests/test_tiers.py::test_tests_are_functions"
    rows = {kept: costs.cost([0.004, 0.25]), "tests/test_tiers.py::test_gone": costs.cost([1.0])}
    costs.write(rows, tmp_path / "costs.json")
    assert costs.read(tmp_path / "costs.json") == {kept: costs.Cost(2, 0.25, 0.25)}
    assert len((tmp_path / "costs.json").read_text().splitlines()) == 5
    assert costs.read(tmp_path / "none.json") == {}


FILE = """
import time
import pytest

def burn(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

@pytest.fixture(scope="module")
def inner():
    burn(0.2)

@pytest.fixture(scope="module")
def outer(inner):
    burn(0.1)

def test_first(outer):
    burn(0.05)

@pytest.mark.parametrize("case", [1, 2])
def test_second(outer, case): ...
"""
RUN = """
import pathlib, pytest, tests.costs as costs
costs.ROOT, costs.SLOW_TO_LOAD = pathlib.Path.cwd(), ()
meter = costs.Meter(costs.ROOT / "costs.json", writes=True)
raise SystemExit(pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir=."], plugins=[meter]))
"""


@pytest.mark.dear("another suite runs", every_change=True)
def test_a_shared_fixture_is_charged_once_and_to_no_test(tmp_path: Path) -> None:
    """Processor time does not depend on the load."""
    (tmp_path / "test_file.py").write_text(FILE)
    paths = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""}
    subprocess.run([sys.executable, "-c", RUN], cwd=tmp_path, env=paths, check=True, capture_output=True)
    found = {name.partition("::")[2]: row for name, row in costs.read(tmp_path / "costs.json").items()}
    assert {name: row.cases for name, row in found.items()} == {
        "fixture inner": 1,
        "fixture outer": 1,
        "test_first": 1,
        "test_second": 2,
    }
    assert found["fixture inner"].total_s >= 0.2
    assert 0.1 <= found["fixture outer"].total_s < 0.2
    assert 0.05 <= found["test_first"].total_s < 0.1
    assert found["test_second"].dearest_s < 0.05


def end(meter: costs.Meter, *args: str, exitstatus: int = 0, **options: object) -> None:
    """End the run of a command line with these words."""
    config: Any = SimpleNamespace(args=args, getoption=lambda name, default: options.get(name, default))
    meter.pytest_sessionfinish(SimpleNamespace(config=config), exitstatus)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("words", "options", "exitstatus"),
    [
        (("tests/test_tiers.py::test_a",), {}, 0),
        ((), {"keyword": "a"}, 0),
        ((), {"lf": True}, 0),
        ((), {"every_change": True}, 0),
        ((), {}, pytest.ExitCode.INTERRUPTED),
    ],
)
def test_where_some_cases_run_a_row_of_more_stays(
    words: tuple[str, ...], options: dict[str, object], exitstatus: int, tmp_path: Path
) -> None:
    own = "tests/test_tiers.py::test_where_some_cases_run_a_row_of_more_stays"
    file, kept = tmp_path / "costs.json", costs.Cost(5, 9.0, 8.0)
    costs.write({own: kept}, file)
    meter = costs.Meter(file, writes=True)
    meter._found = {own: [0.5, 0.25]}
    end(meter, *words, exitstatus=exitstatus, **options)
    assert costs.read(file) == {own: kept}
    end(meter)
    assert costs.read(file) == {own: costs.Cost(2, 0.75, 0.5)}
    assert list(tmp_path.iterdir()) == [file]


def test_a_test_is_one_whatever_its_case_and_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "SLOW_TO_LOAD", ())
    meter = costs.Meter(tmp_path / "costs.json", writes=True)
    own = "tests/test_tiers.py::test_a_test_is_one_whatever_its_case_and_group"
    for name in (own, f"{own}@browser", f"{own}[a@b]", f"{own}[c]@browser"):
        report = pytest.TestReport(name, ("", None, ""), {}, "passed", None, "teardown")
        report.user_properties = [("cpu_s of " + name, 0.25)]
        meter.pytest_runtest_logreport(report)
    end(meter)
    assert costs.read(tmp_path / "costs.json") == {own: costs.Cost(4, 1.0, 0.25)}


def test_a_skipped_test_keeps_its_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs, "SLOW_TO_LOAD", ())
    own = "tests/test_tiers.py::test_a_skipped_test_keeps_its_row"
    costs.write({own: costs.Cost(1, 2.0, 2.0)}, tmp_path / "costs.json")
    meter = costs.Meter(tmp_path / "costs.json", writes=True)
    for when, outcome in (("setup", "skipped"), ("teardown", "passed")):
        report = pytest.TestReport(own, ("", None, ""), {}, outcome, None, when)  # type: ignore[arg-type]
        report.user_properties = [("cpu_s of " + own, 0.01)]
        meter.pytest_runtest_logreport(report)
    end(meter)
    assert costs.read(tmp_path / "costs.json") == {own: costs.Cost(1, 2.0, 2.0)}
