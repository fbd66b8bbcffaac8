"""The corpus: small invented files, each of one situation, and the right answers in ``corpus/table.toml``."""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

import sledsim
from sledsim.common.toml import tomllib
from sledsim.traces.trace import OPERATIONS

FOLDER = Path(__file__).parent / "corpus"
ROWS: list[dict[str, Any]] = tomllib.loads((FOLDER / "table.toml").read_text(encoding="utf-8"))["row"]
#: Keys of a row: the ways to read a file, and the right answers.
OPTIONS, ANSWERS = (
    ("format", "map", "skip_bad"),
    ("is", "requests", "columns", "origin_unix_ns", "skipped", "evidence", "error"),
)
#: The key in the table of the number of all entries that are no requests, whatever they are.
OF_ANY_KIND = "*"


def name_of(row: Mapping[str, Any]) -> str:
    """Return the name of a case: the file and the options."""
    return " ".join([row["file"], *(f"{key}={row[key]}" for key in OPTIONS if key in row)])


def content(path: Path) -> bytes:
    """Return the bytes that a file of the corpus stands for."""
    if path.suffix != ".hex":
        return path.read_bytes()
    return bytes.fromhex("".join(line.partition("#")[0] for line in path.read_text().splitlines()))


def cases() -> Iterable[Any]:
    """Yield the cases; a case that awaits a change of sledsim may fail."""
    for row in ROWS:
        awaited = row.get("awaits")
        marks = [pytest.mark.xfail(reason=awaited, strict=False)] if awaited else []
        yield pytest.param(row, id=name_of(row), marks=marks)


def requests_of(trace: sledsim.Trace, like: list[list[Any]]) -> list[list[Any]]:
    """Return the requests in the form of the table, each with as many fields as the row there."""
    columns = (trace.arrival_ns, trace.lbn, trace.blocks, trace.op, trace.response_ns, trace.device)
    rows = [list(row) for row in zip(*(column.tolist() for column in columns), strict=True)]
    for at, row in enumerate(rows):
        expected = like[at] if at < len(like) else row
        row[3] = OPERATIONS[row[3]]
        if isinstance(expected[-1], str):
            row[5] = trace.device_names.get(row[5], row[5])
        del row[len(expected) :]
    return rows


def is_meant(found: sledsim.traces.evidence.Evidence, expected: list[str]) -> bool:
    """True if a row of the table expects a piece of evidence."""
    aspect, verdict, *words = expected
    asked = ((aspect, found.aspect), (verdict, found.verdict))
    return all(word in ("any", its) for word, its in asked) and has_all(found.text, words)


def has_all(text: str, words: Iterable[str]) -> bool:
    return all(word.lower() in text.lower() for word in words)


def check(trace: sledsim.Trace, row: Mapping[str, Any]) -> None:
    """Compare a trace and all that is known about it with its row."""
    assert requests_of(trace, row["requests"]) == row["requests"]
    assert trace.format == row.get("is", trace.format)
    for name, values in row.get("columns", {}).items():
        assert getattr(trace, name).tolist() == values, name
    assert trace.origin_unix_ns == row.get("origin_unix_ns", trace.origin_unix_ns)
    skipped = row.get("skipped", {})
    found = {OF_ANY_KIND: sum(trace.skipped.values())} if OF_ANY_KIND in skipped else dict(trace.skipped)
    assert found == skipped
    rows = row.get("evidence", [])
    for expected in rows:
        assert any(is_meant(one, expected) for one in trace.evidence), (expected, trace.evidence)
    for one in trace.evidence:
        assert one.verdict != "doubtful" or any(is_meant(one, expected) for expected in rows), one


@pytest.mark.parametrize("row", [*cases()])
def test_a_file_gives_the_requests_and_the_evidence_of_its_row(row: dict[str, Any], tmp_path: Path) -> None:
    path = FOLDER / row["file"]
    if path.suffix == ".hex":
        path = tmp_path / path.stem
        path.write_bytes(content(FOLDER / row["file"]))
    options = {key: row[key] for key in OPTIONS if key in row}
    if "error" in row:
        with pytest.raises(sledsim.TraceError) as caught:
            sledsim.read_trace(path, **options)
        said = str(caught.value)
        assert has_all(said.replace(str(path), "FILE"), row["error"]), said
    else:
        check(sledsim.read_trace(path, **options), row)
        check(sledsim.open_trace(path, **options).read(), row)


def test_every_file_of_the_corpus_has_a_row() -> None:
    files = {path.name for path in FOLDER.iterdir()} - {"table.toml"}
    assert files == {row["file"] for row in ROWS}
    assert len(files) >= 80
    assert all(re.fullmatch(r"[a-z0-9-]+\.(csv|tsv|txt|json|html|hex)", name) for name in files)
    assert all(len(content(FOLDER / name)) < 5000 for name in files), "small enough to be read at a glance"


def test_rows_of_the_corpus_are_of_one_form() -> None:
    known = {"file", *OPTIONS, *ANSWERS, "awaits"}
    for row in ROWS:
        assert row.keys() <= known, name_of(row)
        assert ("requests" in row) is not ("error" in row), name_of(row)
        assert all(len(words) >= 2 for words in row.get("evidence", [])), name_of(row)
    assert len({name_of(row) for row in ROWS}) == len(ROWS)


def test_every_format_is_in_the_corpus_twice() -> None:
    formats = [row["is"] for row in ROWS if "is" in row]
    few = {name for name in sledsim.listings.formats() if formats.count(name) < 2}
    assert few == set()
