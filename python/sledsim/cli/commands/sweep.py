"""``sledsim study sweep``: simulate every point of a study, store a row per point, and read the rows."""

import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..._native import ParameterError, TraceError
from ...common import units
from ...common.grids import Grid
from .. import command_options as options
from ..interruption import kept_in
from ..output import listed, print_json, print_note, print_result, print_table, print_text, table, write_plots
from ..shared import SEED
from ..shell import App, Group, spread
from ..study_options import Asked, Place, WorkloadsArgument
from ..terminal import counted_progress, progress

if TYPE_CHECKING:
    from ...exploration.status import Status
    from ...exploration.study_points import Study
    from ...exploration.sweeping import Sweep
    from ...ledger import Contents


def status_table(found: Sequence["Status"]) -> Grid:
    """Return a table with one row per study in a folder: its progress, and its computing time."""
    headings = (">Points", ">Done", ">Failed", ">CPU time", ">CPU time left", ">Machines")
    made = table("Study", "Subject", *headings)
    for one in found:
        left = one.left_cpu_s
        made.add_row(
            one.study if one.batches == 1 else f"{one.study} and {one.batches - 1:,} more",
            one.about,
            f"{one.points:,}",
            f"{one.done / one.points:.1%}",
            f"{one.counts.get('failed', 0):,}",
            units.duration(one.cpu_s),
            "?" if left is None else units.duration(left),
            f"{len(one.hosts):,}",
        )
    return made


FolderArgument = Annotated[
    Path, typer.Argument(metavar="FOLDER", help="Folder that keeps the rows of a sweep (its --out).")
]


def status(folder: FolderArgument, as_json: options.JsonOption = False) -> None:
    """Show the progress of the sweeps in a folder, and why points failed."""
    from ...exploration.status import status_of
    from ...grids.of_sweep import reasons_grid
    from ...ledger import Contents

    contents = Contents.of([folder])
    print_note(*contents.notes)
    contents.check_sweep(folder)
    found = status_of(contents)
    if as_json:
        print_json([one.row() for one in found])
    else:
        print_table(f"Sweeps in {folder}", status_table(found))
        for one in found:
            print_table(None, reasons_grid(one.reasons))
    contents.check_agreement()


def merge(
    folder: FolderArgument,
    others: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="OTHER...",
            help="Folders with ledgers of other shards, which are only read; their rows go into FOLDER.",
        ),
    ] = None,
) -> None:
    """Merge ledgers of shards into one row per point; it is an error if two rows of one point differ."""
    from ...ledger import merge as merge_files

    for one in (folder, *(others or ())):
        if not one.is_dir():
            raise ParameterError(f"{one}: expected the folder of a sweep, found no folder")
    found = merge_files(folder, others or ())
    print_note(*found.notes)
    if not found.files:
        raise ParameterError(f"{folder}: expected a folder with the ledger of a sweep, found no ledger")
    found.check_agreement()
    print_text(f"{len(found.places):,} rows of {len(found.files)} files merged into {folder}/study.ledger")


def verify(
    folder: FolderArgument,
    rows: Annotated[int, typer.Option(help="Number of rows to simulate again.", min=1)] = 50,
    seed: Annotated[int, SEED(" that choose the rows")] = 1,
    workers: options.WorkersOption = None,
) -> None:
    """Simulate the points of some rows again; exit status 1 if any figure differs in one bit."""
    from ...exploration.verification import verify as verify_rows

    with counted_progress("Running again", rows, "points") as report:
        found = verify_rows(folder, rows, seed, workers, report.both)
    print_note(*found.notes)
    if found.differences:
        print_text("\n".join(found.differences))
        raise TraceError(f"{folder}: {len(found.differences)} figures of {found.rows} rows differ if rerun")
    print_text(f"{found.rows} of {found.of_how_many:,} rows run again: all identical bit for bit")


def draw(
    folder: FolderArgument,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the plots. \\[default: the folder of the sweep]")
    ] = None,
) -> None:
    """Draw the mean response time over the parameter with the most values: an offline page, PNG and SVG."""
    from ...exploration.sweeping import drawn_study, read_sweep

    found = read_sweep(folder, drawn_study(folder))
    _claim(found.contents)
    print_note(*found.notes)
    found.contents.check_agreement()
    print_text(f"Written: {listed(write_plots(found.write_plots, out or folder))}")


