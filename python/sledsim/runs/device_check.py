"""Checks that every device must pass, run on one built-in or custom device."""

import os
from dataclasses import dataclass

from .. import _native
from ..common.grids import Grid
from ..common.output_files import PathLike
from ..common.shown import Form, Shown, quoted
from ..model.devices import Device
from ..model.typed import device as load


@dataclass(frozen=True)
class Checked:
    """Result of one check of a device.

    Attributes:
        name: Short name of the check.
        meaning: Property that the check tests, and why sledsim relies on it.
        failure: Description of an example in which the property fails; empty if the device passed.
    """

    name: str
    meaning: str
    failure: str


@dataclass(frozen=True, repr=False)
class DeviceCheck(Shown):
    """Results of all checks of a device, from `check_device`.

    Attributes:
        device: The name of the device.
        checks: Results in the order of the checks.
    """

    device: str
    checks: tuple[Checked, ...]

    @property
    def passed(self) -> bool:
        """True if the device passed every check."""
        return not any(check.failure for check in self.checks)

    def _form(self) -> Form:
        rows = [
            (check.name, f"FAILS: {check.failure}" if check.failure else "passed", check.meaning)
            for check in self.checks
        ]
        parts = [Grid(("Check", "Found", "Requirement"), [*rows])]
        failed = [check.name for check in self.checks if check.failure]
        line = f"of {quoted(self.device)}: {'fails ' + ', '.join(failed) if failed else 'passed'}"
        return Form(f"Device {self.device}", parts, line=line, calls=("checks", "passed"))


def check_device(device: Device | PathLike) -> DeviceCheck:
    """Check that a device has the properties on which policies, volumes and results of runs rely.

    The device serves a few dozen requests, one by one and with every built-in policy, which takes a device
    written in Python some seconds. Times and energies are checked for consistency, not for realism.

    Args:
        device: Device from `device`, a name, a file, or a class in the user's file as ``file.py:Class``.

    Raises:
        ParameterError: The device does not exist, or its methods return impossible values. Errors in its
            methods are passed on.
        OSError: A file cannot be read.
        ParameterError: The argument is a volume or no device; the members of a volume can be checked one by
            one.
    """
    made = load(device) if isinstance(device, str | os.PathLike) else device
    if not isinstance(made, Device):
        raise _native.ParameterError(
            f"device: expected a Device or the name of a device, found {type(made).__name__}"
        )
    made.characteristics()  # Raises an error for impossible characteristics.
    found = _native.check_device(made._native)
    return DeviceCheck(made.name, tuple(Checked(*check) for check in found))
