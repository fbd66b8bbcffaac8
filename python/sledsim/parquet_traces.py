"""Traces as Parquet: sledsim's own format, which pandas and DuckDB open, too."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from .files import PathLike, replacing
from .traces import COLUMNS, REQUIRED_COLUMNS, Trace

if TYPE_CHECKING:
    import pyarrow.parquet

    from .trace_files import TraceStream

NAME = "parquet"
DESCRIPTION = "sledsim's own: the columns of a trace, or the requests that a run has written, as Parquet"

_MAGIC = b"PAR1"
_METADATA_KEY = b"sledsim.trace"
_BATCH_ROWS = 1 << 16


def is_meant(path: str, format: str | None) -> bool:
    """Whether this file is Parquet: it is named so, or, where no format is named, begins or ends so."""
    if format is not None or Path(path).suffix == f".{NAME}":
        return format in (None, NAME)
    try:
        with Path(path).open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False


def is_meant_to_write(path: str, format: str | None) -> bool:
    """Whether this file is to become Parquet."""
    return format == NAME or (format is None and Path(path).suffix == f".{NAME}")


def read(path: str) -> Trace:
    """The whole of a trace.

    Raises:
        TraceError: The file is damaged or lacks a column.
        OSError: It cannot be read.
    """
    with _explained(path), _open(path) as file:
        table = file.read(columns=_columns(path, file))
        return Trace.from_columns(_arrays(table), source=path, **_about(file))


def batches(path: str) -> Iterator[Trace]:
    """A trace in batches; raises as `read` does."""
    with _explained(path), _open(path) as file:
        for batch in file.iter_batches(_BATCH_ROWS, columns=_columns(path, file)):
            yield Trace.from_columns(_arrays(batch), source=path)


def about(path: str) -> dict[str, Any]:
    """What the file says besides the requests."""
    with _explained(path), _open(path) as file:
        return _about(file)


def write(stream: "TraceStream", path: PathLike) -> None:
    """Write a trace.

    Raises:
        OSError: The file cannot be written; no part of it is left.
    """
    import pyarrow
    import pyarrow.parquet

    with replacing(path) as part:
        writer = None
        for batch in stream:
            table = pyarrow.table(batch.columns())
            writer = writer or pyarrow.parquet.ParquetWriter(part, table.schema, compression="zstd")
            writer.write_table(table)
        if writer is None:
            raise _native.TraceError(f"{stream.source}: expected at least one request to write, found none")
        writer.add_key_value_metadata({_METADATA_KEY: json.dumps(stream.about())})
        writer.close()


def _open(path: str) -> "pyarrow.parquet.ParquetFile":
    import pyarrow.parquet

    return pyarrow.parquet.ParquetFile(path)


@contextmanager
def _explained(path: str) -> Iterator[None]:
    """Say of a damaged file that it is one."""
    import pyarrow

    try:
        yield
    except pyarrow.ArrowInvalid as error:
        raise _native.TraceError(f"{path}: expected a whole Parquet file, found damage: {error}") from None


def _columns(path: str, file: "pyarrow.parquet.ParquetFile") -> list[str]:
    """The columns of the file that a trace has."""
    there = file.schema_arrow.names
    missing = [name for name in REQUIRED_COLUMNS if name not in there]
    if missing:
        raise _native.TraceError(
            f"{path}: expected the columns {', '.join(REQUIRED_COLUMNS)}, found {', '.join(there) or 'none'}"
        )
    return [name for name in (*COLUMNS, "write") if name in there]


def _arrays(table: "pyarrow.Table | pyarrow.RecordBatch") -> dict[str, Any]:
    columns = zip(table.schema.names, table.columns, strict=True)
    return {name: column.to_numpy(zero_copy_only=False) for name, column in columns}


def _about(file: "pyarrow.parquet.ParquetFile") -> dict[str, Any]:
    known: Mapping[str, Any] = json.loads((file.metadata.metadata or {}).get(_METADATA_KEY, b"{}"))
    names = {int(number): name for number, name in known.get("device_names", {}).items()}
    return {
        "skipped": known.get("skipped", {}),
        "device_names": names,
        "origin_unix_ns": known.get("origin_unix_ns"),
        "notes": tuple(known.get("notes", ())),
        "format": known.get("format", NAME),
    }
