"""Reading of result files that `Run.write` wrote; an error names the file, the key and the wrong value."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.arrow import pyarrow
from ..common.checked import (
    WrongError,
    array,
    load,
    mapping,
    number,
    optional,
    pair,
    record,
    shown,
    table,
    text,
    truth,
    whole,
)
from ..common.columns import check_numbers
from ..common.command_files import claim_read
from ..common.memory import check_requests
from ..common.output_files import PathLike, check_file
from ..traces.trace import KINDS, REQUIRED_COLUMNS, Trace
from .kept_columns import FLUSH_KIND, Columns
from .result_writer import MASK_BITS, METADATA_KEY, RESULT_COLUMNS
from .run import SERVICE_PHASES, Run
from .run_settings import RunSettings
from .run_totals import BUSIEST

_SETTINGS = {
    **dict.fromkeys(("version", "scheduler", "scheduler_in_full", "past_end", "replay", "trace"), text),
    "parameters": table,
    "scale": number,
    "seed": optional(whole(0, 2**64 - 1)),
    "skipped": mapping(whole()),
    # Results of earlier versions lack this key.
    "doubts": optional(array(text)),
}
#: Largest sum of times that a result can contain, in nanoseconds.
_SUM_MAX = 2**127
_TIMES = ("first_arrival_ns", "last_arrival_ns", "last_completion_ns")
_DEVICE = record(
    name=text,
    requests=whole(),
    # Results of earlier versions lack this key.
    flushes=optional(whole()),
    **dict.fromkeys(("background_requests", "blocks_read", "blocks_written"), whole()),
    busy_s=number,
    in_system_s=number,
    energy_by_use_j=mapping(number),
    energy_over_time=record(begun_ns=whole(), step_ns=whole(1), uses_j=mapping(array(number))),
    counts=mapping(number),
)
_RESPONSES = record(
    sum_ns=whole(0, _SUM_MAX),
    max_ns=whole(),
    std_ns=number,
    quantiles_ns=array(number, 4),
    is_exact=truth,
)
_TOTALS = record(
    # Results of earlier versions lack these keys.
    **dict.fromkeys(("requests", "flushes", *_TIMES), optional(whole())),
    busiest=optional(record(**dict.fromkeys(BUSIEST, optional(number)))),
    phases_ns=optional(record(**dict.fromkeys(SERVICE_PHASES, whole(0, _SUM_MAX)))),
    responses=optional(_RESPONSES),
    flush_responses=optional(_RESPONSES),
    busy_s=array(number, 1),
    idle_energy_j=number,
    # Results of earlier versions lack this key.
    background_energy_j=optional(number),
    devices=array(_DEVICE, 1),
    volumes=array(pair(text, array(pair(text, number)))),
    remapped=whole(),
    waited=whole(),
)
#: Columns that every result has.
_REQUIRED = ("arrival_ns", "completion_ns")
#: Kind of NumPy type of a column, by the ending of its name: ``f`` for floats, ``b`` for booleans; other
#: columns have whole numbers.
_KINDS = {"_j": "f", "write": "b", "metadata": "b"}


#: Number of requests of a file that are read into memory at a time.
BATCH_ROWS = 1 << 16


@dataclass(frozen=True, eq=False)
class RunFile:
    """A result file, open for reading its requests in batches.

    Attributes:
        path: Path of the result file.
        settings: Device, policy and options of the run.
        totals: Sums and figures over all requests.
        kept: Columns that the run kept.
        others: Columns of the file that no run has, and that `Run.write_with` added.
        rows: Number of requests in the file.
        said: All metadata of the Parquet file, by key.
    """

    path: Path
    settings: RunSettings
    totals: Mapping[str, Any]
    kept: tuple[str, ...]
    others: tuple[str, ...]
    rows: int
    said: Mapping[bytes, bytes]

    def batches(self) -> Iterator[dict[str, NDArray[Any]]]:
        """Yield the requests in batches, in the order of arrival, as columns by name.

        Raises:
            TraceError: The file is damaged.
            OSError: The file cannot be read.
        """
        # Rows read ahead would stay in memory to the end.
        with _explained(self.path), pyarrow.parquet.ParquetFile(self.path, pre_buffer=False) as file:
            check_numbers(file.schema_arrow, (*self.kept, *self.others))
            for batch in file.iter_batches(BATCH_ROWS, columns=[*self.kept, *self.others]):
                found = pyarrow.Table.from_batches([batch])
                columns = {name: _column(found, name) for name in self.kept}
                _check_rows(columns, len(self.totals["devices"]))
                yield {**columns, **{name: _column(found, name) for name in self.others}}


def open_run(path: PathLike) -> RunFile:
    """Read the metadata of a result file, without the columns.

    Raises:
        TraceError: The file is not a whole result that sledsim wrote; the message says why.
        ParameterError: The path is a pipe or a device file instead of a regular file.
        OSError: The file cannot be read.
    """
    with _opened(path, pre_buffer=False) as file:
        said = file.metadata.metadata or {}
        settings, totals, kept = _about(said.get(METADATA_KEY))
        rows, there = file.metadata.num_rows, file.schema.names
        if totals["requests"] != rows or not rows:
            raise WrongError("totals.requests", f"{rows}, the number of rows", shown(totals["requests"]))
        columns = tuple(name for name in RESULT_COLUMNS if name in kept)
        made = {*RESULT_COLUMNS, "response_ns", "where"}
        others = tuple(name for name in there if name not in made)
        return RunFile(Path(path), settings, totals, columns, others, rows, said)


@contextmanager
def _opened(path: PathLike, **options: Any) -> "Iterator[pyarrow.parquet.ParquetFile]":
    """Open a result file for the block; errors about its contents become a `TraceError` that names it."""
    check_file(path)
    claim_read(path)
    Path(path).open("rb").close()
    with _explained(path), pyarrow.parquet.ParquetFile(path, **options) as file:
        yield file


@contextmanager
def _explained(path: PathLike) -> Iterator[None]:
    """During the block, turn errors about the contents of a file into a `TraceError` that names the file."""
    try:
        yield
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        expected = f"expected a whole result written by sledsim {_native.__version__}"
        raise _native.TraceError(f"{path}: {expected}, found another file ({error})") from error


def read_run(path: PathLike) -> Run:
    """Read a result that `Run.write` wrote.

    Raises:
        TraceError: The file is not a whole result that sledsim wrote; the message says why.
        ParameterError: The path is a pipe or a device file instead of a regular file.
        OSError: The file cannot be read.
    """
    with _opened(path) as file:
        settings, totals, kept = _about((file.metadata.metadata or {}).get(METADATA_KEY))
        names = [name for name in RESULT_COLUMNS if name in kept and name in file.schema_arrow.names]
        check_numbers(file.schema_arrow, names)
        check_requests(file.metadata.num_rows, str(path))
        found = file.read(names)
        columns = {name: _column(found, name) for name in RESULT_COLUMNS if name in kept}
        _check_rows(columns, len(totals["devices"]))
        if {*REQUIRED_COLUMNS} <= columns.keys():
            Trace.from_columns(columns, source="rows")
        totals = _added_up(columns, totals)
    return Run(Columns(columns), totals, settings)


def _about(given: bytes | None) -> tuple[RunSettings, dict[str, Any], set[str]]:
    """Return settings, totals and names of columns of a run, from the metadata of its file.

    Raises:
        WrongError: The metadata are missing, or a value has a form that `Run.write` never writes.
    """
    if given is None:
        raise WrongError("metadata", METADATA_KEY.decode(), "nothing")
    # Results of earlier versions have every column, without a list of them.
    columns = optional(array(text))
    about = record(**_SETTINGS, totals=_TOTALS, columns=columns)("", load("metadata", given))
    totals, kept = about.pop("totals"), about.pop("columns")
    for at, device in enumerate(totals["devices"]):
        _check_steps(f"totals.devices[{at}].energy_over_time", device["energy_over_time"])
    if len(totals["busy_s"]) != len(totals["devices"]):
        expected = f"a list of {len(totals['devices'])} numbers, one for each device"
        raise WrongError("totals.busy_s", expected, shown(totals["busy_s"]))
    about["doubts"] = tuple(about["doubts"] or ())
    return RunSettings(**about), totals, {*(RESULT_COLUMNS if kept is None else kept), *_REQUIRED}


def _check_steps(key: str, over_time: dict[str, Any]) -> None:
    """Check the power of a device over time: as many steps for each use, and an end below 2^63 ns."""
    steps = {len(joules) for joules in over_time["uses_j"].values()}
    if len(steps) > 1:
        found = " and ".join(map(str, sorted(steps)))
        raise WrongError(f"{key}.uses_j", "lists of equal length", f"lists of {found} numbers")
    if over_time["begun_ns"] + over_time["step_ns"] * max(steps, default=0) >= 2**63:
        raise WrongError(f"{key}.step_ns", "steps that end within 2^63 ns", str(over_time["step_ns"]))


def _added_up(columns: dict[str, NDArray[Any]], totals: dict[str, Any]) -> dict[str, Any]:
    """Return the totals; in files of earlier versions, missing ones are computed from the columns."""
    rows = len(columns["arrival_ns"])
    if any(totals[name] is None for name in ("requests", "phases_ns", *_TIMES)):
        arrivals, ends = columns["arrival_ns"], columns["completion_ns"]
        times = dict(zip(_TIMES, map(int, (arrivals[0], arrivals[-1], ends.max())), strict=True))
        if missing := [name for name in SERVICE_PHASES if name not in columns]:
            raise WrongError(missing[0], "one column of this name", "no column")
        phases = {name: int(columns[name].sum()) for name in SERVICE_PHASES}
        return {**totals, **times, "requests": rows, "phases_ns": phases}
    if totals["requests"] != rows:
        raise WrongError("totals.requests", f"{rows}, the number of rows", str(totals["requests"]))
    flushes = int((columns["kind"] == FLUSH_KIND).sum()) if "kind" in columns else 0
    if (totals["flushes"] or 0) != flushes:
        raise WrongError("totals.flushes", f"{flushes}, the number of flushes", str(totals["flushes"]))
    return totals


def _column(found: "pyarrow.Table", name: str) -> NDArray[Any]:
    if found.schema.names.count(name) != 1:
        raise WrongError(name, "one column of this name", str(found.schema.names.count(name)))
    column = found[name]
    if column.null_count:
        raise WrongError(name, "a value in every row", f"{column.null_count} empty rows")
    values: NDArray[Any] = column.to_numpy()
    kinds = next((kind for ending, kind in _KINDS.items() if name.endswith(ending)), "iu")
    if values.dtype.kind not in kinds:
        raise WrongError(
            name, {"f": "numbers", "b": "truth values"}.get(kinds, "whole numbers"), str(column.type)
        )
    if kinds == "f" and not np.isfinite(values).all():
        raise WrongError(name, "numbers", "NaN or infinity")
    return values


def _check_rows(columns: dict[str, NDArray[Any]], devices: int) -> None:
    """Check that the columns have possible values, such as completions after arrivals."""
    if not len(columns["arrival_ns"]):
        raise WrongError("rows", "at least one request", "0 requests")
    for name in ("arrival_ns", "start_ns", "completion_ns"):
        if name in columns and columns[name].dtype != np.int64:
            raise WrongError(name, "whole numbers of 64 bits with a sign", str(columns[name].dtype))
    response_ns = columns["completion_ns"] - columns["arrival_ns"]
    if columns["arrival_ns"].min() < 0 or response_ns.min() < 0:
        raise WrongError(
            "completion_ns", "times after the arrival", f"a time {response_ns.min()} ns after the arrival"
        )
    if "kind" in columns and (wrong := int(columns["kind"].max())) >= len(KINDS):
        raise WrongError("kind", f"numbers below {len(KINDS)}", str(wrong))
    most = int(columns["served_by"].max()) if "served_by" in columns else 0
    if most >> min(devices, MASK_BITS):
        raise WrongError("served_by", f"a mask with a bit for each of {devices} devices", str(most))
