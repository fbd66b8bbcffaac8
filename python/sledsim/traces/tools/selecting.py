"""Selection of requests by traced device or by class of requests."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...common.arguments import chosen
from ...common.grids import some
from ..trace import BLOCK_CLASSES, OPERATIONS, Trace

#: Largest number of traced devices that an error message names.
_SHOWN = 20

#: Function that returns True for each request of a trace that is selected.
Choice = Callable[[Trace], NDArray[np.bool_]]


def _where(column: str, number: int) -> Choice:
    return lambda trace: np.equal(getattr(trace, column), number)


#: Classes of requests by name: operations, metadata and other data, block classes of HP-UX.
CLASSES: dict[str, Choice] = {
    **{name: _where("op", number) for number, name in enumerate(OPERATIONS)},
    "metadata": lambda trace: trace.metadata,
    "data": lambda trace: ~trace.metadata,
    **{name.replace(" ", "-"): _where("block_class", number) for number, name in BLOCK_CLASSES.items()},
}


def select_devices(trace: Trace, devices: str | None) -> Trace:
    """Select the requests to some devices: numbers or names separated by commas; None is all devices.

    Raises:
        ParameterError: A device is not in the trace; the message names the devices of the trace.
    """
    if devices is None:
        return trace
    choice = DeviceChoice(devices)
    wanted = choice.rows(trace, trace.device_names)
    choice.check(trace.device_names, "the trace")
    return trace.rows(wanted)


class DeviceChoice:
    """Selection of traced devices in a stream, whose devices become known only batch by batch.

    Args:
        devices: Numbers or names of the selected devices, with commas between them.
    """

    def __init__(self, devices: str) -> None:
        self._devices = devices
        self._met: set[int] = set()

    def rows(self, trace: Trace, names: Mapping[int, str]) -> NDArray[np.bool_]:
        """Return True for each request to a selected device; `names` has the name of each device number."""
        self._met.update(np.unique(trace.device).tolist())
        numbers = device_numbers(self._devices, names).values()
        return np.isin(trace.device, [number for number in numbers if number is not None])

    def check(self, names: Mapping[int, str], where: str) -> None:
        """Check that every selected device received a request; `where` is ``the trace`` in the message.

        Raises:
            ParameterError: A device received no request; the message names the devices that received
                requests.
        """
        for word, number in device_numbers(self._devices, names).items():
            if number not in self._met:
                met = [f"{at} ({names[at]})" if at in names else str(at) for at in sorted(self._met)]
                has = ", ".join(some(met, _SHOWN))
                raise _native.ParameterError(f"device {word!r} is not in {where}, which has {has or 'none'}")


def device_numbers(devices: str, names: Mapping[int, str]) -> dict[str, int | None]:
    """Return the number of each device in a text of numbers and names; None for a name of no device.

    Raises:
        ParameterError: The text has no number or name.
    """
    by_name = {name: number for number, name in names.items()}
    # A name may itself contain a comma, such as 8,16.
    words = [devices] if devices in by_name else [word.strip() for word in devices.split(",") if word.strip()]
    if not words:
        raise _native.ParameterError("devices: expected numbers or names separated by commas, found none")
    return {word: by_name.get(word, int(word) if word.isdecimal() else None) for word in words}


def class_named(name: str) -> Choice:
    """Return the function that selects the requests of the class called `name`.

    Raises:
        ParameterError: The class does not exist.
    """
    return chosen(CLASSES, name, f"class {name!r} is unknown")
