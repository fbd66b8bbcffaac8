"""The ledger: added rows stay, whatever happens to the process and to the file."""

import json
import math
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

import sledsim
from sledsim.ledger import Contents, Ledger, key_of, merge
from sledsim.ledger.lines import HEAD, content_of, line_of
from sledsim.ledger.point_keys import canonical

from ..conftest import leftovers, often

ASKED = {"kind": "test", "of": [1, 2]}


def row(number: int, figure: float = 0.5, status: str = "ok", content: Any = None) -> dict[str, Any]:
    return {
        "key": key_of({"point": number if content is None else content}),
        "number": number,
        "status": status,
        "figures": {"mean_response_s": figure},
        "error": None if status == "ok" else "broken",
        "cpu_s": random.random(),
        "host": "here",
        "version": "1",
    }


def done(folder: Path) -> dict[int, float]:
    contents = Contents.of([folder])
    (study,) = contents.studies
    numbers = contents.done(study)
    return {number: contents.row(key)["figures"]["mean_response_s"] for number, key in numbers.items()}


def test_a_key_depends_on_content_alone() -> None:
    assert canonical({"b": 1.0, "a": [True, None, "é"]}) == '{"a":[true,null,"é"],"b":1.0}'.encode()
    assert key_of({"b": 1, "a": 2}) == key_of({"a": 2, "b": 1})
    assert key_of({"a": 1}) != key_of({"a": 1.5})
    with pytest.raises(ValueError):
        key_of({"a": math.nan})


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@pytest.mark.dear("many points of a study are simulated")
@given(st.dictionaries(st.text(max_size=5), json_values, max_size=4), st.data())
def test_a_line_is_read_as_it_was_written_and_damage_is_seen(
    value: dict[str, Any], data: st.DataObject
) -> None:
    line = line_of(value)
    assert line.endswith(b"\n") and line.count(b"\n") == 1
    assert content_of(line[:-1]) == value
    damaged = bytearray(line[:-1])
    damaged[data.draw(st.integers(0, len(damaged) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(ValueError):
        content_of(bytes(damaged))


def test_what_was_added_is_there_and_is_known(tmp_path: Path) -> None:
    with Ledger(tmp_path / "new" / "folder", ASKED) as ledger:
        ledger.add([row(3), row(1, 0.25)])
        ledger.add([])
        assert leftovers(tmp_path / "new" / "folder") == ["study.ledger"]
    with Ledger(tmp_path / "new" / "folder", ASKED) as ledger:
        assert sorted(ledger.contents.done(ledger.study)) == [1, 3]
        ledger.add([row(2, 0.125)])
    assert done(tmp_path / "new" / "folder") == {1: 0.25, 2: 0.125, 3: 0.5}


def test_points_of_one_content_have_one_row(tmp_path: Path) -> None:
    with Ledger(tmp_path, ASKED) as ledger:
        ledger.add([row(0, content="same"), row(1, content="same")])
        ledger.add([row(2, content="same")])
        with Ledger(tmp_path, {"kind": "another"}, "other") as other:
            assert not other.add([row(7, content="same")])
        assert not ledger.contents.disagreements
    contents = Contents.of([tmp_path])
    assert len(contents.places) == 1
    assert {study: sorted(numbers) for study, numbers in contents.numbers.items()} == {
        ledger.study: [0, 1, 2],
        other.study: [7],
    }
    text = (tmp_path / "study.ledger").read_bytes() + (tmp_path / "other.ledger").read_bytes()
    assert text.count(b'"figures"') == 1, "the others are references"


def test_a_row_replaces_one_that_failed_and_is_replaced_by_none(tmp_path: Path) -> None:
    with Ledger(tmp_path, ASKED) as ledger:
        ledger.add([row(0, status="failed"), row(1)])
        assert sorted(ledger.contents.done(ledger.study, failed=False)) == [1]
        ledger.add([row(0, 0.75), row(1, status="failed")])
        for contents in (ledger.contents, Contents.of([tmp_path])):
            assert sorted(contents.done(ledger.study, failed=False)) == [0, 1]
            assert [one["status"] for one in contents.rows()] == ["ok", "ok"]
    assert done(tmp_path) == {0: 0.75, 1: 0.5}


def test_rows_that_disagree_are_reported(tmp_path: Path) -> None:
    with Ledger(tmp_path, ASKED) as ledger:
        assert not ledger.add([row(0), row(0)])
        (said,) = ledger.add([row(0, 0.6)])
        assert said.startswith(key_of({"point": 0})) and "other figures than this run" in said


def test_two_processes_do_not_share_a_file(tmp_path: Path) -> None:
    with (
        Ledger(tmp_path, ASKED),
        pytest.raises(OSError, match="another process is writing to the file") as raised,
        Ledger(tmp_path, ASKED),
    ):
        pass
    assert raised.value.filename == str(tmp_path / "study.ledger")
    with Ledger(tmp_path, ASKED, "study-1-of-2"), Ledger(tmp_path, ASKED, "study-2-of-2"):
        pass


def test_half_a_line_is_what_a_killed_process_leaves(tmp_path: Path) -> None:
    with Ledger(tmp_path, ASKED) as ledger:
        ledger.add([row(0)])
        ledger.add([row(1)])
    path = tmp_path / "study.ledger"
    whole = path.read_bytes()
    last = whole[:-1].rindex(b"\n") + 1
    for end in range(last, len(whole)):
        path.write_bytes(whole[:end])
        assert done(tmp_path) == {0: 0.5}
        with Ledger(tmp_path, ASKED) as ledger:
            assert path.stat().st_size == last and not ledger.notes
            ledger.add([row(1, 0.25)])
        assert done(tmp_path) == {0: 0.5, 1: 0.25}


def test_damage_is_reported_and_costs_its_line_alone(tmp_path: Path) -> None:
    with Ledger(tmp_path, ASKED) as ledger:
        ledger.add(row(number) for number in range(4))
    path = tmp_path / "study.ledger"
    lines = path.read_bytes().splitlines(keepends=True)
    for at in range(2, len(lines)):
        damaged = lines[at][:20] + b"#" + lines[at][21:]
        path.write_bytes(b"".join([*lines[:at], damaged, *lines[at + 1 :]]))
        contents = Contents.of([tmp_path])
        assert len(contents.places) == 3
        (note,) = contents.notes
        assert note == (
            f"{path}: line {at + 1}: expected lines that match their checksums, found damage:"
            " repeat the command to run the missing points again"
        )


def test_a_damaged_head_costs_nothing(tmp_path: Path) -> None:
    with Ledger(tmp_path, ASKED) as ledger:
        ledger.add(row(number) for number in range(4))
    path = tmp_path / "study.ledger"
    path.write_bytes(b"#" + path.read_bytes()[1:])
    with Ledger(tmp_path, ASKED) as ledger:
        assert len(ledger.contents.done(ledger.study)) == 4 and "line 1: " in ledger.notes[0]
        ledger.add([row(4)])
    assert len(done(tmp_path)) == 5


def test_ends_of_lines_of_another_system_are_read(tmp_path: Path) -> None:
    with Ledger(tmp_path, ASKED) as ledger:
        ledger.add(row(number) for number in range(4))
    path = tmp_path / "study.ledger"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    with Ledger(tmp_path, ASKED) as ledger:
        ledger.add([row(4)])
        assert not ledger.notes
    assert len(done(tmp_path)) == 5 and len(list(Contents.of([tmp_path]).rows())) == 5


def test_a_head_that_was_being_written_is_written_again(tmp_path: Path) -> None:
    head = line_of(HEAD)
    for length in range(len(head)):
        (tmp_path / "study.ledger").write_bytes(head[:length])
        for _ in range(2):
            with Ledger(tmp_path, ASKED) as ledger:
                ledger.add([row(0)])
        assert len(done(tmp_path)) == 1


@pytest.mark.parametrize(
    "content",
    [b"key,figure\n1,2\n", b"\n", b"\x00\n", line_of({"ledger": "other"}), b"mine", b"mine\nand yours"],
)
def test_a_file_that_is_no_ledger_is_refused_and_stays(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "study.ledger"
    path.write_bytes(content)
    with pytest.raises(
        sledsim.ParameterError, match="line 1: expected the head of a ledger of sledsim, found"
    ):
        Ledger(tmp_path, ASKED)
    assert path.read_bytes() == content


def test_merging_is_the_union_by_key(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder, name, numbers in (
        (here, "study-1-of-2", [0, 2]),
        (here, "study-2-of-2", [1, 3]),
        (there, "study", [3, 4]),
    ):
        with Ledger(folder, ASKED, name) as ledger:
            ledger.add(row(number) for number in numbers)
            ledger.add([row(number + 10, content=number) for number in numbers[:1]])
    found = merge(here, [there])
    assert (len(found.places), found.disagreements) == (5, [])
    assert leftovers(here) == ["study.ledger"]
    assert sorted(done(here)) == [0, 1, 2, 3, 4, 10, 11, 13]
    assert sorted(done(there)) == [3, 4, 13]
    keys = [one["key"] for one in Contents.of([here]).rows()]
    assert keys == sorted(keys)
    before = (here / "study.ledger").read_bytes()
    merge(here)
    assert (here / "study.ledger").read_bytes() == before
    with Ledger(here, ASKED) as ledger:
        assert len(ledger.contents.done(ledger.study)) == 8
        with pytest.raises(OSError, match="another process is writing to the file"):
            merge(here)


def test_what_disagrees_is_not_merged(tmp_path: Path) -> None:
    for name, figure in (("a", 0.5), ("b", 0.6)):
        with Ledger(tmp_path / name, ASKED) as ledger:
            ledger.add([row(0, figure)])
    found = merge(tmp_path / "a", [tmp_path / "b"])
    (said,) = found.disagreements
    assert said.startswith(key_of({"point": 0})) and f"{tmp_path}/a/" in said and f"{tmp_path}/b/" in said
    assert leftovers(tmp_path / "a") == leftovers(tmp_path / "b") == ["study.ledger"]


#: A program that adds rows until it is killed, and prints the numbers of the added rows.
ADDS = """
import sys
from sledsim.ledger import Ledger
from tests.ledger.test_ledger import ASKED, row

with Ledger(sys.argv[1], ASKED) as ledger:
    number = max(ledger.contents.done(ledger.study), default=-1) + 1
    while True:
        ledger.add([row(number)])
        print(number, flush=True)
        number += 1
"""


@pytest.mark.dear("many points of a study are simulated")
def test_acknowledged_writes_survive_the_process(tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    for _ in range(3):
        words = [sys.executable, "-c", ADDS, tmp_path]
        with subprocess.Popen(words, cwd=root, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            said = [process.stdout.readline() for _ in range(50)]
            process.kill()
            last = int((said + process.stdout.read().splitlines())[-1])
        there = sorted(done(tmp_path))
        assert there == list(range(len(there))), "none is lost in between"
        assert len(there) in (last + 1, last + 2), "one more may have been written and not said"


@pytest.mark.dear("many points of a study are simulated", every_change=True)
@often(30)
@given(
    st.lists(
        st.tuples(
            st.sampled_from("ab"),
            st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=5),
            st.integers(0, 300),
        ),
        max_size=8,
    )
)
def test_any_history_of_adding_and_dying_comes_to_the_union(
    tmp_path_factory: pytest.TempPathFactory, history: list[Any]
) -> None:
    """A model of the ledger: each number keeps its rows that are whole in some file, with their figures."""
    folder = tmp_path_factory.mktemp("ledger")
    for name, rows, cut in history:
        with Ledger(folder, ASKED, name) as ledger:
            known = set(ledger.contents.places)
            for number, failed in rows:
                # Two numbers share each content.
                content = number // 2
                ledger.add([row(number, content / 8, "failed" if failed else "ok", content)])
            assert known <= set(ledger.contents.places)
        path = folder / f"{name}.ledger"
        size = path.stat().st_size
        head = path.read_bytes().index(b"definition")
        os.truncate(path, max(size - cut, path.read_bytes().index(b"\n", head) + 1))
    contents = Contents.of([folder])
    assert not contents.disagreements and not contents.notes
    for number, key in contents.numbers.get(next(iter(contents.studies), ""), {}).items():
        found = contents.row(key)
        assert key_of({"point": round(found["figures"]["mean_response_s"] * 8)}) == key.hex(), number
    before = {key: json.dumps(contents.row(key)["status"]) for key in contents.places}
    merged = Contents.of([folder]) if not history else merge(folder)
    after = Contents.of([folder])
    assert set(after.places) == set(before) == set(merged.places)
    assert {key: json.dumps(after.row(key)["status"]) for key in after.places} == before
    assert after.numbers.keys() == contents.numbers.keys()
    for study, numbers in contents.numbers.items():
        assert after.numbers[study] == numbers
