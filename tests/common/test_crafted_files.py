"""Traces, results and bounds that somebody has crafted: documented errors only, which name the file."""

import copy
import json
import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import sledsim
from sledsim.cli import main
from sledsim.traces.statistics import trace_statistics

SEED = 18
TRACE_KEY, RESULT_KEY = b"sledsim.trace", b"sledsim"
DOCUMENTED = (sledsim.TraceError, sledsim.ParameterError, OSError)


def nested(depth: int, opening: str, closing: str) -> str:
    return opening * depth + closing * depth


#: Values that may stand anywhere.
ODD: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        -1,
        3,
        2**31,
        2**63,
        -(2**70),
        10**30,
        1.5,
        -0.5,
        1e308,
        float("nan"),
        float("inf"),
    ),
    *(
        "",
        "x",
        "\ud800",
        "\x1b[31m",
        "<script>",
        "9" * 300,
        [],
        [1],
        [None],
        ["x"],
        [[]],
        [[1, 2]],
        {},
        {"x": 1},
    ),
    *({"": None}, {"\ud800": "x"}, {"1": "a", "2": ["b"]}, json.loads(nested(300, "[", "]")), [0.5] * 1000),
]
#: Metadata that are no table.
RAW = [
    *(
        b"",
        b"\xff\xfe\x00",
        b"{",
        b"[]",
        b"3",
        b"null",
        b"NaN",
        b'"text"',
        b"\x00",
        b"9" * 5000,
        b'{"a": 1}garbage',
    ),
    *(nested(100_000, "[", "]").encode(), nested(100_000, '{"a":', "}").encode(), b'{"skipped": Infinity}'),
    *(b'\xef\xbb\xbf{"skipped": {}}', '{"skipped": {}}'.encode("utf-16"), b'{"notes": "\xff"}'),
]


def changed(draw: random.Random, value: Any) -> Any:
    """A copy with something odd in one place, or without a key."""
    made = copy.deepcopy(value)
    within = made
    while True:
        keys = list(within) if isinstance(within, dict) else list(range(len(within)))
        if not keys:
            return draw.choice(ODD)
        key = draw.choice(keys)
        if isinstance(within[key], dict | list) and within[key] and draw.random() < 0.7:
            within = within[key]
            continue
        if isinstance(within, dict) and draw.random() < 0.15:
            del within[key]
        else:
            within[key] = draw.choice(ODD)
        return made


def crafted(draw: random.Random, about: dict[str, Any], count: int) -> Iterator[bytes]:
    """Metadata: what is no table at all, and tables in which something is odd."""
    yield from RAW
    for _ in range(count - len(RAW)):
        made = about
        for _ in range(draw.choice((1, 1, 1, 2, 4))):
            made = changed(draw, made) if isinstance(made, dict) else made
        yield json.dumps(made).encode()


@pytest.fixture(scope="module")
def trace() -> sledsim.Trace:
    device = sledsim.device("osdi00")
    found = sledsim.random_workload(device, rate_per_s=900, count=40, seed=7)
    about = {"skipped": {"flushes": 3}, "device_names": {0: "sda", 5: "sdb"}, "origin_unix_ns": 10**18}
    return sledsim.Trace.from_columns(found.columns(), **about, notes=("a note",), format="blkparse")


@pytest.fixture(scope="module")
def volume_run(trace: sledsim.Trace) -> sledsim.Run:
    return sledsim.simulate(sledsim.volume("raid5:devices=3"), trace)


