"""The figures in the tables of the documentation agree with today's output of their commands."""

from collections import Counter

import pytest

from sledsim.papers import PAPERS, Verdict

from ..conftest import is_long
from ..docs_numbers import EXCEPTIONS, renewed, stale
from ..docs_readers import READERS
from ..docs_tables import MissingError, Shell, Table, tables
from ..papers.test_papers import EXPECTED
from ..parameters_page import VALIDATION

TABLES = list(tables())


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    return Shell(tmp_path_factory.mktemp("commands"), quick=not is_long())


def test_every_table_is_in_one_list() -> None:
    names = {table.name for table in TABLES}
    assert names - {*READERS, *EXCEPTIONS} == set(), "neither compared nor an exception"
    assert {*READERS, *EXCEPTIONS} - names == set(), "no such table"
    assert not set(READERS) & set(EXCEPTIONS)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_comment_names_the_commands_of_what_is_compared(table: Table) -> None:
    assert bool(table.commands) == (table.name in READERS)


@pytest.mark.dear(
    "commands behind the figures of a table run", every_change="layouts.md: layout | settling 0.22 ms"
)
@pytest.mark.parametrize(
    "table", [table for table in TABLES if table.name in READERS], ids=lambda table: table.name
)
def test_the_figures_are_what_is_printed(table: Table, shell: Shell) -> None:
    try:
        found = [f"{says} -> {should}" for _, says, should in stale(table, shell)]
    except MissingError as missing:
        pytest.skip(str(missing))
    assert found == [], f"{table.commands}: make figures FIGURES=--write"


@pytest.mark.parametrize(
    ("cell", "values", "should"),
    [
        ("1.10 (0.96 to 1.26)", [1.104, 0.962, 1.2649], "1.10 (0.96 to 1.26)"),
        ("1.10 (0.96 to 1.26)", [1.106, 0.962, 1.2651], "1.11 (0.96 to 1.27)"),
        ("-0.9 to -0.8 %", [-0.94, 0.26], "-0.9 to +0.3 %"),
        ("1.078-1.079", [1.0781, 1.0794], "1.078-1.079"),
        ("9.48 (+0.6 %)", [9.484, 0.55], "9.48 (+0.6 %)"),
        ("4688, 5023 s", [4688.4, 12345.6], "4688, 12,346 s"),
        ("1,300/s", [1300.0], "1,300/s"),
        ("", [], ""),
        ("", [1700.0], " (expected 1 numbers: 1700.0)"),
        ("5 a cylinder, of 1,280 tips", [None, 1281.0], "5 a cylinder, of 1,281 tips"),
    ],
)
def test_numbers_are_compared_in_the_digits_of_the_page(
    cell: str, values: list[float | None], should: str
) -> None:
    assert renewed(cell, values) == should


def test_the_counts_of_claims_and_verdicts_are_those_that_the_tests_hold() -> None:
    counts = Counter(EXPECTED.values())
    counted = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict)
    said = f"its last line counts the verdicts: {counted}."
    assert said in VALIDATION.read_text(), "make parameters writes them again"
    assert sum(paper.claims for paper in PAPERS.values()) == len(EXPECTED)
