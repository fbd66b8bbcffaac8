"""Result of a simulation: columns of requests, a summary, and a file from which the run can be repeated."""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.arrow import pyarrow
from ..common.charted import Charted, Reported
from ..common.declared import settled
from ..common.deprecation import renamed
from ..common.endings import PARQUET
from ..common.output_files import PathLike
from ..common.progress import Progress, told, watched
from ..common.shown import Form, Result, clipped, counted, parts_by, quoted
from ..errors import NotKeptError
from ..model.volumes import Target, TargetOrName, from_parameters, name_of, target_of
from ..traces.streams import TraceStream, stream_of
from ..traces.trace import Trace
from .batches import TRACE_COLUMNS, Options, RowSink, can_be_streamed, check_columns, keeps_none, run_batches
from .explained import Explained
from .in_time import InTime
from .keeping_options import KeepingOptions
from .kept_columns import (
    NONE_IN_MEMORY,
    Columns,
    added_responses,
    check_whole,
    flush_figures,
    response_figures,
    transfers_of,
    without_flushes,
)
from .result_writer import ResultWriter, result_table, write_result
from .run_settings import RunSettings
from .run_totals import RunTotals
from .trace_fit import fitted

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: Columns of the phases that make up a service, from its start on the device until the medium is done.
SERVICE_PHASES = ("command_ns", "wait_ns", "positioning_ns", "hold_ns", "switch_ns", "transfer_ns")