def about_of(path: Path, key: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(pyarrow.parquet.read_metadata(path).metadata[key])
    return found


def rewritten(path: Path, table: pyarrow.Table, key: bytes, about: bytes) -> None:
    pyarrow.parquet.write_table(table.replace_schema_metadata({key: about}), path)


def outcome(path: Path, read: Callable[[], object]) -> str:
    """What reading says, which is nothing or a documented error that names the file."""
    try:
        read()
    except DOCUMENTED as error:
        message = str(error)
        assert str(path) in message or path.name in message or isinstance(error, sledsim.ParameterError), (
            message
        )
        assert len(message) < 1000 or isinstance(error, sledsim.ParameterError), message
        return message
    return ""


def told(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str]:
    """What the command line says in this process; anything but an error of its own is raised."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["sledsim", *map(str, words)])
        # Signals of this process are not for the command line.
        patch.setattr("signal.getsignal", lambda number: signal.SIG_IGN)
        with pytest.raises(SystemExit) as left:
            main()
    said = capsys.readouterr().err
    status = left.value.code or 0
    assert isinstance(status, int)
    assert status in (0, 1, 2)
    if status:
        lines = [line for line in said.splitlines() if line.startswith("error: ")]
        assert len(lines) == 1, said
    return status, said


def use_trace(path: Path) -> None:
    trace = sledsim.read_trace(path)
    repr(trace)
    stream = sledsim.open_trace(path)
    for _ in stream:
        pass
    assert stream.about()["device_names"] == trace.device_names
    trace_statistics(trace).summary()
    sledsim.write_trace(trace, path.with_name("again.parquet"))
    assert sledsim.read_trace(path.with_name("again.parquet")).notes == trace.notes


def test_crafted_metadata_of_traces(trace: sledsim.Trace, tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    sledsim.write_trace(trace, path)
    about, table = about_of(path, TRACE_KEY), pyarrow.parquet.read_table(path)
    draw, refused = random.Random(SEED), 0
    for given in crafted(draw, about, 400):
        rewritten(path, table, TRACE_KEY, given)
        message = outcome(path, lambda: use_trace(path))
        refused += bool(message)
        assert not message or ": metadata sledsim.trace: " in message
    assert 150 < refused < 400


@pytest.mark.parametrize(
    ("about", "message"),
    [
        (b"\xff", r"expected JSON of moderate depth, found b'\xff'"),
        (b"[]", "expected a table, found a list of 0"),
        (b'{"notes": 3}', "notes: expected a list, found 3"),
        (b'{"notes": [3]}', "notes[0]: expected a text, found 3"),
        (
            b'{"skipped": {"flushes": "3"}}',
            "skipped.flushes: expected a whole number from 0 to 9223372036854775807",
        ),
        (
            b'{"device_names": {"a": "sda"}}',
            "device_names: expected whole numbers from 0 to 2147483647, found 'a'",
        ),
        (b'{"origin_unix_ns": 1e400}', "origin_unix_ns: expected a whole number"),
        (b'{"format": {}}', "format: expected a text, found a table of 0"),
    ],
)
def test_what_is_odd_in_a_trace_is_named(
    trace: sledsim.Trace, tmp_path: Path, capsys: pytest.CaptureFixture[str], about: bytes, message: str
) -> None:
    path = tmp_path / "x.parquet"
    sledsim.write_trace(trace, path)
    rewritten(path, pyarrow.parquet.read_table(path), TRACE_KEY, about)
    for words in (
        ("trace", "info", path),
        ("run", path),
        ("compare", path, "--schedulers", "fcfs", "--out", tmp_path),
    ):
        status, said = told(capsys, *words)
        assert status == 1
        assert f"error: {path}: metadata sledsim.trace: {message}" in said


def test_crafted_traces_on_the_command_line(
    trace: sledsim.Trace, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.parquet"
    sledsim.write_trace(trace, path)
    about, table = about_of(path, TRACE_KEY), pyarrow.parquet.read_table(path)
    draw = random.Random(SEED + 1)
    commands = (
        ("trace", "info", path),
        ("run", path),
        ("trace", "convert", path, "--out", tmp_path / "y.spc"),
    )
    statuses = set()
    for given in crafted(draw, about, 120):
        rewritten(path, table, TRACE_KEY, given)
        status, _ = told(capsys, *draw.choice(commands))
        statuses.add(status)
    assert statuses == {0, 1}


def odd_columns(count: int) -> dict[str, pyarrow.Array]:
    """Columns of as many rows that no trace has."""
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
    run.again()


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
        (lambda about: about.update(parameters=[]), "parameters: expected a table, found a list of 0"),
        (
            lambda about: about["totals"].update(devices=[]),
            "totals.devices: expected a list of 1 or more, found a list",
        ),
        (
            lambda about: about["totals"]["devices"][1].update(name=None),
            "totals.devices[1].name: expected a text, found nothing",
        ),
        (
            lambda about: about["totals"].update(busy_s=[1.0]),
            "totals.busy_s: expected a list of 3, found a list of 1",
        ),
        (
            lambda about: about["totals"]["devices"][0]["energy_over_time"]["uses_j"].update(idle=[0.5]),
            "totals.devices[0].energy_over_time.uses_j: expected as many steps of each use, found 1 and",
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

    assert "served_by: expected bits of 3 devices, found 8" in refused("served_by", np.full(40, 8, np.uint64))
    arrival_ns = table["arrival_ns"].to_numpy()
    assert "completion_ns: expected times after the arrivals" in refused("completion_ns", arrival_ns)
    assert "completion_ns: expected times after the arrivals" in refused("completion_ns", arrival_ns - 1)
    assert "energy_j: expected numbers, found one that is none" in refused("energy_j", np.full(40, np.nan))
    assert "rows: request 1: expected an arrival at or after" in refused(
        "arrival_ns", arrival_ns[::-1] * 0 + range(40, 0, -1)
    )
    rewritten(path, table.slice(0, 0), RESULT_KEY, about)
    with pytest.raises(sledsim.TraceError, match="rows: expected one or more, found 0"):
        sledsim.read_run(path)


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
