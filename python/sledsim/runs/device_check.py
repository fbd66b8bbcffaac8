"""What is asked of every device, tried on one: of a user's own, or of the built-in ones."""

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
    """Something that is asked of devices, and whether one does it.

    Attributes:
        name: In a few words.
        meaning: What is asked, and why.
        failure: What falls short, with an example; empty if nothing does.
    """

    name: str
    meaning: str
    failure: str


@dataclass(frozen=True, repr=False)
class DeviceCheck(Shown):
    """What `check_device` found.

    Attributes:
        device: The name of the device.
        checks: One after the other.
    """

    device: str
    checks: tuple[Checked, ...]

    @property
    def passed(self) -> bool:
        """Whether the device does all that is asked."""
        return not any(check.failure for check in self.checks)

    def _form(self) -> Form:
        rows = [
            (check.name, f"FAILS: {check.failure}" if check.failure else "passed", check.meaning)
            for check in self.checks
        ]
        parts = [Grid(("Check", "Found", "What is asked"), [*rows])]
        failed = [check.name for check in self.checks if check.failure]
        line = f"of {quoted(self.device)}: {'fails ' + ', '.join(failed) if failed else 'passed'}"
        return Form(f"Device {self.device}", parts, line=line, calls=("checks", "passed"))


def check_device(device: Device | PathLike) -> DeviceCheck:
    """Try on a device what policies, volumes and records count on.

    It serves a few dozen requests one by one and under every built-in policy: seconds for one in Python.
    Energy and times are not judged: only whether they fit each other.

    Args:
        device: From `device`, or what that takes: a name, a file, or a class of your own as
            ``file.py:Class``.

    Raises:
        ParameterError: There is no such device, or what its methods return cannot be. What they raise is
            raised.
        OSError: A file cannot be read.
        ParameterError: It is no device: of a volume, its members are checked one by one.
    """
    made = load(device) if isinstance(device, str | os.PathLike) else device
    if not isinstance(made, Device):
        raise _native.ParameterError(
            f"device: expected a Device or the name of one, found {type(made).__name__}"
        )
    made.characteristics()  # What cannot be is raised.
    found = _native.check_device(made._native)
    return DeviceCheck(made.name, tuple(Checked(*check) for check in found))
