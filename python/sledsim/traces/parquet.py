"""Trace files in Parquet: sledsim's own trace format, which pandas and DuckDB can read."""

import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, final

from .. import _native
from ..common.arrow import pyarrow
from ..common.checked import WrongError, array, load, mapping, optional, record, shown, text, whole
from ..common.columns import check_numbers
from ..common.command_files import claim_read
from ..common.memory import check_requests
from ..common.output_files import STANDARD_INPUT, can_be_read_again
from .evidence import Evidence, with_clock
from .formats import PARQUET
from .trace import COLUMNS, REQUIRED_COLUMNS, Trace

if TYPE_CHECKING:
    from .streams import TraceStream

_MAGIC = b"PAR1"
#: Key under which the metadata of a Parquet file have the facts on the trace apart from its requests.
METADATA_KEY = b"sledsim.trace"
_BATCH_ROWS = 1 << 16
#: Largest size in bytes of a Parquet file that is read through a pipe and thus kept in memory.
_PIPE_BYTES = 1 << 30
_PIECE_BYTES = 1 << 20
#: Checks of the metadata of a trace by key.
_KNOWN = record(
    skipped=optional(mapping(whole())),
    device_names=optional(mapping(text)),
    origin_unix_ns=optional(whole(-(2**63))),
    notes=optional(array(text)),
    evidence=optional(array(array(text, 3))),
    format=optional(text),
)


def is_meant(path: str, format: str | None) -> bool:
    """Return True if a trace file is to be read as Parquet, by format, file name or first bytes."""
    if format is not None or Path(path).suffix == f".{PARQUET}":
        return format in (None, PARQUET)
    # Bytes that were read from a pipe are gone.
    if not can_be_read_again(path):
        return False
    try:
        with Path(path).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def count(path: str) -> int:
    """Return the number of requests in a Parquet file; 0 if it is damaged, which `Reader` reports."""
    try:
        return int(pyarrow.parquet.read_metadata(path).num_rows)
    except (pyarrow.ArrowException, OSError):
        return 0


@final
class Reader:
    """A reader of a trace file in Parquet.

    Args:
        path: Path of the file; data that come through a pipe or standard input are kept in memory.
        source: Name of the trace in messages.

    Raises:
        TraceError: The file is damaged or lacks a column; methods raise this error, too.
        OSError: The file cannot be read.
    """

    def __init__(self, path: str, source: str) -> None:
        self._source = source
        with self._explained():
            self._file = _open(path)
            self._columns = self._columns_there()
            self._about = _about(self._file)
        self._clock = _native.Clock()

    def read(self) -> Trace:
        """Read the whole trace."""
        check_requests(self._file.metadata.num_rows, self._source)
        with self._explained(), self._file:
            table = self._file.read(columns=self._columns)
            rows = Trace.from_columns(self._arrays(table), source=self._source)
        self._clock.add(rows.arrival_ns)
        return Trace._of_core(rows.columns(), source=self._source, **self.about())

    def batches(self) -> Iterator[Trace]:
        """Yield the trace in batches, in the order of arrival."""
        with self._explained(), self._file:
            for batch in self._file.iter_batches(_BATCH_ROWS, columns=self._columns):
                rows = Trace.from_columns(self._arrays(batch), source=self._source)
                self._clock.add(rows.arrival_ns)
                yield rows

    def about(self) -> dict[str, Any]:
        """Return the metadata of the trace."""
        return {**self._about, "evidence": with_clock(self._about["evidence"], self._clock)}

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """During the block, turn errors about the contents of the file into a `TraceError` that names it."""
        try:
            yield
        except WrongError as error:
            raise _native.TraceError(f"{self._source}: metadata {METADATA_KEY.decode()}: {error}") from None
        except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise _native.TraceError(
                f"{self._source}: the file is damaged or no Parquet file: {error}"
            ) from None

    def _columns_there(self) -> list[str]:
        """Return the names of those columns of the file that a trace can have, after checking them."""
        there = self._file.schema_arrow.names
        missing = [name for name in REQUIRED_COLUMNS if name not in there]
        if missing:
            raise _native.TraceError(
                f"{self._source}: expected the columns {', '.join(REQUIRED_COLUMNS)}, "
                f"found {', '.join(there) or 'none'}"
            )
        found = [name for name in (*COLUMNS, "write", "kind") if name in there]
        if twice := [name for name in found if there.count(name) > 1]:
            raise _native.TraceError(
                f"{self._source}: {twice[0]}: expected one column of this name, found {there.count(twice[0])}"
            )
        try:
            check_numbers(self._file.schema_arrow, found)
        except WrongError as error:
            raise _native.TraceError(f"{self._source}: {error}") from None
        return found

    def _arrays(self, table: "pyarrow.Table | pyarrow.RecordBatch") -> dict[str, Any]:
        columns = dict(zip(table.schema.names, table.columns, strict=True))
        for name, column in columns.items():
            if empty := column.null_count:
                raise _native.TraceError(
                    f"{self._source}: {name}: expected a value in every row, found {empty} empty rows"
                )
        return {name: column.to_numpy(zero_copy_only=False) for name, column in columns.items()}


