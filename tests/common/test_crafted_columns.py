"""Columns of traces and results that no run of sledsim wrote."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import sledsim

from .test_crafted_files import RESULT_KEY, SEED, TRACE_KEY, about_of, crafted, outcome, rewritten, use_trace


def odd_columns(count: int) -> dict[str, pyarrow.Array]:
    """Yield columns of a given length that no trace has."""
    numbers = np.arange(count)
    return {
        "text": pyarrow.array(["x"] * count),
        "bytes": pyarrow.array([b"\xff"] * count),
        "lists": pyarrow.array([[1, 2]] * count),
        "tables": pyarrow.array([{"a": 1}] * count),
        "instants": pyarrow.array(numbers, pyarrow.timestamp("ns")),
        "lengths": pyarrow.array(numbers, pyarrow.duration("ns")),
        "decimals": pyarrow.array(numbers.tolist(), pyarrow.decimal128(20, 3)),
        "nothing": pyarrow.nulls(count),
        "gaps": pyarrow.array([None, *range(1, count)], pyarrow.int64()),
        "fractions": pyarrow.array(numbers + 0.5),
        "no numbers": pyarrow.array([float("nan")] * count),
        "huge": pyarrow.array([2**64 - 1] * count, pyarrow.uint64()),
        "negative": pyarrow.array(-1 - numbers),
        "truths": pyarrow.array([True] * count),
        "words": pyarrow.array(["a", "b"] * (count // 2)).dictionary_encode(),
    }


@pytest.mark.dear("hundreds of damaged files are read")
def test_crafted_columns_of_traces_and_results(
    trace: sledsim.Trace, volume_run: sledsim.Run, tmp_path: Path
) -> None:
    path = tmp_path / "x.parquet"
    for write, use, key in (
        (lambda: sledsim.write_trace(trace, path), use_trace, TRACE_KEY),
        (lambda: volume_run.write(path), use_run, RESULT_KEY),
    ):
        write()
        table = pyarrow.parquet.read_table(path)
        given = table.schema.metadata[key] if table.schema.metadata else b"{}"
        for name in table.column_names:
            for odd in odd_columns(len(table)).values():
                at = table.column_names.index(name)
                rewritten(path, table.set_column(at, name, odd), key, given)
                outcome(path, lambda use=use: use(path))
        twice = pyarrow.Table.from_arrays([*table.columns, table["lbn"]], [*table.column_names, "lbn"])
        rewritten(path, twice, key, given)
        assert outcome(path, lambda use=use: use(path))


def use_run(path: Path) -> None:
    run = sledsim.read_run(path)
    run.summary()
    assert len(run.requests) == len(run.response_ns)
    assert run.power().num_rows >= 0
    repr(
        (
            run.devices,
            run.faults,
            run.device_counts,
            run.volumes,
            run.energy_by_use_j,
            run.span_s,
            run.drain_s,
        )
    )
    if "lbn" in run.columns:
        run.again()
        explain_first(run)
    else:
        with pytest.raises(KeyError, match="a column that this run did not keep"):
            run.again()


def explain_first(run: sledsim.Run) -> None:
    """A changed result is detected when the run is repeated; a run in memory names no file."""
    try:
        run.explain(0, ())
    except sledsim.TraceError as error:
        assert "when run again" in str(error)


@pytest.mark.dear("hundreds of damaged files are read")
def test_crafted_metadata_of_results(volume_run: sledsim.Run, tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    for run in (
        volume_run,
        sledsim.simulate(sledsim.device("osdi00"), sledsim.demo_trace().rows(slice(0, 40))),
    ):
        run.write(path)
        about, table = about_of(path, RESULT_KEY), pyarrow.parquet.read_table(path)
        assert outcome(path, lambda: use_run(path)) == ""
        draw, refused = random.Random(SEED + 2), 0
        for given in crafted(draw, about, 400):
            rewritten(path, table, RESULT_KEY, given)
            refused += bool(outcome(path, lambda: use_run(path)))
        assert refused > 200


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda about: about.pop("totals"), "totals: expected a table, found nothing"),
        (lambda about: about.update(trace=5), "trace: expected a text, found 5"),
        (
            lambda about: about.update(parameters=[]),
            "parameters: expected a table, found a list with 0 entries",
        ),
        (
            lambda about: about["totals"].update(devices=[]),
            "totals.devices: expected a list of 1 or more values, found a list",
        ),
        (
            lambda about: about["totals"]["devices"][1].update(name=None),
            "totals.devices[1].name: expected a text, found nothing",
        ),
        (
            lambda about: about["totals"].update(busy_s=[1.0]),
            "totals.busy_s: expected a list of 3 numbers, one for each device, found a list with 1",
        ),
        (
            lambda about: about["totals"]["devices"][0]["energy_over_time"]["uses_j"].update(idle=[0.5]),
            "totals.devices[0].energy_over_time.uses_j: expected lists of equal length, found lists of 1 and",
        ),
    ],
)
def test_what_is_odd_in_a_result_is_named(
    volume_run: sledsim.Run, tmp_path: Path, change: Callable[[Any], object], message: str
) -> None:
    path = tmp_path / "run.parquet"
    volume_run.write(path)
    about = about_of(path, RESULT_KEY)
    change(about)
    rewritten(path, pyarrow.parquet.read_table(path), RESULT_KEY, json.dumps(about).encode())
    with pytest.raises(sledsim.TraceError) as raised:
        sledsim.read_run(path)
    expected = (
        f"{path}: expected a whole result written by sledsim {sledsim.__version__}, found another file ("
    )
    assert str(raised.value).startswith(f"{expected}{message}")


def test_rows_that_no_run_gives_are_refused(volume_run: sledsim.Run, tmp_path: Path) -> None:
    path = tmp_path / "run.parquet"
    volume_run.write(path)
    about, table = json.dumps(about_of(path, RESULT_KEY)).encode(), pyarrow.parquet.read_table(path)

    def refused(name: str, values: Any) -> str:
        at = table.column_names.index(name)
        rewritten(path, table.set_column(at, name, pyarrow.array(values)), RESULT_KEY, about)
        with pytest.raises(sledsim.TraceError) as raised:
            sledsim.read_run(path)
        return str(raised.value)

    assert "served_by: expected a mask with a bit for each of 3 devices, found 8" in refused(
        "served_by", np.full(40, 8, np.uint64)
    )
    arrival_ns = table["arrival_ns"].to_numpy()
    assert "completion_ns: expected times after the arrival" in refused("completion_ns", arrival_ns - 1)
    assert "energy_j: expected numbers, found NaN or infinity" in refused("energy_j", np.full(40, np.nan))
    assert "rows: request 1: expected an arrival at or after" in refused(
        "arrival_ns", arrival_ns[::-1] * 0 + range(40, 0, -1)
    )
    rewritten(path, table.slice(0, 0), RESULT_KEY, about)
    with pytest.raises(sledsim.TraceError, match="rows: expected at least one request, found 0"):
        sledsim.read_run(path)


@pytest.mark.dear("hundreds of damaged files are read", every_change=True)
def test_crafted_bounds(tmp_path: Path) -> None:
    path = tmp_path / "bounds.json"
    device = sledsim.device("osdi00")
    found = sledsim.schedule_bounds(
        device, sledsim.random_workload(device, rate_per_s=900, count=5), ["fcfs", "sptf"]
    )
    found.write(path)
    about = json.loads(path.read_text())
    draw = random.Random(SEED + 3)

    def use() -> None:
        bounds = sledsim.read_bounds(path)
        bounds.summary()
        bounds.verify()

    assert outcome(path, use) == ""
    refused = 0
    for given in crafted(draw, about, 400):
        path.write_bytes(given)
        refused += bool(outcome(path, use))
    assert refused > 200
