"""Tables in files whose name says by its ending how they are written: one table of the endings."""

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
    """Takes a table in parts; a context manager, with whose block the file is whole."""

    def __enter__(self) -> "TableWriter": ...

    def __exit__(self, *error: Any) -> bool | None: ...

    def write_table(self, table: "pyarrow.Table") -> None:
        """Take the next rows."""


@dataclass(frozen=True)
class Ending:
    """A row of the table `ENDINGS`.

    Attributes:
        name: The end of the file's name.
        description: What such a file is, in a line.
        writer: Opens one: of a binary file, and the schema of its rows.
    """

    name: str
    description: str
    writer: Callable[[IO[bytes], "pyarrow.Schema"], TableWriter]


class _Plain:
    """Rows as text, in which a name out of a list is written as any other."""

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
        """All rows are there."""

    def write_table(self, table: "pyarrow.Table") -> None:
        """Take the next rows."""
        self.write_plain(table.cast(_plain(table.schema)))

    def write_plain(self, table: "pyarrow.Table") -> None:
        """Take the next rows, whose names are texts."""
        raise NotImplementedError


class _Csv(_Plain):
    """Comma-separated values, the names of columns first."""

    def __init__(self, file: IO[bytes], schema: "pyarrow.Schema") -> None:
        super().__init__(file)
        self._writer = pyarrow.csv.CSVWriter(file, _plain(schema))

    def write_plain(self, table: "pyarrow.Table") -> None:
        self._writer.write_table(table)

    def finish(self) -> None:
        self._writer.close()


class _Json(_Plain):
    """One array of objects, each in a line of its own; a number that JSON has not is null."""

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
    """A schema with texts in place of numbers that stand for them."""
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
#: How a table is written, by the ending of its file.
ENDINGS = (PARQUET, CSV, JSON)


def names(among: Sequence[Ending] = ENDINGS) -> str:
    """The endings in words: ``.parquet, .csv or .json``."""
    *first, last = (one.name for one in among)
    return f"{', '.join(first)} or {last}" if first else last


def ending_of(path: PathLike, among: Sequence[Ending] = ENDINGS, bare: Ending | None = None) -> Ending:
    """How a file is written, by its name.

    Args:
        path: Its name; capitals in its ending make no difference.
        among: The endings that it may have.
        bare: What a name without any ending is, as that of a device or a FIFO; None refuses it.

    Raises:
        ParameterError: It has another ending.
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
    """Write rows of the same keys, as the ending of the file says, or as any ending does.

    Raises:
        ParameterError: The file has another ending.
        OSError: It cannot be written; no part of it is left.
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
    """Write a table that comes in parts, as `write_rows` does."""
    how = ending or ending_of(path)
    with writing(path) as file, how.writer(file, schema) as writer:
        for part in parts:
            writer.write_table(part)
