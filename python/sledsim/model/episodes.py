"""Episodes: periods in which a device starts no request (`Stall`) or serves slowly (`Slow`)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .. import _native
from ..common.shown import clipped
from ..common.signatures import called_by_users
from .devices import Device
from .faults import FaultyDevice
from .wrapped_device import WrappedDevice

_ALL = "all"


@called_by_users
@dataclass(frozen=True)
class Stall:
    """An episode in which a device starts no request; a request in service is finished.

    Args:
        at_s: Start in seconds after the first request.
        duration_ms: Duration of the stall in milliseconds.
        every_s: Time in seconds from one start of the stall to the next; None for a single stall.
        times: Number of stalls if ``every_s`` is given; None for no limit.
        device: Members of a volume to which the stall applies: a device, such as ``device 1``, or a role,
            such as ``disk``; by default, all devices.
    """

    at_s: float
    duration_ms: float
    every_s: float | None = None
    times: int | None = None
    device: str = _ALL

    def __str__(self) -> str:
        """Return the stall as text, such as ``stall:at=10,ms=500,every=30``."""
        return _text("stall", self, {})


@called_by_users
@dataclass(frozen=True)
class Slow:
    """An episode in which each service that starts takes ``factor`` times as long.

    Args:
        at_s: Start in seconds after the first request.
        duration_ms: Duration of the slow period in milliseconds.
        factor: Factor by which services take longer, above 1.
        every_s: Time in seconds from one start of the episode to the next; None for a single episode.
        times: Number of episodes if ``every_s`` is given; None for no limit.
        device: Members of a volume to which the episode applies: a device, such as ``device 1``, or a role,
            such as ``disk``; by default, all devices.
    """

    at_s: float
    duration_ms: float
    factor: float
    every_s: float | None = None
    times: int | None = None
    device: str = _ALL

    def __str__(self) -> str:
        """Return the slow period as text, such as ``slow:at=5,ms=2000,factor=4``."""
        return _text("slow", self, {"factor": self.factor})


def _text(kind: str, episode: Stall | Slow, more: Mapping[str, object]) -> str:
    options = {
        "at": episode.at_s,
        "ms": episode.duration_ms,
        "every": episode.every_s,
        "times": episode.times,
        **more,
        "device": None if episode.device == _ALL else episode.device,
    }
    given = (f"{name}={value}" for name, value in options.items() if value is not None)
    return f"{kind}:{','.join(given)}"


def texts(episodes: Iterable[Stall | Slow | str]) -> list[str]:
    """Return each episode as the text that the Rust core reads.

    Raises:
        ParameterError: An item is not an episode.
    """
    found: list[str] = []
    for episode in [episodes] if isinstance(episodes, str | Stall | Slow) else episodes:
        if not isinstance(episode, Stall | Slow | str):
            raise _native.ParameterError(
                f"episodes: expected sledsim.Stall, sledsim.Slow or a text, found {episode!r}"
            )
        found.append(str(episode))
    return found


class EpisodicDevice(WrappedDevice[Device | FaultyDevice]):
    """A device around which `with_episodes` put stalls and slow periods; it is used like any device."""

    _KEY = "episodes"

    @classmethod
    def of(cls, device: Device | FaultyDevice, episodes: Iterable[Stall | Slow | str]) -> "EpisodicDevice":
        """Put these episodes around a device.

        Raises:
            ParameterError: An episode is invalid.
        """
        return cls(_native.Volume.episodic(device._native, texts(episodes)), device)

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> "EpisodicDevice":
        """Make a device with episodes from all of its parameters, as the attribute `parameters` returns them.

        Raises:
            ParameterError: A key is unknown or missing, or a value is out of range.
        """
        own = {key: value for key, value in parameters.items() if key != "episodes"}
        made = FaultyDevice.from_parameters(own) if "faults" in own else Device.from_parameters(own)
        return cls.of(made, parameters["episodes"])

    def __reduce__(self) -> tuple[Any, ...]:
        return EpisodicDevice.of, (self.device, self.parameters["episodes"])

    def __repr__(self) -> str:
        return f"sledsim.with_episodes({self.device!r}, {clipped(repr(self.parameters['episodes']), 90)})"
