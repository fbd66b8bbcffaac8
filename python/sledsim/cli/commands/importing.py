"""``sledsim import``: convert device files of other simulators."""

import dataclasses
import os
import shlex
import sys
from collections.abc import Mapping
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..._native import ParameterError
from ...common.grids import Grid
from ...common.output_files import STANDARD_OUTPUT
from ..command_options import JsonOption
from ..completion import completing
from ..output import print_json, print_note, print_table, table
from ..shell import App

if TYPE_CHECKING:
    from ...model.disksim import ImportedDisk, Unkeyed

app = App(
    name="import",
    help="Convert files of other simulators into device files.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def _with_names() -> None:
    """Convert files of other simulators into device files."""


def _complete_disk(context: typer.Context, incomplete: str) -> list[str]:
    from ...model.disksim import disk_names

    # An incomplete option would stop the parser before the words on its left.
    for file in (context.params.get("file"), *context.args):
        with suppress(ParameterError, OSError):
            return [name for name in disk_names(file or "") if name.startswith(incomplete)]
    return []


def _capacities() -> Mapping[str, str]:
    from ...model.disksim import CAPACITIES

    return CAPACITIES


@app.command()
def disksim(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE.parv", help="Parameter file of DiskSim 3.0 or 4.0, or .diskspecs file."),
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="NAME.toml",
            help="Device file to write; '-' is standard output. \\[default: FILE.toml in the current folder; "
            "an existing file is an error]",
        ),
    ] = None,
    disk: Annotated[
        str | None,
        typer.Option(help="Name of the drive, if the file has more than one.", autocompletion=_complete_disk),
    ] = None,
    capacity: Annotated[
        str,
        typer.Option(
            help="Source of the device's capacity: 'file' (the number of sectors that the file states) or "
            "'zones' (the sum of the sectors of all zones).",
            autocompletion=completing(_capacities),
        ),
    ] = "file",
    every: Annotated[
        bool, typer.Option("--all", help="List parameters without effect one by one, not by reason.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Convert a DiskSim disk drive into a device file, and list the parameters that it cannot hold."""
    from ...model.disksim import import_disksim

    target = _target(file, out)
    if as_json and target == STANDARD_OUTPUT:
        raise ParameterError(
            "--json: expected --out to name a file, since JSON goes to standard output, found --out -"
        )
    found = import_disksim(file, disk, capacity)
    if target == STANDARD_OUTPUT:
        sys.stdout.write(found.text())
    else:
        found.write(target)
        if as_json:
            print_json(_as_json(found, target))
        else:
            _print(found, every)
    print_note(*found.notes)
    if target != STANDARD_OUTPUT:
        _print_next(found, target)


def _target(file: Path, out: str | None) -> str:
    """Return the device file to write; an existing file is replaced only if the user named it by ``--out``.

    Raises:
        ParameterError: ``--out`` is not given, and a file with the default name exists.
    """
    if out is not None:
        return out
    name = f"{file.stem}.toml"
    if Path(name).exists():
        raise ParameterError(f"{name} exists already; to replace it, add --out {name}")
    return name


def _as_json(found: "ImportedDisk", target: str) -> dict[str, object]:
    return {
        "written": target,
        "drive": found.name,
        "parameters": found.parameters,
        "sources": found.sources,
        "kinds": found.kinds,
        "unkeyed": [dataclasses.asdict(row) for row in found.unkeyed],
        "notes": list(found.notes),
    }


def _print(found: "ImportedDisk", every: bool) -> None:
    from ...model.disksim import AROUND, HARMLESS, MATTERS

    for effect, shorter in ((MATTERS, _parameters), (HARMLESS, _reasons), (AROUND, _blocks)):
        rows = [row for row in found.unkeyed if row.effect == effect]
        made = _parameters(found, rows) if every else shorter(found, rows)
        print_table(f"Parameters without a key in sledsim, {effect}: {len(rows)}", made if rows else None)


def _parameters(found: "ImportedDisk", rows: list["Unkeyed"]) -> Grid:
    texts = ((_label(found, row), row.value, row.place, row.why) for row in rows)
    return table("Parameter", "Value", "At", "Here", rows=texts)


def _reasons(found: "ImportedDisk", rows: list["Unkeyed"]) -> Grid:
    made = table("Here", "Parameters")
    for why in dict.fromkeys(row.why for row in rows):
        given = (f"{_label(found, row)} = {row.value}" for row in rows if row.why == why)
        made.add_row(why, ", ".join(given))
    return made


def _blocks(_: "ImportedDisk", rows: list["Unkeyed"]) -> Grid:
    made = table("Block", ">Parameters", "From", "Here")
    for (block, why), of_block in groupby(rows, lambda row: (row.block, row.why)):
        inside = list(of_block)
        made.add_row(block, str(len(inside)), inside[0].place, why)
    return made


def _label(found: "ImportedDisk", row: "Unkeyed") -> str:
    """Return the name of a DiskSim parameter, after the name of its block unless the block is the drive's."""
    block = row.block.partition(" ")[2]
    return row.name if block in ("", found.name) else f"{block}: {row.name}"


def _print_next(found: "ImportedDisk", target: str) -> None:
    # A name without a folder and without .toml would mean a built-in device.
    name = target if os.sep in target or ".toml" in target else f"{os.curdir}{os.sep}{target}"
    print_note(
        f"written to {target}: {len(found.parameters)} parameters of {found.name}, each with its source",
        f"next: sledsim show {shlex.quote(name)}",
        f"      sledsim study validate TRACE --device {shlex.quote(name)}   (TRACE has response times)",
    )


COMMANDS = {"import": app}
