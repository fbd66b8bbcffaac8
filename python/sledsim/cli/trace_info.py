"""``sledsim trace info``: the statistics of a trace of any size, and its page of plots."""

from pathlib import Path
from typing import Annotated

import typer

from .. import _native
from .options import JsonOption, Reading
from .output import print_json, print_note
from .plotting import write_plots
from .trace_options import DrawnForOption, TracePath

#: The name of the plots, without ending.
_PLOTS = "trace"

InterleaveOption = Annotated[
    int,
    typer.Option(
        metavar="SECTORS",
        help="The gap that the file system leaves between blocks of a file: requests so far apart are"
        " logically sequential, too.",
    ),
]
FolderOption = Annotated[
    Path | None, typer.Option("--out", metavar="FOLDER", help="Write tables and a page of plots there.")
]


def info(
    *,
    trace: TracePath,
    interleave: InterleaveOption = 0,
    device_name: DrawnForOption = "osdi00",
    reading: Reading,
    out: FolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Describe a trace: counts, sizes, sequentiality, arrivals, bursts, overwrites, footprint, classes."""
    from ..common.files import check_folder
    from ..traces.statistics import trace_statistics
    from .trace_tables import print_statistics
    from .workloads import open_source

    if out is not None:
        check_folder(out, _PLOTS)
    with open_source(trace, reading, device_name=device_name) as stream:
        found = trace_statistics(stream, interleave_sectors=interleave)
    counts = found.figures["overall"]["counts"]
    if not any(counts[kind] for kind in ("requests", "discards", "flushes")):
        raise _native.TraceError(f"{found.source}: expected requests, found none")
    if as_json:
        print_json(found.summary())
    else:
        print_statistics(found)
    print_note(*found.notes)
    if out is not None:
        written = [*found.write(out), *write_plots(found.write_plots, out)]
        print_note(f"{len(written)} files written to {out}")
