"""Options that name the devices and volumes to simulate, and the episodes in which they stall or are slow."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from .._native import ParameterError
from ..common.error_places import add_place
from .command_options import (
    OptionalSchedulerOption,
    SetOption,
    of_device,
    of_named_device,
    of_named_volume,
    parse_settings,
)
from .completion import volume_names

if TYPE_CHECKING:
    from ..model.volumes import Target

#: Device that commands simulate if the user names no device.
DEVICE = "osdi00"
#: Name of the role that ``--device`` fills in a volume: every member is then this device.
ROLE = "device"
#: Key of a volume, in ``--set``, that sets the scheduling policy of the members.
_SCHEDULER = "scheduler"


_VOLUME = (
    "A volume of several devices: a kind with its options, such as 'raid5:devices=5' "
    "('sledsim list volumes'), or a volume file"
)
VolumeOption = Annotated[str | None, of_named_volume(help=f"{_VOLUME}.")]
VolumesOption = Annotated[list[str] | None, of_named_volume(help=f"{_VOLUME}; may be given several times.")]
DevicesOption = Annotated[
    list[str] | None,
    of_named_device(
        help="A built-in device or a device file; may be given several times. With --volume: the device of "
        f"every member, if all are equal, as in raid5. \\[default: {DEVICE}, or no device with --volume]"
    ),
]
OptionalDeviceOption = Annotated[
    str | None,
    of_named_device(
        help="A built-in device or a device file; with --volume, the device of each member. "
        f"\\[default: {DEVICE}]"
    ),
]


FaultsOption = Annotated[
    Path | None,
    of_device(
        help="TOML file that states the faults of the device, or of every member of a volume; "
        "docs/how-to/faults.md explains its keys."
    ),
]


@dataclass(frozen=True)
class OneTarget:
    """Group of options that describe one device or volume and its scheduling policy."""

    device_name: OptionalDeviceOption = None
    volume_name: VolumeOption = None
    faults: FaultsOption = None
    scheduler: OptionalSchedulerOption = None
    settings: SetOption = None

    def model(self) -> "Target":
        """Return the device or volume that these options describe; see `target`."""
        return target(self.device_name, self.volume_name, self.settings, self.scheduler, self.faults)

    @property
    def is_any(self) -> bool:
        """True if no option names a device, volume or parameter, so that any device may be taken."""
        named = (self.device_name, self.volume_name, self.faults)
        return not self.settings and all(name is None for name in named)


@dataclass(frozen=True)
class ManyTargets:
    """Group of options that name several devices and volumes."""

    device_names: DevicesOption = None
    volume_names: VolumesOption = None
    settings: SetOption = None

    def models(self, scheduler: str) -> "dict[str, Target]":
        """Return the devices and volumes by name; see `targets`."""
        return targets(self.device_names, self.volume_names, self.settings, scheduler)


_AGAIN = "may be given several times; 'sledsim list episodes' explains the keys."


@dataclass(frozen=True)
class Episodes:
    """Group of options: episodes in which a device starts no request or is slow."""

    stall: Annotated[
        list[str] | None,
        of_device(
            metavar="at=S,ms=MS[,every=S]",
            help="Episode in which the device starts no request: 'at=10,ms=500,every=30' is 500 ms from the "
            f"10th second on, again every 30 s; device=NAME selects a member of a volume; {_AGAIN}",
        ),
    ] = None
    slow: Annotated[
        list[str] | None,
        of_device(
            metavar="at=S,ms=MS,factor=N[,every=S]",
            help="Episode in which the device is slow: 'at=5,ms=2000,factor=4' multiplies the service time "
            f"of each request that starts in it by 4; {_AGAIN}",
        ),
    ] = None

    def on(self, target: "Target") -> "Target":
        """Return the device or volume `target` with these episodes.

        Raises:
            ParameterError: An episode is not valid.
        """
        given = {"stall": self.stall, "slow": self.slow}
        texts = [f"{kind}:{text}" for kind, all_texts in given.items() for text in all_texts or ()]
        if not texts:
            return target
        from ..model.volumes import with_episodes

        return with_episodes(target, texts)


def targets(
    device_names: list[str] | None,
    volume_names_given: list[str] | None,
    settings: list[str] | None,
    scheduler: str,
) -> "dict[str, Target]":
    """Return the devices and volumes to compare, each by the name in the first column of tables.

    A volume whose members are all of one kind is built once of each given device, unless the volume names
    its members itself. Any other volume is one entry, as is each device if no volume is built of it.

    Raises:
        ParameterError: A name is given twice, or `target` raises the error.
    """
    devices, volumes = device_names or [], volume_names_given or []
    for name in devices:
        _check_one(name, "for several devices, use")
    built = [name for name in volumes if devices and _is_built_of_one(name)]
    wanted: list[tuple[str, str | None, str | None]] = []
    if not built:
        wanted += [(name, name, None) for name in devices or ([] if volumes else [DEVICE])]
    for name in volumes:
        if name in built:
            wanted += [(f"{name} of {of}" if len(devices) > 1 else name, of, name) for of in devices]
        else:
            wanted.append((name, None, name))
    found: dict[str, Target] = {}
    for name, device_name, volume_name in wanted:
        if name in found:
            raise ParameterError(f"{name} is given twice: expected it once")
        try:
            made = target(device_name, volume_name, settings, scheduler)
        except ParameterError as error:
            if len(wanted) > 1:
                add_place(error, name)
            raise
        found[name if len(wanted) > 1 else made.name] = made
    return found


def _check_one(device_name: str, several: str) -> None:
    """Refuse names of several devices, separated by commas, in one ``--device``.

    Raises:
        ParameterError: The name has commas and is no file; `several` begins the advice in the message.
    """
    if "," in device_name and not Path(device_name).exists():
        ways = " ".join(f"--device {one.strip()}" for one in device_name.split(","))
        raise ParameterError(f"--device {device_name}: expected one device; {several} {ways}")


def _is_built_of_one(volume_name: str) -> bool:
    """Return True if the members of a volume need ``--device``; a volume file may name them itself."""
    from ..model.volumes import volume_roles

    kind, _, given = volume_name.partition(":")
    if any(part.strip().startswith(f"{ROLE}=") for part in given.split(",")):
        return False
    return kind not in volume_names() or ROLE in volume_roles(kind)


def target(
    device_name: str | None,
    volume_name: str | None,
    settings: list[str] | None,
    scheduler: str | None,
    faults: Path | None = None,
) -> "Target":
    """Return the device or volume that the options describe, with its changed parameters and its faults.

    Args:
        device_name: Value of ``--device``; None takes the default device, or the members that the volume
            names.
        volume_name: Value of ``--volume``; None simulates the device alone.
        settings: Values of ``--set``.
        scheduler: Policy of the members of a volume; ignored for a device alone, whose policy is given to the
            run.
        faults: File of ``--faults``.

    Raises:
        ParameterError: A name, key or value is wrong; ``--device`` is given for a volume with several kinds
            of members; or the policy of the members is given twice.
    """
    from ..model.faults import with_faults
    from ..model.typed import device, volume
    from ..model.volumes import volume_roles

    changes = parse_settings(settings)
    if device_name is not None:
        _check_one(device_name, "for several devices, use 'sledsim compare' with")
    if volume_name is None:
        model = device(DEVICE if device_name is None else device_name, **changes)
        return model if faults is None else with_faults(model, faults)
    kind = volume_name.partition(":")[0]
    roles = volume_roles(kind) if kind in volume_names() else {}
    if device_name is not None:
        if roles and ROLE not in roles:
            ways = " or ".join(f"--set {role}={device_name}" for role in roles)
            raise ParameterError(
                f"--device {device_name} does not say which kind of member of volume {kind}; write {ways}"
            )
        changes = {ROLE: device_name, **changes}
    if faults is not None:
        if kind not in volume_names():
            raise ParameterError(
                f"--faults {faults}: {volume_name} is a volume file: state the faults there, by "
                f'faults = "{faults}" below the member that fails'
            )
        changes |= {f"{role}.faults": str(faults) for role in roles}
    if scheduler is not None:
        if _SCHEDULER in changes:
            raise ParameterError(
                f"--set {_SCHEDULER}={changes[_SCHEDULER]}: expected one policy of the volume, found a second"
                f" one, --scheduler {scheduler}"
            )
        changes = {_SCHEDULER: scheduler, **changes}
    return volume(volume_name, **changes)
