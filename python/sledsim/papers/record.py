"""``python -m sledsim.papers.record FOLDER``: keep findings on real traces for users without the traces."""

from pathlib import Path
from typing import Annotated

import typer

from . import EXPERIMENTS, experiment
from .book.recordings import record, write


def main(
    folder: Annotated[Path, typer.Argument(help="Folder of the real traces; see docs/background/papers.md.")],
    names: Annotated[
        list[str] | None, typer.Argument(help="Ids of experiments. \\[default: all that use traces]")
    ] = None,
) -> None:
    """Run experiments on the real traces in a folder, and write their findings into the package."""
    chosen = [experiment(name) for name in names] if names else [row for row in EXPERIMENTS if row.needs]
    for row in chosen:
        found = record(row, folder)
        # An experiment that uses traces only for tables has no findings to record.
        typer.echo(write(found) if found.groups else f"{row.id}: no claim depends on the traces")


if __name__ == "__main__":
    typer.run(main)
