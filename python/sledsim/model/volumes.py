"""Volumes: several devices that look like one, such as arrays, caches and hierarchies."""

import os
from collections.abc import Iterable
from typing import Any

from .. import _native
from ..common.command_files import claim_read_by_core
from ..common.deprecation import renamed
from ..common.grids import facts, of_rows
from ..common.nested import replaced
from ..common.shown import Form, Shown, quoted
from .core_tables import entry, table
from .devices import Device, device_of, plain
from .episodes import EpisodicDevice, Slow, Stall, texts
from .faults import FaultyDevice
from .identity import Identity


class Volume(Shown, Identity):
    """A volume of devices and other volumes, from `volume`.

    Volumes have no state, so one volume can be used in any number of runs. Volumes with equal options and
    members are equal; volumes can be copied and pickled. A worker process that receives a volume needs no
    file.
    """

    def __init__(self, native: _native.Volume) -> None:
        self._native = native

    @classmethod
    def from_parameters(cls, parameters: dict[str, Any]) -> "Volume":
        """Make a volume from all of its parameters, in the form of `Volume.parameters`.

        Raises:
            ParameterError: A key is unknown or missing, or a value is out of range.
        """
        return cls(_native.Volume.from_parameters(parameters, "fcfs"))

    @property
    def name(self) -> str:
        """Kind of the volume, with its non-default options."""
        return self._native.name()

    @property
    def parameters(self) -> dict[str, Any]:
        """All options by name, and the members with all their parameters by role."""
        return self._native.parameters()

    @property
    def capacity_bytes(self) -> int:
        """Capacity in bytes."""
        return self._native.sectors() * 512

    def restart(self) -> list[dict[str, Any]]:
        """Return the reads by which the volume, after a power failure, recovers its state from its members.

        Returns:
            Rows, one per member, members of inner volumes first: ``member``, ``reads``, ``bytes`` and
            ``time_s`` from the first read to the end of the last. Members read at the same time.
        """
        rows = self._native.restart()
        return [
            {"member": member, "reads": reads, "bytes": 512 * sectors, "time_s": time_s}
            for member, reads, sectors, time_s in rows
        ]

    @classmethod
    def from_state(cls, parameters: dict[str, Any], scheduler: str) -> "Volume":
        """Make the volume that the attribute `state` of a volume describes."""
        return cls(_native.Volume.from_parameters(parameters, scheduler))

    @property
    def state(self) -> tuple[dict[str, Any], str]:
        """All parameters with the members that have a policy, and the policy of all other members."""
        return self._native.state()

    def _made_from(self) -> tuple[Any, ...]:
        return self.state

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_state, self.state

    def __repr__(self) -> str:
        return f"sledsim.volume({quoted(self.name)})"

    def _form(self) -> Form:
        options = {key: value for key, value in self.parameters.items() if isinstance(value, str)}
        members = [
            {"role": role, "member": one.get("name", one.get("volume")), "scheduler": one.get("scheduler")}
            for role, those in self.parameters.items()
            if isinstance(those, list)
            for one in those
            if isinstance(one, dict)
        ]
        figures = {"capacity_bytes": self.capacity_bytes, **options}
        calls = ("parameters", "sledsim.simulate(volume, trace)")
        return Form(f"Volume {self.name}", [facts(figures), of_rows(members)], calls=calls)


#: Types of what can serve requests: devices, also with faults or episodes, and volumes.
Target = Device | FaultyDevice | EpisodicDevice | Volume
#: A device or volume, the name of a device, or the path of a device file.
TargetOrName = Target | str | os.PathLike[str]


def target_of(given: TargetOrName, key: str = "device") -> Target:
    """Return `given` if it is a device or volume, or load the device with this name or file.

    Raises:
        ParameterError: The argument is not a device or volume, or the device does not exist.
        OSError: The file cannot be read.
    """
    if isinstance(given, str | os.PathLike):
        return device_of(given, key)
    check_target(given, key)
    return given


def check_target(target: object, key: str = "device") -> None:
    """Check that an argument is a device or volume.

    Raises:
        ParameterError: The argument is not a device or volume.
    """
    if not isinstance(target, Target):
        found = f"{key}: expected a Device or a Volume, found {type(target).__name__}"
        raise _native.ParameterError(f"{found}: sledsim.device and sledsim.volume make them")


def load_volume(
    name_or_path: str | os.PathLike[str], /, scheduler: str | None = None, **settings: Any
) -> Volume:
    """Make a volume as `volume` does, except that no member may be a class in a user's file.

    Raises:
        ParameterError: A name or key is unknown, or a value is out of range.
        OSError: The file cannot be read.
    """
    if scheduler is not None:
        settings["scheduler"] = scheduler
    found = Volume(_native.Volume.load(os.fspath(name_or_path), plain(replaced(settings, _as_member))))
    claim_read_by_core()
    return found


def _as_member(value: Any) -> Any:
    """Return the parameters of a device or volume that becomes a member; return other values unchanged."""
    return value.parameters if isinstance(value, Target) else value


@renamed
def with_episodes(device: TargetOrName, episodes: Iterable[Stall | Slow | str]) -> Target:
    """Return a device or volume with stalls or slow periods; the given one does not change.

    Args:
        device: Device or volume from `device`, `with_faults` or `volume`, or the name or file of a device;
            episodes of the device are kept.
        episodes: Episodes to add: `Stall` and `Slow`, or texts such as ``stall:at=10,ms=500,every=30``.

    Raises:
        ParameterError: A value is invalid, the device does not exist, or stalls follow each other without a
            pause. The message names the option.
    """
    target = target_of(device)
    if isinstance(target, Volume):
        return Volume(_native.Volume.episodic(target._native, texts(episodes)))
    if isinstance(target, EpisodicDevice):
        return EpisodicDevice.of(target.device, [*target.parameters["episodes"], *texts(episodes)])
    return EpisodicDevice.of(target, episodes)


def volumes() -> dict[str, str]:
    """List the kinds of volumes, for `volume`."""
    return {name: row.summary for name, row in table("volumes").items()}


def volume_options(name: str) -> dict[str, tuple[str, str, str]]:
    """List the options of a kind of volume, each with its default, unit and meaning.

    Raises:
        ParameterError: The kind does not exist.
    """
    return {one.name: (one.default, one.unit, one.meaning) for one in entry("volumes", name).options}


def volume_roles(name: str) -> dict[str, tuple[str, str]]:
    """List the roles of a kind of volume, each with its default device and its meaning.

    Raises:
        ParameterError: The kind does not exist.
    """
    return {role: (default, text) for role, default, text in entry("volumes", name).members}


def name_of(parameters: dict[str, Any]) -> str:
    """Return the name of the device or volume in a result; a custom kind of device need not be registered.

    Raises:
        ParameterError: A volume's parameters are invalid, as for `from_parameters`.
    """
    return from_parameters(parameters).name if "volume" in parameters else str(parameters["name"])


def from_parameters(parameters: dict[str, Any]) -> Target:
    """Make a device or volume from the parameters in a result.

    Raises:
        ParameterError: A key is unknown or missing, or a value is out of range.
    """
    if "volume" in parameters:
        return Volume.from_parameters(parameters)
    if "episodes" in parameters:
        return EpisodicDevice.from_parameters(parameters)
    if "faults" in parameters:
        return FaultyDevice.from_parameters(parameters)
    return Device.from_parameters(parameters)
