"""``sledsim compare`` and ``sledsim demo``: one workload, several schedulers, several arrival rates."""

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from .options import (
    DeviceOption,
    FormatOption,
    PastEndOption,
    SchedulersOption,
    SetOption,
    SortOption,
    TraceArgument,
    parse_names,
    parse_numbers,
    parse_settings,
)
from .output import console, print_note, print_table, table
from .progress import progress

if TYPE_CHECKING:
    from ..comparisons import Comparison, Point
    from ..models import Device
    from ..traces import Trace

_DEMO_SCHEDULERS = ["fcfs", "sstf_lbn", "clook_lbn", "sptf"]
#: As traced, in bursts, busy, and saturated.
_DEMO_SCALES = [1.0, 4.0, 16.0, 64.0]

_HEADINGS = (
    *("Scale", "Scheduler", "Mean ms", "p50 ms", "p95 ms", "p99 ms", "Max ms", "cv²", "Queue"),
    *("Position ms", "Service ms", "Busy", "Energy J"),
)


def compare(
    trace: TraceArgument,
    schedulers: SchedulersOption,
    out: Annotated[Path, typer.Option(help="The folder for all results.")],
    device_name: DeviceOption = "osdi00",
    scales: Annotated[str, typer.Option(help="Divisors of the times between arrivals.")] = "1",
    settings: SetOption = None,
    past_end: PastEndOption = "error",
    format: FormatOption = None,
    sort: SortOption = False,
) -> None:
    """Replay a trace under several schedulers and arrival rates; table, Parquet, CSV and plots."""
    from ..models import device
    from .workloads import load_trace

    names, factors = parse_names("--schedulers", schedulers), parse_numbers("--scales", scales)
    model = device(device_name, **parse_settings(settings))
    workload = load_trace(trace, model, format, sort)
    _compare(model, workload, names, factors, past_end, out)


def demo(
    out: Annotated[Path, typer.Option(help="The folder for all results.")] = Path("demo-out"),
) -> None:
    """Replay the bundled trace of a real ext4 file system under four schedulers."""
    from ..models import device
    from ..traces import demo_trace

    model, workload = device("osdi00"), demo_trace()
    _compare(model, workload, _DEMO_SCHEDULERS, _DEMO_SCALES, "error", out)
    program = _program()
    console().print(
        f"Next, try:\n"
        f"  {program} show osdi00\n"
        f"  {program} run demo --scheduler sptf --scale 16 --set settle_ms=0 --out sptf.parquet\n"
        f"  {program} compare random:rate=1000,count=20000 --schedulers fcfs,sptf"
        f" --scales 0.5,1,1.5,2 --out random-out\n"
        f"  {program} --help",
        soft_wrap=True,
    )


def _compare(
    model: "Device", trace: "Trace", schedulers: list[str], scales: list[float], past_end: str, out: Path
) -> None:
    from ..comparisons import compare as run_all

    work = len(trace) * len(schedulers) * len(scales)
    with progress("Simulating", work) as report:
        comparison = run_all(model, trace, schedulers, scales, past_end, out, report)
    _print(comparison)
    written = ["summary.csv", *_write_plots(comparison, out)]
    console().print(
        f"Results of each request: {out}{os.sep}*.parquet ({len(comparison.points)} files)\n"
        f"Summary and plots:       {', '.join(os.fspath(out / name) for name in written)}\n",
        soft_wrap=True,
    )


def _print(comparison: "Comparison") -> None:
    made = table(*_HEADINGS, numbers=tuple(name for name in _HEADINGS if name != "Scheduler"))
    last_scale = None
    for point in comparison.points:
        if last_scale not in (None, point.scale):
            made.add_section()
        scale, last_scale = (f"{point.scale:g}" if point.scale != last_scale else ""), point.scale
        _add_row(made, scale, point)
    saturated = any(point.saturated for point in comparison.points)
    legend = "Response times from arrival to completion; queue: mean number of requests in the system."
    if saturated:
        legend += "\n* saturated: requests come faster than the device serves them."
    print_table(f"{comparison.trace} on {comparison.device}", made)
    console().print(legend + "\n", soft_wrap=True)


def _add_row(made: Table, scale: str, point: "Point") -> None:
    figures = point.summary
    times = ("mean_response_s", "p50_response_s", "p95_response_s", "p99_response_s", "max_response_s")
    made.add_row(
        scale,
        point.scheduler + (" *" if point.saturated else ""),
        *(f"{figures[key] * 1e3:,.3f}" for key in times),
        f"{figures['cv2_response']:,.2f}",
        f"{figures['mean_queue_length']:,.3f}",
        f"{figures['mean_positioning_s'] * 1e3:,.3f}",
        f"{figures['mean_service_s'] * 1e3:,.3f}",
        f"{figures['utilization']:.1%}",
        f"{figures['energy_j']:,.2f}",
    )


def _write_plots(comparison: "Comparison", out: Path) -> list[str]:
    """Write the plots and give their names; without the plotting libraries say how to get them."""
    try:
        from ..plots import save_chart
    except ModuleNotFoundError as error:
        print_note(f"no plots: {error}")
        return []
    names = ["compare.html", "compare.png", "compare.svg"]
    chart = comparison.plot()
    with progress("Plotting", len(names)) as report:
        for done, name in enumerate(names, 1):
            save_chart(chart, out / name)
            if report:
                report(done)
    return names


def _program() -> str:
    """How the user can type this program: its name where the shell finds it, else its path."""
    started = Path(sys.argv[0]).absolute()
    found = shutil.which("sledsim")
    if found and Path(found).absolute() == started:
        return "sledsim"
    return os.path.relpath(started)
