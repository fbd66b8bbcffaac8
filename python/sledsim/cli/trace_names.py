"""TRACE arguments: their help texts, and the files that a pattern or a folder stands for."""

import glob
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from .._native import ParameterError, TraceError
from ..common.grids import some
from .output import print_note
from .shared import of_trace

#: Bytes of a sector, the unit of addresses in traces.
SECTOR_BYTES = 512

TracePath = Annotated[
    str,
    typer.Argument(
        metavar="TRACE",
        help="A trace file, '-' for standard input, a bundled trace such as 'demo', or a workload such as"
        " 'random:rate=1000'.",
    ),
]
DrawnForOption = Annotated[
    str, typer.Option("--device", "-d", help="Device that a random workload is drawn to fit.")
]
OutOption = Annotated[
    str,
    typer.Option(
        "--out",
        "-o",
        help="File to write; '-' is standard output. The endings .gz, .zst and .xz compress it.",
    ),
]
_CUT_GAPS = (
    "Shorten idle gaps of the trace that are longer than LONGEST, such as 500ms, 10s or 1h, to LONGEST, and "
    "print how many. \\[without LONGEST: 10s]"
)
CutGapsOption = Annotated[str | None, of_trace("--cut-gaps", metavar="[=LONGEST]", help=_CUT_GAPS)]

#: Largest number of subfolders that an error message names.
_SHOWN = 3
#: Pattern of a blktrace file of one CPU, such as ``x.blktrace.0``; its groups are the texts around the CPU
#: number.
_OF_CPU = re.compile(r"(.*\.blktrace\.)\d+(|\.gz|\.zst|\.xz)")


def files_of(traces: Iterable[str]) -> list[str]:
    """Return the traces, with each folder replaced by its files, and each pattern by the files that match.

    The files of a blktrace capture, one per CPU, count as one trace.

    Raises:
        ParameterError: A trace occurs twice.
        TraceError: A folder has no file, or no file matches a pattern.
    """
    found: list[str] = []
    for text in traces:
        found += _files(text)
    for name in found:
        if found.count(name) > 1:
            raise ParameterError(f"{name}: expected each trace once, found it twice")
    return _captures(found)


def _captures(names: list[str]) -> list[str]:
    """Return the file names without the second and later files of a blktrace capture; readers find these."""
    first: dict[tuple[str, str], str] = {}
    for name in names:
        part = _OF_CPU.fullmatch(name)
        first.setdefault((part[1], part[2]) if part else (name, ""), name)
    if len(first) < len(names):
        print_note("the files of a blktrace capture, one per CPU, are read as one trace")
    return list(first.values())


def _files(text: str) -> list[str]:
    path = Path(text)
    if text and path.is_dir():
        files = sorted(one for one in path.iterdir() if one.is_file() and not one.name.startswith("."))
        if not files:
            folders = [one.name for one in sorted(path.iterdir()) if one.is_dir()]
            there = f"only folders ({', '.join(some(folders, _SHOWN))})" if folders else "an empty folder"
            raise TraceError(f"{text}: expected a trace or a folder of traces, found {there}")
        return [str(one) for one in files]
    if path.exists() or not glob.has_magic(text):
        return [text]
    pattern = str(path.relative_to(path.anchor))
    found = sorted(str(one) for one in Path(path.anchor).glob(pattern) if one.is_file())
    # Options of a workload may look like a pattern.
    if not found and ":" not in text:
        raise TraceError(f"{text}: expected a pattern that matches a file, found no such file")
    return found or [text]


def name_of(trace: str) -> str:
    """Return the name that output files about this trace get, without ending."""
    from ..common.output_files import file_name

    # A file name may be the name of a file about it; a workload name may not.
    name = Path(trace).name
    return name if Path(trace).exists() else file_name(name)
