"""``sledsim run``: one workload on one device under one scheduler."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .options import (
    DeviceOption,
    FormatOption,
    JsonOption,
    MapOption,
    PastEndOption,
    ReplayOption,
    SchedulerOption,
    SetOption,
    SkipBadOption,
    TraceArgument,
    TracedDevicesOption,
    parse_settings,
)
from .output import label, print_json, print_note, print_table, quantity, table
from .progress import progress

if TYPE_CHECKING:
    from ..runs import Run


def run(
    trace: TraceArgument,
    device_name: DeviceOption = "osdi00",
    scheduler: SchedulerOption = "sptf",
    scale: Annotated[float, typer.Option(help="Divides the times between arrivals.")] = 1.0,
    settings: SetOption = None,
    past_end: PastEndOption = "error",
    replay: ReplayOption = None,
    format: FormatOption = None,
    map: MapOption = None,
    skip_bad: SkipBadOption = False,
    traced_devices: TracedDevicesOption = None,
    out: Annotated[Path | None, typer.Option(help="Write the requests to this Parquet file.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Replay a trace on a device and print the summary."""
    from ..files import check_writable
    from ..inference import replay_extremes
    from ..models import device
    from ..runs import check_options, simulate
    from .workloads import Reading, load_trace

    model = device(device_name, **parse_settings(settings))
    check_options(model, scheduler, scale, past_end, replay)
    if out is not None:
        check_writable(out)
    workload = load_trace(trace, model, Reading(format, map, skip_bad, traced_devices))
    with progress("Simulating", len(workload)) as report:
        result = simulate(model, workload, scheduler, scale, past_end, report, replay)
    inference: dict[str, float] = {}
    if result.settings.replay.startswith("think") and workload.recorded_replay == "open":
        with progress("Replaying under both extremes", 2 * len(workload)) as report:
            options = {"scheduler": scheduler, "scale": scale, "past_end": past_end}
            inference = replay_extremes(model, workload, result, report, **options)
    if out is not None:
        with progress(f"Writing {out.name}", None):
            result.write(out)
    if as_json:
        about = {"device": model.name, "scheduler": scheduler, "scale": scale, "trace": trace}
        print_json({**about, "replay": result.settings.replay, **result.summary(), **inference})
    else:
        _print(result, model.name, inference)
    for kind, count in result.settings.skipped.items():
        print_note(f"left out of the trace: {count:,} {kind}")
    if result.totals["remapped"]:
        print_note(f"moved to fit the device (--past-end {past_end}): {result.totals['remapped']:,} requests")
    if out is not None:
        print_note(f"requests written to {out}")


def _print(result: "Run", device_name: str, inference: dict[str, float]) -> None:
    settings = result.settings
    how = f"{settings.scheduler}, scale {settings.scale:g}, {settings.replay}"
    title = f"{settings.trace} on {device_name}, {how}"
    made = table("Figure", "Value", numbers=("Value",))
    for key, value in {**result.summary(), **inference}.items():
        made.add_row(label(key), quantity(key, value))
    print_table(title, made)