def write_table(
    folder: FolderArgument,
    out: Annotated[
        Path | None,
        typer.Option(
            help="File to write, .parquet, .csv or .json. \\[default: table.parquet and table.csv in FOLDER]"
        ),
    ] = None,
) -> None:
    """Write the rows of a sweep as one table; equal points give equal bytes, on any machine."""
    from ...exploration import ledger_table
    from ...ledger import Contents

    contents = Contents.of([folder])
    print_note(*contents.notes)
    contents.check_sweep(folder)
    contents.check_agreement()
    _claim(contents)
    targets = [folder / "table.parquet", folder / "table.csv"] if out is None else [out]
    with progress("Writing", len(targets)) as report:
        for at, target in enumerate(targets, 1):
            rows = ledger_table.write(contents, target)
            report(at)
    print_text(f"{rows:,} rows: {', '.join(map(str, targets))}")


def _claim(contents: "Contents") -> None:
    """Register the ledgers, traces and device files of a study as read, so that no output replaces them."""
    from ...common.command_files import claim_read
    from ...common.output_files import can_be_read_again

    for name in (*map(str, contents.files), *filter(can_be_read_again, contents.texts())):
        claim_read(name)


app = App(
    name="sweep",
    cls=Group,
    help="Simulate all combinations of devices, parameters, workloads and policies; keep finished points.",
    epilog="'sledsim study sweep demo --over settle_ms=0.1:0.4:0.1 --out study' is short for 'sledsim study "
    "sweep run demo ...'",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run(
    *,
    workloads: WorkloadsArgument,
    asked: Asked,
    out: Annotated[
        Path | None, options.of_output(help="Folder that keeps the rows; the same command resumes there.")
    ] = None,
    place: Place,
    as_json: options.JsonOption = False,
) -> None:
    """Simulate all combinations that have no row yet; store each row as soon as the run ends.

    After a stop, the same command resumes. Another study in the same folder takes over the rows of equal
    points. The row of a failed point states its error.
    """
    from ...exploration.shards import Shard
    from ...exploration.sweeping import run_study

    study = asked.study(workloads)
    if out is None:
        raise ParameterError("--out: expected a folder for the rows, found no --out")
    if place.slurm is not None:
        _print_script(place, out)
        return
    _note(study)
    points = Shard.of(place.shard).numbers(len(study))
    with kept_in(out), counted_progress("Simulating", len(points), "points") as report:
        found = run_study(study, out, progress=report.both, **place.arguments())
    _show(found, as_json)


def _print_script(place: Place, out: Path) -> None:
    from ...common.output_files import make_folder
    from ...exploration.slurm import script

    if place.shard is not None:
        raise ParameterError("--shard: does not go with --slurm, whose tasks are the shards")
    assert place.slurm is not None
    words = _without(["sledsim", *sys.argv[1:]], "--slurm", "--workers")
    text = script(words, place.slurm, str(out), place.workers)
    make_folder(out)
    print(text, end="")


def _without(words: list[str], *options: str) -> list[str]:
    """Return the words of a command line without the named options and their values."""
    found, rest = [], iter(words)
    for word in rest:
        if word in options:
            next(rest, None)
        elif not word.startswith(tuple(f"{option}=" for option in options)):
            found.append(word)
    return found


def _note(study: "Study") -> None:
    """Print notes on traces, and one if options for repeated runs have no effect on a trace."""
    read = [(requests.name, requests.trace) for requests in study.workloads if requests.trace is not None]
    print_note(*(f"{name}: {note}" for name, trace in read for note in trace.notes))
    traces = [requests.name for requests in study.workloads if not requests.is_drawn]
    if traces and (study.precision is not None or study.count is not None or study.replications != 5):
        print_note(
            f"{', '.join(traces)}: --replications, --count and --precision are ignored: they need random "
            "workloads. A trace runs once per point, and its intervals come from batches of its requests"
        )


def _show(found: "Sweep", as_json: bool) -> None:
    counts = found.counts()
    if as_json:
        about = {"folder": str(found.folder), "points": len(found), "done": found.done, "status": counts}
        print_json(
            {**about, "not_precise": found.imprecise, "reasons": found.reasons(), "doubts": found.doubts()}
        )
        print_note(*found.notes)
    else:
        print_result(found)
        print_text(f"All rows as Parquet and CSV: sledsim study sweep table {shlex.quote(str(found.folder))}")
    if counts.get("failed", 0) == found.done > 0:
        raise TraceError(f"all {found.done:,} points failed: {next(iter(found.reasons()))}")


_COMMANDS: dict[str, Callable[..., None]] = {
    Group.default: run,
    "status": status,
    "merge": merge,
    "verify": verify,
    "table": write_table,
    "plot": draw,
}
for _name, _command in _COMMANDS.items():
    app.command(_name)(spread(_command))
