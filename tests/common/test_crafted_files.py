"""Crafted traces, results and bounds: reading raises only documented errors, which name the file."""

import copy
import json
import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

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


#: Values that may appear in any place.
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
#: Metadata that are not a table.
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
    """Return a copy with an odd value in one place, or without a key."""
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
    """Yield crafted metadata: values that are not a table, and tables with an odd value."""
    yield from RAW
    for _ in range(count - len(RAW)):
        made = about
        for _ in range(draw.choice((1, 1, 1, 2, 4))):
            made = changed(draw, made) if isinstance(made, dict) else made
        yield json.dumps(made).encode()


def about_of(path: Path, key: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(pyarrow.parquet.read_metadata(path).metadata[key])
    return found


def rewritten(path: Path, table: pyarrow.Table, key: bytes, about: bytes) -> None:
    pyarrow.parquet.write_table(table.replace_schema_metadata({key: about}), path)


def outcome(path: Path, read: Callable[[], object]) -> str:
    """Return the message of reading: empty, or a documented error that names the file."""
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
    """Return the output of the command line in this process; undocumented exceptions are raised."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["sledsim", *map(str, words)])
        # The command line must not install handlers of signals in this process.
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


@pytest.mark.dear("hundreds of damaged files are read")
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


@pytest.mark.dear("hundreds of damaged files are read", every_change=True)
@pytest.mark.parametrize(
    ("about", "message"),
    [
        (b"\xff", r"expected JSON of moderate depth, found b'\xff'"),
        (b"[]", "expected a table, found a list with 0 entries"),
        (b'{"notes": 3}', "notes: expected a list, found 3"),
        (b'{"notes": [3]}', "notes[0]: expected a text, found 3"),
        (
            b'{"skipped": {"flushes": "3"}}',
            "skipped.flushes: expected a whole number from 0 to 9223372036854775807",
        ),
        (
            b'{"device_names": {"a": "sda"}}',
            "device_names: expected numbers of devices from 0 to 2147483647, found 'a'",
        ),
        (b'{"origin_unix_ns": 1e400}', "origin_unix_ns: expected a whole number"),
        (b'{"format": {}}', "format: expected a text, found a table with 0 entries"),
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


@pytest.mark.dear("hundreds of damaged files are read")
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
