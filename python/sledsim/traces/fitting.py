"""Workloads fitted to a trace: random requests with nearly the statistics of the trace."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from .. import _native
from ..common.arrow import pyarrow
from ..common.deprecation import renamed
from ..common.grids import facts
from ..common.memory import check_requests, most_requests
from ..common.output_files import PathLike, write_text
from ..common.progress import Progress, told, watched
from ..common.shown import Form, Shown, quoted
from ..model.devices import DeviceOrName, device_of
from .statistics import TraceStatistics, as_stream, trace_statistics
from .streams import TraceStream
from .trace import DISCARD, Trace

#: Unit of the addresses of a trace, in bytes.
SECTOR_BYTES = 512
#: Bytes of memory that a fit needs per request; twice as many while its tables grow.
_BYTES_PER_REQUEST = 80


@final
@dataclass(frozen=True, eq=False, repr=False)
class FittedWorkload(Shown):
    """A workload fitted to a trace, from `fit_workload` or `FittedWorkload.read`.

    The workload imitates the reads and writes of the trace: their kinds (operation, metadata, class), sizes,
    addresses and times; `kept` reports how closely. It has no discards, flushes, devices or measured times.

    Attributes:
        core: The fitted workload in the Rust core.
        statistics: Statistics of the trace; None if the workload was read from a file.
        notes: Sentences on requests of the trace that the fit ignores.
    """

    core: _native.FittedWorkload
    statistics: TraceStatistics | None = None
    notes: tuple[str, ...] = ()

    @classmethod
    def read(cls, path: PathLike) -> "FittedWorkload":
        """Read a workload from its file.

        Raises:
            ParameterError: The file is not a workload; the message names the wrong line or key.
            OSError: The file cannot be read.
        """
        return cls(_native.FittedWorkload.parse(_native.read_text(path), os.fspath(path)))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.core.text(), self.source, self.statistics, self.notes)

    def _form(self) -> Form:
        line = f"of {quoted(self.source)}: {self.requests:,} requests"
        figures = {"requests": self.requests, "end_bytes": self.end_block * SECTOR_BYTES}
        calls = ("draw(device)", "kept()", "write(path)")
        return Form(f"Workload fitted to {self.source}", [facts(figures)], self.notes, calls, line)

    @property
    def source(self) -> str:
        """Name of the trace."""
        return self.core.source()

    @property
    def requests(self) -> int:
        """Number of reads and writes of the trace."""
        return self.core.requests()

    @property
    def end_block(self) -> int:
        """Number of the first 512-byte block after all blocks that the trace accesses."""
        return self.core.end_block()

    def write(self, path: PathLike) -> None:
        """Write the workload to a file, for `FittedWorkload.read` and for the generator ``fitted:file=...``.

        Raises:
            OSError: The file cannot be written; no part of it is left.
        """
        write_text(path, self.core.text())

    def draw(self, device: DeviceOrName, **options: str | float) -> Trace:
        """Draw requests for a device.

        If the device is smaller than the traced device, addresses are scaled to the device; sizes of requests
        and distances between them are not scaled.

        Args:
            device: Device that will receive the requests, or its name or file.
            options: Options of the generator ``fitted`` except ``file``: ``rate`` and ``count`` (the defaults
                are those of the trace), ``seed`` and ``arrivals``.

        Raises:
            ParameterError: An option is unknown or its value is invalid.
        """
        return self._drawn(device_of(device).capacity_bytes // SECTOR_BYTES, **options)

    def _drawn(self, capacity_blocks: int, **options: str | float) -> Trace:
        given = ",".join(f"{option}={value}" for option, value in options.items())
        columns, name, seed = self.core.draw(given, capacity_blocks, None)
        notes: tuple[str, ...] = ()
        if capacity_blocks < self.end_block:
            notes = (f"addresses are scaled to {capacity_blocks / self.end_block:.1%} of those in the trace",)
        return Trace.from_columns(columns, source=f"{name} of {self.source}", seed=seed, notes=notes)

    @renamed
    def kept(self, statistics: TraceStatistics | None = None, *, seed: int = 1) -> "pyarrow.Table":
        """Compare the trace's statistics with those of the same number of requests drawn from the workload.

        Args:
            statistics: Statistics of the trace; None uses those that the fit computed.
            seed: Seed of the drawn requests.

        Returns:
            A table with one row per statistic: ``statistic`` (its name), ``unit``, ``trace`` and ``fitted``
            (its values), ``difference``, ``is_relative`` (True if the difference is relative), ``kept`` (yes,
            roughly or no).

        Raises:
            ParameterError: The workload was read from a file, which has no statistics of the trace, and none
                are given.
        """
        from .fit_report import kept_table

        known = statistics or self.statistics
        if known is None:
            raise _native.ParameterError(
                "kept: the workload does not know the statistics of its trace: pass statistics="
            )
        return kept_table(known, trace_statistics(self._drawn(self.end_block, seed=seed)))


def _restored(
    text: str, source: str, statistics: TraceStatistics | None, notes: tuple[str, ...]
) -> FittedWorkload:
    """Make a workload from the parts in which `pickle` stores it."""
    return FittedWorkload(_native.FittedWorkload.parse(text, source), statistics, notes)


@renamed
@watched
def fit_workload(
    trace: Trace | TraceStream | PathLike | Iterable[Trace],
    *,
    progress: Progress = None,
) -> FittedWorkload:
    """Fit a random workload to a trace in one pass; requests to several devices count as of one device.

    Args:
        trace: A trace, a trace file, or batches of a trace in the order of arrival.
        progress: Callback or bar for the number of requests read, as for `simulate`.

    Raises:
        TraceError: The trace cannot be read, its batches are not in the order of arrival, it has fewer than
            two reads and writes, or fitting it needs more than the free memory.
        OSError: The file cannot be read.
    """
    report = told(progress, len(trace) if isinstance(trace, Trace) else None)
    stream, fit = as_stream(trace), _native.WorkloadFit()
    devices: set[int] = set()
    discards = requests = 0
    most = most_requests(_BYTES_PER_REQUEST)

    def learn(batch: Trace) -> Trace:
        nonlocal discards, requests
        requests += len(batch)
        check_requests(requests, stream.source, most)
        fit.add(batch.columns())
        devices.update(np.unique(batch.device).tolist())
        kept = batch.rows(batch.op != DISCARD)
        discards += len(batch) - len(kept)
        return replace(kept, device=np.zeros(len(kept), np.int32)) if kept.device.any() else kept

    statistics = trace_statistics(stream.changed(learn), progress=report)
    notes = []
    if discards:
        notes.append(f"excluded: {discards:,} discards")
    if len(devices) > 1:
        notes.append(f"{len(devices)} devices are treated as one")
    return FittedWorkload(fit.finish(stream.source), statistics, tuple(notes))
