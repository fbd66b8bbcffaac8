"""``sledsim study``: studies over many devices, policies and loads, and tables of one bare device."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...common.error_places import unknown
from ..command_options import (
    DeviceOption,
    JsonOption,
    SetOption,
    StudyArgument,
    StudyOptions,
    parse_settings,
    parse_values,
)
from ..output import (
    explained,
    plain_options,
    print_json,
    print_note,
    print_result,
    print_table,
    print_text,
    table,
    write_result,
)
from ..shell import App, Command, Group
from ..terminal import progress
from . import bounds, design, holds, optimise, sensitivity, sweep, validate

if TYPE_CHECKING:
    from ...studies import Definition
    from ...studies.sheet_options import Option


def _sheets() -> dict[str, str]:
    from ...studies import STUDIES

    return {row.name: row.description for row in STUDIES}


def _sheet(name: str) -> str | None:
    """Return the description of a table of one device; for a built-in table, load no installed package."""
    from ...studies.registry import BUILT_IN

    return next((row.description for row in BUILT_IN if row.name == name), None) or _sheets().get(name)


class StudyGroup(Group):
    """The group of studies, whose help also lists each table of one device, such as ``seek-map``."""

    default = "sheet"
    may_be_empty = True

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of the studies and of the tables of one device."""
        return [*QUESTIONS, self.default, *_sheets()]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command of a study, or one that only has the help of a table of one device."""
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        text = _sheet(cmd_name)
        return text and Command(cmd_name, help=text, rich_help_panel="Tables of one device without a queue")


#: Functions of the studies by name; each is also a command of the program, such as ``sledsim sweep``.
QUESTIONS: dict[str, Callable[..., None] | App] = {
    "sweep": sweep.app,
    "design": design.design,
    "optimise": optimise.optimise,
    "holds": holds.holds,
    "sensitivity": sensitivity.sensitivity,
    "bounds": bounds.bounds,
    "validate": validate.validate,
}
app = App(
    name="study",
    cls=StudyGroup,
    help="Run a study over many devices, policies and loads, or print a table of figures of one device.",
    epilog="'sledsim study seek-map --device osdi00' is short for 'sledsim study sheet seek-map ...'",
    context_settings={"help_option_names": ["-h", "--help"]},
)
_PANEL = "Studies of many runs"


def sheet(
    name: StudyArgument = None,
    device_name: DeviceOption = "osdi00",
    settings: SetOption = None,
    options: StudyOptions = None,
    out: Annotated[Path | None, typer.Option(help="Folder for the table and the plots.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Print a table of one device without simulating requests, such as seek times, and draw its chart.

    Without a name, the command lists the tables.
    """
    if name is None:
        list_sheets(None, as_json, "sledsim list studies")
        return
    from ...common import packages
    from ...model.typed import device
    from ...studies import check_folder, find, run

    if _sheet(name) is None:
        if packages.added("study", name) is not None:
            find(name)  # Raises the error of the package that has the sheet.
        raise unknown("study", name, [*_sheets(), *QUESTIONS])

    given = parse_values("--option", options)
    model = device(device_name, **parse_settings(settings))
    if out is not None:
        check_folder(out, name)
    with progress("Computing", 100) as report:
        made = run(name, model, progress=report, **given)
    if as_json:
        print_json({**made.origin, "rows": made.table.to_pylist()})
        print_note(*made.notes)
    else:
        print_result(made)
    write_result(made, out)


def list_sheets(name: str | None, as_json: bool, typed: str) -> None:
    """List the tables of one device with their options, or explain the options of one table.

    Args:
        name: The name of the table; None lists all tables.
        as_json: True to print JSON.
        typed: Beginning of the command that explains a table, without the table's name; hints repeat it.
    """
    from ...studies import STUDIES, described, find

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
    print_table(None, table("Study", "Contents", "Options", rows=studied))
    print_text(f"To explain options and units: {typed} NAME")


def _as_json(row: "Definition", options: "list[Option]") -> dict[str, Any]:
    about = {"name": row.name, "description": row.description, "source": row.source}
    return {**about, "options": plain_options(options, "unit", "default", "range")}


for _name, _question in QUESTIONS.items():
    app.add(_name, _question, _PANEL)
app.add(StudyGroup.default, sheet, _PANEL)
COMMANDS = {"study": app}
