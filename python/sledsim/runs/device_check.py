"""Checks that every device must pass, run on one device: built-in or the user's own."""

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
    """A check of a device and its outcome.

    Attributes:
        name: Short name of the check.
        meaning: Requirement that is checked, and its reason.
        failure: Description of what falls short, with an example; empty if the check passed.
    """

    name: str
    meaning: str
    failure: str


@dataclass(frozen=True, repr=False)
class DeviceCheck(Shown):
    """Checks of a device with their outcomes, from `check_device`.

    Attributes:
        device: The name of the device.
        checks: Checks in the order in which they ran.
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
    """Check the properties of a device that policies, volumes and records rely on.

    The device serves a few dozen requests one by one and under every built-in policy; a device in Python
    takes seconds. Energy and times are only checked for consistency with each other.

    Args:
        device: Device from `device`, or its argument: a name, a file, or a class of the user's as
            ``file.py:Class``.

    Raises:
        ParameterError: The device does not exist, or its methods return impossible values. Errors of its
            methods are passed on.
        OSError: A file cannot be read.
        ParameterError: The argument is not a device; the members of a volume are checked one by one.
    """
    made = load(device) if isinstance(device, str | os.PathLike) else device
    if not isinstance(made, Device):
        raise _native.ParameterError(
            f"device: expected a Device or the name of a device, found {type(made).__name__}"
        )
    made.characteristics()  # Raises an error for impossible characteristics.
    found = _native.check_device(made._native)
    return DeviceCheck(made.name, tuple(Checked(*check) for check in found))