@dataclass(frozen=True, eq=False, repr=False)
class Run(RunTotals, Explained, Charted, Reported, InTime, Result):
    """The result of `simulate` or `read_run`.

    Attributes:
        columns: NumPy arrays by name, one for each column kept, with one element per request in the order of
            arrival; times are integer nanoseconds. Arrivals are after the speed-up, and addresses past the
            end of the device are after `past_end`. Flushes have rows of their own, see the column ``kind``.
            Empty if the run wrote its columns to a file instead.
        totals: Figures of the whole run by name. ``requests``: their number, ``flushes``: that of flushes
            among them. ``first_arrival_ns``, ``last_arrival_ns``, ``last_completion_ns``. ``phases_ns``: sums
            over reads and writes. ``responses``: the distribution of their response times, if their columns
            were not kept. ``flush_responses``: that of flushes. ``busy_s``: busy time of each
            device. ``idle_energy_j``. ``background_energy_j``: energy of services for no request of the
            trace, such as flushes. ``busiest``: see `summary`. ``devices``: activity of each device, see
            `devices`. ``volumes``: counters of each volume. ``remapped``: number of requests moved by
            `past_end`. ``waited``: number of requests that a think-time replay delayed until another
            completed.
        settings: Device, policy and options of the run.
    """

    columns: Mapping[str, NDArray[Any]]
    totals: Mapping[str, Any]
    settings: RunSettings

    def _form(self) -> Form:
        title = f"Run: {self.settings.trace} on {self.device_name}, {self.settings.scheduler}"
        calls = ("plot()", "summary()", "requests", "explain(row)", "to_pandas()", "write(path)")
        kept = f"{len(self.columns)} columns" if self.columns else "no columns in memory"
        of = f"{quoted(self.settings.trace)} under {clipped(self.settings.scheduler)}"
        line = f"of {of}: {counted(self.totals['requests'], 'request')}, {kept}"
        return Form(title, parts_by("of_run", self), self.settings.doubts, calls=calls, line=line)

    def _arrow(self) -> "pyarrow.Table":
        return self.requests

    @property
    def device_name(self) -> str:
        """Name of the device or volume."""
        return name_of(self.settings.parameters)

    @cached_property
    def response_ns(self) -> NDArray[np.int64]:
        """Response time of each request in nanoseconds: completion minus arrival."""
        response: NDArray[np.int64] = self.columns["completion_ns"] - self.columns["arrival_ns"]
        return response

    @cached_property
    def transfers(self) -> "Run":
        """The run with the columns of its reads and writes only; the totals are those of the whole run."""
        moves = without_flushes(self.columns)
        return self if moves is self.columns else replace(self, columns=moves)

    @cached_property
    def requests(self) -> "pyarrow.Table":
        """Arrow table: the columns, ``response_ns``, and ``where``, the devices that served each request.

        Raises:
            NotKeptError: The run has no columns in memory.
        """
        if not self.columns:
            raise NotKeptError(NONE_IN_MEMORY)
        return result_table(self.columns, self._device_names)

    @property
    def _device_names(self) -> list[str]:
        return [device["name"] for device in self.totals["devices"]]

    def power(self) -> "pyarrow.Table":
        """Return a table of power over time: device, from_s, to_s, power_w (total), and watts by use.

        A run is divided into time steps of equal length: 256 to 512 steps, or fewer in the shortest runs. If
        a use lasts longer than a step, its energy is spread evenly over its time.
        """
        from .power_over_time import power_table

        return power_table(self.totals["devices"], self.totals["last_completion_ns"])

    def write_power_plots(
        self, folder: PathLike, progress: Callable[[int], object] | None = None
    ) -> list[Path]:
        """Write charts of power over time: ``power.html`` (which works offline), ``.png`` and ``.svg``.

        Raises:
            ModuleNotFoundError: The plotting libraries are not installed.
            OSError: A file cannot be written; no part of it is left.
        """
        from .power_over_time import Power

        title = f"{self.settings.trace} on {self.device_name}"
        return Power(self.power(), title).write_plots(folder, progress)

    def summary(self) -> dict[str, float | int]:
        """Return figures of the run by name, with the unit in the name.

        Number, response times and phases are those of reads and writes. A run with flushes also has
        ``flushes``, their number, and ``mean_flush_s``, ``p50_flush_s`` and ``p99_flush_s``, their times.

        ``mean_service_s`` is the mean time from the start on the device until the medium is done:
        positioning, holds, switches and transfer. ``mean_queue_length`` is the mean number of outstanding
        requests over time. ``span_s`` is the time from the first arrival to the last completion.
        ``cv2_response`` is the variance of the response time divided by its squared mean, or 0 if all
        response times are 0. Averages over a span of 0 s are NaN. ``busiest_second_requests`` is the largest
        number of arrivals in a second, counted from the first; ``busiest_second_busy_share`` is this number
        times the mean busy time of a request, over the second; likewise for the busiest minute.
        """
        requests = transfers_of(self.totals)
        responses = response_figures(self.columns, self.totals)
        span_s = self.span_s or math.nan
        mean_s, std_s = responses["mean_response_s"], responses["std_response_s"]
        phases_s = {
            name: int(sum_ns) * 1e-9 / (requests or math.nan)
            for name, sum_ns in self.totals["phases_ns"].items()
        }
        return {
            "requests": requests,
            "mean_response_s": mean_s,
            "std_response_s": std_s,
            "cv2_response": (std_s / mean_s) ** 2 if mean_s else 0.0,
            **responses,
            "mean_service_s": sum(phases_s.values()),
            "mean_positioning_s": phases_s["positioning_ns"],
            "mean_queue_length": mean_s * requests / span_s,
            "utilization": float(np.mean(self.totals["busy_s"])) / span_s,
            "energy_j": sum(self.energy_by_use_j.values()),
            "span_s": self.span_s,
            **self.busiest,
            **flush_figures(self.totals),
        }

    @property
    def is_exact(self) -> bool:
        """True if the percentiles of the summary are exact; otherwise they are within 0.01 %.

        Percentiles are inexact if the run has a million requests or more and kept no columns in memory.
        """
        added = added_responses(self.columns, self.totals)
        return added is None or bool(added["is_exact"])

    def write(self, path: PathLike) -> Path:
        """Write the columns as CSV, JSON or Parquet, by the ending; only Parquet can be read and run again.

        Raises:
            NotKeptError: The run kept no columns.
            ParameterError: The file name has another ending.
            OSError: The file cannot be written; no part of it is left.
        """
        write_result(path, self.columns, self._device_names, self._about())
        return Path(path)

    def write_with(
        self, path: PathLike, columns: Mapping[str, NDArray[np.int64]], others: Mapping[bytes, Any]
    ) -> Path:
        """Write a Parquet file with further `columns` of whole numbers, and `others` as metadata by key."""
        given = {**self.columns, **columns}
        write_result(path, given, self._device_names, self._about(), others, (PARQUET,))
        return Path(path)

    def _about(self) -> dict[str, Any]:
        """Return settings and totals for a result file; its columns already give the response times."""
        return {**asdict(self.settings), "totals": {**self.totals, "responses": None}}

    def again(self, progress: Progress = None) -> "Run":
        """Run the same requests on the same device again; the new result has equal columns.

        Raises:
            NotKeptError: The run did not keep the columns of all its requests.
        """
        check_whole(self.columns, self.totals)
        for name in TRACE_COLUMNS:
            self.columns[name]
        trace = Trace.from_columns(self.columns, source=self.settings.trace)
        device = from_parameters(self.settings.parameters)
        # Requests arrive at the arrivals of this result, whatever its replay mode was.
        run = simulate(
            device,
            trace,
            self.settings.policy_again,
            progress=progress,
            replay="open",
            columns=list(self.columns),
        )
        totals = {**run.totals, **{name: self.totals[name] for name in ("remapped", "waited")}}
        return replace(run, totals=totals, settings=replace(self.settings, version=_native.__version__))


