"""Where the commands on traces write to."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import _native
from ..common.files import STANDARD_INPUT, STANDARD_OUTPUT, can_be_read_again
from ..traces.files import write_trace
from ..traces.formats import writable_formats
from ..traces.streams import TraceStream
from ..traces.trace import Trace
from .options import Rewriting
from .output import print_note
from .workloads import open_source


def comes_once(text: str) -> bool:
    """Whether a TRACE argument is standard input or a pipe, which can be read once."""
    return text == STANDARD_INPUT or (Path(text).exists() and not can_be_read_again(text))


def rewrite(
    trace: str,
    out: str,
    how: Rewriting,
    change: Callable[[TraceStream], TraceStream] = lambda stream: stream,
    device_name: str = "osdi00",
) -> None:
    """Open a trace, change it and `write` it."""
    with open_source(trace, how, device_name=device_name) as stream:
        write(change(stream), out, how.to)


def write(stream: TraceStream, out: str, format: str | None) -> None:
    """Write a trace to a file or to standard output, and say what was left out and what is to be known.

    Raises:
        ParameterError: The format is unknown, or not given.
        TraceError: The trace cannot be read, or no request is left.
        OSError: The file cannot be written; no part of it is left.
    """
    if out == STANDARD_OUTPUT and format is None:
        known = ", ".join(writable_formats())
        raise _native.ParameterError(f"give --to for standard output: one of {known}")
    requests = 0

    def count(batch: Trace) -> Trace:
        nonlocal requests
        requests += len(batch)
        return batch

    target: Any = sys.stdout.buffer if out == STANDARD_OUTPUT else out
    left_out = write_trace(stream.changed(count), target, format)
    about = stream.about()
    print_note(*about["notes"])
    for kind, count in about["skipped"].items():
        print_note(f"left out of the trace: {count:,} {kind}")
    if left_out:
        print_note(f"left out, for the format cannot hold them (flushes, discards): {left_out:,} requests")
    place = out if target == out else "standard output"
    print_note(f"{requests - left_out:,} requests written to {place}")
