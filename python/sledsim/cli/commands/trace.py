"""``sledsim trace``: describe, convert and change trace files."""

import math
import re
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..._native import ParameterError
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
    """Open a trace, change its stream of requests, and write the result to a file or standard output.

    Args:
        trace: The TRACE argument.
        out: The file to write, or ``-`` for standard output.
        how: The options that state how to read the trace and in which format to write it.
        change: Function that takes the stream of the trace and returns the stream to write.
        device_name: The device whose capacity limits the addresses of a random workload.
    """
    from ...traces.tools import GapCut
    from ..workloads import open_source

    cut = GapCut(how.cut_gaps)
    with open_source(trace, how, device_name=device_name) as stream:
        write(change(cut.of(stream)), out, how.to)


def write(stream: "TraceStream", out: str, format: str | None) -> None:
    """Write a trace to a file or to standard output, and print how many requests the format cannot store.

    Args:
        stream: The requests to write.
        out: The file to write, or ``-`` for standard output.
        format: The file format; None takes the format from the ending of the file's name.

    Raises:
        ParameterError: The format is unknown or missing.
        TraceError: The trace cannot be read, or has no request to write.
        OSError: The file cannot be written; an incomplete file is removed.
    """
    from ...traces.formats import PARQUET
    from ...traces.trace import KINDS
    from ...traces.trace_files import format_of, write_trace

    if out == STANDARD_OUTPUT and format is None:
        known = ", ".join(writable_formats())
        raise ParameterError(f"--to: expected a format for standard output, one of {known}, found no --to")
    requests = forced = 0

    def count(batch: "Trace") -> "Trace":
        nonlocal requests, forced
        requests += len(batch)
        forced += int((batch.kind == KINDS.index("fua")).sum())
        return batch

    target: Any = sys.stdout.buffer if out == STANDARD_OUTPUT else out
    left_out = write_trace(stream.changed(count), target, format)
    about = stream.about()
    print_note(*about["notes"])
    for kind, count in about["skipped"].items():
        print_note(f"dropped from the trace: {count:,} {kind}")
    if left_out:
        print_note(f"dropped, because the format has no flushes or discards: {left_out:,} requests")
    if forced and (format or format_of(out)) != PARQUET:
        print_note(f"written without FUA, because the format has no mark for it: {forced:,} writes")
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
    """Command whose arguments may be negative numbers: a word such as ``-5`` is a value, not an option."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.ignore_unknown_options = any(_NEGATIVE.fullmatch(word) for word in args)
        return super().parse_args(ctx, args)


for described in (info, capture, fit, popularity):
    app.command()(spread(described))


def _command(
    name: str | None = None, cls: type[Command] | None = None
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds a function to `app` as a command, with each option of its groups."""
    return lambda function: app.command(name, cls=cls)(spread(function))


@_command()
def convert(
    *, trace: TracePath, out: OutOption, how: Rewriting, device_name: DrawnForOption = "osdi00"
) -> None:
    """Write a trace or a random workload to a file in another format."""
    rewrite(trace, out, how, device_name=device_name)


