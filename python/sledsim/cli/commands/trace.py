"""``sledsim trace``: describe and rewrite trace files."""

import math
import re
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ... import _native
from ...common.deprecation import notice
from ...common.output_files import STANDARD_INPUT, STANDARD_OUTPUT, can_be_read_again
from ...traces.formats import writable_formats
from ..command_options import Rewriting
from ..completion import complete_tool
from ..output import print_note
from ..shared import SEED
from ..shell import App, Command, spread
from ..trace_names import SECTOR_BYTES, DrawnForOption, OutOption, TracePath
from .trace_reports import capture, fit, info, popularity

if TYPE_CHECKING:
    from ...traces.streams import TraceStream
    from ...traces.trace import Trace


def comes_once(text: str) -> bool:
    """Return True if a TRACE argument is standard input or a pipe, which can be read only once."""
    return text == STANDARD_INPUT or (Path(text).exists() and not can_be_read_again(text))


def rewrite(
    trace: str,
    out: str,
    how: Rewriting,
    change: "Callable[[TraceStream], TraceStream]" = lambda stream: stream,
    device_name: str = "osdi00",
) -> None:
    """Open a trace, change it and `write` it."""
    from ..workloads import open_source

    with open_source(trace, how, device_name=device_name) as stream:
        write(change(stream), out, how.to)


def write(stream: "TraceStream", out: str, format: str | None) -> None:
    """Write a trace to a file or to standard output, and print notes on dropped requests.

    Raises:
        ParameterError: The format is unknown or missing.
        TraceError: The trace cannot be read, or no request is left.
        OSError: The file cannot be written; no partial file is left.
    """
    from ...traces.trace_files import write_trace

    if out == STANDARD_OUTPUT and format is None:
        known = ", ".join(writable_formats())
        raise _native.ParameterError(
            f"--to: expected a format for standard output, one of {known}; found none"
        )
    requests = 0

    def count(batch: "Trace") -> "Trace":
        nonlocal requests
        requests += len(batch)
        return batch

    target: Any = sys.stdout.buffer if out == STANDARD_OUTPUT else out
    left_out = write_trace(stream.changed(count), target, format)
    about = stream.about()
    print_note(*about["notes"])
    for kind, count in about["skipped"].items():
        print_note(f"dropped from the trace: {count:,} {kind}")
    if left_out:
        print_note(f"dropped, as the format has no such requests (flushes, discards): {left_out:,} requests")
    place = out if target == out else "standard output"
    print_note(f"{requests - left_out:,} requests written to {place}")


_NEGATIVE = re.compile(r"-[\d.]+(e[+-]?\d+)?|-inf", re.IGNORECASE)

