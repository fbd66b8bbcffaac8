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
    """A row of a table of several runs: figures of a run, or why a trace could not be run.

    Attributes:
        trace: Name of the trace.
        device: Name of the device or volume.
        scheduler: Name of the policy.
        figures: Figures of `Run.summary`; empty if the trace could not be run.
        rate_bytes_per_s: Bytes read and written per second; NaN if unknown.
        read_share: Share of reads among the requests; NaN if unknown.
        phases: Mean time of a request in each phase in seconds, by name of the phase; in a volume, services
            may overlap.
        energy_by_use_j: Energy of all devices by use in joules (`Run.energy_by_use_j`).
        kept_up: True if the device served requests as fast as they arrived; None if the run did not keep the
            columns for this.
        fit: Sentence on how the trace was made to fit the device; empty if it did not have to be.
        how: Options of the replay as text, by words such as ``replay``.
        error: Reason why the trace could not be run; empty if it ran.
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
        """Return the figures of the run for a table, by name with the unit in the name."""
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
    """Make the row of a run; figures that need columns which the run did not keep are unknown.

    Args:
        run: The result.
        trace: Name of the trace; if empty, the run's own name of it.
        parts: Breakdown of the run; None computes it here.
        fit: Sentence on how the trace was made to fit the device.
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
    """Write an HTML page that compares several runs in a table and in charts; the page works offline.

    Runs are taken one at a time and not kept, so a generator can give more runs than memory holds.

    Example:
        >>> import sledsim
        >>> device, names = sledsim.device("osdi00"), ["a.csv", "b.csv"]
        >>> runs = (sledsim.simulate(device, sledsim.read_trace(name)) for name in names)
        >>> sledsim.report_runs(runs, "page.html")  # doctest: +SKIP

    Args:
        runs: Runs of any traces on any devices.
        path: The file, whose name ends in ``.html``.

    Raises:
        ParameterError: The name does not end in ``.html``, or no run is given.
        OSError: The file cannot be written; no part of it is left.
        ModuleNotFoundError: It needs ``sledsim[plot]``.
    """
    check_report(path)
    entries = [entry(run) for run in runs]
    if not entries:
        raise _native.ParameterError("runs: expected at least one run, found none")
    write_side_by_side(entries, path)
    return path
