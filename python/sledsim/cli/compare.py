"""``sledsim compare`` and ``sledsim demo``: one workload, several schedulers, several loads."""

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from .. import _native
from . import options
from .curves import curve_options, draw_curves
from .episode_options import Episodes
from .output import console, listed, milliseconds, print_table, print_text, table
from .plotting import write_plots
from .progress import progress
from .volume_options import OptionalDeviceOption, VolumeOption, target

if TYPE_CHECKING:
    from ..model.systems import Target
    from ..runs.comparisons import Comparison
    from ..traces.trace import Trace

#: Where curves are written if nothing else is said.
_OUT = "compare-out"
_DEMO_SCHEDULERS = ["fcfs", "sstf_lbn", "clook_lbn", "sptf"]
#: As traced, in bursts, busy, and saturated.
_DEMO_SCALES = [1.0, 4.0, 16.0, 64.0]

#: A column of the table: its heading, the key of the summary, and how the figure is shown.
_Column = tuple[str, str, Callable[[float], str]]
_RESPONSE: tuple[_Column, ...] = (
    ("Mean ms", "mean_response_s", milliseconds),
    ("p50 ms", "p50_response_s", milliseconds),
    ("p99 ms", "p99_response_s", milliseconds),
    ("p99.9 ms", "p999_response_s", milliseconds),
    ("Max ms", "max_response_s", milliseconds),
    ("cv²", "cv2_response", "{:.2f}".format),
)
_DEVICE: tuple[_Column, ...] = (
    ("Queue", "mean_queue_length", "{:,.4g}".format),
    ("Position ms", "mean_positioning_s", milliseconds),
    ("Service ms", "mean_service_s", milliseconds),
    ("Busy", "utilization", "{:.1%}".format),
    ("Energy J", "energy_j", "{:,.2f}".format),
)
#: Columns that the table of all figures needs; a narrower terminal gets two tables.
_WIDTH_ONE_TABLE = 120


def compare(
    *,
    trace: options.TraceArgument,
    schedulers: options.SchedulersOption,
    out: Annotated[
        Path | None,
        options.of_output(
            help=f"The folder for all results; required without --rates, with them {_OUT} if not given."
        ),
    ] = None,
    device_name: OptionalDeviceOption = None,
    volume_name: VolumeOption = None,
    episodes: Episodes,
    scales: Annotated[
        str | None, options.of_trace(help="Speed-ups of the trace to try, such as 1,4,16; 1 if not given.")
    ] = None,
    rates: Annotated[
        str | None,
        typer.Option(help="For 'random:' and the like: arrival rates, such as 100,500 or start:stop:step."),
    ] = None,
    replications: Annotated[int | None, typer.Option(help="With --rates: runs at each point.")] = None,
    count: Annotated[int | None, typer.Option(help="With --rates: requests of each run.")] = None,
    precision: Annotated[
        float | None,
        typer.Option(
            help="With --rates: half of an interval as a part of the figure, such as 0.05; replications are"
            " doubled until mean, cv² and percentiles up to the 99th are known so well."
        ),
    ] = None,
    settings: options.SetOption = None,
    past_end: options.OptionalPastEndOption = None,
    replay: options.ReplayOption = None,
    reading: options.Replaying,
) -> None:
    """Compare schedulers on a device or a volume: replay a trace, or draw curves over the arrival rate."""
    from .workloads import load_trace

    names = options.parse_schedulers("--schedulers", schedulers)
    if rates is not None:
        given = {"--scales": scales, "--past-end": past_end, "--replay": replay, **reading.given()}
        _refuse("--rates", **given, **{"--traced-device": reading.traced_devices})
        loads = options.parse_rates("--rates", rates)
        asked = curve_options(trace, replications=replications, count=count, precision=precision)
        model = episodes.on(target(device_name, volume_name, settings, names[0]))
        draw_curves(model, names, loads, asked, out or Path(_OUT))
        return
    given = {"--replications": replications, "--count": count, "--precision": precision}
    _refuse("a replay without --rates", **given)
    if out is None:
        raise _native.ParameterError("--out: expected a folder for the results of each request, found none")
    factors = options.parse_numbers("--scales", scales or "1")
    model = episodes.on(target(device_name, volume_name, settings, names[0]))
    workload = load_trace(trace, model, reading)
    _compare(model, workload, names, factors, out, past_end=past_end or "error", replay=replay)


