"""``sledsim sweep status``, ``merge``, ``verify`` and ``table``: what is done with what a sweep has kept."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import _native
from . import options
from .output import listed, print_json, print_note, print_table, print_text
from .plotting import write_plots
from .progress import counted_progress, progress
from .sweep_tables import reasons_table, status_table

if TYPE_CHECKING:
    from ..ledger import Contents

FolderArgument = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of a sweep.")]


def status(folder: FolderArgument, as_json: options.JsonOption = False) -> None:
    """Say how far the sweeps of a folder are, and why points failed."""
    from ..exploration.status import status_of
    from ..ledger import Contents

    contents = Contents.of([folder])
    print_note(*contents.notes)
    contents.check_sweep(folder)
    found = status_of(contents)
    if as_json:
        print_json([one.row() for one in found])
    else:
        print_table(f"Sweeps in {folder}", status_table(found))
        for one in found:
            print_table(None, reasons_table(one.reasons))
    contents.check_agreement()


def merge(
    folder: FolderArgument,
    others: Annotated[
        list[Path] | None, typer.Argument(metavar="OTHER...", help="Further folders, which stay as they are.")
    ] = None,
) -> None:
    """Make one file of what shards have written, each point once; two that disagree are an error."""
    from ..ledger import merge as merge_files

    for one in (folder, *(others or ())):
        if not one.is_dir():
            raise _native.ParameterError(f"{one}: expected the folder of a sweep, found none")
    found = merge_files(folder, others or ())
    print_note(*found.notes)
    if not found.files:
        raise _native.ParameterError(f"{folder}: expected a ledger of a sweep in it, found none")
    found.check_agreement()
    print_text(f"{len(found.places):,} rows of {len(found.files)} files: {folder}/study.ledger")


def verify(
    folder: FolderArgument,
    rows: Annotated[int, typer.Option(help="How many rows are run again.", min=1)] = 50,
    seed: Annotated[int, typer.Option(help="Which ones.")] = 1,
    workers: Annotated[int | None, typer.Option(help="Threads; as many as there are processors.")] = None,
) -> None:
    """Run some rows again, and compare them bit for bit; the exit status is 1 where one differs."""
    from ..exploration.verification import verify as verify_rows

    with counted_progress("Running again", rows, "points") as report:
        found = verify_rows(folder, rows, seed, workers, report.both)
    print_note(*found.notes)
    if found.differences:
        print_text("\n".join(found.differences))
        raise _native.TraceError(f"{folder}: {len(found.differences)} figures of {found.rows} rows differ")
    print_text(f"{found.rows} of {found.of_how_many:,} rows run again: every bit is the same")


def draw(
    folder: FolderArgument,
    out: Annotated[
        Path | None, typer.Option(help="The folder for the plots; that of the sweep if not given.")
    ] = None,
) -> None:
    """Draw mean response times over what has most values, as a page that works offline, PNG and SVG."""
    from ..exploration.sweep import drawn_study, read_sweep

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
            help="A .parquet, .csv or .json file; if not given, table.parquet and table.csv in the folder."
        ),
    ] = None,
) -> None:
    """Write the rows as a table, sorted by key: the same bytes, whoever ran the points and where."""
    from ..exploration import tables
    from ..ledger import Contents

    contents = Contents.of([folder])
    print_note(*contents.notes)
    contents.check_sweep(folder)
    contents.check_agreement()
    _claim(contents)
    targets = [folder / "table.parquet", folder / "table.csv"] if out is None else [out]
    with progress("Writing", len(targets)) as report:
        for at, target in enumerate(targets, 1):
            rows = tables.write(contents, target)
            report(at)
    print_text(f"{rows:,} rows: {', '.join(map(str, targets))}")


def _claim(contents: "Contents") -> None:
    """Keep the ledgers of a folder, and the traces and devices that its studies read."""
    from ..common.claims import claim_read
    from ..common.files import can_be_read_again

    for name in (*map(str, contents.files), *filter(can_be_read_again, contents.texts())):
        claim_read(name)
