"""``sledsim trace``: what can be done with trace files."""

import math
import re
from contextlib import ExitStack
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from .. import _native
from .options import ChosenDevicesOption, FormatOption, MapOption, SkipBadOption
from .output import print_note
from .trace_capture import capture
from .trace_fit import fit
from .trace_info import info
from .trace_options import AsOption, DrawnForOption, OutOption, TracePath
from .trace_popularity import popularity

#: What the addresses of a trace count.
SECTOR_BYTES = 512

_NEGATIVE = re.compile(r"-[\d.]+(e[+-]?\d+)?|-inf", re.IGNORECASE)

app = typer.Typer(
    name="trace",
    help="Describe, convert, cut, join and change traces.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command()(info)
app.command()(capture)
app.command()(fit)
app.command()(popularity)


class _NumbersCommand(TyperCommand):
    """Its arguments are numbers: a negative one is no option, so that it is said what is wrong with it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.ignore_unknown_options = any(_NEGATIVE.fullmatch(word) for word in args)
        return super().parse_args(ctx, args)


def _complete_rule(incomplete: str) -> list[tuple[str, str]]:
    from ..traces.tools import REMAP_RULES

    return [(name, row.description) for name, row in REMAP_RULES.items() if name.startswith(incomplete)]


def _complete_unit(incomplete: str) -> list[tuple[str, str]]:
    from ..traces.tools import SAMPLE_UNITS

    return [(name, row.description) for name, row in SAMPLE_UNITS.items() if name.startswith(incomplete)]


def _complete_sharing(incomplete: str) -> list[tuple[str, str]]:
    from ..traces.tools import SHARING

    return [row for row in SHARING.items() if row[0].startswith(incomplete)]


def _complete_times(incomplete: str) -> list[tuple[str, str]]:
    from ..traces.tools import TIMES

    return [row for row in TIMES.items() if row[0].startswith(incomplete)]


def _complete_class(incomplete: str) -> list[str]:
    from ..traces.tools import CLASSES

    return [name for name in CLASSES if name.startswith(incomplete)]


@app.command()
def convert(
    trace: TracePath,
    out: OutOption,
    to: AsOption = None,
    device_name: DrawnForOption = "osdi00",
    format: FormatOption = None,
    map: MapOption = None,
    skip_bad: SkipBadOption = False,
) -> None:
    """Write a trace, or a workload that is drawn, in another format."""
    from .trace_streams import write
    from .workloads import Reading, open_source

    with open_source(trace, Reading(format, map, skip_bad), device_name=device_name) as stream:
        write(stream, out, to)


@app.command("slice")
def cut(
    trace: TracePath,
    out: OutOption,
    from_s: Annotated[float, typer.Option("--from", help="From this time on, in s; it is time 0.")] = 0.0,
    to_s: Annotated[float | None, typer.Option("--until", help="Before this time, in s.")] = None,
    devices: ChosenDevicesOption = None,
    formerly_devices: Annotated[str | None, typer.Option("--device", hidden=True)] = None,
    classes: Annotated[
        list[str] | None,
        typer.Option(
            "--class",
            help="A class of requests; may be repeated: requests of any of the classes. 'read', 'write', "
            "'discard', 'flush', 'metadata', 'data', or a class of HP-UX: 'user-data', 'inode', "
            "'directory', 'indirect-block', 'superblock', 'cylinder-group', 'swap', 'raw', 'program-text'.",
            autocompletion=_complete_class,
        ),
    ] = None,
    to: AsOption = None,
    format: FormatOption = None,
    map: MapOption = None,
    skip_bad: SkipBadOption = False,
) -> None:
    """Cut a part out of a trace: of its time, its devices, its classes of requests."""
    from ..traces.tools import slice_trace
    from .trace_streams import write
    from .workloads import Reading, open_source

    if formerly_devices is not None:
        print_note("--device of 'sledsim trace slice' is now --traced-device")
        devices = formerly_devices if devices is None else devices
    until = math.inf if to_s is None else to_s
    with open_source(trace, Reading(format, map, skip_bad)) as stream:
        part = slice_trace(stream, from_s=from_s, to_s=until, devices=devices, classes=classes or ())
        write(part, out, to)


@app.command()
def merge(
    traces: Annotated[list[str], typer.Argument(metavar="TRACE...", help="Trace files or workloads.")],
    out: OutOption,
    sharing: Annotated[
        str,
        typer.Option(
            help="How the traces share devices: 'none', each has its own; 'devices', those of the same name, "
            "or number where a trace has no names, are one.",
            autocompletion=_complete_sharing,
        ),
    ] = "none",
    times: Annotated[
        str,
        typer.Option(
            help="When each trace begins: 'start', all at time 0; 'clock', when its clock says that it did.",
            autocompletion=_complete_times,
        ),
    ] = "start",
    to: AsOption = None,
    format: FormatOption = None,
    map: MapOption = None,
    skip_bad: SkipBadOption = False,
) -> None:
    """Join traces as if they ran side by side: all from time 0, or at the recorded clock times."""
    from ..traces.tools import merge_traces
    from .trace_streams import comes_once, write
    from .workloads import Reading, open_source

    for trace in filter(comes_once, traces):
        if traces.count(trace) > 1:
            raise _native.ParameterError(f"{trace!r} can be read once only, and is given several times")
    reading = Reading(format, map, skip_bad)
    with ExitStack() as opened:
        streams = [opened.enter_context(open_source(trace, reading)) for trace in traces]
        write(merge_traces(streams, sharing, times), out, to)


@app.command(cls=_NumbersCommand)
def scale(
    trace: TracePath,
    factor: Annotated[float, typer.Argument(help="Speed-up: with 2 requests come twice as fast.")],
    out: OutOption,
    to: AsOption = None,
    format: FormatOption = None,
    map: MapOption = None,
    skip_bad: SkipBadOption = False,
) -> None:
    """Make a trace faster or slower."""
    from ..traces.tools import scale_trace
    from .trace_streams import write
    from .workloads import Reading, open_source

    with open_source(trace, Reading(format, map, skip_bad)) as stream:
        write(scale_trace(stream, factor), out, to)


@app.command(cls=_NumbersCommand)
def sample(
    trace: TracePath,
    share: Annotated[float, typer.Argument(help="The share that is kept, up to 1.")],
    out: OutOption,
    by: Annotated[
        str,
        typer.Option(
            help="What is kept or left as a whole: each 'request', 'address' (1 MiB) or 'time' (10 s).",
            autocompletion=_complete_unit,
        ),
    ] = "request",
    seed: Annotated[int, typer.Option(help="Another seed takes another sample.")] = 1,
    to: AsOption = None,
    format: FormatOption = None,
    map: MapOption = None,
    skip_bad: SkipBadOption = False,
) -> None:
    """Keep a share of the requests, addresses or intervals of a trace."""
    from ..traces.tools import sample_trace
    from .trace_streams import write
    from .workloads import Reading, open_source

    with open_source(trace, Reading(format, map, skip_bad)) as stream:
        write(sample_trace(stream, share, by, seed), out, to)


@app.command()
def remap(
    trace: TracePath,
    rule: Annotated[
        str,
        typer.Argument(
            metavar="RULE",
            help="How addresses are moved: 'wrap' (modulo the capacity), 'squeeze' (scaled to fit), 'hash' "
            "(each MiB somewhere else) or 'hpux-metadata' (only the metadata areas, one behind the other).",
            autocompletion=_complete_rule,
        ),
    ],
    out: OutOption,
    onto: Annotated[
        str,
        typer.Option(help="The device that it is to fit, or a number of 512-byte sectors."),
    ] = "osdi00",
    end: Annotated[
        int | None,
        typer.Option(help="For 'squeeze': sectors that the trace reaches; counted first if not given."),
    ] = None,
    period_kb: Annotated[int, typer.Option(help="For 'hpux-metadata': from area to area.")] = 2176,
    metadata_kb: Annotated[int, typer.Option(help="For 'hpux-metadata': the length of an area.")] = 128,
    seed: Annotated[int, typer.Option(help="For 'hash': another seed scatters otherwise.")] = 1,
    to: AsOption = None,
    format: FormatOption = None,
    map: MapOption = None,
    skip_bad: SkipBadOption = False,
) -> None:
    """Move the addresses of a trace onto a smaller or larger device."""
    from ..traces.tools import REMAP_RULES, remap_trace, trace_end
    from .trace_streams import comes_once, write
    from .workloads import Reading, open_source

    capacity = _capacity(onto)
    if end is None and rule in REMAP_RULES and REMAP_RULES[rule].needs_end:
        if comes_once(trace):
            raise _native.ParameterError(f"{rule} reads the trace twice: give --end, or a file for {trace!r}")
        with open_source(trace, Reading(format, map, skip_bad), "Measuring") as stream:
            end = max(1, *(trace_end(batch) for batch in stream))
    with open_source(trace, Reading(format, map, skip_bad)) as stream:
        moved = remap_trace(
            stream, rule, capacity, end=end, period_kb=period_kb, metadata_kb=metadata_kb, seed=seed
        )
        write(moved, out, to)


def _capacity(onto: str) -> int:
    """Sectors of a device, or as many as are given."""
    from ..model.devices import device

    try:
        sectors = float(onto)
    except ValueError:
        return int(device(onto).characteristics()["capacity_bytes"]) // SECTOR_BYTES
    if not sectors.is_integer():
        raise _native.ParameterError(f"--onto: expected a device or a whole number of sectors, found {onto}")
    return int(sectors)
