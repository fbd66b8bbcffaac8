"""``sledsim run``: workloads on one device under one scheduler."""

from pathlib import Path
from typing import Annotated

import typer

from .. import _native
from ..common.endings import names
from . import options
from .completion import complete_trace
from .episode_options import Episodes
from .output import listed, print_json, print_note
from .perfetto_options import InTime
from .plotting import write_plots
from .run_many import run_many
from .run_outputs import Outputs, write_page
from .run_tables import figures_of, print_run, print_run_notes
from .running import Asked, Replayed, replay as replay_trace
from .trace_names import files_of
from .volume_options import FaultsOption, OptionalDeviceOption, VolumeOption, target


def run(
    *,
    traces: Annotated[
        list[str],
        typer.Argument(
            metavar="TRACE...",
            help="A trace file, a workload such as 'random:rate=1000' ('sledsim workloads' lists them), or a "
            "bundled trace: 'demo' (ext4), 'ext3-4k', 'ext3-1k', 'ext2-4k', 'ext2-1k'. Of several, of a "
            "folder and of a pattern such as 'traces/*.gz' there is one table, and one page.",
            autocompletion=complete_trace,
        ),
    ],
    device_name: OptionalDeviceOption = None,
    volume_name: VolumeOption = None,
    faults: FaultsOption = None,
    episodes: Episodes,
    scheduler: options.OptionalSchedulerOption = None,
    scale: options.ScaleOption = 1.0,
    settings: options.SetOption = None,
    past_end: options.OptionalPastEndOption = None,
    fit: Annotated[
        bool,
        options.of_trace(
            "--fit",
            help="Make a trace fit that reaches past the end: with more sleds, with several disks or cards "
            "one behind the other, with a larger device where none is named, or squeezed. It is said what "
            "was done.",
        ),
    ] = False,
    replay: options.ReplayOption = None,
    reading: options.Replaying,
    out: Annotated[
        Path | None,
        options.of_output(
            help=f"Write the requests to this file: {names()}; of several traces, to this folder."
        ),
    ] = None,
    columns: options.ColumnsOption = None,
    power: Annotated[
        Path | None,
        options.of_output(metavar="FOLDER", help="Write the power over time there: a table and plots."),
    ] = None,
    report: Annotated[
        Path | None,
        options.of_output(
            metavar="PAGE.html",
            help="Write a web page: charts and tables of the run, or of several beside each other.",
        ),
    ] = None,
    in_time: InTime,
    as_json: options.JsonOption = False,
) -> None:
    """Replay a trace on a device, or on a volume of several, and print the summary."""
    from ..runs.batches import check_columns
    from ..runs.run import settings_of

    if fit and past_end is not None:
        raise _native.ParameterError(f"--fit: expected it or --past-end, found both (--past-end {past_end})")
    model = episodes.on(target(device_name, volume_name, settings, scheduler, faults))
    settings_of(model, scheduler, scale, past_end or "error", replay)
    if columns is not None and out is None:
        raise _native.ParameterError("--columns: expected --out FILE, which they are for, found none")
    check_columns(columns or "all", out)
    is_any = device_name is None and volume_name is None and not settings and faults is None
    asked = Asked(model, reading, scheduler, scale, past_end or "error", replay, fit, is_any, columns)
    files, outputs = files_of(traces), Outputs(out, power, report, in_time)
    if len(files) > 1 or files != traces:
        run_many(files, traces, asked, outputs, as_json)
    else:
        _run_one(files[0], asked, outputs, as_json)


def _run_one(trace: str, asked: Asked, outputs: Outputs, as_json: bool) -> None:
    outputs.check(asked.columns)
    is_in_time = outputs.in_time.perfetto is not None
    is_whole = is_in_time or outputs.report is not None
    found = replay_trace(trace, asked, outputs.out, is_whole=is_whole, is_in_memory=is_in_time)
    if as_json:
        how = found.run.settings
        about = {"device": found.target.name, "scheduler": how.scheduler, "scale": how.scale, "trace": trace}
        print_json({**about, "replay": how.replay, **figures_of(found)})
    else:
        print_run(found)
    print_run_notes(found, found.run.settings.past_end)
    if outputs.out is not None:
        print_note(f"requests written to {outputs.out}")
    if outputs.power is not None:
        _write_power(found, outputs.power)
    if outputs.report is not None:
        write_page(found.run.report, outputs.report)
    outputs.in_time.write(found.run)


def _write_power(found: Replayed, folder: Path) -> None:
    from ..common.files import write_table
    from ..runs.power import NAME

    tables = write_table(found.run.power(), folder, NAME)
    print_note(f"power over time: {listed([*tables, *write_plots(found.run.write_power_plots, folder)])}")
