"""Tables and pages that compare several runs, such as the runs of all traces in a folder."""

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from .. import _native
from ..common.charted import check_report, write_side_by_side
from ..common.output_files import PathLike
from ..errors import NotKeptError
from .breakdown import PHASES, Breakdown, breakdown, mean_phases_s
from .run import Run


@dataclass(frozen=True)
class Entry:
    """A run in a table of several, or a trace that could not be run.

    Attributes:
        trace: Name of the trace.
        device: Name of the device or volume.
        scheduler: Name of the policy.
        figures: Figures of `Run.summary`; empty without a run.
        rate_bytes_per_s: Bytes read and written per second of the run; NaN if unknown.
        read_share: Share of reads among the requests; NaN if unknown.
        phases: Seconds of the mean response by phase; in a volume the phases of services may overlap.
        energy_by_use_j: Energy in joules by use, as `Run.energy_by_use_j`.
        kept_up: True if the device served requests as fast as they arrived; None if unknown.
        fit: Changes that made the trace fit the device.
        how: Settings of the replay, by name.
        error: Reason why the run is missing.
    """

    trace: str
    device: str = ""
    scheduler: str = ""
    figures: Mapping[str, float] = field(default_factory=dict)
    rate_bytes_per_s: float = math.nan
    read_share: float = math.nan
    phases: Mapping[str, float] = field(default_factory=dict)
    energy_by_use_j: Mapping[str, float] = field(default_factory=dict)
    kept_up: bool | None = None
    fit: str = ""
    how: Mapping[str, str] = field(default_factory=dict)
    error: str = ""

    def row(self) -> dict[str, Any]:
        """Figures for a table of several runs, unit in the key."""
        figures = self.figures
        shown = ("mean_response_s", "p50_response_s", "p99_response_s", "max_response_s")
        return {
            "requests": figures["requests"],
            "requests_per_s": figures["requests"] / (figures["span_s"] or math.nan),
            "data_bytes_per_s": self.rate_bytes_per_s,
            "read_share": self.read_share,
            **{name: figures[name] for name in (*shown, "mean_queue_length", "utilization", "energy_j")},
            "energy_per_request_j": figures["energy_j"] / figures["requests"],
            "kept_up": self.kept_up,
        }


def entry(run: Run, trace: str = "", parts: Breakdown | None = None, fit: str = "") -> Entry:
    """The entry of a run; figures from columns that the run did not keep are unknown.

    Args:
        run: The result.
        trace: Name of the trace; an empty name takes the name in the settings.
        parts: Breakdown of the run; None computes it.
        fit: Changes that made the trace fit the device.
    """
    how, figures = run.settings, run.summary()
    if parts is None:
        with suppress(NotKeptError):
            parts = breakdown(run)
    phases_s = mean_phases_s(run) if parts is None else parts.phases
    known: dict[str, Any] = {"phases": {PHASES[name]: seconds for name, seconds in phases_s.items()}}
    if parts is not None:
        reads = sum(one.requests for one in parts.parts if one.name == "reads")
        known |= {
            "rate_bytes_per_s": parts.parts[0].rate_bytes_per_s,
            "read_share": reads / parts.parts[0].requests,
            "kept_up": parts.kept_up,
        }
    return Entry(
        trace or how.trace,
        run.device_name,
        how.scheduler_in_full,
        figures,
        energy_by_use_j=run.energy_by_use_j,
        fit=fit,
        how={
            "speed-up of the trace": f"{how.scale:g}",
            "replay": how.replay,
            "past the end of the device": how.past_end,
        },
        **known,
    )


def report_runs(runs: Iterable[Run], path: PathLike) -> PathLike:
    """Write a page about several runs that works offline: a table, and charts that compare the runs.

    Runs are read one at a time and not kept, so runs of many traces may come from a generator.

    Example:
        >>> import sledsim
        >>> device, names = sledsim.device("osdi00"), ["a.csv", "b.csv"]
        >>> runs = (sledsim.simulate(device, sledsim.read_trace(name)) for name in names)
        >>> sledsim.report_runs(runs, "page.html")  # doctest: +SKIP

    Args:
        runs: Results of any traces and devices.
        path: The file, whose name ends in ``.html``.

    Raises:
        ParameterError: The name has another ending, or no run is given.
        OSError: The file cannot be written; no part of it is left.
        ModuleNotFoundError: It needs ``sledsim[plot]``.
    """
    check_report(path)
    entries = [entry(run) for run in runs]
    if not entries:
        raise _native.ParameterError("runs: expected at least one run, found none")
    write_side_by_side(entries, path)
    return path