@_command("slice")
def cut(
    *,
    trace: TracePath,
    out: OutOption,
    from_s: Annotated[
        float,
        typer.Option("--from", help="Time in the trace, in s, from which requests are kept; becomes time 0."),
    ] = 0.0,
    to_s: Annotated[
        float | None,
        typer.Option(
            "--until",
            help="Time in the trace, in s, before which requests are kept. \\[default: the end of the trace]",
        ),
    ] = None,
    formerly_devices: Annotated[str | None, typer.Option("--device", hidden=True)] = None,
    classes: Annotated[
        list[str] | None,
        typer.Option(
            "--class",
            help="Class of the requests to keep; may be given several times to keep several classes: "
            "'read', 'write', 'discard', 'flush', 'metadata', 'data', or a class of HP-UX: 'user-data', "
            "'inode', 'directory', 'indirect-block', 'superblock', 'cylinder-group', 'swap', 'raw', "
            "'program-text'.",
            autocompletion=complete_tool("CLASSES"),
        ),
    ] = None,
    how: Rewriting,
) -> None:
    """Keep the requests of a trace that are in an interval of time, to some devices, or of some classes."""
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
            help="Devices of the merged trace: 'none' keeps the devices of each trace apart; 'devices' joins "
            "devices with the same name in several traces (with the same number if they have no names).",
            autocompletion=complete_tool("SHARING"),
        ),
    ] = "none",
    times: Annotated[
        str,
        typer.Option(
            help="Start of each trace in the merged trace: 'start' (time 0) or 'clock' (the recorded time of "
            "day).",
            autocompletion=complete_tool("TIMES"),
        ),
    ] = "start",
    how: Rewriting,
) -> None:
    """Merge several traces into one, as if they had been recorded at the same time."""
    from ...traces.tools import GapCut, merge_traces
    from ..workloads import open_source

    for trace in filter(comes_once, traces):
        if traces.count(trace) > 1:
            raise ParameterError(
                f"{trace!r}: expected each pipe once, since it can be read only once, found it several times"
            )
    with ExitStack() as opened:
        streams = [opened.enter_context(open_source(trace, how)) for trace in traces]
        write(GapCut(how.cut_gaps).of(merge_traces(streams, sharing, times)), out, how.to)


@_command(cls=_NumbersCommand)
def scale(
    *,
    trace: TracePath,
    factor: Annotated[float, typer.Argument(help="Speed-up: 2 halves the times between requests.")],
    out: OutOption,
    how: Rewriting,
) -> None:
    """Shorten or lengthen the times between the requests of a trace by a factor."""
    from ...traces.tools import scale_trace

    rewrite(trace, out, how, lambda stream: scale_trace(stream, factor))


@_command(cls=_NumbersCommand)
def sample(
    *,
    trace: TracePath,
    share: Annotated[
        float,
        typer.Argument(help="Share of requests, addresses or intervals (--by) to keep, above 0 and up to 1."),
    ],
    out: OutOption,
    by: Annotated[
        str,
        typer.Option(
            help="Unit that is kept or dropped as a whole: 'request', 'address' (all requests to 1 MiB of "
            "addresses) or 'time' (all requests in 10 s).",
            autocompletion=complete_tool("SAMPLE_UNITS"),
        ),
    ] = "request",
    seed: Annotated[int, SEED(" that choose what to keep")] = 1,
    how: Rewriting,
) -> None:
    """Keep a random share of the requests, addresses or intervals of a trace."""
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
            help="Rule for the new addresses: 'wrap' (modulo the capacity), 'squeeze' (scaled to the "
            "capacity), 'hash' (each MiB at a random place) or 'hpux-metadata' (only the metadata areas, one "
            "after another).",
            autocompletion=complete_tool("REMAP_RULES"),
        ),
    ],
    out: OutOption,
    onto: Annotated[str, typer.Option(help="Target device, or a number of 512-byte sectors.")] = "osdi00",
    end: Annotated[
        int | None,
        typer.Option(
            help="Number of the first sector after all that the trace accesses, for 'squeeze'. \\[default: "
            "measured in a first pass over the trace]"
        ),
    ] = None,
    period_kb: Annotated[
        int,
        typer.Option(help="Distance between starts of metadata areas in KB, for 'hpux-metadata'."),
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
            raise ParameterError(
                f"the rule {rule} reads a trace twice, and {trace!r} can be read only once:"
                " add --end, or read from a file"
            )
        with open_source(trace, how, "Measuring") as stream:
            end = max(1, *(trace_end(batch) for batch in stream))
    sizes: dict[str, Any] = {"end": end, "period_kb": period_kb, "metadata_kb": metadata_kb, "seed": seed}
    rewrite(trace, out, how, lambda stream: remap_trace(stream, rule, capacity, **sizes))


def _capacity(onto: str) -> int:
    """Return a capacity in sectors: of the device `onto`, or the number of sectors that `onto` states."""
    from ...model.typed import device

    try:
        sectors = float(onto)
    except ValueError:
        return int(device(onto).characteristics()["capacity_bytes"]) // SECTOR_BYTES
    if not sectors.is_integer():
        raise ParameterError(f"--onto: expected a device or a whole number of sectors, found {onto}")
    return int(sectors)


COMMANDS = {"trace": app}
