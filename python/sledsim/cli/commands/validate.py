"""``sledsim study validate``: compare a simulated device with a measured device."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import command_options as options
from ..output import listed, print_json, print_note, print_result, write_plots
from ..terminal import progress
from ..trace_names import TracePath

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class Measured(options.Replaying):
    """Group of options: how to read a measured trace, fit it to the device, and replay it."""

    replay: options.MeasuredReplayOption = None


def validate(
    *,
    trace: TracePath,
    device_name: options.DeviceOption = "atlas10k",
    scheduler: options.InOrderOption = "fcfs",
    settings: options.SetOption = None,
    how: Measured,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for a plot of measured and simulated distributions of response times."),
    ] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Compare a simulated device with the measured response times in a trace, replayed in a closed loop."""
    from ...common.output_files import check_folder
    from ...model.typed import device
    from ...runs.validation import CLOSED_LOOP, validate as compare
    from ..replaying import fitting_device
    from ..run_tables import print_past_end
    from ..workloads import load_trace

    if out is not None:
        check_folder(out, "validation")
    model = device(device_name, **options.parse_settings(settings))
    workload = load_trace(trace, model, how)
    model, past_end = fitting_device(workload, model, how)
    with progress("Simulating", len(workload)) as report:
        found = compare(model, workload, scheduler, how.replay or CLOSED_LOOP, report, past_end)
    if as_json:
        print_json({"device": model.name, "trace": trace, "scheduler": scheduler, **found.figures()})
    else:
        print_result(found)
    print_past_end(found.run, model, past_end)
    if out is not None:
        if plots := write_plots(found.write_plots, out):
            print_note(f"plots of the measured and the simulated distribution: {listed(plots)}")
    elif not as_json:
        print_note("to draw the measured and the simulated distribution: --out FOLDER")
