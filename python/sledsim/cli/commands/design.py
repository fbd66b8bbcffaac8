"""``sledsim study design``: which format for a workload."""

from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from ...common.deprecation import notice
from ...common.units import number
from .. import options
from ..interruption import kept_in
from ..output import console, print_json, print_note, print_table, print_text, table, write_result
from ..progress import progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from ...exploration.design import FormatSpace, Space

#: Designs of the front that are printed.
_SHOWN = 20

SpaceOption = Annotated[
    Path | None,
    typer.Option(
        help="A TOML file: device, \\[format] probes, sectors and sector_bytes, \\[parameters]; "
        "without it 175 formats, as in the EMSOFT 2008 study."
    ),
]
DeviceOption = Annotated[
    str | None,
    options.of_named_device(
        help="The device whose formats are tried, a built-in one or a file; if not given that of --space, "
        "or emsoft08.",
    ),
]
FilesOption = Annotated[
    Path | None,
    typer.Option(
        help="Sizes of files in bytes, one a line, as find -type f -printf '%s\\n' prints them: what they "
        "leave of their last sectors counts against the capacity."
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        help="The folder for the table and the plots. It keeps each design as soon as it is simulated: the "
        "same command goes on where it was stopped."
    ),
]
ResumeOption = Annotated[bool, typer.Option("--resume", hidden=True)]


@dataclass(frozen=True)
class Wrapping(options.Scaled):
    """How a trace is read and replayed on designs, which differ in what they hold: a group of options."""

    usual: ClassVar[str] = "wrap"
    past_end: options.WrappingOption = None


@dataclass(frozen=True)
class Formats:
    """Which formats of which device are tried: a group of options."""

    space: SpaceOption = None
    device_name: DeviceOption = None
    settings: options.SetOption = None
    files: FilesOption = None

    def asked(self) -> "Space":
        """The formats.

        Raises:
            ParameterError, OSError: As `read_space`, or a setting is wrong.
        """
        from ...exploration.design import Space, read_space
        from ...exploration.design.space import DEVICE
        from ...model.typed import device, imported

        if self.space is None:
            found = Space(device(self.device_name or DEVICE))
        else:
            found = read_space(self.space, imported(self.device_name))
        if not self.settings:
            return found
        changed = found.device.with_parameters(**options.parse_settings(self.settings))
        return Space(changed, found.probes, found.sectors, found.sector_bytes, found.parameters)


def design(
    *,
    workload: options.TraceArgument,
    formats: Formats,
    scheduler: options.InOrderOption = "fcfs",
    how: Wrapping,
    out: OutOption = None,
    resume: ResumeOption = False,
    workers: options.WorkersOption = None,
    as_json: options.JsonOption = False,
) -> None:
    """Try every data format of a device with a workload, and recommend one.

    A format is how many probes are active, how many sectors they hold side by side, and how large each is.
    Unless given, the policy is FCFS and addresses past the end wrap: each format serves the same requests.
    """
    from ...common.files import check_folder
    from ...exploration.design import format_space, read_file_sizes
    from ...exploration.subjects import Requests, Subject
    from ..running import varying_rule
    from ..workloads import load_trace

    if resume:
        print_note(notice("--resume of 'sledsim design'"))
    asked = formats.asked()
    file_bytes = None if formats.files is None else read_file_sizes(formats.files)
    if out is not None:
        for name in ("designs", "trade-offs"):
            check_folder(out, name)
    trace = load_trace(workload, asked.device, how)
    rule = varying_rule([Subject.of(asked.device)], [Requests.of(trace)], how)
    kept: dict[str, Any] = {"file_bytes": file_bytes, "folder": out, "workers": workers}
    with kept_in(out), progress("Simulating", len(asked)) as report:
        found = format_space(trace, asked, scheduler, how.scale, rule, how.replay, progress=report, **kept)
    print_note(*found.notes)
    if as_json:
        print_json(_as_json(found))
    else:
        _print(found)
    write_result(found, out)


def _picks(found: "FormatSpace") -> dict[str, dict[str, Any]]:
    return {
        "least energy": found.best("energy"),
        "least response": found.best("performance"),
        "most capacity": found.best("capacity"),
        "recommended": found.recommended,
    }


def _as_json(found: "FormatSpace") -> dict[str, Any]:
    return {
        "device": found.device,
        "workload": found.workload,
        "scheduler": found.scheduler,
        "designs": len(found),
        "feasible": sum(found.table["feasible"].to_pylist()),
        "picks": _picks(found),
        "recommendation": found.recommendation(),
        "front": found.front,
    }


def _print(found: "FormatSpace") -> None:
    feasible = f"{sum(found.table['feasible'].to_pylist())} of {len(found)} designs are feasible"
    title = f"{found.workload} on {found.device}, {found.scheduler}: {feasible}"
    print_table(title, _listing(found, list(_picks(found).items())))
    alike = _alike(found.front)
    shown = alike[:_SHOWN]
    as_one = ", those as one that are alike in all three" if len(alike) < len(found.front) else ""
    print_table(
        f"On the front ({len(found.front)}, none of which another beats{as_one})",
        _listing(found, [("", rows[0]) for rows in shown], [len(rows) for rows in shown] if as_one else ()),
    )
    if len(shown) < len(alike):
        console().print(f"... and {len(alike) - len(shown)} more: --out DIR writes them all.\n")
    print_text(found.recommendation())


def _alike(front: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The designs that are the same in response, energy and capacity together, the fastest first."""
    from ...common.ranking import groups, ordered

    rows = ordered(front, itemgetter("mean_response_s"))
    return groups(rows, *map(itemgetter, ("mean_response_s", "energy_j", "usable_bytes")))


def _listing(
    found: "FormatSpace", rows: list[tuple[str, dict[str, Any]]], alike: "Sequence[int]" = ()
) -> "Table":
    """A row a design, with its pick if there is one, and how many are alike where that is told."""
    from ...exploration.design.result import setting

    varied = found.varied
    capacity = ">GiB usable for these files" if found.is_for_files else ">Capacity GiB"
    headings = (">Probes", ">Sectors", ">Sector KiB", ">Response ms", ">Energy J", capacity)
    named = any(name for name, _ in rows)
    made = table(
        *(["Pick"] if named else []), *headings[:3], *varied, *headings[3:], *([">Alike"] if alike else [])
    )
    for at, (name, row) in enumerate(rows):
        cells = (
            f"{row['probes']}",
            f"{row['sectors']}",
            f"{row['sector_bytes'] / 1024:g}",
            *(setting(row[key]) for key in varied),
            number(row["mean_response_s"] * 1e3),
            number(row["energy_j"]),
            f"{row['usable_bytes'] / 2**30:.3f}",
            *([f"{alike[at]}"] if alike else []),
        )
        made.add_row(*([name] if named else []), *cells)
    return made
