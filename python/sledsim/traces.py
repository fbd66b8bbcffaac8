"""Workloads: block requests in columns, read from a trace file or drawn at random."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native
from .models import Device

#: The bundled trace: block requests of a real ext4 file system, captured for this project.
DEMO_TRACE = Path(__file__).parent / "data" / "ext4-4k.blkparse.zst"

#: Later than any request may come: more than a century.
_LATEST_NS = 4e18

_COLUMNS = {
    "arrival_ns": np.int64,
    "lbn": np.int64,
    "blocks": np.int32,
    "write": np.bool_,
    "metadata": np.bool_,
    "device": np.int32,
}


@dataclass(frozen=True, eq=False, repr=False)
class Trace:
    """Block requests in the order of their arrival; every column has one row a request.

    Columns that are left out are filled: reads, no metadata, one device.

    Attributes:
        arrival_ns: When the request arrives, nanoseconds, never decreasing.
        lbn: First logical block of 512 bytes.
        blocks: Number of blocks, at least 1.
        write: Whether it writes.
        metadata: Whether the file system marked it as metadata.
        device: Which of the traced devices it went to.
        source: Where the requests come from, as a user would name it.
        seed: The seed of a random workload.
        skipped: How many dispatched commands of the file are no requests, by kind.

    Raises:
        TraceError: The columns do not describe requests; the message says which and why.
    """

    arrival_ns: NDArray[np.int64]
    lbn: NDArray[np.int64]
    blocks: NDArray[np.int32]
    write: NDArray[np.bool_] = None  # type: ignore[assignment]
    metadata: NDArray[np.bool_] = None  # type: ignore[assignment]
    device: NDArray[np.int32] = None  # type: ignore[assignment]
    source: str = "python"
    seed: int | None = None
    skipped: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, kind in _COLUMNS.items():
            object.__setattr__(self, name, _column(name, getattr(self, name), kind, len(self.lbn)))
        _check_rows(self)

    def __len__(self) -> int:
        return len(self.lbn)

    def __repr__(self) -> str:
        return f"<sledsim.Trace {self.source!r}: {len(self):,} requests>"

    @classmethod
    def from_columns(cls, columns: Mapping[str, Any], **about: Any) -> "Trace":
        """A trace out of a table that has these columns among others; `about` is the rest of its fields."""
        return cls(**{name: columns[name] for name in _COLUMNS}, **about)

    def columns(self) -> dict[str, NDArray[Any]]:
        """The columns by name."""
        return {name: getattr(self, name) for name in _COLUMNS}

    def scaled(self, factor: float) -> "Trace":
        """The same requests with all times between arrivals divided by `factor`.

        The first arrival stays where it is; above 1 the requests come faster.

        Raises:
            ParameterError: The factor is not a positive number.
        """
        if not (np.isfinite(factor) and factor > 0):
            raise _native.ParameterError(f"scale: expected a positive number, found {factor}")
        if factor == 1 or not len(self):
            return self
        first = self.arrival_ns[0]
        since_first = np.floor((self.arrival_ns - first) / factor + 0.5)  # As the core rounds.
        if first + since_first[-1] >= _LATEST_NS:
            raise _native.ParameterError(f"scale = {factor}: the last request would come too late")
        return replace(self, arrival_ns=first + since_first.astype(np.int64))


def read_trace(
    path: str | os.PathLike[str],
    format: str | None = None,
    sort: bool = False,
    progress: Callable[[int], object] | None = None,
) -> Trace:
    """Read a trace file; gzip and Zstandard are read directly.

    Args:
        path: The file.
        format: One of `formats`; None finds out.
        sort: Whether to sort requests that are not in order of arrival instead of refusing them.
        progress: Called now and then with the number of bytes of the file read so far.

    Raises:
        TraceError: The file is not such a trace: the message names the place, what was expected and found.
        ParameterError: The format is unknown.
        OSError: The file cannot be read.
    """
    name = os.fspath(path)
    columns, info = _native.read_trace(name, format, sort, progress)
    skipped = {kind: info[kind] for kind in ("flushes", "discards", "commands") if info[kind]}
    return Trace.from_columns(columns, source=name, skipped=skipped)


def random_workload(device: Device, *, rate_per_s: float, count: int = 100_000, seed: int = 1) -> Trace:
    """The Random workload of Griffin et al. (OSDI 2000) over the whole of a device.

    Args:
        device: The device whose blocks are asked for.
        rate_per_s: Mean arrival rate in requests a second; times between arrivals are exponential.
        count: Number of requests.
        seed: Same seed, same requests.

    Raises:
        ParameterError: A value is out of range.
    """
    for name, value, least, most in (("count", count, 1, 2**32 - 1), ("seed", seed, 0, 2**64 - 1)):
        if not least <= value <= most:
            raise _native.ParameterError(f"{name} = {value}: must be a whole number from {least} to {most}")
    columns = _native.random_workload(device._native, rate_per_s, count, seed)
    return Trace.from_columns(
        columns, source=f"random:rate={rate_per_s:g},count={count},seed={seed}", seed=seed
    )


def demo_trace() -> Trace:
    """The bundled trace: 224 s of phone-like use of a real ext4 file system, 4,833 requests."""
    return replace(read_trace(DEMO_TRACE), source="demo (ext4 trace)")


def _column(name: str, values: Any, kind: type[np.generic], length: int) -> NDArray[Any]:
    """A contiguous, read-only column of that kind, without loss."""
    if values is None:
        values = np.zeros(length, kind)
    given = np.asarray(values)
    if given.shape != (length,):
        raise _native.TraceError(f"{name}: expected {length} values as in lbn, found shape {given.shape}")
    with np.errstate(invalid="ignore"):
        column = given.astype(kind, copy=False) if given.dtype.kind in "biuf" else None
    if column is None or not np.array_equal(column, given):
        raise _native.TraceError(f"{name}: expected values of type {kind.__name__}, found {given.dtype}")
    own: NDArray[Any] = np.ascontiguousarray(column).view()
    own.flags.writeable = False
    return own


def _check_rows(trace: Trace) -> None:
    """Refuse requests that no device could be asked for; the first wrong row is named."""
    back = np.flatnonzero(np.diff(trace.arrival_ns) < 0)
    if back.size:
        row = int(back[0]) + 1
        raise _native.TraceError(
            f"{trace.source}: request {row}: expected an arrival at or after that of the request before, "
            f"{trace.arrival_ns[row - 1]} ns, found {trace.arrival_ns[row]} ns: sort the requests by arrival"
        )
    for name, least in (("blocks", 1), ("lbn", 0), ("arrival_ns", 0), ("device", 0)):
        column = getattr(trace, name)
        low = np.flatnonzero(column < least)
        if low.size:
            row = int(low[0])
            raise _native.TraceError(
                f"{trace.source}: request {row}: expected {name} of at least {least}, found {column[row]}"
            )
