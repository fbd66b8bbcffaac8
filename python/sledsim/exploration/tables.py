"""The rows of a ledger as a table: the same bytes, whoever made the rows, where, and in which order."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .. import _native
from ..common.arrow import pyarrow
from ..common.files import PathLike, writing
from ..ledger import Contents
from ..runs.curves import half_width_key
from .figures import in_order

if TYPE_CHECKING:
    from ..ledger.contents import Place as Place

#: Rows of a table that are in memory at once.
_BATCH = 10_000
#: The columns that are no coordinates and no figures, before and after these.
_BEFORE = {"key": pyarrow.string(), "status": pyarrow.string()}
_AFTER = {
    "replications": pyarrow.int64(),
    "is_precise": pyarrow.bool_(),
    "error": pyarrow.string(),
    "version": pyarrow.string(),
}


def table_of(contents: Contents, keys: Sequence[bytes]) -> "pyarrow.Table":
    """The rows of some keys.

    Returns:
        A row a key in their order: ``key``, ``status``, the coordinates of the point, figures with half of
        their intervals (unit in the name), ``replications``, ``is_precise``, ``error``, ``version``.
    """
    schema = _schema(contents, keys)
    return pyarrow.Table.from_batches(_batches(contents, keys, schema), schema=schema)


def write(contents: Contents, path: PathLike) -> int:
    """Write all rows of a ledger, in the order of their keys, as Parquet or CSV by the ending of the file.

    Returns:
        How many there are.

    Raises:
        ParameterError: The ending is another one, or there is no row.
        OSError: The file cannot be written; no part of it is left.
    """
    ending = str(path).rpartition(".")[2].lower()
    if ending not in ("parquet", "csv"):
        raise _native.ParameterError(f"{path}: expected the ending .parquet or .csv")
    keys = sorted(contents.places)
    if not keys:
        raise _native.ParameterError("expected a ledger with a row or more, found none")
    schema = _schema(contents, keys)
    with writing(path) as file:
        kind = pyarrow.parquet.ParquetWriter if ending == "parquet" else pyarrow.csv.CSVWriter
        with kind(file, schema) as writer:
            for batch in _batches(contents, keys, schema):
                writer.write_batch(batch)
    return len(keys)


def _schema(contents: Contents, keys: Sequence[bytes]) -> Any:
    """The columns: those that any row has."""
    points: dict[str, set[type]] = {}
    figures: dict[str, bool] = {}
    for row in contents.rows(keys):
        for name, value in row.get("point", {}).items():
            points.setdefault(name, set()).add(type(value))
        for name in row["figures"]:
            figures[name] = figures.get(name, False) or name in row["half_widths"]
    fields = list(_BEFORE.items()) + [(name, _type(kinds)) for name, kinds in _coordinates(points)]
    for name in in_order(figures):
        fields.append((name, pyarrow.int64() if name.endswith("_bytes") else pyarrow.float64()))
        if figures[name]:
            fields.append((half_width_key(name), pyarrow.float64()))
    return pyarrow.schema([*fields, *_AFTER.items()])


def _coordinates(points: dict[str, set[type]]) -> list[tuple[str, set[type]]]:
    """Device and workload, the parameters by name, scale and policy: whatever row comes first."""
    ends = {"device": 0, "workload": 1, "scale": 3, "scheduler": 4}
    return sorted(points.items(), key=lambda pair: (ends.get(pair[0], 2), pair[0]))


def _type(kinds: set[type]) -> Any:
    if kinds == {bool}:
        return pyarrow.bool_()
    if kinds == {int}:
        return pyarrow.int64()
    return pyarrow.float64() if kinds <= {int, float} else pyarrow.string()


def _batches(contents: Contents, keys: Sequence[bytes], schema: Any) -> Iterator[Any]:
    flat = []
    for row in contents.rows(keys):
        flat.append(_flat(row))
        if len(flat) == _BATCH:
            yield _batch(flat, schema)
            flat = []
    if flat:
        yield _batch(flat, schema)


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    halves = {half_width_key(name): value for name, value in row["half_widths"].items()}
    others = {name: row[name] for name in (*_BEFORE, *_AFTER)}
    return {**row.get("point", {}), **row["figures"], **halves, **others}


def _batch(flat: list[dict[str, Any]], schema: Any) -> Any:
    columns = []
    for column in schema:
        values = [row.get(column.name) for row in flat]
        if column.type == pyarrow.string():
            values = [value if value is None or isinstance(value, str) else str(value) for value in values]
        columns.append(pyarrow.array(values, column.type))
    return pyarrow.record_batch(columns, schema=schema)
