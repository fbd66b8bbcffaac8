"""Devices with faults or episodes: each wraps another device."""

from typing import Any, ClassVar, Generic, TypeVar

from .. import _native
from ..common.grids import facts
from ..common.shown import Form, Shown
from .identity import Identity

_Inner = TypeVar("_Inner", bound=Any)


class WrappedDevice(Shown, Identity, Generic[_Inner]):
    """Base class of a device that wraps another one; simulations and `pickle` treat it like any device."""

    #: Key in `parameters` that has the faults or episodes.
    _KEY: ClassVar[str]

    def __init__(self, native: _native.Volume, device: _Inner) -> None:
        self._native = native
        self.device = device

    @property
    def name(self) -> str:
        """Name of the device."""
        return str(self.device.name)

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters of the device, with its faults or episodes under ``faults`` or ``episodes``."""
        return {**self.device.parameters, self._KEY: self._native.parameters()[self._KEY]}

    @property
    def capacity_bytes(self) -> int:
        """Capacity in bytes, without the blocks that a device with faults keeps in reserve."""
        return self._native.sectors() * 512

    def _form(self) -> Form:
        figures = {"capacity_bytes": self.capacity_bytes, self._KEY: self.parameters[self._KEY]}
        calls = ("device", "parameters", "sledsim.simulate(device, trace)")
        return Form(f"Device {self.name} with {self._KEY}", [facts(figures)], calls=calls)

    def _made_from(self) -> tuple[Any, ...]:
        return (self.parameters,)
