"""The rows of a ledger as a table, with the same bytes on every machine and in every order of computing."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .. import _native
from ..common.arrow import pyarrow
from ..common.endings import ending_of, write_parts
from ..common.output_files import PathLike
from ..common.tabular import joined
from ..ledger import Contents
from ..ledger.point_keys import canonical
from ..runs.curves import half_width_key
from .point_figures import in_order
from .study_points import coordinates

if TYPE_CHECKING:
    from ..ledger.contents import Place as Place

#: Number of rows of a table that are in memory at the same time.
_BATCH = 10_000
#: Columns of the table that stand before the coordinates and figures, and columns that stand after them, each
#: with its type. The column `_DOUBTS` is there only if the recording of a trace is doubtful.
_BEFORE = dict.fromkeys(("key", "status", "study"), pyarrow.string())
_AFTER = {
    "replications": pyarrow.int64(),
    "is_precise": pyarrow.bool_(),
    "error": pyarrow.string(),
    "version": pyarrow.string(),
}
_DOUBTS = "doubts"


def table_of(contents: Contents, study: str | None = None) -> "pyarrow.Table":
    """Return the rows of one study, or of all studies, in the order of the keys.

    Returns:
        A table with one row per key: ``key``, ``status``, ``study`` (the digest of each study with this
            point, separated by commas), the coordinates of the point, figures with their half-widths (unit in
            the name), ``replications``, ``is_precise``, ``error``, ``version``, and ``doubts`` if the
            recording of a trace is doubtful. The metadata hold the definition of each study, as JSON under
            ``sledsim``. If a study has several points with the same key, the row has the coordinates of the
            first point.
    """
    points = _points(contents, study)
    schema = _schema(contents, points)
    return pyarrow.Table.from_batches(_batches(contents, points, schema), schema=schema)


def write(contents: Contents, path: PathLike) -> int:
    """Write the rows of all sweeps in a ledger; the ending of the file decides the file format (`ENDINGS`).

    Returns:
        The number of rows.

    Raises:
        ParameterError: The ending of the file is not in `ENDINGS`, or the ledger has no row.
        OSError: The file cannot be written; an incomplete file is removed.
    """
    ending = ending_of(path)
    points = _points(contents, None)
    if not points:
        raise _native.ParameterError("expected the ledger of a sweep with at least one row, found none")
    schema = _schema(contents, points)
    batches = _batches(contents, points, schema)
    write_parts(path, schema, (pyarrow.Table.from_batches([batch]) for batch in batches), ending)
    return len(points)


#: Points by key. Each key has a list of the studies that contain the point: the digest of the study, and the
#: number of its first point with this key.
_Points = dict[bytes, list[tuple[str, int]]]


def _points(contents: Contents, study: str | None) -> _Points:
    """Return the points of the sweeps in a ledger by key, in ascending order of keys.

    The order of the rows in the files has no influence.
    """
    found: _Points = {}
    for name in sorted(contents.studies):
        if contents.studies[name].get("kind") != "sweep" or (study is not None and name != study):
            continue
        seen: set[bytes] = set()
        for number, key in sorted(contents.numbers.get(name, {}).items()):
            if key not in seen:
                seen.add(key)
                found.setdefault(key, []).append((name, number))
    return dict(sorted(found.items()))


def _point(contents: Contents, studies: list[tuple[str, int]]) -> dict[str, Any]:
    """Return the coordinates of a point; if several studies share the point, the first has priority."""
    found: dict[str, Any] = {}
    for study, number in reversed(studies):
        found |= coordinates(contents.studies[study], number)
    return found


def _schema(contents: Contents, points: _Points) -> Any:
    """Return the schema of the table, with every column that occurs in any row."""
    kinds: dict[str, set[type]] = {}
    figures: dict[str, bool] = {}
    after = dict(_AFTER)
    for studies, row in zip(points.values(), contents.rows(points), strict=True):
        for name, value in _point(contents, studies).items():
            kinds.setdefault(name, set()).add(type(value))
        after |= {_DOUBTS: pyarrow.string()} if _DOUBTS in row else {}
        for name in row["figures"]:
            figures[name] = figures.get(name, False) or name in row["half_widths"]
    fields = list(_BEFORE.items()) + [(name, _type(found)) for name, found in _coordinates(kinds)]
    for name in in_order(figures):
        fields.append((name, pyarrow.int64() if name.endswith("_bytes") else pyarrow.float64()))
        if figures[name]:
            fields.append((half_width_key(name), pyarrow.float64()))
    asked = {study: contents.studies[study] for studies in points.values() for study, _ in studies}
    about = {b"sledsim": canonical({"studies": asked})}
    return pyarrow.schema([*fields, *after.items()], metadata=about)


def _coordinates(points: dict[str, set[type]]) -> list[tuple[str, set[type]]]:
    """Return the coordinates in a fixed order: device, workload, parameters by name, scale and policy."""
    ends = {"device": 0, "workload": 1, "scale": 3, "scheduler": 4}
    return sorted(points.items(), key=lambda pair: (ends.get(pair[0], 2), pair[0]))


def _type(kinds: set[type]) -> Any:
    if kinds == {bool}:
        return pyarrow.bool_()
    if kinds == {int}:
        return pyarrow.int64()
    return pyarrow.float64() if kinds <= {int, float} else pyarrow.string()


def _batches(contents: Contents, points: _Points, schema: Any) -> Iterator[Any]:
    flat = []
    for studies, row in zip(points.values(), contents.rows(points), strict=True):
        flat.append(_flat(row, _point(contents, studies), ", ".join(study for study, _ in studies)))
        if len(flat) == _BATCH:
            yield _batch(flat, schema)
            flat = []
    if flat:
        yield _batch(flat, schema)


def _flat(row: dict[str, Any], point: dict[str, Any], study: str) -> dict[str, Any]:
    halves = {half_width_key(name): value for name, value in row["half_widths"].items()}
    others = {name: row.get(name) for name in ("key", "status", *_AFTER)}
    others |= {_DOUBTS: "; ".join(row[_DOUBTS])} if _DOUBTS in row else {}
    return joined(point, row["figures"], halves, others, {"study": study})


def _batch(flat: list[dict[str, Any]], schema: Any) -> Any:
    columns = []
    for column in schema:
        values = [row.get(column.name) for row in flat]
        if column.type == pyarrow.string():
            values = [value if value is None or isinstance(value, str) else str(value) for value in values]
        try:
            columns.append(pyarrow.array(values, column.type))
        except (pyarrow.ArrowException, OverflowError) as error:
            expected = f"values of one type ({column.type})"
            raise _native.ParameterError(f"column {column.name}: expected {expected}: {error}") from None
    return pyarrow.record_batch(columns, schema=schema)
