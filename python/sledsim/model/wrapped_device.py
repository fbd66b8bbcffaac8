"""What devices are in which another device is: under faults, with episodes."""

from typing import Any, ClassVar, Generic, TypeVar

from .. import _native
from .identity import Identity

_Inner = TypeVar("_Inner", bound=Any)


class WrappedDevice(Identity, Generic[_Inner]):
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

    def _made_from(self) -> tuple[Any, ...]:
        return (self.parameters,)