def write(stream: "TraceStream", file: IO[bytes]) -> None:
    """Write a trace as Parquet into an open file.

    Raises:
        TraceError: The trace has no request, or cannot be read.
        OSError: The file cannot be written.
    """
    writer = None
    # An open writer would write into a closed file when it is deleted.
    with ExitStack() as left:
        for batch in stream:
            table = pyarrow.table(batch.columns())
            if writer is None:
                opened = pyarrow.parquet.ParquetWriter(file, table.schema, compression="zstd")
                writer = left.enter_context(opened)
            writer.write_table(table)
        if writer is None:
            raise _native.TraceError(f"{stream.source}: the trace has no request, so no file can be written")
        writer.add_key_value_metadata({METADATA_KEY: json.dumps(stream.about())})


def _open(path: str) -> "pyarrow.parquet.ParquetFile":
    if can_be_read_again(path):
        claim_read(path)
        # Rows read ahead would stay in memory to the end.
        return pyarrow.parquet.ParquetFile(path, pre_buffer=False)
    # Parquet is read from its end.
    with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else Path(path).open("rb") as file:
        content = _whole(file)
    if len(content) > _PIPE_BYTES:
        raise _native.TraceError(
            f"{path}: more than {_PIPE_BYTES >> 30} GiB of Parquet came through a pipe:"
            " read the trace from a file instead"
        )
    return pyarrow.parquet.ParquetFile(pyarrow.BufferReader(content))


def _whole(file: IO[bytes]) -> bytes:
    """Return the contents of a file up to its end, or somewhat more than `_PIPE_BYTES` of a longer one."""
    pieces: list[bytes] = []
    left = _PIPE_BYTES + 1
    while left > 0 and (piece := file.read(min(left, _PIECE_BYTES))):
        # A pipe with other contents may never end.
        if not pieces and not piece.startswith(_MAGIC):
            return piece
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _about(file: "pyarrow.parquet.ParquetFile") -> dict[str, Any]:
    """Return the metadata of the trace in a Parquet file; values that it does not have are empty or None.

    Raises:
        WrongError: A value has a form that `write` never writes.
    """
    given = (file.metadata.metadata or {}).get(METADATA_KEY, b"{}")
    known = _KNOWN("", load("", given))
    names = {}
    for number, name in (known["device_names"] or {}).items():
        if not number.isascii() or not number.isdecimal() or len(number) > 10 or int(number) >= 2**31:
            raise WrongError("device_names", "numbers of devices from 0 to 2147483647", shown(number))
        names[int(number)] = name
    return {
        "skipped": known["skipped"] or {},
        "device_names": names,
        "origin_unix_ns": known["origin_unix_ns"],
        "notes": tuple(known["notes"] or ()),
        "evidence": tuple(Evidence(*words[:3]) for words in known["evidence"] or ()),
        "format": known["format"] or PARQUET,
    }
