"""``sledsim validate``: a device against one that was measured."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import (
    DeviceOption,
    FormatOption,
    JsonOption,
    MapOption,
    MeasuredReplayOption,
    SchedulerOption,
    SetOption,
    SkipBadOption,
    TracedDevicesOption,
    parse_settings,
)
from .output import print_json, print_note, print_table, table
from .plotting import write_plots
from .progress import progress
from .trace_options import TracePath

if TYPE_CHECKING:
    from ..runs.validation import Validation

#: Of how many requests the table gives the response time.
_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0)


def validate(
    trace: TracePath,
    device_name: DeviceOption = "atlas10k",
    scheduler: SchedulerOption = "fcfs",
    settings: SetOption = None,
    replay: MeasuredReplayOption = None,
    format: FormatOption = None,
    map: MapOption = None,
    skip_bad: SkipBadOption = False,
    traced_devices: TracedDevicesOption = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder for the plot; the present one if not given.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Compare a device with the measured response times of a trace, replayed closed loop."""
    from ..common.files import check_folder
    from ..model.devices import device
    from ..runs.validation import CLOSED_LOOP, validate as compare
    from .workloads import Reading, load_trace

    if out is not None:
        check_folder(out, "validation")
    model = device(device_name, **parse_settings(settings))
    workload = load_trace(trace, model, Reading(format, map, skip_bad, traced_devices))
    with progress("Simulating", len(workload)) as report:
        found = compare(model, workload, scheduler, replay or CLOSED_LOOP, report)
    if as_json:
        print_json({"device": model.name, "trace": trace, "scheduler": scheduler, **found.figures()})
        if out is not None:
            write_plots(lambda report: found.write_plots(out, report))
        return
    _print(found, trace, model.name)
    plots = write_plots(lambda report: found.write_plots(out or Path(), report))
    if plots:
        print_note(f"both distributions: {', '.join(os.fspath(plot) for plot in plots)}")


def _print(found: "Validation", trace: str, device_name: str) -> None:
    import numpy as np

    figures = found.figures()
    columns = ("Simulated", "Measured", "Difference")
    made = table("Response time", *columns, numbers=columns)

    def row(name: str, simulated_ms: float, measured_ms: float) -> None:
        made.add_row(
            name,
            f"{simulated_ms:,.3f} ms",
            f"{measured_ms:,.3f} ms",
            f"{simulated_ms / measured_ms - 1:+.2%}",
        )

    row("mean", figures["mean_ms"], figures["measured_mean_ms"])
    for share in _QUANTILES:
        times_ms = (float(np.quantile(times, share)) * 1e3 for times in (found.simulated_s, found.measured_s))
        row("longest" if share == 1 else f"{share:.0%} of requests within", *times_ms)
    print_table(f"{trace} on {device_name}: {figures['requests']:,} measured requests", made)
    for key in ("demerit_ms", "mean_ms", "measured_mean_ms"):
        print(f"{key} {figures[key]:.4f}")
    if figures["unmeasured"]:
        print_note(f"without a measured response time, not compared: {figures['unmeasured']:,} requests")
