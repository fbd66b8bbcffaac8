"""``sledsim trace popularity``: the table that the layout ``by-popularity`` reads."""

from pathlib import Path
from typing import Annotated

import typer

from ..common.units import size
from .options import JsonOption, Reading
from .output import print_json, print_note
from .trace_options import SECTOR_BYTES, DrawnForOption, TracePath

FileOption = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The file to write, CSV.")]
ExtentOption = Annotated[
    int, typer.Option("--extent-blocks", help="Blocks of 512 bytes in an extent, which stay together.")
]
MostOption = Annotated[
    int | None, typer.Option("--most", help="Keep so many lines, the most popular; all, if not given.")
]


def popularity(
    *,
    trace: TracePath,
    out: FileOption,
    extent_blocks: ExtentOption = 2048,
    most: MostOption = None,
    device_name: DrawnForOption = "osdi00",
    reading: Reading,
    as_json: JsonOption = False,
) -> None:
    """Write the extents of a trace, the most popular first, for devices with layout=by-popularity."""
    from ..common.endings import CSV, ending_of
    from ..common.files import check_writable
    from ..traces.tools import popular_extents
    from .workloads import open_source

    ending_of(out, (CSV,), bare=CSV)
    check_writable(out)
    with open_source(trace, reading, "Counting", device_name) as stream:
        found = popular_extents(stream, extent_blocks, most)
    found.write(out)
    counts = {"extents": len(found.blocks), "blocks": int(found.blocks.sum())}
    if as_json:
        print_json({"source": found.source, "extent_blocks": extent_blocks, **counts})
    touched, kept = size(SECTOR_BYTES * counts["blocks"]), f"{counts['extents']:,} extents"
    print_note(
        f"{kept} of {touched} in all, touched {found.accesses.max():,} to {found.accesses.min():,} times",
        f"written to {out}: place them with --set layout=by-popularity --set layout_popularity={out}",
    )
