"""What can be done to a trace before it is replayed, in memory or in passing."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from . import _native
from .traces import Trace

#: So many devices are named in an error.
_SHOWN = 20

#: Makes one batch of another.
Change = Callable[[Trace], Trace]


def select_devices(trace: Trace, devices: str | None) -> Trace:
    """Only the requests to some devices: numbers or names with commas between; None is all.

    Raises:
        ParameterError: A device is not in the trace; the message names those that are.
    """
    if devices is None:
        return trace
    numbers = device_numbers(devices, trace.device_names, np.unique(trace.device))
    return trace.rows(np.isin(trace.device, numbers))


def device_numbers(
    devices: str, names: Mapping[int, str], there: NDArray[np.int32] | None = None
) -> list[int]:
    """The numbers of devices that are given by number or name, with commas between.

    Args:
        devices: What is given.
        names: The names that the trace has.
        there: The numbers that the trace has, where they are known.

    Raises:
        ParameterError: There is no such device.
    """
    by_name = {name: number for number, name in names.items()}
    numbers = []
    for word in _words(devices, by_name):
        number = by_name.get(word, int(word) if word.isdecimal() else None)
        if number is None or (there is not None and number not in there):
            known = [f"{at} ({names[at]})" if at in names else str(at) for at in _known(names, there)]
            raise _native.ParameterError(f"device {word!r} is not in the trace: it has {', '.join(known)}")
        numbers.append(number)
    return numbers


def _known(names: Mapping[int, str], there: NDArray[np.int32] | None) -> list[int]:
    """The first devices of a trace."""
    return sorted(names if there is None else there.tolist())[:_SHOWN]


def _words(text: str, names: Mapping[str, int]) -> list[str]:
    """The parts between commas; a name may itself have one, such as ``8,16``."""
    return [text] if text in names else [word.strip() for word in text.split(",") if word.strip()]