@renamed
@watched
def simulate(
    device: TargetOrName,
    trace: Trace | TraceStream,
    scheduler: str | None = None,
    scale: float = 1.0,
    past_end: str = "error",
    progress: Progress = None,
    replay: str | None = None,
    **kept: "Unpack[KeepingOptions]",
) -> Run:
    """Replay a trace on a device or a volume.

    Each traced device is replayed on a separate simulated device or volume.

    A stream is replayed while it is read, so it may exceed memory, and `path` is written during the run. All
    traced devices must occur among the first million requests of a stream. A `replay` other than ``open``, or
    a `past_end` other than ``error`` and ``wrap``, first reads the whole stream into memory.

    Args:
        device: Device or volume from `device` or `volume`, or the name or file of a device.
        trace: Trace from `read_trace`, `random_workload`, `demo_trace` or the user's columns; or a stream
            from `open_trace` or `open_workload`.
        scheduler: Policy from `schedulers`, with options after a colon: ``asptf:weight=5``. In a volume it
            replaces the policy of the volume and applies to every member without its own policy. None is the
            policy of the volume, or ``sptf`` for a device.
        scale: Speed-up of the trace: with 2, requests arrive twice as fast.
        past_end: Rule from `past_end_rules` for requests past the end of the device.
        progress: Callback for the number of requests done, called at intervals; True shows a bar. Notebooks
            show a bar for long runs unless this is False.
        replay: Replay mode from `replays`, which decides when requests arrive, with options after a colon:
            ``closed:outstanding=16``. None is ``open``, but ``think:longest_ms=inf`` for DiskSim validate
            traces, which were recorded in a closed loop.
        kept: `KeepingOptions`: ``fit`` makes a trace fit the device, ``columns`` selects the columns to keep,
            and ``path`` is a file to which the columns are written.

    Raises:
        ParameterError: A name or value is wrong.
        TraceError: The trace is empty, or exceeds the device.
        OSError: The file cannot be written; no part of it is left.
    """
    asked = settled(kept, KeepingOptions, simulate)
    columns, path = asked["columns"], asked["path"]
    names = columns if isinstance(columns, str) else ",".join(map(str, columns))
    check_columns(names, path)
    model = target_of(device)
    if not isinstance(trace, Trace | TraceStream):
        found = type(trace).__name__
        raise _native.ParameterError(
            f"trace: expected a Trace or a TraceStream, found {found}; read a file with read_trace"
        )
    if asked["fit"]:
        model, trace, past_end = fitted(model, trace, past_end)
    options = Options(scheduler, scale, past_end, names, replay or trace.recorded_replay)
    report = told(progress, len(trace) if isinstance(trace, Trace) else None)
    # Copies of a trace in memory cost 5 to 13 %; with kept columns it is run directly.
    is_short = isinstance(trace, Trace) and path is None and not keeps_none(names)
    if can_be_streamed(options.replay, past_end) and not is_short:
        stream = trace if isinstance(trace, TraceStream) else stream_of(trace, batch=len(trace))
        return simulate_batches(model, stream, options, path, report)
    whole = trace.read() if isinstance(trace, TraceStream) else trace
    run = simulate_batches(model, whole, options, None, report)
    if path is not None:
        run.write(path)
    return run


class Watch(NamedTuple):
    """Callback that takes results during a run, and the columns that it needs, separated by commas."""

    add: RowSink
    columns: str

    def beside(self, sink: RowSink, kept: str) -> RowSink:
        """Return a callback that calls `add`, and then `sink` with only the columns named in `kept`."""
        names = _native.selected_columns(kept)

        def take(columns: dict[str, NDArray[Any]], devices: list[str]) -> None:
            self.add(columns, devices)
            sink({name: columns[name] for name in names}, devices)

        return take


def simulate_batches(
    device: Target,
    requests: Trace | TraceStream,
    options: Options,
    out: PathLike | None,
    progress: Callable[[int], object] | None,
    watch: Watch | None = None,
) -> Run:
    """Run requests; if a stream is written to a file or watched, no columns stay in memory.

    Args:
        device: Device or volume.
        requests: The requests.
        options: Policy, speed-up and further options of `simulate`.
        out: File for the columns; None for no file.
        progress: Callback for the number of requests done.
        watch: Callback that takes results of requests during the run.
    """
    with ExitStack() as left:
        writer = None if out is None else left.enter_context(ResultWriter(out))
        sink: RowSink | None = None if writer is None else writer.add
        is_dropped = watch is not None or keeps_none(options.columns)
        if sink is None and is_dropped and isinstance(requests, TraceStream):
            sink = _drop
        wanted = options
        if watch is not None and sink is not None:
            kept = "" if keeps_none(options.columns) else f"{options.columns},"
            wanted = options._replace(columns=kept + watch.columns)
            sink = watch.beside(sink, options.columns)
        columns, totals, about = run_batches(device, requests, wanted, sink, progress)
        settings = RunSettings.taken_from(totals, requests.source, options.scale, options.past_end, **about)
        run = Run(Columns({} if sink else columns), totals, settings)
        if writer is not None:
            writer.finish(run._about())
        return run


def _drop(columns: Mapping[str, NDArray[Any]], names: Sequence[str]) -> None:
    """Take results of requests, and do nothing with them."""


def settings_of(
    device: Target,
    scheduler: str | None,
    scale: float = 1.0,
    past_end: str = "error",
    replay: str | None = None,
) -> RunSettings:
    """Return the settings that a run with these options has; this checks the options before a long run.

    Raises:
        ParameterError: A name or value is wrong.
    """
    zero = np.zeros(1, np.int64)
    # A think-time replay needs a measured response time.
    one = np.ones(1, np.int64)
    one_request = Trace(arrival_ns=zero, lbn=zero, blocks=one.astype(np.int32), response_ns=one)
    return simulate(device, one_request, scheduler, scale, past_end, replay=replay).settings
