"""TRACE arguments: a file, a workload to draw, or a bundled trace."""

import re
import select
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from .. import _native
from ..model.core_tables import entry
from ..model.typed import device as find_device
from ..model.volumes import Target
from ..traces import parquet
from ..traces.generators import draw, find, given_options, is_generated, open_drawn
from ..traces.streams import TraceStream, stream_of
from ..traces.tools import select_devices, slice_trace
from ..traces.trace import Trace
from ..traces.trace_files import STANDARD_INPUT, bundled_trace, bundled_traces, open_trace, read_trace
from .command_options import Reading
from .output import print_note
from .terminal import counted_progress, progress

#: Number of requests, or of unpacked bytes of a file, from which a workload is simulated as a stream.
_LONG_REQUESTS = 1_000_000
_LONG_BYTES = 64 << 20
#: Seconds of silence on standard input before a note that it is awaited.
_SILENT_S = 1.0
#: A name with options, which names of files seldom have.
_LIKE_GENERATED = re.compile(r"[\w-]+:(\w+=.*)?")


def load_trace(text: str, device: Target, reading: Reading) -> Trace:
    """Load the workload that `text` names, for a device, and print notes on stderr.

    Raises:
        ParameterError: A generator or an option is unknown or missing, or has an invalid value.
        TraceError: The file is not a trace in that format.
        OSError: The file cannot be read.
    """
    trace = _drawn_or_bundled(text, lambda: device, reading)
    if trace is None:
        with progress(f"Reading {_name(text)}", _size_bytes(text)) as report:
            trace = read_trace(text, progress=report, **reading.arguments())
    print_note(*trace.notes)
    return select_devices(trace, reading.traced_devices)


@contextmanager
def open_source(
    text: str, reading: Reading, title: str = "Reading", device_name: str = "osdi00"
) -> Iterator[TraceStream]:
    """Open the workload that `text` names, or its requests to some devices, to read it in batches.

    Raises:
        ParameterError, TraceError, OSError: The workload cannot be loaded; see `load_trace`.
    """
    trace = _drawn_or_bundled(text, lambda: find_device(device_name), reading)
    with ExitStack() as bar:
        if trace is not None:
            stream = stream_of(trace)
        else:
            report = bar.enter_context(progress(f"{title} {_name(text)}", _size_bytes(text)))
            stream = open_trace(text, progress=report, **reading.arguments())
        yield _chosen(stream, reading)


def is_long(text: str) -> bool:
    """Return True if a workload is simulated as a stream, not read into memory: it is or may be long."""
    if text == STANDARD_INPUT:
        return True
    if Path(text).is_file():
        if parquet.is_meant(text, None):
            return parquet.count(text) >= _LONG_REQUESTS
        return _native.trace_size_bytes(text, _LONG_BYTES) >= _LONG_BYTES
    return is_generated(text) and (_count(text) or 0) >= _LONG_REQUESTS


@contextmanager
def streaming(
    text: str, device: Target, reading: Reading, title: str
) -> Iterator[tuple[TraceStream, Callable[[int], object]]]:
    """Yield the workload that `text` names as a stream, and a function for the number of done requests.

    Raises:
        ParameterError, TraceError, OSError: The workload cannot be loaded; see `load_trace`.
    """
    if is_generated(text) and not Path(text).exists():
        for option in reading.given():
            raise _native.ParameterError(f"{option} applies to trace files only; {text!r} is not a file")
        stream, total = open_drawn(text, device), _count(text)
        with counted_progress(title, total, "requests") as report:
            yield _chosen(stream, reading), report.both
        return
    with counted_progress(f"{title} {_name(text)}", _size_bytes(text), "requests") as report:
        yield _chosen(open_trace(text, progress=report, **reading.arguments()), reading), report.count


def _chosen(stream: TraceStream, reading: Reading) -> TraceStream:
    chosen = reading.traced_devices
    return stream if chosen is None else slice_trace(stream, devices=chosen)


def _drawn_or_bundled(text: str, device: Callable[[], Target], reading: Reading) -> Trace | None:
    """Return the workload, or None if it is in a file."""
    if not text:
        raise _native.ParameterError("expected the name of a workload or of a file, found an empty one")
    path = Path(text)
    bundled = text in bundled_traces() and not path.exists()
    if bundled or is_generated(text):
        for option in reading.given():
            raise _native.ParameterError(f"{option} applies to trace files only; {text!r} is not a file")
        if bundled:
            return bundled_trace(text)
        with progress("Drawing requests", _count(text)) as report:
            return draw(text, device(), report)
    check_name(text)
    return None


def _name(text: str) -> str:
    return "standard input" if text == STANDARD_INPUT else Path(text).name


def _count(text: str) -> int | None:
    """Return the number of requests of a drawn workload, if the name states it."""
    count = given_options(text).get("count", "")
    return int(count) if count.isdecimal() else None


def _size_bytes(text: str) -> int | None:
    """Return the size of a file, or None for a pipe, whose length is unknown."""
    if text == STANDARD_INPUT:
        if not _has_input(_SILENT_S):
            print_note("waiting for standard input")
        return None
    if Path(text).is_fifo():
        print_note(f"{text} is a pipe: waiting for data")
        return None
    return _native.trace_size_bytes(text)


def _has_input(within_s: float) -> bool:
    """Return True if standard input has data or has ended within the given seconds."""
    try:
        return bool(select.select([0], [], [], within_s)[0])
    except OSError:  # Standard input is closed; its reader raises the error.
        return True


def check_name(text: str) -> None:
    """Refuse a text that looks like a workload but is neither a file nor a bundled trace.

    Raises:
        ParameterError: The text looks like a workload.
    """
    if text in ("", STANDARD_INPUT) or text in bundled_traces() or is_generated(text) or Path(text).exists():
        return
    name = find(text)
    if name:
        raise _native.ParameterError(f"{text}: no such file; did you mean '{name}:rate=...'?")
    if _LIKE_GENERATED.fullmatch(text):
        entry("workloads", text.partition(":")[0])
