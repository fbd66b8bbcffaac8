"""Writing of result files: requests as rows of a table, written in groups during the run."""

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import IO, Any

from numpy.typing import NDArray

from .. import _native
from ..common.arrow import pyarrow
from ..common.endings import ENDINGS, PARQUET, Ending, TableWriter, ending_of
from ..common.output_files import PathLike, writing
from ..traces.parquet import METADATA_KEY as OF_TRACE

#: Key under which the metadata of a Parquet file have the settings and totals of the run.
METADATA_KEY = b"sledsim"
_COLUMNS = _native.result_columns()
#: Names of the columns of a result, in the order in which they are written.
RESULT_COLUMNS = tuple(name for name, *_ in _COLUMNS)
_DICTIONARY = "RLE_DICTIONARY"
_DIFFERENCES = "DELTA_BINARY_PACKED"
#: Parquet encoding of each column by name: the one that makes the column smallest.
_ENCODINGS = {
    **{name: encoding for name, *_, encoding, _ in _COLUMNS},
    "response_ns": _DIFFERENCES,
    "where": _DICTIONARY,
}
#: Number of requests in a row group of a Parquet file.
_GROUP_ROWS = 1 << 18
#: Number of bits in a mask of devices; the last bit stands for the 64th and all further devices.
MASK_BITS = 64


def result_table(columns: Mapping[str, NDArray[Any]], names: Sequence[str]) -> "pyarrow.Table":
    """Return a table of a result's columns, with the response time and the names of serving devices added."""
    table: dict[str, Any] = dict(columns)
    if "completion_ns" in columns:
        table["response_ns"] = columns["completion_ns"] - columns["arrival_ns"]
    if "served_by" in columns:
        masks = pyarrow.array(columns["served_by"]).dictionary_encode()
        places = [_where(mask, names) for mask in masks.dictionary.to_pylist()]
        table["where"] = pyarrow.DictionaryArray.from_arrays(masks.indices, places)
    return pyarrow.table(table)


def _where(mask: int, names: Sequence[str]) -> str:
    """Return the names of the devices whose bits are set in `mask`, with ``+`` between them."""
    if not mask:
        return "memory"
    bits = (number for number in range(MASK_BITS) if mask >> number & 1)
    many = len(names) > MASK_BITS
    return "+".join("others" if many and number == MASK_BITS - 1 else names[number] for number in bits)


class _UnfinishedError(Exception):
    """Error that ends the block of a `ResultWriter`, so that an unfinished file is deleted."""


