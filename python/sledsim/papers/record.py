"""``python -m sledsim.papers.record FOLDER``: record what real traces show, for those who have none."""

from pathlib import Path
from typing import Annotated

import typer

from . import EXPERIMENTS, experiment
from .book.recordings import record, write


def main(
    folder: Annotated[Path, typer.Argument(help="The real traces: see docs/background/papers.md.")],
    names: Annotated[list[str] | None, typer.Argument(help="Experiments; all that use traces.")] = None,
) -> None:
    """Run experiments on real traces, and write what they find into the package."""
    chosen = [experiment(name) for name in names] if names else [row for row in EXPERIMENTS if row.needs]
    for row in chosen:
        found = record(row, folder)
        # One that only tables what it finds on traces has nothing to be judged with.
        typer.echo(write(found) if found.groups else f"{row.id}: no claim hangs on the traces")


if __name__ == "__main__":
    typer.run(main)
