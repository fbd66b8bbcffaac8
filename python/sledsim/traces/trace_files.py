"""Reading of trace files, into memory or in batches, and writing of trace files."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from .. import _native
from ..common.arguments import chosen
from ..common.memory import most_requests
from ..common.output_files import STANDARD_INPUT as STANDARD_INPUT, PathLike, check_name, writing
from ..common.progress import Progress, told, watched
from . import parquet
from .compression import compressing
from .evidence import of_reader
from .formats import PARQUET, find, installed, writable_formats
from .streams import TraceStream, stream_of
from .trace import Trace

#: Folder of the bundled traces: block requests of real file systems, captured for this project.
_DATA = Path(__file__).parent / "data"
#: File system and its block size in KiB for each bundled trace, by name; all traces are of the same programs.
_BUNDLED = {
    "demo": ("ext4", 4),
    "ext2-1k": ("ext2", 1),
    "ext2-4k": ("ext2", 4),
    "ext3-1k": ("ext3", 1),
    "ext3-4k": ("ext3", 4),
}

_Progress = Callable[[int], object]


def open_trace(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    map: str | None = None,
    skip_bad: bool = False,
    progress: _Progress | None = None,
) -> TraceStream:
    """Open a trace file to read it in batches; the file may be compressed by gzip, Zstandard or xz.

    Requests out of order are sorted, if they are at most a million requests from their place.

    Args:
        path: The file; ``"-"`` is standard input.
        format: Trace format from `formats`; None detects the format.
        map: Columns of a CSV file by field, such as ``time=ts:us,lbn=sector``; columns of other fields are
            found by their headings, and ``op=-`` states that no column has the field op.
        skip_bad: True to skip lines and records that cannot be read, and count them in ``notes``.
        progress: Callback for the number of bytes of the file that have been read.

    Raises:
        TraceError: The file is not a trace of the format; the message gives the place, expected and found.
        ParameterError: The format is unknown.
        OSError: The file cannot be read.
    """
    name = os.fspath(path)
    source = _source(name)
    if (added := installed(name, format)) is not None:
        return stream_of(added.read(name, source, map, skip_bad))
    if parquet.is_meant(name, format):
        table = _parquet(name, source, map)
        return TraceStream(source, table.batches(), table.about)
    reader = _reader(name, format, map, skip_bad)
    return TraceStream(source, _batches(reader, source, progress), lambda: _about(reader.about()))


@watched
def read_trace(
    path: str | os.PathLike[str],
    format: str | None = None,
    *,
    map: str | None = None,
    skip_bad: bool = False,
    progress: Progress = None,
) -> Trace:
    """Read a trace file into memory; requests out of order are sorted, and ``notes`` reports their number.

    Arguments and errors are those of `open_trace`; `progress` can also be True, for a bar.
    """
    name = os.fspath(path)
    source = _source(name)
    if (added := installed(name, format)) is not None:
        return added.read(name, source, map, skip_bad)
    if parquet.is_meant(name, format):
        return _parquet(name, source, map).read()
    reader = _reader(name, format, map, skip_bad)
    return Trace._of_core(
        reader.rest(most_requests(), told(progress, _size_bytes(name))),
        source=source,
        **_about(reader.about()),
    )


def _size_bytes(name: str) -> int | None:
    """Return the size of a file in bytes; None for standard input, a pipe or a missing file."""
    path = Path(name)
    return path.stat().st_size if path.is_file() else None


def demo_trace() -> Trace:
    """Read the bundled trace: 224 s of phone-like use of a real ext4 file system, 4,833 reads and writes."""
    return bundled_trace("demo")


def bundled_traces() -> dict[str, str]:
    """List the bundled traces with their file systems: each has 4 minutes of the same phone-like use."""
    return {name: f"{system}, blocks of {kib} KiB" for name, (system, kib) in _BUNDLED.items()}


def bundled_trace(name: str) -> Trace:
    """Read a trace that comes with sledsim; ``metadata`` is True for requests that the kernel marked.

    Raises:
        ParameterError: No bundled trace has this name.
    """
    system, kib = chosen(_BUNDLED, name, f"bundled trace {name!r}")
    return replace(read_trace(_DATA / f"{system}-{kib}k.blkparse.zst"), source=f"{name} ({system} trace)")


def write_trace(trace: Trace | TraceStream, path: "PathLike | IO[bytes]", format: str | None = None) -> int:
    """Write a trace in a trace format of other tools; endings ``.gz``, ``.zst`` and ``.xz`` compress it.

    Args:
        trace: Trace from `read_trace`, `open_trace`, a generator, or the user's columns.
        path: The file to write; or an open file, for which `format` must be given.
        format: Trace format from `writable_formats`; None takes it from the ending of the name, such as SPC
            for ``x.spc.gz``.

    Returns:
        The number of requests left out, such as flushes, because the format cannot store them.

    Raises:
        ParameterError: The format is unknown, or can only be read.
        TraceError: The trace has no request that the format can store, or cannot be read.
        OSError: The file cannot be written; no part of it is left.
    """
    stream = stream_of(trace) if isinstance(trace, Trace) else trace
    if not isinstance(path, str | os.PathLike):
        return _write(stream, path, format or "")
    name = format or format_of(path)
    ending = "" if name == PARQUET else os.fspath(path)  # Parquet compresses by itself.
    with writing(path) as raw, compressing(raw, ending) as file:
        return _write(stream, file, name)


def _write(stream: TraceStream, file: "IO[bytes]", format: str) -> int:
    if format == PARQUET:
        parquet.write(stream, file)
        return 0
    if (added := installed("", format)) is not None:
        return added.write(stream, file)
    if not find(format).is_writable:
        raise _native.ParameterError(
            f"format {format} can only be read, not written: expected one of {', '.join(writable_formats())}"
        )
    writer = _native.TraceWriter(format)
    requests = 0
    for batch in stream:
        requests += len(batch)
        about = stream.about()
        writer.describe(dict(about["device_names"]), about["origin_unix_ns"])
        file.write(writer.rows(batch.columns()))
    if requests == writer.left_out():
        raise _native.TraceError(f"{stream.source}: the trace has no request that {format} can store")
    return writer.left_out()


def format_of(path: PathLike) -> str:
    """Return the trace format that the ending of a file name selects for writing.

    Raises:
        ParameterError: The ending selects no writable format; the message lists the formats.
    """
    if Path(path).suffix == f".{PARQUET}":
        return PARQUET
    endings = [ending.removeprefix(".") for ending in Path(path).suffixes]
    for name in writable_formats():
        if name in endings and name != PARQUET:
            return name
    raise _native.ParameterError(
        f"{os.fspath(path)}: expected a name that ends in .parquet, or a format (--to): "
        f"one of {', '.join(writable_formats())}"
    )


def _source(name: str) -> str:
    check_name(name)
    # Names need not be UTF-8; text about them must be.
    return "standard input" if name == STANDARD_INPUT else os.fsencode(name).decode(errors="replace")


def _parquet(name: str, source: str, map: str | None) -> parquet.Reader:
    """Open a Parquet file; refuse a map, because its columns have the names of those of a trace."""
    if map is not None:
        raise _native.ParameterError(
            f"{source}: a map of columns applies to the format csv only, found {PARQUET}"
        )
    return parquet.Reader(name, source)


def _reader(name: str, format: str | None, map: str | None, skip_bad: bool) -> _native.TraceReader:
    if format is not None:
        find(format)
    return _native.TraceReader(name, format, map, skip_bad)


def _batches(reader: _native.TraceReader, source: str, progress: _Progress | None) -> Iterator[Trace]:
    while (columns := reader.next(progress)) is not None:
        if progress is not None:
            progress(reader.consumed_bytes())
        yield Trace._of_core(columns, source=source)


def _about(known: dict[str, Any]) -> dict[str, Any]:
    """Return the metadata of a trace that the core has read, by field name of `Trace`."""
    evidence, notes = of_reader(known)
    kinds = {
        "commands": "passed-through commands",
        "empty": "requests without data",
        "unknown": "requests of an unknown kind",
        "other": "records that are not requests",
    }
    return {
        "skipped": {text: known[kind] for kind, text in kinds.items() if known[kind]},
        "device_names": known["device_names"],
        "origin_unix_ns": known["origin_unix_ns"],
        "notes": notes,
        "evidence": evidence,
        "format": known["format"],
    }
