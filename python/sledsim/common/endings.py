"""File formats of tables, chosen by the ending of the file name."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Protocol

from .. import _native
from .arrow import pyarrow
from .checked import finite
from .output_files import PathLike, check_name, writing


class TableWriter(Protocol):
    """Writer of a table that arrives in pieces; at the end of its `with` block the file is complete."""

    def __enter__(self) -> "TableWriter": ...

    def __exit__(self, *error: Any) -> bool | None: ...

    def write_table(self, table: "pyarrow.Table") -> None:
        """Write the next rows."""


@dataclass(frozen=True)
class Ending:
    """A file format of tables, with the ending of its files.

    Attributes:
        name: Ending of the file name, such as ``.csv``.
        description: Description of the file format in lists.
        writer: Function that takes an open binary file and a schema, and returns a `TableWriter`.
    """

    name: str
    description: str
    writer: Callable[[IO[bytes], "pyarrow.Schema"], TableWriter]


class _Plain:
    """Base class of writers of text formats, which write a dictionary-encoded column as plain texts."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def __enter__(self) -> "TableWriter":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.finish()

    def finish(self) -> None:
        """End the file after the last row."""

    def write_table(self, table: "pyarrow.Table") -> None:
        """Write the next rows of the table."""
        self.write_plain(table.cast(_plain(table.schema)))

    def write_plain(self, table: "pyarrow.Table") -> None:
        """Write the next rows, in which no column is dictionary-encoded."""
        raise NotImplementedError


class _Csv(_Plain):
    """Writer of comma-separated values, with the names of columns in the first line."""

    def __init__(self, file: IO[bytes], schema: "pyarrow.Schema") -> None:
        super().__init__(file)
        self._writer = pyarrow.csv.CSVWriter(file, _plain(schema))

    def write_plain(self, table: "pyarrow.Table") -> None:
        self._writer.write_table(table)

    def finish(self) -> None:
        self._writer.close()


class _Json(_Plain):
    """Writer of a JSON array with one object per line; NaN and infinities become null."""

    def __init__(self, file: IO[bytes], schema: "pyarrow.Schema") -> None:
        super().__init__(file)
        self._before = b"[\n"

    def write_plain(self, table: "pyarrow.Table") -> None:
        for row in table.to_pylist():
            self._file.write(self._before + json.dumps(finite(row), allow_nan=False).encode())
            self._before = b",\n"

    def finish(self) -> None:
        self._file.write(b"\n]\n" if self._before == b",\n" else b"[]\n")


def _plain(schema: "pyarrow.Schema") -> "pyarrow.Schema":
    """Return a schema in which no column is dictionary-encoded."""
    fields = (
        pyarrow.field(one.name, one.type.value_type) if pyarrow.types.is_dictionary(one.type) else one
        for one in schema
    )
    return pyarrow.schema(fields)


def _parquet(file: IO[bytes], schema: "pyarrow.Schema") -> TableWriter:
    writer: TableWriter = pyarrow.parquet.ParquetWriter(file, schema)
    return writer


PARQUET = Ending(".parquet", "Parquet", _parquet)
CSV = Ending(".csv", "comma-separated values", _Csv)
JSON = Ending(".json", "JSON, an array of objects", _Json)
#: File formats of tables.
ENDINGS = (PARQUET, CSV, JSON)


def names(among: Sequence[Ending] = ENDINGS) -> str:
    """Return the endings of some file formats in words: ``.parquet, .csv or .json``."""
    *first, last = (one.name for one in among)
    return f"{', '.join(first)} or {last}" if first else last


def ending_of(path: PathLike, among: Sequence[Ending] = ENDINGS, bare: Ending | None = None) -> Ending:
    """Return the file format that the ending of a file name selects.

    Args:
        path: File name; upper and lower case of the ending do not matter.
        among: Allowed file formats.
        bare: File format of a file name without ending, such as that of a FIFO; None makes such a name an
            error.

    Raises:
        ParameterError: The file name ends in no allowed ending.
    """
    check_name(path)
    found = Path(path).suffix
    for one in among:
        if found.lower() == one.name:
            return one
    if bare is not None and not found:
        return bare
    ends = f"found {found!r}" if found else "found none"
    raise _native.ParameterError(f"{path}: expected a name that ends in {names(among)}, {ends}")


def write_rows(path: PathLike, rows: Sequence[Mapping[str, Any]], ending: Ending | None = None) -> Path:
    """Write rows to a file in the format `ending`, or by default in the format of the name's ending.

    Raises:
        ParameterError: The file name ends in no ending of a table format.
        OSError: The file cannot be written; no partial file is left.
    """
    table = pyarrow.Table.from_pylist([dict(row) for row in rows])
    write_parts(path, table.schema, [table], ending)
    return Path(path)


def write_parts(
    path: PathLike,
    schema: "pyarrow.Schema",
    parts: Iterable["pyarrow.Table"],
    ending: Ending | None = None,
) -> None:
    """Write a table, in pieces, to a file in the format `ending`, or by default of the name's ending."""
    how = ending or ending_of(path)
    with writing(path) as file, how.writer(file, schema) as writer:
        for part in parts:
            writer.write_table(part)
