"""Times of characteristic motions of a sled: seeks and turnarounds in the centre and at the edges."""

from dataclasses import dataclass

from .. import _native
from .devices import Device


@dataclass(frozen=True)
class Motion:
    """A characteristic motion of the sled, such as a seek over the whole stroke.

    Attributes:
        name: Name of the motion.
        time_s: Duration in seconds.
        meaning: Description of the motion.
    """

    name: str
    time_s: float
    meaning: str


def motions(device: Device) -> list[Motion]:
    """Return characteristic motions of a sled with their times; seeks in x include settling.

    Raises:
        ParameterError: The device has no sled.
    """
    if device.kind != "mems":
        raise _native.ParameterError(
            f"{device.name}: expected a device with a sled (kind mems), found the kind {device.kind}"
        )
    x_m, y_m = (device.parameters[f"stroke_{axis}_nm"] * 0.5e-9 for axis in "xy")
    bit_m = device.parameters["bit_width_nm"] * 1e-9
    found = [
        Motion(
            "full stroke in x",
            float(device.seek_x_s(-x_m, x_m)),
            "Seek from edge to edge, from rest to rest, with settling",
        ),
        Motion(
            "one cylinder, centre",
            float(device.seek_x_s(0, bit_m)),
            "Seek to the next cylinder in the middle of the stroke, with settling",
        ),
        Motion(
            "one cylinder, edge",
            float(device.seek_x_s(x_m - bit_m, x_m)),
            "Seek outwards to the last cylinder, with settling",
        ),
        Motion(
            "full stroke in y, no turnaround",
            float(device.seek_y_s(-y_m, 1, y_m, 1)),
            "Motion from edge to edge, at access velocity and in the same direction at start and end",
        ),
        Motion(
            "turnaround, centre",
            float(device.turnaround_s(0, 1)),
            "Reversal of the access velocity at the same place",
        ),
        Motion(
            "turnaround, edge, moving out",
            float(device.turnaround_s(y_m, 1)),
            "Turnaround at the edge where springs help to stop the sled",
        ),
        Motion(
            "turnaround, edge, moving in",
            float(device.turnaround_s(-y_m, 1)),
            "Turnaround at the edge where springs hinder stopping the sled",
        ),
    ]
    for mode, how in (("bidirectional", "either way"), ("parity", "one way a column")):
        same = mode == device.parameters["access_mode"]
        moved = device if same else device.with_parameters(access_mode=mode)
        found.append(
            Motion(
                f"mean random seek, {mode}",
                moved.characteristics()["mean_seek_s"],
                f"Mean time between random cylinders and rows, accessed {how}",
            )
        )
    return found
