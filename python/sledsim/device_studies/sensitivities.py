"""The sensitivity studies of 002: one parameter of the first design after the other."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .._native import ParameterError
from ..models import Device
from . import options
from .sensitivity import COUNT, free_travel, measure, sensitivity

if TYPE_CHECKING:
    import pyarrow

    from .options import Progress

_ACCELERATION, _VELOCITY = "acceleration_m_per_s2", "access_velocity_mm_per_s"
_BIT_WIDTH, _FREQUENCY, _CONSTANTS = "bit_width_nm", "resonant_frequency_hz", "settle_time_constants"


def acceleration(
    device: Device,
    values: Sequence[float] = (25, 50, 75, 100, 150, 200, 300, 400, 600, 800, 1000),
    count: int = COUNT,
    seed: int = 1,
    progress: "Progress | None" = None,
) -> "pyarrow.Table":
    """`sensitivity` to the acceleration of the sled, its own value among the others (002-E-3, Figure 6)."""
    return sensitivity(device, _ACCELERATION, _with_own(device, _ACCELERATION, values), count, seed, progress)


def access_velocity(
    device: Device,
    accelerations: Sequence[float] = (50, 114.8, 400),
    values: Sequence[float] = (1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100),
    count: int = COUNT,
    seed: int = 1,
    progress: "Progress | None" = None,
) -> "pyarrow.Table":
    """`sensitivity` to the access velocity, at several accelerations (002-E-4, Figure 7).

    The values of the device are among the others. Pairs of which there is no device, because its sled does
    not get so fast within its travel, are left out. A further column is acceleration_m_per_s2.
    """
    free = free_travel(device)
    variants = [
        {_VELOCITY: velocity, _ACCELERATION: push}
        for push in _with_own(device, _ACCELERATION, accelerations, "accelerations")
        for velocity in _with_own(device, _VELOCITY, values)
    ]
    possible = [changes for changes in variants if _is_possible(free, changes)]
    return measure(device, possible or variants, count, seed, progress)


def bit_width(
    device: Device,
    values: Sequence[int] = (20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90, 100),
    count: int = COUNT,
    seed: int = 1,
    progress: "Progress | None" = None,
) -> "pyarrow.Table":
    """`sensitivity` to the width of a bit cell, on the same travel (002-E-5, Figure 8)."""
    own = device.parameters[_BIT_WIDTH]
    widths = sorted({*options.whole_numbers("values", values, 1), own})
    return sensitivity(device, _BIT_WIDTH, widths, count, seed, progress)


def resonant_frequency(
    device: Device,
    values: Sequence[float] = (50, 100, 150, 220, 300, 400, 600, 800, 1200, 1600),
    count: int = COUNT,
    seed: int = 1,
    progress: "Progress | None" = None,
) -> "pyarrow.Table":
    """`sensitivity` to the resonant frequency, which sets the settling time (002-E-6, Figure 9)."""
    ringing = _ringing(device)
    return sensitivity(ringing, _FREQUENCY, _with_own(ringing, _FREQUENCY, values), count, seed, progress)


def settling_constants(
    device: Device,
    values: Sequence[float] = (0, 1, 2, 3, 4, 5),
    count: int = COUNT,
    seed: int = 1,
    progress: "Progress | None" = None,
) -> "pyarrow.Table":
    """`sensitivity` to the time constants that the sled needs to settle (002-E-7, Figure 10)."""
    ringing = _ringing(device)
    return sensitivity(ringing, _CONSTANTS, _with_own(ringing, _CONSTANTS, values), count, seed, progress)


def _with_own(device: Device, key: str, values: Sequence[float], option: str = "values") -> list[float]:
    """The values, and that of the device, in ascending order."""
    own = device.parameters[key]
    return sorted({*options.numbers(option, values), float(own)})


def _is_possible(device: Device, changes: Mapping[str, float]) -> bool:
    try:
        device.with_parameters(**changes)
    except ParameterError:
        return False
    return True


def _ringing(device: Device) -> Device:
    """The device with its settling time as a frequency and time constants; one constant if it says neither.

    Raises:
        ParameterError: It settles at once, which no frequency does.
    """
    if _FREQUENCY in device.parameters:
        return device
    settle_s = float(device.characteristics()["settle_s"])
    if settle_s == 0:
        options.refuse("settle_ms", 0, "a settling time above 0, from which a resonant frequency follows")
    frequency_hz = 1 / (2 * math.pi * settle_s)
    return device.with_parameters(resonant_frequency_hz=frequency_hz, settle_time_constants=1.0)