class ResultWriter:
    """Writer of a result file in the course of a run; the file exists once the run has finished.

    The writer is a context manager. If its block ends with an error or without `finish`, no file is left.

    Args:
        path: File name, whose ending selects the file format; without ending, the format is Parquet.
        among: Endings that the file name may have.

    Raises:
        ParameterError: The file name has another ending.
        OSError: The file cannot be written; methods raise this error, too.
    """

    def __init__(self, path: PathLike, among: Sequence[Ending] = ENDINGS) -> None:
        self._path, self._ending = path, ending_of(path, among, bare=PARQUET)
        self._left = ExitStack()
        self._parts: list[pyarrow.Table] = []
        self._rows = 0
        self._kept: Sequence[str] = ()
        self._is_finished = False
        self._writer: TableWriter | None = None
        #: Result of the thread that writes one group of requests while the next group is collected.
        self._written: Future[None] | None = None

    def __enter__(self) -> "ResultWriter":
        self._file = self._left.enter_context(writing(self._path))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        if kind is not None or self._is_finished:
            return self._left.__exit__(kind, error, trace)
        # A file of this name that existed before is kept.
        with suppress(_UnfinishedError), self._left:
            raise _UnfinishedError
        return None

    def add(self, columns: Mapping[str, NDArray[Any]], names: Sequence[str]) -> None:
        """Add the results of the next requests.

        Args:
            columns: Columns of these requests by name; every call has the same names.
            names: Names of the devices.
        """
        self._kept = [*columns]
        count, start = len(columns["arrival_ns"]), 0
        # Without rows, the type of the names is unknown.
        while start < count:
            end = min(count, start + _GROUP_ROWS - self._rows)
            part = {name: column[start:end] for name, column in columns.items()}
            self._parts.append(result_table(part, names))
            self._rows += end - start
            if self._rows == _GROUP_ROWS:
                self._write()
            start = end

    def finish(self, about: Mapping[str, Any], others: Mapping[bytes, Any] = {}) -> None:
        """Write the metadata after the last row, if the file format is Parquet.

        Args:
            about: Settings and totals of the run, for the metadata of a Parquet file.
            others: Further entries of the metadata by key, which are written as JSON.
        """
        self._write()
        self._wait()
        assert self._writer is not None, "a result has rows"
        if isinstance(self._writer, pyarrow.parquet.ParquetWriter):
            all_said = {METADATA_KEY: {**about, "columns": self._kept}, **others}
            if found := about.get("doubts"):
                # A result is a trace, too; its requests are as doubtful as those of the trace of the run.
                all_said[OF_TRACE] = {"evidence": [("plausibility", "doubtful", text) for text in found]}
            self._writer.add_key_value_metadata({key: json.dumps(value) for key, value in all_said.items()})
        self._is_finished = True

    def _write(self) -> None:
        if not self._rows:
            return
        # Each part has its own dictionary of places.
        table = pyarrow.concat_tables(self._parts).unify_dictionaries()
        self._parts, self._rows = [], 0
        self._wait()
        self._written = self._open(table.schema).submit(self._write_group, table)

    def _wait(self) -> None:
        if self._written is not None:
            self._written.result()

    def _write_group(self, table: "pyarrow.Table") -> None:
        assert self._writer is not None
        self._writer.write_table(table)

    def _open(self, schema: "pyarrow.Schema") -> ThreadPoolExecutor:
        """Return the thread that writes to the file, which is opened at the first call."""
        if self._writer is None:
            writer = _parquet if self._ending is PARQUET else self._ending.writer
            opened = writer(self._file, schema)
            # An open writer would write into a closed file when it is deleted.
            self._writer = self._left.enter_context(opened)
            self._pool = self._left.enter_context(ThreadPoolExecutor(1, "results"))
        return self._pool


def _parquet(file: IO[bytes], schema: "pyarrow.Schema") -> TableWriter:
    """Open a Parquet writer with the encodings that make the files of results smallest."""
    encodings = {name: _ENCODINGS.get(name, _DIFFERENCES) for name in schema.names}
    dictionaries = [name for name, encoding in encodings.items() if encoding == _DICTIONARY]
    writer: TableWriter = pyarrow.parquet.ParquetWriter(
        file,
        schema,
        compression="zstd",
        # Arrow's schema would be written first and hide later metadata from pyarrow.
        store_schema=False,
        use_dictionary=dictionaries,
        column_encoding={name: encodings[name] for name in encodings.keys() - {*dictionaries}},
    )
    return writer


def write_result(
    path: PathLike,
    columns: Mapping[str, NDArray[Any]],
    names: Sequence[str],
    about: Mapping[str, Any],
    others: Mapping[bytes, Any] = {},
    among: Sequence[Ending] = ENDINGS,
) -> None:
    """Write the result of a finished run, which is in memory, to a file.

    Args:
        path: File name; the ending selects the file format.
        columns: Columns of the run by name, and any further columns, which hold whole numbers.
        names: Names of the devices.
        about: Settings and totals of the run, for the metadata of a Parquet file.
        others: Further entries of the metadata by key, which are written as JSON.
        among: Endings that the file name may have.

    Raises:
        ParameterError: The file name has another ending.
        OSError: The file cannot be written; no part of it is left.
    """
    with ResultWriter(path, among) as writer:
        writer.add(columns, names)
        writer.finish(about, others)
