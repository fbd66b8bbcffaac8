"""Tests that cost much say why, and each family of them keeps a case in the every-change tier."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from . import costs, tiers

ROOT = Path(__file__).parents[1]
FILES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py"))


class Said(NamedTuple):
    """The mark of a test as its file has it.

    Attributes:
        reason: Empty if the mark gives none.
        stays: Whether all or some cases are in the every-change tier.
    """

    reason: str
    stays: bool


def said(node: ast.expr, shared: dict[str, Said]) -> Said | None:
    """The mark ``dear`` that an expression is, if it is one or the name of one."""
    if isinstance(node, ast.Name):
        return shared.get(node.id)
    if not (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == tiers.MARK
    ):
        return None
    reason = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else ""
    kept = [word.value for word in node.keywords if word.arg in ("every_change", "cases")]
    stays = bool(kept) and not (isinstance(kept[0], ast.Constant) and not kept[0].value)
    return Said(str(reason), stays)


def marks_of(text: str) -> dict[str, Said | None]:
    """The tests of a file and their marks, its own before that of the whole file."""
    body = ast.parse(text).body
    whole: Said | None = None
    shared: dict[str, Said] = {}
    for node in body:
        if isinstance(node, ast.Assign):
            listed = node.value.elts if isinstance(node.value, ast.List | ast.Tuple) else [node.value]
            mark = next(filter(None, (said(one, shared) for one in listed)), None)
            name = ast.unparse(node.targets[0])
            if name == "pytestmark":
                whole = mark
            elif mark:
                shared[name] = mark
    return {
        node.name: next(filter(None, (said(one, shared) for one in node.decorator_list)), whole)
        for node in body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


MARKS = {file: marks_of((ROOT / file).read_text()) for file in FILES}


def measured() -> Iterator[tuple[str, str, costs.Cost]]:
    for test, row in costs.read().items():
        file, _, name = test.partition("::")
        if name in MARKS.get(file, {}):
            yield file, name, row


def test_what_costs_much_has_a_mark() -> None:
    rows = list(measured())
    assert len(rows) > 1500, "make costs"
    unmarked = {
        f"{file}::{name}": row.dearest_s
        for file, name, row in rows
        if row.dearest_s > costs.DEAR_S and MARKS[file][name] is None
    }
    assert unmarked == {}, f"more than {costs.DEAR_S} s of a processor: cheaper, or @pytest.mark.dear(REASON)"


def test_every_test_of_the_every_change_tier_is_measured() -> None:
    known = costs.read()
    new = [
        file
        for file, marks in MARKS.items()
        if any(mark is None and f"{file}::{name}" not in known for name, mark in marks.items())
    ]
    assert new == [], f"make costs TESTS='{' '.join(new)}'"


def test_tests_are_functions() -> None:
    """What a class holds would be measured by no row."""
    assert [file for file in FILES if "\nclass Test" in (ROOT / file).read_text()] == []


def test_a_mark_has_a_reason() -> None:
    for file, marks in MARKS.items():
        assert all(len(mark.reason.split()) >= 3 for mark in marks.values() if mark), f"{file}: dear(REASON)"


def left_out(marks: dict[str, dict[str, Said | None]]) -> list[str]:
    """The files of dear tests alone, of which the every-change tier has no case for one of the reasons."""
    kept = {mark.reason for tests in marks.values() for mark in tests.values() if mark and mark.stays}
    return [
        file
        for file, tests in marks.items()
        if all(tests.values()) and any(mark and mark.reason not in kept for mark in tests.values())
    ]


def test_every_family_keeps_a_case_on_every_change() -> None:
    assert left_out(MARKS) == [], "dear(..., every_change=CASE)"


def test_a_family_without_a_case_is_found() -> None:
    dear, other, kept = Said("a browser", False), Said("a server", False), Said("a browser", True)
    families: dict[str, dict[str, Said | None]] = {"all": {"test_a": dear, "test_b": dear}, "empty": {}}
    assert left_out(families) == ["all"]
    for more in ({"test_c": None}, {"test_c": kept}):
        assert left_out({"all": {**families["all"], **more}}) == []
    assert left_out({**families, "other": {"test_a": other}, "one": {"test_a": kept}}) == ["other"]


def test_marks_are_read_as_they_stand() -> None:
    text = "\n".join(
        (
            "slow = pytest.mark.dear('a name', every_change='x')",
            "pytestmark = [pytest.mark.other, pytest.mark.dear('all of it')]",
            "@pytest.mark.dear('this one', every_change=('a', 'b'))",
            "def test_one(): ...",
            "@pytest.mark.dear('none', every_change=False)",
            "def test_two(): ...",
            "def test_three(): ...",
            "@slow",
            "def test_four(): ...",
        )
    )
    assert marks_of(text) == {
        "test_one": Said("this one", True),
        "test_two": Said("none", False),
        "test_three": Said("all of it", False),
        "test_four": Said("a name", True),
    }


class Item(NamedTuple):
    """As much of a test as the tiers look at."""

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
def test_a_mark_that_is_none_is_told_of(args: tuple[str, ...], words: dict[str, object]) -> None:
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


def test_processor_time_counts_programs_that_run_and_that_have_ended() -> None:
    """The time of a processor, which no load changes."""
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
    kept = "tests/test_tiers.py::test_a_mark_has_a_reason"
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
    """The time of a processor, which no load changes."""
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
    """Ends the run of a command line with such words."""
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
