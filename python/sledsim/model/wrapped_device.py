"""What devices are in which another device is: under faults, with episodes."""

from typing import Any, ClassVar, Generic, TypeVar

from .. import _native
from ..common.grids import facts
from ..common.shown import Form, Shown
from .identity import Identity

_Inner = TypeVar("_Inner", bound=Any)


class WrappedDevice(Shown, Identity, Generic[_Inner]):
    """A device in which another one is; it is simulated and pickled as any device."""

    #: The parameter that says what is put on it.
    _KEY: ClassVar[str]

    def __init__(self, native: _native.Volume, device: _Inner) -> None:
        self._native = native
        self.device = device

    @property
    def name(self) -> str:
        """The name of the device."""
        return str(self.device.name)

    @property
    def parameters(self) -> dict[str, Any]:
        """Every parameter of the device, and under ``faults`` or ``episodes`` all that is put on it."""
        return {**self.device.parameters, self._KEY: self._native.parameters()[self._KEY]}

    @property
    def capacity_bytes(self) -> int:
        """Bytes that it offers: of a faulty device without its reserve."""
        return self._native.sectors() * 512

    def _form(self) -> Form:
        figures = {"capacity_bytes": self.capacity_bytes, self._KEY: self.parameters[self._KEY]}
        calls = ("device", "parameters", "sledsim.simulate(device, trace)")
        return Form(f"Device {self.name} with {self._KEY}", [facts(figures)], calls=calls)

    def _made_from(self) -> tuple[Any, ...]:
        return (self.parameters,)
