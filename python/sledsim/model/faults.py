"""Devices with faults, which happen according to a plan."""

import os
from collections.abc import Mapping
from typing import Any

from .. import _native
from .devices import Device, DeviceOrName, device_of, plain
from .wrapped_device import WrappedDevice


class FaultyDevice(WrappedDevice[Device]):
    """A device around which `with_faults` put a plan of faults; it is used like any device."""

    _KEY = "faults"

    @classmethod
    def from_parameters(cls, parameters: Mapping[str, Any]) -> "FaultyDevice":
        """Make a device with faults from all of its parameters, as the attribute `parameters` returns them.

        Raises:
            ParameterError: A key is unknown or missing, or a value is out of range.
        """
        own = {key: value for key, value in parameters.items() if key != "faults"}
        return with_faults(Device.from_parameters(own), parameters["faults"])

    def __reduce__(self) -> tuple[Any, ...]:
        return with_faults, (self.device, self.parameters["faults"])

    def __repr__(self) -> str:
        return f"sledsim.with_faults({self.device!r}, ...)"


def with_faults(device: DeviceOrName, plan: str | os.PathLike[str] | Mapping[str, Any]) -> FaultyDevice:
    """Return a device with faults at planned times; the given device does not change.

    Args:
        device: Device of any kind from `device`, or its name or file.
        plan: A plan of faults: a TOML file, or a dictionary with the keys that docs/how-to/faults.md lists.

    Raises:
        ParameterError: A key is unknown, a value is invalid, or the plan does not fit the device: the message
            names the file and the key.
        OSError: The file cannot be read.
    """
    model = device_of(device)
    given = plain(dict(plan)) if isinstance(plan, Mapping) else os.fspath(plan)
    return FaultyDevice(_native.Volume.faulty(model._native, given, "sptf"), model)
