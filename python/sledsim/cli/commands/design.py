"""``sledsim study design``: find the best data format of a device for a workload."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from ...common.deprecation import notice
from .. import command_options as options
from ..interruption import kept_in
from ..output import print_json, print_note, print_result, write_result
from ..terminal import progress

if TYPE_CHECKING:
    from ...exploration.design import FormatSpace, Space


SpaceOption = Annotated[
    Path | None,
    typer.Option(
        help="TOML file that states the device, a table \\[format] of probes, sectors, sector_bytes with the "
        "values to try, and \\[parameters]. \\[default: 175 formats of the EMSOFT 2008 study]"
    ),
]
DeviceOption = Annotated[
    str | None,
    options.of_named_device(
        help="Device whose data format is varied: a built-in device or a device file. \\[default: the device "
        "of --space, or emsoft08]"
    ),
]
FilesOption = Annotated[
    Path | None,
    typer.Option(
        help="Text file with file sizes in bytes, one per line (find -type f -printf '%s\\n'): what each of "
        "these files leaves unused in its last sector is subtracted from the capacity."
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option(
        help="Folder for the table and the plots. It also keeps each finished design, so that the same "
        "command resumes there."
    ),
]
ResumeOption = Annotated[bool, typer.Option("--resume", hidden=True)]


@dataclass(frozen=True)
class Wrapping(options.Scaled):
    """Group of options: how to read a trace, and how to replay it on devices that differ in capacity."""

    usual: ClassVar[str] = "wrap"
    past_end: options.WrappingOption = None


@dataclass(frozen=True)
class Formats:
    """Group of options: the data formats to try, and the device that gets them."""

    space: SpaceOption = None
    device_name: DeviceOption = None
    settings: options.SetOption = None
    files: FilesOption = None

    def asked(self) -> "Space":
        """Return the data formats to try, together with the device that gets them.

        Raises:
            ParameterError, OSError: A setting is wrong, or the file of ``--space`` is wrong or not readable.
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
    """Simulate a workload under every data format of a device, and recommend one of the formats.

    A data format is the number of active tips, the number of sectors read in parallel, and the sector size.
    By default the policy is FCFS and addresses past the end wrap, so that all formats serve equal requests.
    """
    from ...common.output_files import check_folder
    from ...exploration.design import format_space, read_file_sizes
    from ...exploration.subjects import Requests, Subject
    from ..replaying import varying_rule
    from ..workloads import load_trace

    if resume:
        print_note(notice("--resume of 'sledsim design'"))
    asked = formats.asked()
    file_bytes = None if formats.files is None else read_file_sizes(formats.files)
    if out is not None:
        for name in ("designs", "trade-offs"):
            check_folder(out, name)
    kept: dict[str, Any] = {"file_bytes": file_bytes, "folder": out, "workers": workers}
    with kept_in(out):
        trace = load_trace(workload, asked.device, how)
        rule = varying_rule([Subject.of(asked.device)], [Requests.of(trace)], how)
        with progress("Simulating", len(asked)) as report:
            found = format_space(
                trace, asked, scheduler, how.scale, rule, how.replay, progress=report, **kept
            )
    if as_json:
        print_note(*found.notes)
        print_json(_as_json(found))
    else:
        print_result(found)
    write_result(found, out)


def _as_json(found: "FormatSpace") -> dict[str, Any]:
    return {
        "device": found.device,
        "workload": found.workload,
        "scheduler": found.scheduler,
        "designs": len(found),
        "feasible": sum(found.table["feasible"].to_pylist()),
        "picks": found.picks(),
        "recommendation": found.recommendation(),
        "front": found.front,
    }
