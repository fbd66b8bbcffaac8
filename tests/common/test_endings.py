"""Tables in files: each ending is written as a whole, in parts and by every command."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import sledsim
from sledsim.common.endings import CSV, ENDINGS, JSON, PARQUET, Ending, ending_of, write_parts, write_rows
from sledsim.traces.streams import stream_of

from ..cli.test_cli_errors import refused
from ..conftest import Cli, leftovers

ROWS = [
    {"name": 'a "quoted", name', "count": 2**60, "is_so": True, "mean_s": 0.1 + 0.2},
    {"name": "é\n", "count": -1, "is_so": False, "mean_s": None},
]


def _of_csv(text: str | None) -> Any:
    """Convert a text of a CSV file to the value that it shows."""
    if text in ("", None, "true", "false"):
        return {"true": True, "false": False}.get(text or "")
    try:
        return int(text or "")
    except ValueError:
        try:
            return float(text or "")
        except ValueError:
            return text


def read(path: Path, ending: Ending) -> list[dict[str, Any]]:
    """Return the rows of a file, read by other libraries."""
    if ending is PARQUET:
        return list(pyarrow.parquet.read_table(path).to_pylist())
    if ending is JSON:
        return list(json.loads(path.read_text()))
    with path.open(newline="") as file:
        return [{key: _of_csv(value) for key, value in row.items()} for row in csv.DictReader(file)]


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda one: one.name)
def test_rows_are_read_as_they_were(ending: Ending, tmp_path: Path) -> None:
    path = write_rows(tmp_path / f"rows{ending.name}", ROWS)
    assert read(path, ending) == ROWS
    assert read(write_rows(tmp_path / "bare", ROWS, ending), ending) == ROWS


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda one: one.name)
def test_parts_are_one_table_and_none_are_an_empty_one(ending: Ending, tmp_path: Path) -> None:
    table = pyarrow.table({"where": pyarrow.array(["a", "b", "a"]).dictionary_encode(), "x": [1, 2, 3]})
    path = tmp_path / f"parts{ending.name}"
    write_parts(path, table.schema, [table.slice(0, 1), table.slice(1)])
    assert read(path, ending) == table.to_pylist()
    write_parts(path, table.schema, [])
    assert read(path, ending) == []


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda one: one.name)
def test_what_breaks_leaves_what_was_there(ending: Ending, tmp_path: Path) -> None:
    path = tmp_path / f"parts{ending.name}"
    path.write_text("before")

    def broken() -> Any:
        yield pyarrow.table({"x": [1]})
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_parts(path, pyarrow.schema([("x", pyarrow.int64())]), broken())
    assert path.read_text() == "before"
    assert leftovers(tmp_path) == [path.name]


def test_the_ending_decides_the_format() -> None:
    assert ending_of("a.b.CSV") is CSV
    assert ending_of("/dev/null", bare=PARQUET) is PARQUET
    for name, found in {"x.txt": "'.txt'", "x.csv.gz": "'.gz'", "x": "none"}.items():
        with pytest.raises(sledsim.ParameterError) as raised:
            ending_of(name)
        assert (
            str(raised.value)
            == f"{name}: expected a name that ends in .parquet, .csv or .json, found {found}"
        )


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda one: one.name)
@pytest.mark.parametrize("is_long", [False, True])
def test_a_run_is_written_as_its_name_says(
    ending: Ending, is_long: bool, device: sledsim.Device, workload: sledsim.Trace, tmp_path: Path
) -> None:
    """A run is written from memory, and while it is simulated."""
    path = tmp_path / f"run{ending.name}"
    whole = sledsim.simulate(device, workload, "sptf")
    if is_long:
        sledsim.simulate(device, stream_of(workload, batch=500), "sptf", path=path)
    else:
        whole.write(path)
    rows = read(path, ending)
    assert list(rows[0]) == whole.requests.column_names
    for name in ("arrival_ns", "completion_ns", "response_ns", "energy_j"):
        assert np.array_equal([row[name] for row in rows], whole.requests[name].to_numpy()), name
    assert {row["where"] for row in rows} == {"device"}


def test_a_wrong_name_is_reported_before_the_run(cli: Cli, here: Path) -> None:
    work = "random:rate=500,count=100000000"
    words = "error: x.txt: expected a name that ends in .parquet, .csv or .json, found '.txt'\n"
    refused(cli("run", work, "--out", "x.txt"), 2, words)
    refused(cli("trace", "popularity", work, "--out", "x.json"), 2, "that ends in .csv, found '.json'")
    refused(cli("serve", "--record", "x.csv"), 2, "expected a name that ends in .parquet, found '.csv'")
    assert leftovers(here) == []


def test_what_only_parquet_has_room_for_is_not_left_out(run: sledsim.Run, tmp_path: Path) -> None:
    with pytest.raises(sledsim.ParameterError, match=r"ends in \.parquet, found '\.csv'"):
        run.write_with(tmp_path / "served.csv", {}, {b"more": {}})
    assert leftovers(tmp_path) == []
