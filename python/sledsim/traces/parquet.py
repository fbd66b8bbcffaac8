"""Traces as Parquet: sledsim's own format, which pandas and DuckDB open, too."""

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
from .formats import PARQUET
from .trace import COLUMNS, REQUIRED_COLUMNS, Trace

if TYPE_CHECKING:
    from .streams import TraceStream

_MAGIC = b"PAR1"
_METADATA_KEY = b"sledsim.trace"
_BATCH_ROWS = 1 << 16
#: What comes through a pipe is kept in memory: no more than this.
_PIPE_BYTES = 1 << 30
_PIECE_BYTES = 1 << 20
#: What the metadata may say.
_KNOWN = record(
    skipped=optional(mapping(whole())),
    device_names=optional(mapping(text)),
    origin_unix_ns=optional(whole(-(2**63))),
    notes=optional(array(text)),
    format=optional(text),
)


def is_meant(path: str, format: str | None) -> bool:
    """Whether this file is Parquet: it is named so, or, where no format is named, begins so."""
    if format is not None or Path(path).suffix == f".{PARQUET}":
        return format in (None, PARQUET)
    # What is looked at in a pipe is gone.
    if not can_be_read_again(path):
        return False
    try:
        with Path(path).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def count(path: str) -> int:
    """The requests of a file by its footer; none of one that is damaged, of which its reader tells."""
    try:
        return int(pyarrow.parquet.read_metadata(path).num_rows)
    except (pyarrow.ArrowException, OSError):
        return 0


@final
class Reader:
    """A trace that is being read.

    Args:
        path: The file; what comes through a pipe or from standard input is kept in memory.
        source: What a user calls it.

    Raises:
        TraceError: The file is damaged or lacks a column; the methods raise it, too.
        OSError: It cannot be read.
    """

    def __init__(self, path: str, source: str) -> None:
        self._source = source
        with self._explained():
            self._file = _open(path)
            self._columns = self._columns_there()
            self._about = _about(self._file)

    def read(self) -> Trace:
        """The whole of it."""
        check_requests(self._file.metadata.num_rows, self._source)
        with self._explained(), self._file:
            table = self._file.read(columns=self._columns)
            return Trace.from_columns(self._arrays(table), source=self._source, **self._about)

    def batches(self) -> Iterator[Trace]:
        """It in batches."""
        with self._explained(), self._file:
            for batch in self._file.iter_batches(_BATCH_ROWS, columns=self._columns):
                yield Trace.from_columns(self._arrays(batch), source=self._source)

    def about(self) -> dict[str, Any]:
        """What the file says besides the requests."""
        return self._about

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say of a damaged file that it is one."""
        try:
            yield
        except WrongError as error:
            raise _native.TraceError(f"{self._source}: metadata {_METADATA_KEY.decode()}: {error}") from None
        except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise _native.TraceError(
                f"{self._source}: expected a whole Parquet file, found damage: {error}"
            ) from None

    def _columns_there(self) -> list[str]:
        """The columns of the file that a trace has."""
        there = self._file.schema_arrow.names
        missing = [name for name in REQUIRED_COLUMNS if name not in there]
        if missing:
            raise _native.TraceError(
                f"{self._source}: expected the columns {', '.join(REQUIRED_COLUMNS)}, "
                f"found {', '.join(there) or 'none'}"
            )
        found = [name for name in (*COLUMNS, "write") if name in there]
        if twice := [name for name in found if there.count(name) > 1]:
            raise _native.TraceError(
                f"{self._source}: {twice[0]}: expected one column, found {there.count(twice[0])}"
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
                    f"{self._source}: {name}: expected a value in every row, found {empty} rows without"
                )
        return {name: column.to_numpy(zero_copy_only=False) for name, column in columns.items()}


def write(stream: "TraceStream", file: IO[bytes]) -> None:
    """Write a trace into an open file.

    Raises:
        TraceError: There are no requests, or they cannot be read.
        OSError: The file cannot be written.
    """
    writer = None
    # A writer that is left open would write when it is thrown away, into a file that is closed.
    with ExitStack() as left:
        for batch in stream:
            table = pyarrow.table(batch.columns())
            if writer is None:
                opened = pyarrow.parquet.ParquetWriter(file, table.schema, compression="zstd")
                writer = left.enter_context(opened)
            writer.write_table(table)
        if writer is None:
            raise _native.TraceError(f"{stream.source}: expected at least one request to write, found none")
        writer.add_key_value_metadata({_METADATA_KEY: json.dumps(stream.about())})


def _open(path: str) -> "pyarrow.parquet.ParquetFile":
    if can_be_read_again(path):
        claim_read(path)
        # What is read ahead would stay in memory to the end.
        return pyarrow.parquet.ParquetFile(path, pre_buffer=False)
    # Parquet is read from its end.
    with nullcontext(sys.stdin.buffer) if path == STANDARD_INPUT else Path(path).open("rb") as file:
        content = _whole(file)
    if len(content) > _PIPE_BYTES:
        raise _native.TraceError(
            f"{path}: expected at most {_PIPE_BYTES >> 30} GiB of Parquet through a pipe, found more:"
            " write it to a file"
        )
    return pyarrow.parquet.ParquetFile(pyarrow.BufferReader(content))


def _whole(file: IO[bytes]) -> bytes:
    """What comes until the end, or somewhat more than is kept."""
    pieces: list[bytes] = []
    left = _PIPE_BYTES + 1
    while left > 0 and (piece := file.read(min(left, _PIECE_BYTES))):
        # A pipe that begins otherwise need not end.
        if not pieces and not piece.startswith(_MAGIC):
            return piece
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _about(file: "pyarrow.parquet.ParquetFile") -> dict[str, Any]:
    """What the metadata say of the trace, where there are such.

    Raises:
        WrongError: Something is not as it was written.
    """
    given = (file.metadata.metadata or {}).get(_METADATA_KEY, b"{}")
    known = _KNOWN("", load("", given))
    names = {}
    for number, name in (known["device_names"] or {}).items():
        if not number.isascii() or not number.isdecimal() or len(number) > 10 or int(number) >= 2**31:
            raise WrongError("device_names", "whole numbers from 0 to 2147483647", shown(number))
        names[int(number)] = name
    return {
        "skipped": known["skipped"] or {},
        "device_names": names,
        "origin_unix_ns": known["origin_unix_ns"],
        "notes": tuple(known["notes"] or ()),
        "format": known["format"] or PARQUET,
    }
