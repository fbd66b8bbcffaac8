"""Traces in memory: columns of block requests, from a trace file or drawn at random."""

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, replace
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.arguments import check_whole
from ..common.arrow import pyarrow
from ..common.grids import Grid, facts, of_rows
from ..common.progress import Progress, told, watched
from ..common.shown import Form, Result, counted, quoted
from ..common.signatures import called_by_users
from ..model.volumes import TargetOrName, target_of
from .evidence import Evidence

#: Upper bound of arrivals in nanoseconds, exclusive: 127 years.
LATEST_NS = 4e18

#: Operations of requests: the numbers in the column ``op``.
READ, WRITE, DISCARD, FLUSH = range(4)
#: Names of the operations, by the number in the column ``op``.
OPERATIONS = ("read", "write", "discard", "flush")

#: Bits of the column ``flags``: synchronous, asynchronous, force unit access, read ahead, written back by the
#: periodic update daemon.
SYNC, ASYNC, FUA, READ_AHEAD, DAEMON = (1 << bit for bit in range(5))

#: Kinds of requests in runs, in the order of their numbers in the column ``kind`` of results.
KINDS = ("read", "write", "fua", "flush")

#: Block classes of HP-UX, with their numbers in the column ``block_class``.
BLOCK_CLASSES = {
    **{1: "user data", 2: "inode", 3: "directory", 4: "indirect block", 5: "superblock"},
    **{6: "cylinder group", 7: "swap", 8: "raw", 9: "program text"},
}

#: Columns of a trace and their types.
COLUMNS = {
    "arrival_ns": np.int64,
    "lbn": np.int64,
    "blocks": np.int32,
    "op": np.uint8,
    "metadata": np.bool_,
    "device": np.int32,
    "block_class": np.uint8,
    "flags": np.uint8,
    "response_ns": np.int64,
    "service_ns": np.int64,
}
#: Fields of a trace other than its columns, its source and its seed.
ABOUT = ("skipped", "device_names", "origin_unix_ns", "notes", "evidence", "format")
#: Columns that every trace must have.
REQUIRED_COLUMNS = ("arrival_ns", "lbn", "blocks")

#: Number of requests that a trace shows in a notebook.
_FIRST = 5