app = App(
    name="trace",
    help="Describe, convert, cut, join and change traces.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class _NumbersCommand(Command):
    """A command with numbers as arguments: a negative number is a value, not an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.ignore_unknown_options = any(_NEGATIVE.fullmatch(word) for word in args)
        return super().parse_args(ctx, args)


for described in (info, capture, fit, popularity):
    app.command()(spread(described))


def _command(
    name: str | None = None, cls: type[Command] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a function a command, with its groups of options."""
    return lambda function: app.command(name, cls=cls)(spread(function))


@_command()
def convert(
    *, trace: TracePath, out: OutOption, how: Rewriting, device_name: DrawnForOption = "osdi00"
) -> None:
    """Write a trace or a drawn workload in another format."""
    rewrite(trace, out, how, device_name=device_name)


@_command("slice")
def cut(
    *,
    trace: TracePath,
    out: OutOption,
    from_s: Annotated[float, typer.Option("--from", help="Start of the part in s; it becomes time 0.")] = 0.0,
    to_s: Annotated[
        float | None,
        typer.Option("--until", help="End of the part in s, exclusive. \\[default: the end of the trace]"),
    ] = None,
    formerly_devices: Annotated[str | None, typer.Option("--device", hidden=True)] = None,
    classes: Annotated[
        list[str] | None,
        typer.Option(
            "--class",
            help="A class of requests to keep; may be given several times to keep several classes. "
            "'read', 'write', 'discard', 'flush', 'metadata', 'data', or a class of HP-UX: 'user-data', "
            "'inode', 'directory', 'indirect-block', 'superblock', 'cylinder-group', 'swap', 'raw', "
            "'program-text'.",
            autocompletion=complete_tool("CLASSES"),
        ),
    ] = None,
    how: Rewriting,
) -> None:
    """Cut a part out of a trace, by time, devices or classes of requests."""
    from ...traces.tools import slice_trace

    if formerly_devices is not None:
        print_note(notice("--device of 'sledsim trace slice'"))
        how = replace(how, traced_devices=how.traced_devices or formerly_devices)
    until = math.inf if to_s is None else to_s
    wanted: dict[str, Any] = {
        "from_s": from_s,
        "to_s": until,
        "devices": how.traced_devices,
        "classes": classes or (),
    }
    rewrite(trace, out, replace(how, traced_devices=None), lambda stream: slice_trace(stream, **wanted))


@_command()
def merge(
    *,
    traces: Annotated[list[str], typer.Argument(metavar="TRACE...", help="Trace files or workloads.")],
    out: OutOption,
    sharing: Annotated[
        str,
        typer.Option(
            help="Devices of the merged trace: 'none' keeps the devices of each trace apart; 'devices' "
            "joins devices of the same name, or of the same number in traces without names.",
            autocompletion=complete_tool("SHARING"),
        ),
    ] = "none",
    times: Annotated[
        str,
        typer.Option(
            help="Start of each trace: 'start', all at time 0; 'clock', at its recorded clock time.",
            autocompletion=complete_tool("TIMES"),
        ),
    ] = "start",
    how: Rewriting,
) -> None:
    """Merge traces that ran side by side: all from time 0, or at the recorded clock times."""
    from ...traces.tools import merge_traces
    from ..workloads import open_source

    for trace in filter(comes_once, traces):
        if traces.count(trace) > 1:
            raise _native.ParameterError(f"{trace!r} can be read only once, but is given several times")
    with ExitStack() as opened:
        streams = [opened.enter_context(open_source(trace, how)) for trace in traces]
        write(merge_traces(streams, sharing, times), out, how.to)


@_command(cls=_NumbersCommand)
def scale(
    *,
    trace: TracePath,
    factor: Annotated[
        float, typer.Argument(help="Speed-up: 2 is twice as fast, as it halves the times between requests.")
    ],
    out: OutOption,
    how: Rewriting,
) -> None:
    """Speed a trace up, or slow it down."""
    from ...traces.tools import scale_trace

    rewrite(trace, out, how, lambda stream: scale_trace(stream, factor))


@_command(cls=_NumbersCommand)
def sample(
    *,
    trace: TracePath,
    share: Annotated[
        float,
        typer.Argument(help="Share of the requests, addresses or intervals to keep, above 0 and up to 1."),
    ],
    out: OutOption,
    by: Annotated[
        str,
        typer.Option(
            help="Unit of the sample, kept or dropped as a whole: 'request', 'address' (1 MiB) or 'time' (10 "
            "s).",
            autocompletion=complete_tool("SAMPLE_UNITS"),
        ),
    ] = "request",
    seed: Annotated[int, SEED(" that choose the sample")] = 1,
    how: Rewriting,
) -> None:
    """Keep a share of the requests, addresses or intervals of a trace."""
    from ...traces.tools import sample_trace

    rewrite(trace, out, how, lambda stream: sample_trace(stream, share, by, seed))


@_command()
def remap(
    *,
    trace: TracePath,
    rule: Annotated[
        str,
        typer.Argument(
            metavar="RULE",
            help="Rule for new addresses: 'wrap' (modulo the capacity), 'squeeze' (scaled to fit), 'hash' "
            "(scatters each MiB) or 'hpux-metadata' (only the metadata areas, one after another).",
            autocompletion=complete_tool("REMAP_RULES"),
        ),
    ],
    out: OutOption,
    onto: Annotated[str, typer.Option(help="Target device, or a number of 512-byte sectors.")] = "osdi00",
    end: Annotated[
        int | None,
        typer.Option(help="End of the trace in sectors, for 'squeeze'. \\[default: read the trace first]"),
    ] = None,
    period_kb: Annotated[
        int, typer.Option(help="Distance between starts of metadata areas in KB, for 'hpux-metadata'.")
    ] = 2176,
    metadata_kb: Annotated[
        int, typer.Option(help="Length of a metadata area in KB, for 'hpux-metadata'.")
    ] = 128,
    seed: Annotated[int, SEED(" of the rule 'hash'")] = 1,
    how: Rewriting,
) -> None:
    """Map the addresses of a trace to a smaller or larger device."""
    from ...traces.tools import REMAP_RULES, remap_trace, trace_end
    from ..workloads import open_source

    capacity = _capacity(onto)
    if end is None and rule in REMAP_RULES and REMAP_RULES[rule].needs_end:
        if comes_once(trace):
            raise _native.ParameterError(f"{rule} reads the trace twice: give --end, or a file for {trace!r}")
        with open_source(trace, how, "Measuring") as stream:
            end = max(1, *(trace_end(batch) for batch in stream))
    sizes: dict[str, Any] = {"end": end, "period_kb": period_kb, "metadata_kb": metadata_kb, "seed": seed}
    rewrite(trace, out, how, lambda stream: remap_trace(stream, rule, capacity, **sizes))


def _capacity(onto: str) -> int:
    """Return the sectors of a device, or the given number."""
    from ...model.typed import device

    try:
        sectors = float(onto)
    except ValueError:
        return int(device(onto).characteristics()["capacity_bytes"]) // SECTOR_BYTES
    if not sectors.is_integer():
        raise _native.ParameterError(f"--onto: expected a device or a whole number of sectors, found {onto}")
    return int(sectors)


COMMANDS = {"trace": app}
