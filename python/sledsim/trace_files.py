"""Trace files: reading them whole or in batches, and writing them."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import IO, Any, final

from . import _native, parquet_traces
from .compression import compressing
from .files import PathLike, replacing
from .traces import ABOUT, Trace

#: The bundled trace: block requests of a real ext4 file system, captured for this project.
DEMO_TRACE = Path(__file__).parent / "data" / "ext4-4k.blkparse.zst"

#: Standard input, where a path is asked for.
STANDARD_INPUT = "-"

_Progress = Callable[[int], object]


@final
class TraceStream:
    """The requests of a trace in batches, in order of arrival: a trace of any size in little memory.

    It can be gone through once. What is known of the trace besides its requests is complete when it has been.

    Attributes:
        source: Where the requests come from, as a user would name it.
    """

    def __init__(self, source: str, batches: Iterable[Trace], about: Callable[[], Mapping[str, Any]]) -> None:
        self.source = source
        self._batches = iter(batches)
        self._about = about

    def __iter__(self) -> Iterator[Trace]:
        return self._batches

    def about(self) -> dict[str, Any]:
        """What `Trace` knows besides its requests, by the names of its fields."""
        return dict(self._about())

    def changed(self, change: Callable[[Trace], Trace]) -> "TraceStream":
        """The same with every batch changed."""
        return TraceStream(self.source, filter(len, map(change, self._batches)), self._about)


def stream_of(trace: Trace) -> TraceStream:
    """A trace in memory as a stream of one batch."""
    about = {name: getattr(trace, name) for name in ABOUT}
    return TraceStream(trace.source, [trace], lambda: about)


def open_trace(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    map: str | None = None,
    skip_bad: bool = False,
    progress: _Progress | None = None,
) -> TraceStream:
    """Open a trace to go through it in batches; gzip, Zstandard and xz are read directly.

    Requests that come late in the file are sorted in as long as at most a million requests lie between.

    Args:
        path: The file; ``"-"`` is standard input.
        format: One of `formats`; None finds out.
        map: Of a CSV file: which column holds what, such as ``time=ts:us,lbn=sector``.
        skip_bad: Whether lines and records that cannot be read are skipped, and counted in ``notes``.
        progress: Called after each batch with the number of bytes of the file read so far.

    Raises:
        TraceError: The file is not such a trace: the message names the place, what was expected and found.
        ParameterError: The format is unknown.
        OSError: The file cannot be read.
    """
    name = os.fspath(path)
    if parquet_traces.is_meant(name, format):
        return TraceStream(name, parquet_traces.batches(name), lambda: parquet_traces.about(name))
    reader = _native.TraceReader(name, format, map, skip_bad)
    source = "standard input" if name == STANDARD_INPUT else name
    return TraceStream(source, _batches(reader, source, progress), lambda: _about(reader.about()))


def read_trace(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    map: str | None = None,
    skip_bad: bool = False,
    progress: _Progress | None = None,
) -> Trace:
    """Read a trace into memory; requests that are not in order of arrival are sorted, and ``notes`` says so.

    The arguments and errors are those of `open_trace`.
    """
    name = os.fspath(path)
    if parquet_traces.is_meant(name, format):
        return parquet_traces.read(name)
    reader = _native.TraceReader(name, format, map, skip_bad)
    columns = reader.rest(progress)
    source = "standard input" if name == STANDARD_INPUT else name
    return Trace._of_core(columns, source=source, **_about(reader.about()))


def demo_trace() -> Trace:
    """The bundled trace: 224 s of phone-like use of a real ext4 file system, 4,833 reads and writes."""
    return replace(read_trace(DEMO_TRACE), source="demo (ext4 trace)")


def write_trace(trace: Trace | TraceStream, path: "PathLike | IO[bytes]", format: str | None = None) -> int:
    """Write a trace in a format that other tools read; ``.gz``, ``.zst`` and ``.xz`` are compressed.

    Args:
        trace: From `read_trace`, `open_trace`, a generator, or columns of your own.
        path: The file to write, or an open one; into that no Parquet can be written.
        format: One of `writable_formats`; None takes what the ending means, as in ``x.spc.gz``.

    Returns:
        How many requests were left out because the format cannot hold them, such as flushes.

    Raises:
        ParameterError: The format is unknown, or can only be read.
        TraceError: The trace has no requests, or cannot be read.
        OSError: The file cannot be written; no part of it is left.
    """
    stream = stream_of(trace) if isinstance(trace, Trace) else trace
    if not isinstance(path, str | os.PathLike):
        return _write(stream, path, format or "")
    if parquet_traces.is_meant_to_write(os.fspath(path), format):
        parquet_traces.write(stream, path)
        return 0
    name = format or format_of(path)
    with replacing(path) as part, compressing(part, os.fspath(path)) as file:
        return _write(stream, file, name)


def _write(stream: TraceStream, file: "IO[bytes]", format: str) -> int:
    writer = _native.TraceWriter(format)
    is_empty = True
    for batch in stream:
        is_empty = False
        about = stream.about()
        writer.describe(dict(about["device_names"]), about["origin_unix_ns"])
        file.write(writer.rows(batch.columns()))
    if is_empty:
        raise _native.TraceError(f"{stream.source}: expected at least one request to write, found none")
    return writer.left_out()


def format_of(path: PathLike) -> str:
    """The format that the ending of a file to be written means.

    Raises:
        ParameterError: It means none; the message says how to name one.
    """
    writable = [name for name, _, is_writable in _native.formats() if is_writable]
    endings = [ending.removeprefix(".") for ending in Path(path).suffixes]
    for name in writable:
        if name in endings:
            return name
    known = ", ".join((*writable, parquet_traces.NAME))
    raise _native.ParameterError(
        f"{os.fspath(path)}: expected a name that ends in .parquet, or a format (--to): one of {known}"
    )


def _batches(reader: _native.TraceReader, source: str, progress: _Progress | None) -> Iterator[Trace]:
    while (columns := reader.next()) is not None:
        if progress is not None:
            progress(reader.consumed_bytes())
        yield Trace._of_core(columns, source=source)


def _about(known: dict[str, Any]) -> dict[str, Any]:
    """What the core knows of a trace, in the words of `Trace`."""
    notes = list(known["notes"])
    if known["late"]:
        notes.append(f"out of order in the file, and now sorted by arrival: {known['late']:,} requests")
    if known["bad"]:
        notes.append(f"skipped {known['bad']:,} lines or records that cannot be read, first:")
        notes += [f"  {fault}" for fault in known["first_bad"]]
    kinds = {
        "commands": "passed-through commands",
        "empty": "requests without data",
        "unknown": "requests of an unknown kind",
        "other": "records of other things than requests",
    }
    return {
        "skipped": {text: known[kind] for kind, text in kinds.items() if known[kind]},
        "device_names": known["device_names"],
        "origin_unix_ns": known["origin_unix_ns"],
        "notes": tuple(notes),
        "format": known["format"],
    }
