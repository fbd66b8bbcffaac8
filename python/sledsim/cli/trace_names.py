"""The TRACE argument in words: what may stand there, and the files that patterns and folders mean."""

import glob
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from .. import _native
from .output import print_note

#: What the addresses of a trace count.
SECTOR_BYTES = 512

TracePath = Annotated[
    str,
    typer.Argument(
        metavar="TRACE",
        help="A trace file, '-' for standard input, 'demo' or another bundled trace, or a workload such as"
        " 'random:rate=1000'.",
    ),
]
DrawnForOption = Annotated[
    str, typer.Option("--device", "-d", help="For a workload that is drawn: the device that it fits.")
]
OutOption = Annotated[
    str,
    typer.Option(
        "--out", "-o", help="The file to write; '-' is standard output. Ending .gz, .zst, .xz: compressed."
    ),
]


#: Folders that are named where files were expected.
_SHOWN = 3
#: The file of a CPU in a capture of blktrace.
_OF_CPU = re.compile(r"(.*\.blktrace\.)\d+(|\.gz|\.zst|\.xz)")


def files_of(traces: Iterable[str]) -> list[str]:
    """The traces that are meant: those in folders, and those whose names are like a pattern.

    The files of a blktrace capture, one of each CPU, are one trace.

    Raises:
        ParameterError: One comes twice.
        TraceError: A folder has no file, or no file is like a pattern.
    """
    found: list[str] = []
    for text in traces:
        found += _files(text)
    for name in found:
        if found.count(name) > 1:
            raise _native.ParameterError(f"{name}: expected each trace once, found it twice")
    return _captures(found)


def _captures(names: list[str]) -> list[str]:
    """Those of which each capture is there once, by its first file: reading any of them reads all."""
    first: dict[tuple[str, str], str] = {}
    for name in names:
        part = _OF_CPU.fullmatch(name)
        first.setdefault((part[1], part[2]) if part else (name, ""), name)
    if len(first) < len(names):
        print_note("the files of a blktrace capture, one of each CPU, are read as one trace")
    return list(first.values())


def _files(text: str) -> list[str]:
    path = Path(text)
    if text and path.is_dir():
        files = sorted(one for one in path.iterdir() if one.is_file() and not one.name.startswith("."))
        if not files:
            folders = [one.name for one in sorted(path.iterdir()) if one.is_dir()][:_SHOWN]
            there = f"folders there ({', '.join(folders)}) and no file" if folders else "no file there"
            raise _native.TraceError(f"{text}: expected a trace or a folder of them, found {there}")
        return [str(one) for one in files]
    if path.exists() or not glob.has_magic(text):
        return [text]
    pattern = str(path.relative_to(path.anchor))
    found = sorted(str(one) for one in Path(path.anchor).glob(pattern) if one.is_file())
    # Options of a workload may look like a pattern.
    if not found and ":" not in text:
        raise _native.TraceError(f"{text}: expected a pattern that files are like, found none")
    return found or [text]


def name_of(trace: str) -> str:
    """What a file is called that is about a trace, without its ending."""
    from ..common.output_files import file_name

    # The name of a file can be that of another one; of a workload it may not.
    name = Path(trace).name
    return name if Path(trace).exists() else file_name(name)
