"""The options that say what requests go to: a device or a volume."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from .. import _native
from .completion import complete_device, complete_volume, volume_names
from .options import of_device, parse_settings

if TYPE_CHECKING:
    from ..model.systems import Target

#: The device where neither device nor volume is given.
DEVICE = "osdi00"
#: The role of a volume that a device on the command line takes.
ROLE = "device"
#: The key of a volume that says the policy of its devices.
_SCHEDULER = "scheduler"


VolumeOption = Annotated[
    str | None,
    of_device(
        "--volume",
        "-V",
        help="Several devices as one: a kind of volume with its options, such as 'raid5:devices=5' "
        "('sledsim volumes' lists them), or a file.",
        autocompletion=complete_volume,
    ),
]
OptionalDeviceOption = Annotated[
    str | None,
    of_device(
        "--device",
        "-d",
        help=f"A built-in device or a file; {DEVICE} if not given. With --volume: the device that "
        "the volume is built of.",
        autocompletion=complete_device,
    ),
]


FaultsOption = Annotated[
    Path | None,
    of_device(
        help="A plan of what breaks (TOML), for the device, or for each device of a volume: "
        "docs/how-to/faults.md has the keys.",
    ),
]


def target(
    device_name: str | None,
    volume_name: str | None,
    settings: list[str] | None,
    scheduler: str | None,
    faults: Path | None = None,
) -> "Target":
    """The device or the volume that the options name, with what ``--set`` changes and a plan of faults.

    Raises:
        ParameterError: A name, key or value is wrong, a device is given for a volume without that role, or
            a policy is given twice.
    """
    from ..model.devices import device
    from ..model.faults import with_faults
    from ..model.systems import volume, volume_roles

    changes = parse_settings(settings)
    if volume_name is None:
        model = device(DEVICE if device_name is None else device_name, **changes)
        return model if faults is None else with_faults(model, faults)
    kind = volume_name.partition(":")[0]
    roles = volume_roles(kind) if kind in volume_names() else {}
    if device_name is not None:
        if roles and ROLE not in roles:
            ways = " or ".join(f"--set {role}={device_name}" for role in roles)
            raise _native.ParameterError(
                f"--device {device_name}: the volume {kind} has several kinds of members: expected {ways}"
            )
        changes = {ROLE: device_name, **changes}
    if faults is not None:
        if kind not in volume_names():
            raise _native.ParameterError(
                f"--faults {faults}: the volume is described by a file: expected there, for a device,"
                f' faults = "{faults}"'
            )
        changes |= {f"{role}.faults": str(faults) for role in roles}
    if scheduler is not None:
        if _SCHEDULER in changes:
            raise _native.ParameterError(
                f"--set {_SCHEDULER}={changes[_SCHEDULER]}: expected one policy of the volume, found two:"
                f" {scheduler} is given, too"
            )
        changes = {_SCHEDULER: scheduler, **changes}
    return volume(volume_name, **changes)
