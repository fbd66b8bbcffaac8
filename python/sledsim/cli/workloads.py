"""Loading of TRACE arguments: a trace file, a random workload, or a bundled trace."""

import re
import select
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from .. import _native
from .._native import ParameterError
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

#: Least number of requests at which a workload is simulated as a stream, and least size of a trace file in
#: bytes (unpacked) for the same.
_LONG_REQUESTS = 1_000_000
_LONG_BYTES = 64 << 20
#: Seconds without data on standard input after which a note tells that the program waits for data.
_SILENT_S = 1.0
#: Pattern of a name, a colon and options, as in ``random:rate=5``; such a text is hardly the name of a file.
_LIKE_GENERATED = re.compile(r"[\w-]+:(\w+=.*)?")


def load_trace(text: str, device: Target, reading: Reading) -> Trace:
    """Load a TRACE argument into memory, and print notes about it on stderr.

    Args:
        text: The argument: a trace file, a bundled trace or a random workload.
        device: The device that a random workload is drawn to fit.
        reading: The options that state how to read a file.

    Raises:
        ParameterError: A generator or an option is unknown or missing, or has an invalid value.
        TraceError: The file is no trace, or not in the format that `reading` states.
        OSError: The file cannot be read.
    """
    trace = _drawn_or_bundled(text, lambda: device, reading)
    if trace is None:
        with progress(f"Reading {_name(text)}", _size_bytes(text)) as report:
            trace = read_trace(text, progress=report, **reading.arguments())
        _name_format(text, trace.format, reading)
    print_note(*trace.notes)
    return select_devices(trace, reading.traced_devices)


@contextmanager
def open_source(
    text: str, reading: Reading, title: str = "Reading", device_name: str = "osdi00"
) -> Iterator[TraceStream]:
    """Open a TRACE argument to read its requests in batches.

    Args:
        text: The argument: a trace file, a bundled trace or a random workload.
        reading: Options that state how to read a file, and which traced devices to keep.
        title: Word for the work in the progress bar, such as ``Reading``.
        device_name: The device that a random workload is drawn to fit.

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
            _name_format(text, stream.about()["format"], reading)
        yield _chosen(stream, reading)


def is_long(text: str) -> bool:
    """Return True if a workload may exceed the memory, so that it has to be simulated as a stream."""
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
    """Yield the requests of a TRACE argument as a stream, and a function that reports finished requests.

    Args:
        text: The argument: a trace file or a random workload.
        device: The device that a random workload is drawn to fit.
        reading: Options that state how to read a file, and which traced devices to keep.
        title: Word for the work in the progress bar, such as ``Simulating``.

    Raises:
        ParameterError, TraceError, OSError: The workload cannot be loaded; see `load_trace`.
    """
    if is_generated(text) and not Path(text).exists():
        for option in reading.given():
            raise ParameterError(f"{option} applies only to trace files, and {text!r} is not a file")
        stream, total = open_drawn(text, device), _count(text)
        with counted_progress(title, total, "requests") as report:
            yield _chosen(stream, reading), report.both
        return
    with counted_progress(f"{title} {_name(text)}", _size_bytes(text), "requests") as report:
        stream = open_trace(text, progress=report, **reading.arguments())
        _name_format(text, stream.about()["format"], reading)
        yield _chosen(stream, reading), report.count


def _name_format(text: str, format: str, reading: Reading) -> None:
    """Print the format of a file unless the user named it; a note on columns names the format csv."""
    if reading.format is None and format not in ("csv", "parquet"):
        print_note(f"{text}: recognised as {format}")


def _chosen(stream: TraceStream, reading: Reading) -> TraceStream:
    chosen = reading.traced_devices
    return stream if chosen is None else slice_trace(stream, devices=chosen)


def _drawn_or_bundled(text: str, device: Callable[[], Target], reading: Reading) -> Trace | None:
    """Return the trace that a TRACE argument names, or None if it names a file, which is not read here.

    Args:
        text: The argument: a trace file, a bundled trace or a random workload.
        device: Function that returns the device that a random workload is drawn to fit.
        reading: The options that state how to read a file.
    """
    if not text:
        raise ParameterError("TRACE: expected the name of a file or of a workload, found an empty name")
    path = Path(text)
    bundled = text in bundled_traces() and not path.exists()
    if bundled or is_generated(text):
        for option in reading.given():
            raise ParameterError(f"{option} applies only to trace files, and {text!r} is not a file")
        if bundled:
            return bundled_trace(text)
        with progress("Drawing requests", _count(text)) as report:
            return draw(text, device(), report)
    check_name(text)
    return None


def _name(text: str) -> str:
    return "standard input" if text == STANDARD_INPUT else Path(text).name


def _count(text: str) -> int | None:
    """Return the option ``count`` in the text of a random workload; None without this option."""
    count = given_options(text).get("count", "")
    return int(count) if count.isdecimal() else None


def _size_bytes(text: str) -> int | None:
    """Return the size of a trace file in bytes, or None for a pipe, whose length is unknown."""
    if text == STANDARD_INPUT:
        if not _has_input(_SILENT_S):
            print_note("waiting for data on standard input")
        return None
    if Path(text).is_fifo():
        print_note(f"{text} is a pipe: waiting for data")
        return None
    return _native.trace_size_bytes(text)


def _has_input(within_s: float) -> bool:
    """Return True if standard input has data, or is at its end, within `within_s` seconds."""
    try:
        return bool(select.select([0], [], [], within_s)[0])
    except OSError:  # Standard input is closed; its reader raises the error.
        return True


def check_name(text: str) -> None:
    """Check a TRACE argument before it is used: it may look like a random workload without being one.

    Raises:
        ParameterError: The text is no file, bundled trace or valid workload, although it begins with a
            generator's name or has the form ``NAME:...``.
    """
    if text in ("", STANDARD_INPUT) or text in bundled_traces() or is_generated(text) or Path(text).exists():
        return
    name = find(text)
    if name:
        raise ParameterError(f"{text}: no such file; did you mean '{name}:rate=...'?")
    if _LIKE_GENERATED.fullmatch(text):
        entry("workloads", text.partition(":")[0])
