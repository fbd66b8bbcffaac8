"""A simulation and its result: columns of requests, their summary, and the file that can be run again."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..common.arrow import pyarrow
from ..common.charted import write_chart
from ..common.files import PathLike, writing
from ..model.systems import Target, from_parameters
from ..traces.trace import Trace

#: Under which a file of results says what they came from.
METADATA_KEY = b"sledsim"
_COLUMNS = _native.result_columns()
#: The columns of a result, in their order.
RESULT_COLUMNS = tuple(name for name, *_ in _COLUMNS)
#: Those that come from the trace.
_TRACE_COLUMNS = ("lbn", "blocks", "write", "metadata", "device")
#: Columns of few different values, which Parquet stores best as a dictionary; the others as differences.
_FEW_VALUES = ("where", *(name for name, _, _, has_few_values, _ in _COLUMNS if has_few_values))

#: The columns that add up to the time from dispatch until the medium is done.
SERVICE_PHASES = ("command_ns", "wait_ns", "positioning_ns", "hold_ns", "switch_ns", "transfer_ns")


@dataclass(frozen=True)
class RunSettings:
    """All that a run came from, kept with its result so that it can be run again.

    Attributes:
        version: The version of sledsim that made it.
        parameters: The effective parameters of the device, or of the volume and its members.
        scheduler: The policy, with the options that are not at their default; in a volume that of devices
            which have none of their own.
        scheduler_in_full: The policy with every option.
        scale: What the times between the trace's arrivals were divided by.
        past_end: What was done with requests past the end of the device.
        replay: What decided when requests came.
        trace: Where the requests came from.
        seed: The seed of a random workload.
        skipped: Commands of the trace file that are no requests, by kind.
    """

    version: str
    parameters: dict[str, Any]
    scheduler: str
    scheduler_in_full: str
    scale: float
    past_end: str
    replay: str
    trace: str
    seed: int | None
    skipped: dict[str, int]


@dataclass(frozen=True, eq=False)
class Run:
    """The result of `simulate` or `read_run`.

    Attributes:
        columns: One NumPy array a column, one row a request in order of arrival; times in integer
            nanoseconds. Arrivals are already scaled, and blocks past the end already moved.
        totals: What is not of any one request: ``busy_s`` (of each device), ``idle_energy_j``,
            ``background_energy_j`` (of services that no request had, as flushes), ``devices``
            (what each did, see `devices`), ``volumes`` (what each counted, by name), ``remapped`` (requests
            moved by the rule for the end of the device), ``waited`` (requests that a think-time replay let
            wait for another).
        settings: What the run came from.
    """

    columns: Mapping[str, NDArray[Any]]
    totals: Mapping[str, Any]
    settings: RunSettings

    @cached_property
    def response_ns(self) -> NDArray[np.int64]:
        """Response time of each request: completion less arrival."""
        response: NDArray[np.int64] = self.columns["completion_ns"] - self.columns["arrival_ns"]
        return response

    @cached_property
    def requests(self) -> "pyarrow.Table":
        """The columns, ``response_ns``, and ``where`` each request was served, as a pyarrow Table."""
        masks, numbers = np.unique(self.columns["served_by"], return_inverse=True)
        names = [device["name"] for device in self.totals["devices"]]
        places = [_where(int(mask), names) for mask in masks]
        where = pyarrow.DictionaryArray.from_arrays(numbers.astype(np.int32), places)
        return pyarrow.table({**self.columns, "response_ns": self.response_ns, "where": where})

    @property
    def devices(self) -> list[dict[str, Any]]:
        """What each device did, unit in the key.

        ``share`` is its part of all the requests for which somebody waited, ``mean_queue_length`` the time
        average of requests at it, and ``energy_j`` is with what it took while it served nothing. A disk
        whose file gives no powers counts as 0 J.
        """
        rows, span_s = self.totals["devices"], self.span_s or math.nan
        waited_for = sum(row["requests"] for row in rows) or 1
        counts = ("requests", "background_requests", "blocks_read", "blocks_written")
        return [
            {
                "device": row["name"],
                "share": row["requests"] / waited_for,
                **{name: row[name] for name in counts},
                "mean_queue_length": row["in_system_s"] / span_s,
                "utilization": row["busy_s"] / span_s,
                "energy_j": sum(row["energy_by_use_j"].values()),
            }
            for row in rows
        ]

    @property
    def energy_by_use_j(self) -> dict[str, float]:
        """What took the energy of all devices, in joules; the sum is that of the summary.

        ``seek``, ``settle``, ``actuation``, ``tips``, ``electronics`` and ``startup`` were taken by services,
        as the columns of these names say of each request; ``idle``, ``shutdown`` and ``inactive`` by the time
        without any. Devices without a sled have all that their services take under ``electronics``.
        """
        uses: dict[str, float] = {}
        for row in self.totals["devices"]:
            for use, joules in row["energy_by_use_j"].items():
                uses[use] = uses.get(use, 0.0) + joules
        return uses

    def power(self) -> "pyarrow.Table":
        """Power over time, in watts: rows of device, from_s, to_s, power_w and its parts by use.

        A run is cut into steps of equal length, between 256 and 512 of them but for the shortest runs; what
        takes longer than a step is spread over its time evenly. The last step ends with the run.
        """
        from .power import power_table

        return power_table(self.totals["devices"], int(self.columns["completion_ns"].max()))

    def write_power_plots(
        self, folder: PathLike, progress: Callable[[int], object] | None = None
    ) -> list[Path]:
        """Write the power over time as a page that works offline, as PNG and as SVG, named ``power``.

        Raises:
            ModuleNotFoundError: The plotting libraries are not installed.
            OSError: A file cannot be written; no part of it is left.
        """
        return write_chart(self, folder, progress)

    @property
    def faults(self) -> dict[str, dict[str, float]]:
        """What each device with faults counted, by its name: what broke, was remapped, corrected and lost."""
        known = dict(_native.device_counters())["Faults"]
        return {
            name: {key: counts[key] for key, _ in known}
            for name, counts in self.device_counts.items()
            if "lost_blocks" in counts
        }

    @property
    def device_counts(self) -> dict[str, dict[str, float]]:
        """What each device counted itself, by its name: faults, what was erased, partial writes."""
        return {row["name"]: dict(row["counts"]) for row in self.totals["devices"] if row["counts"]}

    @property
    def volumes(self) -> dict[str, dict[str, float]]:
        """What each volume counted, by its name: empty for the uppermost one of a run on one device."""
        return {name: dict(counts) for name, counts in self.totals["volumes"]}

    def summary(self) -> dict[str, float | int]:
        """The run in figures, unit in the key.

        ``mean_service_s`` is the time from dispatch until the medium is done: positioning, switches,
        held-back writes and transfer. ``mean_queue_length`` is the time average of requests in the
        system. ``span_s`` goes from the first arrival to the last completion. ``cv2_response`` is the
        variance over the squared mean, 0 where every request is answered at once. Averages over no time at
        all are NaN.
        """
        response_s = self.response_ns * 1e-9
        span_s = self.span_s or math.nan
        mean_s, std_s = float(response_s.mean()), float(response_s.std())
        p50_s, p95_s, p99_s, p999_s = np.percentile(response_s, [50, 95, 99, 99.9]).tolist()
        mean_phases_s = [float(self.columns[phase].mean()) * 1e-9 for phase in SERVICE_PHASES]
        return {
            "requests": len(response_s),
            "mean_response_s": mean_s,
            "std_response_s": std_s,
            "cv2_response": (std_s / mean_s) ** 2 if mean_s else 0.0,
            "p50_response_s": p50_s,
            "p95_response_s": p95_s,
            "p99_response_s": p99_s,
            "p999_response_s": p999_s,
            "max_response_s": float(response_s.max()),
            "mean_service_s": sum(mean_phases_s),
            "mean_positioning_s": mean_phases_s[SERVICE_PHASES.index("positioning_ns")],
            "mean_queue_length": float(response_s.sum()) / span_s,
            "utilization": float(np.mean(self.totals["busy_s"])) / span_s,
            "energy_j": sum(self.energy_by_use_j.values()),
            "span_s": self.span_s,
        }

    @property
    def span_s(self) -> float:
        """Seconds from the first arrival to the last completion."""
        return int(self.columns["completion_ns"].max() - self.columns["arrival_ns"][0]) * 1e-9

    @property
    def drain_s(self) -> float:
        """Seconds from the last arrival to the last completion: long where requests came too fast."""
        return int(self.columns["completion_ns"].max() - self.columns["arrival_ns"][-1]) * 1e-9

    def write(self, path: PathLike) -> Path:
        """Write the requests as Parquet with everything needed to run again inside.

        Raises:
            OSError: The file cannot be written; no part of it is left.
        """
        about = json.dumps({**asdict(self.settings), "totals": dict(self.totals)})
        table = self.requests.replace_schema_metadata({METADATA_KEY: about.encode()})
        many_values = dict.fromkeys(set(table.column_names) - set(_FEW_VALUES), "DELTA_BINARY_PACKED")
        with writing(path) as file:
            pyarrow.parquet.write_table(
                table,
                file,
                compression="zstd",
                use_dictionary=list(_FEW_VALUES),
                column_encoding=many_values,
            )
        return Path(path)

    def again(self, progress: Callable[[int], object] | None = None) -> "Run":
        """Run the same requests on the same device again: the columns come out equal."""
        trace = Trace.from_columns(self.columns, source=self.settings.trace)
        device = from_parameters(self.settings.parameters)
        # The requests come at the times at which they came, whatever decided them.
        run = simulate(device, trace, self.settings.scheduler_in_full, progress=progress, replay="open")
        totals = {**run.totals, **{name: self.totals[name] for name in ("remapped", "waited")}}
        return replace(run, totals=totals, settings=replace(self.settings, version=_native.__version__))


def _where(mask: int, names: list[str]) -> str:
    """The devices of a mask: those from the 64th on share a bit."""
    if not mask:
        return "memory"
    bits = (number for number in range(64) if mask >> number & 1)
    many = len(names) > 64
    return "+".join("others" if many and number == 63 else names[number] for number in bits)


def simulate(
    device: Target,
    trace: Trace,
    scheduler: str | None = None,
    scale: float = 1.0,
    past_end: str = "error",
    progress: Callable[[int], object] | None = None,
    replay: str | None = None,
) -> Run:
    """Replay a trace on a device or a volume.

    Each traced device is replayed on a simulated device or volume of its own.

    Args:
        device: From `device` or `volume`.
        trace: From `read_trace`, `random_workload` or `demo_trace`, or columns of your own.
        scheduler: One of `schedulers`, with its options if any are to be given: ``asptf:weight=5``. In a
            volume it is that of every device that has none of its own, whatever the volume was made with.
            None is what the volume was made with, and ``sptf`` for a device.
        scale: Speed-up of the trace: with 2 requests come twice as fast.
        past_end: One of `past_end_rules`.
        progress: Called now and then with the number of requests done.
        replay: What decides when requests come: one of `replays`, with its options if any are to be given:
            ``closed:outstanding=16``. None is ``open``, but for DiskSim validate traces, which were
            recorded by a closed loop and are replayed by one: ``think:longest_ms=inf``.

    Raises:
        ParameterError: A name or value is wrong.
        TraceError: The trace is empty, or goes past the end of the device.
    """
    trace = trace.transfers()
    if not len(trace):
        raise _native.TraceError(f"{trace.source}: expected at least one read or write, found none")
    how = replay or trace.recorded_replay
    try:
        columns, totals = _native.simulate(
            device._native, trace._native_columns(), how, scheduler, scale, past_end, progress
        )
    except _native.TraceError as error:
        raise _native.TraceError(f"{trace.source}: {error}") from None
    columns["device"] = trace.device
    if (rows := totals.pop("trace_rows")) is not None:
        columns.update({name: columns[name][rows] for name in _TRACE_COLUMNS})
    settings = RunSettings(
        **{name: totals.pop(name) for name in ("parameters", "scheduler", "scheduler_in_full", "replay")},
        version=_native.__version__,
        scale=scale,
        past_end=past_end,
        trace=trace.source,
        seed=trace.seed,
        skipped=dict(trace.skipped),
    )
    return Run(columns, totals, settings)


def settings_of(
    device: Target,
    scheduler: str | None,
    scale: float = 1.0,
    past_end: str = "error",
    replay: str | None = None,
) -> RunSettings:
    """The settings of runs with these options, before a long one: one request is served and forgotten.

    Raises:
        ParameterError: A name or value is wrong.
    """
    zero = np.zeros(1, np.int64)
    # It has a response time, as a think-time replay wants.
    one = np.ones(1, np.int64)
    one_request = Trace(arrival_ns=zero, lbn=zero, blocks=one.astype(np.int32), response_ns=one)
    return simulate(device, one_request, scheduler, scale, past_end, replay=replay).settings
