"""The table of mutants goes together with the core, and says so where it does not."""

from pathlib import Path

import pytest

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
    """The program with the unit tests, whose building is most of what they take."""
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
    """Cargo takes ``--lib`` no second time."""
    crates = sorted({mutant.crate for mutant in MUTANTS})
    targets = sorted({target for mutant in MUTANTS for target in mutant.tests})
    assert sum(target.startswith("lib") for target in targets) > 1
    found = words(crates, targets)
    assert found.count("--lib") == 1 and found.count("--package") == len(crates)
    assert found.count("--test") == sum(not target.startswith("lib") for target in targets)
    assert words(["sledsim"], ["volumes"]) == ["--package", "sledsim", "--test", "volumes"]
