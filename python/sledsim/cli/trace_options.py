"""The options that the commands on traces share."""

from typing import Annotated

import typer

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
