"""Which requests are meant: devices by number or name, and classes of requests."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from ... import _native
from ...common.arguments import chosen
from ..trace import BLOCK_CLASSES, OPERATIONS, Trace

#: So many devices are named in an error.
_SHOWN = 20

#: Says of each request whether it is meant.
Choice = Callable[[Trace], NDArray[np.bool_]]


def _where(column: str, number: int) -> Choice:
    return lambda trace: np.equal(getattr(trace, column), number)


#: The classes of requests by name: operations, metadata and data, block classes of HP-UX.
CLASSES: dict[str, Choice] = {
    **{name: _where("op", number) for number, name in enumerate(OPERATIONS)},
    "metadata": lambda trace: trace.metadata,
    "data": lambda trace: ~trace.metadata,
    **{name.replace(" ", "-"): _where("block_class", number) for number, name in BLOCK_CLASSES.items()},
}


def select_devices(trace: Trace, devices: str | None) -> Trace:
    """Only the requests to some devices: numbers or names with commas between; None is all.

    Raises:
        ParameterError: A device is not in the trace; the message names those that are.
    """
    if devices is None:
        return trace
    choice = DeviceChoice(devices)
    wanted = choice.rows(trace, trace.device_names)
    choice.check(trace.device_names, "the trace")
    return trace.rows(wanted)


class DeviceChoice:
    """Some devices, and which there are: a trace that passes by tells it batch by batch.

    Args:
        devices: Numbers or names with commas between.
    """

    def __init__(self, devices: str) -> None:
        self._devices = devices
        self._met: set[int] = set()

    def rows(self, trace: Trace, names: Mapping[int, str]) -> NDArray[np.bool_]:
        """Whether each request goes to one of them; `names` are those of the trace's devices."""
        self._met.update(np.unique(trace.device).tolist())
        numbers = device_numbers(self._devices, names).values()
        return np.isin(trace.device, [number for number in numbers if number is not None])

    def check(self, names: Mapping[int, str], where: str) -> None:
        """Refuse a device that was not met.

        Raises:
            ParameterError: It names those that were met.
        """
        for word, number in device_numbers(self._devices, names).items():
            if number not in self._met:
                met = sorted(self._met)[:_SHOWN]
                has = ", ".join(f"{at} ({names[at]})" if at in names else str(at) for at in met)
                raise _native.ParameterError(f"device {word!r} is not in {where}, which has {has or 'none'}")


def device_numbers(devices: str, names: Mapping[int, str]) -> dict[str, int | None]:
    """The numbers of devices that are given by number or name, with commas between; None of an unknown name.

    Raises:
        ParameterError: None is given.
    """
    by_name = {name: number for number, name in names.items()}
    # A name may itself have a comma, such as 8,16.
    words = [devices] if devices in by_name else [word.strip() for word in devices.split(",") if word.strip()]
    if not words:
        raise _native.ParameterError("devices: expected numbers or names with commas between, found none")
    return {word: by_name.get(word, int(word) if word.isdecimal() else None) for word in words}


def class_named(name: str) -> Choice:
    """The class of requests of that name.

    Raises:
        ParameterError: There is none.
    """
    return chosen(CLASSES, name, f"class {name!r} is unknown")