def _refuse(with_what: str, **options: object) -> None:
    """Refuse options that mean nothing there.

    Raises:
        ParameterError: One is given.
    """
    for option, value in options.items():
        if value is not None:
            raise _native.ParameterError(f"{option} is not for {with_what}")


def demo(
    out: Annotated[Path, typer.Option(help="The folder for all results.")] = Path("demo-out"),
) -> None:
    """Replay the bundled trace of a real ext4 file system under four schedulers."""
    from ..model.devices import device
    from ..traces.files import demo_trace

    model, workload = device("osdi00"), demo_trace()
    _compare(model, workload, _DEMO_SCHEDULERS, _DEMO_SCALES, out)
    program = _program()
    print_text(
        f"Next, try:\n"
        f"  {program} show osdi00\n"
        f"  {program} run demo --scheduler sptf --scale 16 --set settle_ms=0 --out sptf.parquet\n"
        f"  {program} compare random:rate=1000,count=20000 --schedulers fcfs,sptf"
        f" --scales 0.5,1,1.5,2 --out random-out\n"
        f"  {program} --help"
    )


def _compare(
    model: "Target", trace: "Trace", schedulers: list[str], scales: list[float], out: Path, **how: Any
) -> None:
    from ..runs.comparisons import compare as run_all

    work = len(trace) * len(schedulers) * len(scales)
    with progress("Simulating", work) as report:
        comparison = run_all(model, trace, schedulers, scales, folder=out, progress=report, **how)
    _print(comparison)
    plots = write_plots(comparison.write_plots, out)
    print_text(
        f"Results of each request: {out}{os.sep}*.parquet ({len(comparison.points)} files)\n"
        f"Summary and plots:       {listed([out / 'summary.csv', *plots])}\n"
    )


def _print(comparison: "Comparison") -> None:
    # Nothing moves in a flash card.
    moves = any(point.summary["mean_positioning_s"] for point in comparison.points)
    device = tuple(column for column in _DEVICE if moves or column[1] != "mean_positioning_s")
    parts = [_RESPONSE + device] if console().width >= _WIDTH_ONE_TABLE else [_RESPONSE, device]
    for title, part in zip((f"{comparison.trace} on {comparison.device}", None), parts, strict=False):
        print_table(title, _table(comparison, part))
    legend = "Response times from arrival to completion; queue: mean number of requests in the system."
    if any(point.saturated for point in comparison.points):
        legend += "\n* saturated: requests come faster than the device serves them, so that its queue grows."
    print_text(legend + "\n")


def _table(comparison: "Comparison", columns: Sequence[_Column]) -> Table:
    headings = [heading for heading, _, _ in columns]
    made = table("Scale", "Scheduler", *headings, numbers=("Scale", *headings))
    last_scale = None
    for point in comparison.points:
        if last_scale not in (None, point.scale):
            made.add_section()
        scale, last_scale = (f"{point.scale:g}" if point.scale != last_scale else ""), point.scale
        name = point.scheduler + (" *" if point.saturated else "")
        made.add_row(scale, name, *(show(point.summary[key]) for _, key, show in columns))
    return made


def _program() -> str:
    """How the user can type this program: its name where the shell finds it, else its path."""
    started = Path(sys.argv[0]).absolute()
    found = shutil.which("sledsim")
    if found and Path(found).absolute() == started:
        return "sledsim"
    return os.path.relpath(started)
