"""Volumes: what stands between requests and several devices, as an array or a hierarchy does."""

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
    """A volume over devices and other volumes, made by `volume`.

    It holds no state: the same volume can be used in any number of runs. Volumes of the same options and
    members are equal, and a volume can be copied and pickled: a worker that it is handed to needs no file.
    """

    def __init__(self, native: _native.Volume) -> None:
        self._native = native

    @classmethod
    def from_parameters(cls, parameters: dict[str, Any]) -> "Volume":
        """A volume from everything that it is, as `parameters` gives it.

        Raises:
            ParameterError: A key is unknown or missing, or a value is out of range.
        """
        return cls(_native.Volume.from_parameters(parameters, "fcfs"))

    @property
    def name(self) -> str:
        """Its kind, with the options that are not at their default."""
        return self._native.name()

    @property
    def parameters(self) -> dict[str, Any]:
        """Every option, and for each role its members with every parameter."""
        return self._native.parameters()

    @property
    def capacity_bytes(self) -> int:
        """Bytes that it offers."""
        return self._native.sectors() * 512

    def restart(self) -> list[dict[str, Any]]:
        """What is read after a loss of power before the volume knows what its members hold.

        Returns:
            One row a member, those of volumes below first: ``member``, ``reads``, ``bytes`` and ``time_s``
            from the first read to the end of the last. Members read at the same time.
        """
        rows = self._native.restart()
        return [
            {"member": member, "reads": reads, "bytes": 512 * sectors, "time_s": time_s}
            for member, reads, sectors, time_s in rows
        ]

    @classmethod
    def from_state(cls, parameters: dict[str, Any], scheduler: str) -> "Volume":
        """The volume whose `state` that is."""
        return cls(_native.Volume.from_parameters(parameters, scheduler))

    @property
    def state(self) -> tuple[dict[str, Any], str]:
        """Its parameters, with policies only where members have their own, and the policy of the others."""
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


#: What requests go to.
Target = Device | FaultyDevice | EpisodicDevice | Volume
#: The same, or a device by its name or the path of its file.
TargetOrName = Target | str | os.PathLike[str]


def target_of(given: TargetOrName, key: str = "device") -> Target:
    """The device or volume that is given, or the device of that name or file; no class is imported for it.

    Raises:
        ParameterError: It is none, or there is no such device.
        OSError: The file cannot be read.
    """
    if isinstance(given, str | os.PathLike):
        return device_of(given, key)
    check_target(given, key)
    return given


def check_target(target: object, key: str = "device") -> None:
    """Refuse what is no device and no volume, as a name, or arguments in another order.

    Raises:
        ParameterError: It is so.
    """
    if not isinstance(target, Target):
        found = f"{key}: expected a Device or a Volume, found {type(target).__name__}"
        raise _native.ParameterError(f"{found}: sledsim.device and sledsim.volume make them")


def load_volume(
    name_or_path: str | os.PathLike[str], /, scheduler: str | None = None, **settings: Any
) -> Volume:
    """Make a volume as `volume` does, of members that are built in, registered or files: nothing is imported.

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
    """What a device or volume is, in its place; all else as it is."""
    return value.parameters if isinstance(value, Target) else value


@renamed
def with_episodes(device: TargetOrName, episodes: Iterable[Stall | Slow | str]) -> Target:
    """A device or volume that stalls or is slow now and then; what is given does not change.

    Args:
        device: From `device`, `with_faults` or `volume`, or the name or file of a device; one that
            has episodes has these, too.
        episodes: `Stall` and `Slow`, or texts such as ``stall:at=10,ms=500,every=30``.

    Raises:
        ParameterError: A value cannot be, there is no such device, or stalls leave a device no time: the
            message names the option.
    """
    target = target_of(device)
    if isinstance(target, Volume):
        return Volume(_native.Volume.episodic(target._native, texts(episodes)))
    if isinstance(target, EpisodicDevice):
        return EpisodicDevice.of(target.device, [*target.parameters["episodes"], *texts(episodes)])
    return EpisodicDevice.of(target, episodes)


def volumes() -> dict[str, str]:
    """The kinds of volumes, for `volume`."""
    return {name: row.summary for name, row in table("volumes").items()}


def volume_options(name: str) -> dict[str, tuple[str, str, str]]:
    """The options of a kind of volume, each with its default, its unit and what it means.

    Raises:
        ParameterError: There is no such kind.
    """
    return {one.name: (one.default, one.unit, one.meaning) for one in entry("volumes", name).options}


def volume_roles(name: str) -> dict[str, tuple[str, str]]:
    """The roles of a kind of volume, each with the device that is meant if none is named, and what it does.

    Raises:
        ParameterError: There is no such kind.
    """
    return {role: (default, text) for role, default, text in entry("volumes", name).members}


def name_of(parameters: dict[str, Any]) -> str:
    """The name of the device or volume that results were made with; a kind of one's own may be missing.

    Raises:
        ParameterError: As `from_parameters`, of a volume.
    """
    return from_parameters(parameters).name if "volume" in parameters else str(parameters["name"])


def from_parameters(parameters: dict[str, Any]) -> Target:
    """The device or volume that results were made with.

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
