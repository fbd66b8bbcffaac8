"""The table of mutants agrees with the core; a difference is reported."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from .mutants import running
from .mutants.drawn import CONCERNED, draw, files, mutants_of, rates
from .mutants.scratch import ROOT, words
from .mutants.table import MismatchError, Mutant, put, read, switch

MUTANTS = read()


def mutant(text: str, mutated: str, number: int = 7) -> Mutant:
    return Mutant(number, "one", "lib.rs", text, mutated, "something", {"lib": ["a test"]}, False)


def test_there_are_enough_of_all_parts() -> None:
    assert len(MUTANTS) >= 40
    assert 10 <= sum(mutant.is_quick for mutant in MUTANTS) <= 15
    parts = {mutant.file.partition("/")[0].removesuffix(".rs") for mutant in MUTANTS}
    assert parts >= {
        "mechanics",
        "sched",
        "layout",
        "station",
        "volume",
        "energy",
        "faults",
        "trace",
        "record",
        "server",
        "timing",
        "emulator",
        "nbd",
    }


def test_the_quick_ones_need_only_one_program() -> None:
    """The program with the unit tests takes the most time to build."""
    assert {target for mutant in MUTANTS if mutant.is_quick for target in mutant.tests} == {"lib"}


@pytest.mark.parametrize("file", sorted({mutant.path for mutant in MUTANTS}), ids=str)
def test_every_text_is_there_once(file: Path) -> None:
    own = [mutant for mutant in MUTANTS if mutant.path == file]
    switched = switch((ROOT / file).read_text(), own)
    assert all(switched.count(f"crate::mutant::on({mutant.number}) ") == 1 for mutant in own)


def test_a_switch_stands_for_an_expression_or_for_statements() -> None:
    assert switch("f(a + b);", [mutant("a + b", "a - b")]) == (
        "f((if crate::mutant::on(7) { a - b } else { a + b }));"
    )
    assert switch("g();\nh();", [mutant("h();", "")]) == "g();\nif crate::mutant::on(7) {  } else { h(); }"


def test_a_text_that_has_gone_is_named() -> None:
    for source, times in (("nothing", 0), ("a + b; a + b", 2)):
        with pytest.raises(
            MismatchError, match=f"mutant one is there {times} times, expected once:\n    a \\+ b\n"
        ):
            switch(source, [mutant("a + b", "a")])
    with pytest.raises(MismatchError, match="overlaps"):
        switch("a + b + c", [mutant("a + b", "a", 1), mutant("b + c", "c", 2)])


def test_a_file_that_has_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(MismatchError, match=r"crates/sledsim/src/lib\.rs: there is no such file any more"):
        put([mutant("a", "b")], tmp_path)


def test_libraries_of_several_crates_are_asked_for_once() -> None:
    """Cargo accepts ``--lib`` once."""
    crates = sorted({mutant.crate for mutant in MUTANTS})
    targets = sorted({target for mutant in MUTANTS for target in mutant.tests})
    assert sum(target.startswith("lib") for target in targets) > 1
    found = words(crates, targets)
    assert found.count("--lib") == 1 and found.count("--package") == len(crates)
    assert found.count("--test") == sum(not target.startswith("lib") for target in targets)
    assert words(["sledsim"], ["volumes"]) == ["--package", "sledsim", "--test", "volumes"]


#: A source, with the mutants drawn from it: the line, its text, and the mutated text.
SOURCE = """const MOST: u64 = 3 + 4;
fn cost(&self, at: u64) -> u64 {
    if at < self.end && self.is_open {
        self.note(at);
    }
    at + 2_u64
}
const fn most() -> u64 { 3 - 1 }
#[cfg(test)]
mod tests { fn one() -> u64 { 1 + 1 } }
"""
DRAWN = [
    (3, "at < self.end && self.is_open", "!(at < self.end && self.is_open)"),
    (3, "at < self.end && self.is_open", "at < self.end || self.is_open"),
    (3, "at < self.end", "at <= self.end"),
    (4, "self.note(at);", ""),
    (6, "at + 2_u64", "at - 2_u64"),
    (6, "2_u64", "3_u64"),
]


def small(tmp_path: Path) -> Path:
    folder = tmp_path / "crates/sledsim/src/sched"
    folder.mkdir(parents=True)
    (folder / "one.rs").write_text(SOURCE)
    return tmp_path


def test_operators_numbers_conditions_and_calls_are_drawn(tmp_path: Path) -> None:
    found = list(mutants_of(small(tmp_path), "sledsim", "sched/one.rs"))
    assert [(int(one.name.partition(":")[2]), one.text, one.mutated) for one in found] == DRAWN
    assert all(SOURCE[one.at :].startswith(one.text) for one in found)
    assert list(found[0].tests) == [*CONCERNED["sledsim"]]


def test_a_seed_draws_the_same_and_none_that_overlap(tmp_path: Path) -> None:
    root = small(tmp_path)
    drawn = draw(root, 5)
    assert drawn == draw(root, 5)
    assert any(draw(root, seed)[0] != drawn[0] for seed in range(4))
    ends = sorted((one.at, one.at + len(one.text)) for one in drawn)
    assert all(before[1] <= after[0] for before, after in pairwise(ends))
    assert [one.number for one in drawn] == list(range(1, len(drawn) + 1))
    assert draw(root, 5, ["volume/"]) == []


def test_places_are_switched_where_they_are() -> None:
    two = [replace(mutant("a", "b", number), at=at) for number, at in ((1, 0), (2, 4))]
    assert switch("a + a", two) == (
        "(if crate::mutant::on(1) { b } else { a }) + (if crate::mutant::on(2) { b } else { a })"
    )


def test_every_target_is_concerned() -> None:
    """The soak takes longest, and layering reads the sources instead of running them."""
    assert {crate for crate, _ in files(ROOT)} == CONCERNED.keys()
    for crate, targets in CONCERNED.items():
        there = {path.stem for path in (ROOT / "crates" / crate / "tests").iterdir()} - {"soak", "layering"}
        assert {name for name in targets if not name.startswith("lib")} == there


def test_rates_are_counted_by_room() -> None:
    some = [replace(mutant("a", "b"), file=file) for file in ("sched/a.rs", "sched/b.rs", "power/c.rs")]
    assert rates(some, some[:1]) == [("power", 1, 1), ("sched", 2, 1)]


#: A program with three tests. ``fast`` reaches mutants 1 and 2 and does not end with 2 on, ``slow`` reaches 1
#: and 3 and fails with them, and ``other`` reaches no mutant and fails with any.
PROGRAM = """#!/bin/sh
test "$1" = --list && printf 'fast: test\\nslow: test\\nother: test\\n2 benches\\n' && exit
on=${SLEDSIM_MUTANT:-0}
echo "$2 $on" >> "$0.log"
case "$2" in
    fast) reached="1 2"; test $on = 2 && exec sleep 60;;
    slow) reached="1 3"; sleep 0.05; test $on = 1 -o $on = 3 && exit 101;;
    other) reached=""; test $on -gt 0 && exit 101;;
