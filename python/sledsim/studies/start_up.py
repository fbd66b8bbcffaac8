"""Time until many devices are ready, from rest to the first access, against disks (001-F28, 001-C18)."""

from typing import Any

from ..charts.grammar import alt, colour, lines, log_axis, plot, unfolded
from ..common import units
from ..model.devices import Device
from . import sheet_options as options
from .drawing import titled
from .sheet import defined
from .tables import Table, from_rows, origin

#: Place in x and y where a sled rests: the centre, where its springs hold it.
_CENTRE_M = 0.0


def start_up(
    device: Device,
    devices: options.Several[int] = (1, 2, 5, 10, 20, 50, 100),
    disk_start_s: float = 20.0,
    disks_at_once: int = 1,
) -> Table:
    """Compute the time from power-on, when sleds rest in the centre, until all devices can read and write.

    All sleds start at once. The motors of disks take most current while they spin up, so that disks start one
    after the other, or a few at a time (001 section 6.3).

    Args:
        device: Any device of the kind mems.
        devices (from 1): Numbers of devices to start.
        disk_start_s (above 0): Time from rest until a single disk can be used; it is an assumption, 15 to 25
            s in paper 001.
        disks_at_once (from 1): Largest number of disks that spin up at the same time.

    Returns:
        devices (number of devices), start_s (time until the tips can read in the centre: the sled reaches its
        velocity in y and settles in x), first_access_s (time until the tips can read at the farthest place in
        x), disks_s (start-up time of the same number of disks), disks_together_s (start-up time of disks that
        all start at once).

    Raises:
        ParameterError: An option is wrong.
    """
    disk_s = options.number("disk_start_s", disk_start_s, above=True)
    at_once = options.whole_number("disks_at_once", disks_at_once, 1)
    settle_s = float(device.characteristics()["settle_s"])
    # A turnaround goes from one direction to the other: half of it starts from rest.
    speed_s = float(device.turnaround_s(_CENTRE_M, 1)) / 2
    furthest_m = device.parameters["stroke_x_nm"] * 0.5e-9
    centre_s = max(speed_s, settle_s)
    edge_s = max(speed_s, float(device.seek_x_s(_CENTRE_M, furthest_m)))
    rows = []
    for count in options.whole_numbers("devices", devices, 1):
        sleds = {"start_s": centre_s, "first_access_s": edge_s}
        disks = {"disks_s": -(-count // at_once) * disk_s, "disks_together_s": disk_s}
        rows.append({"devices": count, **sleds, **disks})
    return from_rows(rows)


def chart(table: Table) -> Any:
    """Draw the time until all devices have started, over the number of devices."""
    about = origin(table)["options"]
    at_once = about["disks_at_once"]
    meanings = {
        "start_s": "sleds, in the centre",
        "first_access_s": "sleds, furthest in x",
        "disks_together_s": "all at once",
        "disks_s": "one after the other" if at_once == 1 else f"{at_once} at a time",
    }
    # The names of lines begin with the headings of the table's columns.
    names = {key: f"{units.label(key)}: {text}" for key, text in meanings.items()}
    rows = unfolded(table.to_pylist(), names, "which", "seconds")
    base = plot(
        rows,
        x=alt.X("devices:Q", title="Devices that start"),
        y=log_axis(alt.Y, rows, "seconds", "Until all have started (s, log scale)"),
        color=colour("which", "Devices", list(names.values())),
        tooltip=["which:N", "devices:Q", "seconds:Q"],
    )
    subtitle = (
        f"The start of a disk, {about['disk_start_s']:g} s, is an input."
        " Sleds start all at once, regardless of their number."
    )
    return titled(lines(base).properties(width=480, height=300), table, "Starting devices", subtitle)


ROW = defined(start_up, chart)