@final
@called_by_users
@dataclass(frozen=True, eq=False, repr=False)
class Trace(Result):
    """Block requests in the order of their arrival; each column has one value per request.

    Columns that are not given have default values: all requests read other data than metadata from device 0.

    Attributes:
        arrival_ns: Arrival of the request in nanoseconds, never decreasing.
        lbn: First logical block of 512 bytes; 0 for a flush.
        blocks: Number of 512-byte blocks, at least 1; 0 for a flush.
        op: Operation: 0 read, 1 write, 2 discard, 3 flush; or booleans that are True for writes.
        metadata: True if the file system marked the request as metadata.
        device: Number of the traced device.
        block_class: Key of `BLOCK_CLASSES`; 0 if not recorded.
        flags: Bits `SYNC`, `ASYNC`, `FUA`, `READ_AHEAD`, `DAEMON`.
        response_ns: Measured time from arrival to completion; 0 if not recorded.
        service_ns: Measured time in service; 0 if not recorded.
        source: Name of the trace in messages.
        seed: Seed of a random workload; None for other workloads.
        skipped: Number of entries of the file that are not requests, by kind.
        device_names: Names of traced devices by number, if the trace has names.
        origin_unix_ns: Time of day of time 0, in nanoseconds since 1970 (UTC), if the trace has it.
        notes: Sentences on the reading of the trace, such as bad lines.
        evidence: Findings on how far the recording can be believed.
        format: Trace format of the file; empty if the trace was not read from a file.

    Raises:
        TraceError: The columns do not describe requests; the message names the column and the reason.
    """

    arrival_ns: NDArray[np.int64]
    lbn: NDArray[np.int64]
    blocks: NDArray[np.int32]
    op: NDArray[np.uint8] = None  # type: ignore[assignment]
    metadata: NDArray[np.bool_] = None  # type: ignore[assignment]
    device: NDArray[np.int32] = None  # type: ignore[assignment]
    block_class: NDArray[np.uint8] = None  # type: ignore[assignment]
    flags: NDArray[np.uint8] = None  # type: ignore[assignment]
    response_ns: NDArray[np.int64] = None  # type: ignore[assignment]
    service_ns: NDArray[np.int64] = None  # type: ignore[assignment]
    source: str = "python"
    seed: int | None = None
    skipped: Mapping[str, int] = field(default_factory=dict)
    device_names: Mapping[int, str] = field(default_factory=dict)
    origin_unix_ns: int | None = None
    notes: tuple[str, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    format: str = ""

    def __post_init__(self) -> None:
        for name, kind in COLUMNS.items():
            where = f"{self.source}: {name}"
            object.__setattr__(self, name, _column(where, getattr(self, name), kind, len(self.lbn)))
        _check_rows(self)

    def __len__(self) -> int:
        return len(self.lbn)

    def _arrow(self) -> "pyarrow.Table":
        return pyarrow.table(self.columns())

    def _form(self) -> Form:
        calls = ("sledsim.trace_statistics(trace).plot()", "columns()", "rows(slice(0, 1000))", "to_pandas()")
        line = f"{quoted(self.source)}: {counted(len(self), 'request')}"
        return Form(f"Trace {self.source}", self._parts, self.notes, calls, line)

    def _parts(self) -> list[Grid]:
        return [facts(self._figures()), of_rows(self._first(), count=len(self))]

    def _figures(self) -> dict[str, Any]:
        moves = self.op <= WRITE
        figures: dict[str, Any] = {"requests": len(self)}
        if len(self):
            span_s = float(self.arrival_ns[-1] - self.arrival_ns[0]) * 1e-9
            figures |= {
                "span_s": span_s,
                "rate_per_s": (len(self) - 1) / span_s if span_s else None,
                "write_share": float(self.write.sum() / max(1, moves.sum())),
                "moved_bytes": int(self.blocks[moves].sum(dtype=np.int64)) * 512,
                "devices": len(np.unique(self.device)),
            }
        return figures

    def _first(self) -> list[dict[str, Any]]:
        names = ("arrival_ns", "device", "lbn", "blocks", "op")
        first = {name: getattr(self, name)[:_FIRST].tolist() for name in names}
        first["op"] = [OPERATIONS[op] for op in first["op"]]
        return [dict(zip(names, row, strict=True)) for row in zip(*first.values(), strict=True)]

    @classmethod
    def from_columns(cls, columns: Mapping[str, Any], **about: Any) -> "Trace":
        """Make a trace from columns by name; `about` has the values of its other fields.

        Instead of ``op``, the column ``kind`` of results, or ``write`` of older ones, is accepted.
        """
        for name in REQUIRED_COLUMNS:
            if name not in columns:
                found = ", ".join(map(str, columns)) or "none"
                raise _native.TraceError(f"expected the columns {', '.join(REQUIRED_COLUMNS)}, found {found}")
        given = {name: columns[name] for name in COLUMNS if name in columns}
        if "op" not in given and "kind" in columns:
            kind = np.asarray(columns["kind"])
            known = kind.dtype.kind in "iu" and ((kind >= 0) & (kind < len(KINDS))).all()
            if not known:
                source = about.get("source", "python")
                expected = ", ".join(f"{number} ({name})" for number, name in enumerate(KINDS))
                raise _native.TraceError(f"{source}: kind: expected numbers, {expected}, found {kind}")
            given["op"] = np.array([READ, WRITE, WRITE, FLUSH], np.uint8)[kind]
            forced = np.where(kind == KINDS.index("fua"), FUA, 0)
            given["flags"] = forced | np.asarray(given.get("flags", 0)) & ~FUA
        elif "op" not in given and "write" in columns:
            given["op"] = columns["write"]
        return cls(**given, **about)

    @classmethod
    def _of_core(cls, columns: Mapping[str, Any], **about: Any) -> "Trace":
        """Make a trace of columns that the core has checked."""
        made = object.__new__(cls)
        for row in fields(cls):
            default = row.default_factory() if row.default_factory is not MISSING else row.default
            object.__setattr__(made, row.name, columns.get(row.name, about.get(row.name, default)))
        for name in COLUMNS:
            getattr(made, name).flags.writeable = False
        return made

    def columns(self) -> dict[str, NDArray[Any]]:
        """Return the columns by name."""
        return {name: getattr(self, name) for name in COLUMNS}

    @cached_property
    def write(self) -> NDArray[np.bool_]:
        """True for each request that writes, as a column."""
        writes: NDArray[np.bool_] = self.op == WRITE
        return writes

    @cached_property
    def kind(self) -> NDArray[np.uint8]:
        """Index in `KINDS` of the kind of each request, as a column; discards count as writes."""
        is_forced = (self.op == WRITE) & (self.flags & FUA != 0)
        kinds: NDArray[np.uint8] = np.array([0, 1, 1, 3], np.uint8)[self.op] + is_forced
        return kinds

    @property
    def recorded_replay(self) -> str:
        """Replay mode that suits the recording: DiskSim's validate traces come from a closed loop."""
        return recorded_replay(self.format)

    def rows(self, which: "NDArray[np.bool_] | slice") -> "Trace":
        """Return a trace of only the requests that the mask or slice `which` selects."""
        columns: dict[str, Any] = {name: column[which] for name, column in self.columns().items()}
        return replace(self, **columns)

    @property
    def measured_ns(self) -> NDArray[np.int64]:
        """Measured response times in nanoseconds; where they are missing, measured service times."""
        return np.where(self.response_ns > 0, self.response_ns, self.service_ns)

    def _native_columns(self) -> "_native._TraceColumns":
        """Return the columns that a simulation needs, in which traced devices are numbered 0, 1, 2, ..."""
        _, devices = np.unique(self.device, return_inverse=True)
        return (*self._requested(), devices.astype(np.int32), self.flags, self.measured_ns)

    def _requested(self) -> tuple[Any, Any, Any, Any, Any]:
        """Return arrivals, first sectors, sizes, kinds and marks of metadata, as a simulation needs them."""
        lbn, blocks, flushes = self.lbn, self.blocks, self.op == FLUSH
        if flushes.any():
            # A flush covers the whole device, whatever its sectors are.
            lbn, blocks = (np.where(flushes, 0, column) for column in (lbn, blocks))
        return self.arrival_ns, lbn, blocks.astype(np.int32, copy=False), self.kind, self.metadata

    def replayed(self) -> "Trace":
        """Return the requests that a run replays: the trace without discards, which ``skipped`` counts."""
        return self._without(self.op == DISCARD)

    def transfers(self) -> "Trace":
        """Return the trace without discards and flushes, which ``skipped`` of the new trace counts."""
        return self._without(self.op > WRITE)

    def _without(self, gone: NDArray[np.bool_]) -> "Trace":
        if not gone.any():
            return self
        counts = {
            name: int((gone & (self.op == op)).sum())
            for op, name in ((FLUSH, "flushes"), (DISCARD, "discards"))
        }
        skipped = {**{name: count for name, count in counts.items() if count}, **self.skipped}
        return replace(self.rows(~gone), skipped=skipped)


def check_trace(trace: object, key: str = "trace") -> None:
    """Check that an argument is a trace, not a file name or another object.

    Raises:
        ParameterError: The argument is not a trace.
    """
    if not isinstance(trace, Trace):
        found = type(trace).__name__
        raise _native.ParameterError(
            f"{key}: expected a Trace, found {found}: sledsim.read_trace reads files"
        )


def recorded_replay(format: str) -> str:
    """Return the replay mode that suits a recording in this trace format."""
    return "think:longest_ms=inf" if format == "validate" else "open"


@watched
def random_workload(
    device: TargetOrName,
    *,
    rate_per_s: float,
    count: int = 100_000,
    seed: int = 1,
    progress: Progress = None,
) -> Trace:
    """Draw the random workload of Griffin et al. (OSDI 2000), whose requests cover the whole device.

    Args:
        device: Device or volume that will receive the requests.
        rate_per_s: Mean arrival rate in requests per second; times between arrivals are exponential.
        count: Number of requests.
        seed: Seed of the random numbers; equal seeds give equal requests.
        progress: Callback or bar for the number of drawn requests, as for `simulate`.

    Raises:
        ParameterError: A value is out of range.
    """
    check_whole("count", count, 1, 2**32 - 1)
    check_whole("seed", seed, 0, 2**64 - 1)
    columns = _native.random_workload(
        target_of(device)._native, rate_per_s, count, seed, told(progress, count)
    )
    source = f"random:rate={rate_per_s:g},count={count},seed={seed}"
    return Trace.from_columns(columns, source=source, seed=seed)


def _column(where: str, values: Any, kind: type[np.generic], length: int) -> NDArray[Any]:
    """Convert values to a read-only column of a type; refuse values that the type cannot hold."""
    if values is None:
        values = np.zeros(length, kind)
    given = np.asarray(values)
    if given.shape != (length,):
        raise _native.TraceError(f"{where}: expected {length} values, one per lbn, found shape {given.shape}")
    with np.errstate(invalid="ignore"):
        column = given.astype(kind, copy=False) if given.dtype.kind in "biuf" else None
    if column is None or not np.array_equal(column, given):
        raise _native.TraceError(f"{where}: expected values of type {kind.__name__}, found {given.dtype}")
    own: NDArray[Any] = np.ascontiguousarray(column).view()
    own.flags.writeable = False
    return own


def _check_rows(trace: Trace) -> None:
    """Check that requests are possible; an error names the first wrong request."""
    back = np.flatnonzero(np.diff(trace.arrival_ns) < 0)
    if back.size:
        row = int(back[0]) + 1
        raise _native.TraceError(
            f"{trace.source}: request {row}: expected an arrival at or after the previous arrival, "
            f"{trace.arrival_ns[row - 1]} ns, found {trace.arrival_ns[row]} ns: sort the requests by arrival"
        )
    least_blocks = trace.op != FLUSH
    from_0 = dict.fromkeys(("lbn", "arrival_ns", "device", "response_ns", "service_ns"), 0)
    for name, least in {"blocks": least_blocks, **from_0}.items():
        _refuse(trace, name, getattr(trace, name) < least, f"of at least {int(np.max(least, initial=0))}")
    _refuse(trace, "op", trace.op > FLUSH, f"from {READ} to {FLUSH}")


def _refuse(trace: Trace, name: str, wrong: NDArray[np.bool_], expected: str) -> None:
    rows = np.flatnonzero(wrong)
    if rows.size:
        row = int(rows[0])
        found = getattr(trace, name)[row]
        raise _native.TraceError(f"{trace.source}: request {row}: expected {name} {expected}, found {found}")
