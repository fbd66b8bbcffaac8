"""``sledsim run``: one workload on one device under one scheduler."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.table import Table

from .. import _native
from . import options
from .episode_options import Episodes
from .output import label, listed, print_json, print_note, print_table, print_text, quantity, table
from .plotting import write_plots
from .progress import progress
from .volume_options import FaultsOption, OptionalDeviceOption, VolumeOption, target

if TYPE_CHECKING:
    from ..runs.run import Run


def run(
    *,
    trace: options.TraceArgument,
    device_name: OptionalDeviceOption = None,
    volume_name: VolumeOption = None,
    faults: FaultsOption = None,
    episodes: Episodes,
    scheduler: options.OptionalSchedulerOption = None,
    scale: options.ScaleOption = 1.0,
    settings: options.SetOption = None,
    past_end: options.PastEndOption = "error",
    replay: options.ReplayOption = None,
    reading: options.Replaying,
    out: Annotated[Path | None, options.of_output(help="Write the requests to this Parquet file.")] = None,
    columns: options.ColumnsOption = None,
    power: Annotated[
        Path | None,
        options.of_output(metavar="FOLDER", help="Write the power over time there: a table and plots."),
    ] = None,
    report: Annotated[
        Path | None,
        options.of_output(metavar="PAGE.html", help="Write a web page about the run: charts and tables."),
    ] = None,
    as_json: options.JsonOption = False,
) -> None:
    """Replay a trace on a device, or on a volume of several, and print the summary."""
    from ..common.files import write_table
    from ..runs.inference import replay_extremes
    from ..runs.power import NAME
    from ..runs.run import settings_of, simulate
    from ..runs.streamed_run import can_be_streamed
    from .workloads import is_long, load_trace, streaming

    model = episodes.on(target(device_name, volume_name, settings, scheduler, faults))
    settings_of(model, scheduler, scale, past_end, replay)
    _check_outputs(out, columns, power, report)
    given: dict[str, Any] = {"scheduler": scheduler, "scale": scale, "past_end": past_end}
    inference: dict[str, float] = {}
    if can_be_streamed(replay or "open", past_end) and is_long(trace):
        with streaming(trace, model, reading, "Simulating") as (stream, told):
            given |= {"columns": (columns or "all") if out else "none", "out": out}
            result = simulate(model, stream, **given, progress=told, replay=replay)
            print_note(*stream.about()["notes"])
    else:
        workload = load_trace(trace, model, reading)
        # Without a file only the summary is shown, and what a page is made of.
        kept = "times" if out is None and report is None else columns or "all"
        with progress("Simulating", len(workload)) as told:
            result = simulate(model, workload, **given, progress=told, replay=replay, columns=kept)
        if result.settings.replay.startswith("think") and workload.recorded_replay == "open":
            with progress("Replaying under both extremes", 2 * len(workload)) as told:
                inference = replay_extremes(model, workload, result, told, **given)
        if out is not None:
            with progress(f"Writing {out.name}", None):
                result.write(out)
    if as_json:
        how = result.settings
        about = {"device": model.name, "scheduler": how.scheduler, "scale": scale, "trace": trace}
        figures = {**result.summary(), "is_exact": result.is_exact, **inference}
        print_json({**about, "replay": how.replay, **figures, **_parts(result)})
    else:
        _print(result, model.name, inference)
    _print_notes(result, model.name, past_end)
    if out is not None:
        print_note(f"requests written to {out}")
    if power is not None:
        tables = write_table(result.power(), power, NAME)
        print_note(f"power over time: {listed([*tables, *write_plots(result.write_power_plots, power)])}")
    if report is not None:
        _write_report(result, report)


def _check_outputs(out: Path | None, columns: str | None, power: Path | None, report: Path | None) -> None:
    """Find out, before the run, whether all that is asked for can be written."""
    from ..common.charted import check_report
    from ..common.files import check_apart, check_folder, check_writable
    from ..runs.power import NAME
    from ..runs.streamed_run import check_columns

    if columns is not None and out is None:
        raise _native.ParameterError("--columns: expected --out FILE, which they are for, found none")
    check_columns(columns or "all", out)
    check_apart(out=out, report=report)
    if out is not None:
        check_writable(out)
    if power is not None:
        check_folder(power, NAME)
    if report is not None:
        check_report(report)


def _write_report(result: "Run", path: Path) -> None:
    """Write the page of a run; without the plotting libraries say how to get them."""
    try:
        result.report(path)
    except ModuleNotFoundError as error:
        print_note(f"no report: {error}")
        return
    print_note(f"report written to {path}")


def _parts(result: "Run") -> dict[str, Any]:
    """What a volume and its devices did, and what they counted, where there are such."""
    parts: dict[str, Any] = {}
    for heading, name, counts in _counted(result):
        parts.setdefault(heading.lower().replace(" ", "_"), {})[name] = counts
    if "volume" in result.settings.parameters:
        parts.update(devices=result.devices, volumes=result.volumes)
    return parts


def _print_notes(result: "Run", device_name: str, past_end: str) -> None:
    """What a user should know besides the figures."""
    for kind, count in result.settings.skipped.items():
        print_note(f"left out of the trace: {count:,} {kind}")
    if result.totals["remapped"]:
        print_note(f"moved to fit the device (--past-end {past_end}): {result.totals['remapped']:,} requests")
    for name, counts in result.volumes.items():
        if counts.get("metadata_requests") == 0:
            print_note(
                f"{name or device_name}: no request was for metadata, so that the metadata area is not used:"
                " the trace marks none; --set metadata_from=rule --set metadata_sectors=FIRST-LAST says where"
                " metadata are"
            )
    for name, counts in result.faults.items():
        if counts["lost_blocks"]:
            requests, blocks = counts["lost_requests"], counts["lost_blocks"]
            print_note(f"{name}: {requests:,.0f} requests found {blocks:,.0f} blocks lost")


def _print(result: "Run", device_name: str, inference: dict[str, float]) -> None:
    from ..runs.inference import in_words

    settings = result.settings
    how = f"{settings.scheduler}, scale {settings.scale:g}, {settings.replay}"
    title = f"{settings.trace} on {device_name}, {how}"
    figures = {**result.summary(), **inference}
    # Nothing moves in a flash card.
    if not figures["mean_positioning_s"]:
        del figures["mean_positioning_s"]
    print_table(title, _figures(figures))
    if inference:
        print_text(in_words(inference["rests_on_inference"]) + "\n")
    print_table("Energy", _energy(result))
    if len(result.devices) > 1:
        print_table("Devices", _devices(result))
    counted = ((f"{heading} of {name}", counts) for heading, name, counts in _counted(result))
    for name, counts in [*result.volumes.items(), *counted]:
        if counts:
            print_table(name or "Volume", _figures(counts))


def _figures(figures: Mapping[str, float]) -> Table:
    rows = ((label(key), quantity(key, value)) for key, value in figures.items())
    return table("Figure", "Value", numbers=("Value",), rows=rows)


def _energy(result: "Run") -> Table:
    uses = {use: joules for use, joules in result.energy_by_use_j.items() if joules}
    total_j = sum(uses.values()) or 1.0
    rows = ((use, quantity("energy_j", joules), f"{joules / total_j:.1%}") for use, joules in uses.items())
    return table("Use", "Energy", "Share", numbers=("Energy", "Share"), rows=rows)


def _counted(result: "Run") -> Iterator[tuple[str, str, dict[str, float]]]:
    """What each device counted: of what, its name, and the counts."""
    for name, counts in result.device_counts.items():
        for heading, counters in _native.device_counters():
            if own := {key: counts[key] for key, _ in counters if key in counts}:
                yield heading, name, own


def _devices(result: "Run") -> Table:
    figures = ("share", "requests", "background_requests", "mean_queue_length", "utilization", "energy_j")
    rows = (
        (row["device"], f"{row['share']:.1%}", *(quantity(key, row[key]) for key in figures[1:]))
        for row in result.devices
    )
    return table("Device", *map(label, figures), numbers=tuple(map(label, figures)), rows=rows)
