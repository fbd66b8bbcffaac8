"""The tables that studies return: columns in SI units, with their origin as metadata."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from .. import _native
from ..common.arrow import pyarrow
from ..model.devices import Device
from ..model.survival import Share

#: A table of a study; PyArrow itself is loaded when the first table is made.
Table: TypeAlias = "pyarrow.Table"

_METADATA_KEY = b"sledsim"
_NOTES_KEY = b"notes"


def from_columns(columns: Mapping[str, Any]) -> Table:
    """Return a table of columns, each an array or a list; None in a list is a missing value."""
    return pyarrow.table(dict(columns))


def from_rows(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return a table of rows that all have the same columns."""
    return from_columns({name: [row[name] for row in rows] for name in rows[0]})


def simulated(name: str, found: Share) -> dict[str, float]:
    """Return three columns for a share estimated by simulation: the share, and both ends of its interval."""
    return {f"{name}_simulated": found.value, f"{name}_low": found.low, f"{name}_high": found.high}


def at_few_distances(table: Table, count: int = 5) -> Table:
    """Return the rows at `count` evenly spread distances, including the first and the last distance."""
    values = list(dict.fromkeys(table["distance_m"].to_pylist()))
    last = len(values) - 1
    kept = {values[round(at * last / (count - 1))] for at in range(count)}
    return table.filter([value in kept for value in table["distance_m"].to_pylist()])


def with_notes(table: Table, notes: Sequence[str]) -> Table:
    """Return the table with remarks for the reader stored in its metadata; `with_origin` keeps them."""
    return table.replace_schema_metadata({_NOTES_KEY: json.dumps(list(notes)).encode()})


def with_origin(table: Table, study: str, device: Device, options: Mapping[str, Any]) -> Table:
    """Return the table with metadata on its origin: study, device, parameters, options and version."""
    about = {
        "study": study,
        "device": device.name,
        "parameters": device.parameters,
        "options": options,
        "version": _native.__version__,
        "notes": json.loads((table.schema.metadata or {}).get(_NOTES_KEY, b"[]")),
    }
    text = json.dumps(about, default=lambda value: value.tolist())  # NumPy's arrays and numbers.
    return table.replace_schema_metadata({_METADATA_KEY: text.encode()})


def origin(table: Table) -> dict[str, Any]:
    """Return the origin that `with_origin` stored in a table, with the remarks; empty if it has none."""
    metadata = table.schema.metadata or {}
    about: dict[str, Any] = json.loads(metadata.get(_METADATA_KEY, b"{}"))
    return about
