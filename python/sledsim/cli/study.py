"""``sledsim study``: sheets of what a bare device can do."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..common import units
from ..common.arrow import pyarrow
from .options import (
    DeviceOption,
    JsonOption,
    SetOption,
    StudyArgument,
    StudyOptions,
    parse_settings,
    parse_values,
)
from .output import explained, listed, plain_options, print_json, print_note, print_table, print_text, table
from .plotting import write_plots
from .progress import progress

if TYPE_CHECKING:
    from ..studies import Definition, Study
    from ..studies.options import Option

#: A longer table is not read: a digest is printed.
_ROWS_PRINTED = 60
#: Rows of a digest that is made of some of the rows.
_ROWS_OF_MANY = 30


def study(
    name: StudyArgument = None,
    device_name: DeviceOption = "osdi00",
    settings: SetOption = None,
    options: StudyOptions = None,
    out: Annotated[Path | None, typer.Option(help="The folder for the table and the plots.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Tables and charts of one device without any queue: seeks, sensitivities, data sheet.

    Without a name, lists the studies.
    """
    if name is None:
        list_sheets(None, as_json, "sledsim list studies")
        return
    from ..model.typed import device
    from ..studies import check_folder, find, run

    given = parse_values("--option", options)
    model = device(device_name, **parse_settings(settings))
    find(name)
    if out is not None:
        check_folder(out, name)
    with progress("Computing", 100) as report:
        made = run(name, model, progress=report, **given)
    if as_json:
        print_json({**made.origin, "rows": made.table.to_pylist()})
    else:
        _print(made, out is not None)
    print_note(*made.notes)
    if out is not None:
        print_note(f"Written: {listed([*made.write_table(out), *write_plots(made.write_plots, out)])}")


def list_sheets(name: str | None, as_json: bool, typed: str) -> None:
    """List the sheets and their options, or explain the options of one.

    Args:
        name: The sheet; None lists all.
        as_json: Print JSON.
        typed: The command that explains one, for a hint.
    """
    from ..studies import STUDIES, described, find

    rows = STUDIES if name is None else (find(name),)
    options = {row.name: described(row.table) for row in rows}
    if as_json:
        print_json([_as_json(row, options[row.name]) for row in rows])
        return
    if name is not None:
        print_table(f"{name}: {rows[0].description}", explained("Option", options[name], "computed"))
        print_text(f"sledsim study {name} -O KEY=VALUE")
        return
    own = {row.name: "\n".join(option.given for option in options[row.name]) for row in rows}
    studied = ((row.name, row.description, own[row.name]) for row in rows)
    print_table(None, table("Study", "What it shows", "Options", rows=studied))
    print_text(f"What the options mean, and in which units: {typed} NAME")


def _as_json(row: "Definition", options: "list[Option]") -> dict[str, Any]:
    about = {"name": row.name, "description": row.description, "source": row.source}
    return {**about, "options": plain_options(options, "unit", "default", "range")}


def _print(made: "Study", is_written: bool) -> None:
    shown, note = _digest(made)
    rows = shown.to_pylist()
    # Where rows are of several quantities, each has its unit beside its value.
    names = [name for name in shown.column_names if name != "unit"]
    numbers = [name for name in names if not any(isinstance(row[name], str) for row in rows)]
    of = units.of_columns({name: [row[name] for row in rows] if name in numbers else [] for name in names})
    headings = {name: units.heading(name, unit) for name, unit in of.items()}
    cells = ([_cell(row, name, of[name]) for name in names] for row in rows)
    filled = table(*headings.values(), numbers=tuple(headings[name] for name in numbers), rows=cells)
    print_table(f"{made.definition.description}: {made.device}", filled)
    if note:
        where = "" if is_written else "; --out DIR writes them, --json prints them"
        print_text(f"{note} of {made.table.num_rows:,} rows{where}.\n")


def _digest(made: "Study") -> "tuple[pyarrow.Table, str]":
    """What is printed of a study, and what it is where it is not the whole table."""
    count = made.table.num_rows
    if count <= _ROWS_PRINTED:
        return made.table, ""
    if made.definition.digest:
        return made.definition.digest(made.table), "Digest"
    spread = sorted({round(at * (count - 1) / (_ROWS_OF_MANY - 1)) for at in range(_ROWS_OF_MANY)})
    return made.table.take(spread), f"{len(spread)}, evenly spread,"


def _cell(row: dict[str, Any], name: str, unit: units.Unit) -> str:
    value = row[name]
    if value is None:
        return ""
    if name == "quantity":
        return units.label(value)
    if name in ("value", "paper"):
        return units.quantity(row["quantity"], value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return unit.number(value) if isinstance(value, int | float) else str(value)
