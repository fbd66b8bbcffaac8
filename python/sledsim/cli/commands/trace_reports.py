"""``sledsim trace info``, ``popularity``, ``fit`` and ``capture``: describe a trace, or record a trace."""

import math
import shlex
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ..._native import ParameterError, TraceError
from ...common.units import duration, number, size
from ..command_options import JsonOption, Reading
from ..interruption import left_to_python
from ..output import listed, print_json, print_note, print_result, print_table, table, write_plots
from ..trace_names import SECTOR_BYTES, CutGapsOption, DrawnForOption, TracePath

#: File name of the plots of ``sledsim trace info``, without ending.
_PLOTS = "trace"

InterleaveOption = Annotated[
    int,
    typer.Option(
        metavar="SECTORS",
        help="Gap in sectors that the file system leaves between consecutive blocks of a file; two requests"
        " with this gap between them also count as logically sequential.",
    ),
]
FolderOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="FOLDER", help="Write tables and a page of plots to this folder."),
]


def info(
    *,
    trace: TracePath,
    interleave: InterleaveOption = 0,
    cut_gaps: CutGapsOption = None,
    device_name: DrawnForOption = "osdi00",
    reading: Reading,
    out: FolderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Describe a trace: counts, sizes, sequentiality, arrivals, bursts, overwrites, footprint, classes."""
    from ...common.output_files import check_folder
    from ...traces.statistics import trace_statistics
    from ...traces.tools import GapCut
    from ..workloads import open_source

    if out is not None:
        check_folder(out, _PLOTS)
    cut = GapCut(cut_gaps)
    with open_source(trace, reading, device_name=device_name) as stream:
        found = trace_statistics(cut.of(stream), interleave_sectors=interleave)
    counts = found.figures["overall"]["counts"]
    if not any(counts[kind] for kind in ("requests", "discards", "flushes")):
        raise TraceError(f"{found.source}: expected requests, found none")
    if as_json:
        print_json(found.summary() | ({"cut_gaps": cut.row()} if cut_gaps else {}))
        print_note(*found.notes)
    else:
        print_result(found)
    if out is not None:
        written = [*found.write(out), *write_plots(found.write_plots, out)]
        print_note(f"{len(written)} files written to {out}")


ExtentsFileOption = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="CSV file to write.")]
ExtentOption = Annotated[
    int,
    typer.Option(
        "--extent-blocks", help="Number of 512-byte blocks in an extent; they stay together on the medium."
    ),
]
MostOption = Annotated[int | None, typer.Option("--most", help="Keep only the N most popular extents.")]


def popularity(
    *,
    trace: TracePath,
    out: ExtentsFileOption,
    extent_blocks: ExtentOption = 2048,
    most: MostOption = None,
    device_name: DrawnForOption = "osdi00",
    reading: Reading,
    as_json: JsonOption = False,
) -> None:
    """Write the extents of a trace to a CSV file, the most popular first, for layout=by-popularity."""
    from ...common.endings import CSV, ending_of
    from ...common.output_files import check_writable
    from ...traces.tools import popular_extents
    from ..workloads import open_source

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
        f"{kept}, {touched} in all; accesses per extent: {found.accesses.min():,} to"
        f" {found.accesses.max():,}",
        f"written to {out}: place them with --set layout=by-popularity --set layout_popularity={out}",
    )


ModelFileOption = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="TOML file to write.")]


def fit(
    *,
    trace: TracePath,
    out: ModelFileOption,
    device_name: DrawnForOption = "osdi00",
    reading: Reading,
    as_json: JsonOption = False,
) -> None:
    """Fit a random workload, 'fitted:file=FILE', to a trace, and print which statistics it preserves."""
    from ...common.output_files import check_writable
    from ...traces.fitting import fit_workload
    from ..workloads import open_source

    check_writable(out)
    with open_source(trace, reading, "Fitting", device_name) as stream:
        fitted = fit_workload(stream)
    fitted.write(out)
    rows = fitted.kept().to_pylist()
    if as_json:
        notes = list(fitted.notes)
        print_json({"source": fitted.source, "requests": fitted.requests, "kept": rows, "notes": notes})
    else:
        texts = (
            (row["statistic"], _text(row, "trace"), _text(row, "fitted"), _difference(row), row["kept"])
            for row in rows
        )
        made = table("Statistic", ">Trace", ">Fitted", ">Difference", "Kept", rows=texts)
        print_table(f"{fitted.source}: {fitted.requests:,} reads and writes", made)
    about = fitted.statistics.notes if fitted.statistics else ()
    print_note(*about, *fitted.notes, f"written to {out}: draw it with {shlex.quote(f'fitted:file={out}')}")


def _text(row: Mapping[str, Any], key: str) -> str:
    value, unit = row[key], row["unit"]
    of: dict[str, Callable[[float], str]] = {"share": "{:.1%}".format, "bytes": size, "s": duration}
    if value is None or math.isnan(value):
        return ""
    return of[unit](value) if unit in of else f"{number(value)} {unit}".strip()


def _difference(row: Mapping[str, Any]) -> str:
    value = row["difference"]
    if row["is_relative"]:
        return f"{value:+.1%}"
    return f"{100 * value:+.1f} points" if row["unit"] == "share" else f"{value:+.2f}"


def capture(
    device: Annotated[Path, typer.Argument(help="A block device, or a file or folder on a block device.")],
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[-- COMMAND...]",
            help="Command to run while requests are recorded; its end ends the recording.",
        ),
    ] = None,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="NAME",
            help="Write NAME.blktrace.0, NAME.blktrace.1 and so on, one file per CPU; an earlier capture of "
            "that name is replaced.",
        ),
    ] = Path("capture"),
    seconds: Annotated[
        float | None, typer.Option(help="Duration of the recording in s. \\[default: until Ctrl-C]")
    ] = None,
) -> None:
    """Record the requests of a block device on Linux (as root) into blktrace files."""
    from ...traces.capture import capture as record

    if command and seconds is not None:
        raise ParameterError("--seconds: does not go with a command, whose end ends the recording")
    if seconds is not None and not 0 < seconds < 1e6:
        raise ParameterError(f"--seconds: expected a number above 0 and below 1,000,000, found {seconds}")

    def wait() -> None:
        if command:
            done = subprocess.run(command, check=False)
            print_note(f"{command[0]} has ended with status {done.returncode}")
            return
        print_note("recording" + (f" for {seconds:g} s" if seconds else "; Ctrl-C ends it"))
        time.sleep(seconds or 1e6)

    # Ctrl-C ends the recording, not the program, and the kernel's tracer returns to its earlier state.
    with left_to_python():
        files = record(device, out, wait)
    print_note(f"written: {listed(files)}", f"next: sledsim trace info {shlex.quote(str(files[0]))}")