esac
for number in $reached; do
    test $on -gt 0 || echo $number >> "$SLEDSIM_MUTANTS_REACHED"
done
"""


def test_only_tests_that_reach_a_mutant_are_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "LEAST_S", 0.2)
    (tmp_path / "crates/sledsim").mkdir(parents=True)
    program = tmp_path / "program"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    tests = running.reach(program, tmp_path)
    assert {test.name: sorted(test.numbers) for test in tests} == {
        "fast": [1, 2],
        "slow": [1, 3],
        "other": [],
    }
    found = {number: running.finds(tests, tmp_path, number) for number in (1, 2, 3, 4)}
    assert found == {1: "slow", 2: "fast (it does not end)", 3: "slow", 4: ""}
    log = Path(f"{program}.log").read_text().splitlines()
    assert sorted(line for line in log if not line.endswith(" 0")) == ["fast 1", "fast 2", "slow 1", "slow 3"]


def test_a_test_that_fails_without_a_mutant_is_named(tmp_path: Path) -> None:
    (tmp_path / "crates/sledsim").mkdir(parents=True)
    program = tmp_path / "program"
    program.write_text('#!/bin/sh\ntest "$1" = --list && echo "one: test" && exit\nexit 101\n')
    program.chmod(0o755)
    with pytest.raises(MismatchError, match="program: without any mutant one ends with 101"):
        running.reach(program, tmp_path)
