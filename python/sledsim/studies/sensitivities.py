"""Studies of the sensitivity to one parameter each, as paper 002 has them for its first design."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from .._native import ParameterError
from ..model.devices import Device
from . import sheet_options as options
from .one_parameter import COUNT, chart, free_travel, measure, sensitivity
from .sheet import Definition
from .sheet_options import Progress
from .tables import Table, with_notes

_Values: TypeAlias = options.Several[float] | None

_ACCELERATION, _VELOCITY = "acceleration_m_per_s2", "access_velocity_mm_per_s"
_BIT_WIDTH, _FREQUENCY, _CONSTANTS = "bit_width_nm", "resonant_frequency_hz", "settle_time_constants"
#: Default values of each parameter, in the units of its key; they are those in the figures of paper 002.
_DEFAULTS: dict[str, tuple[float, ...]] = {
    _ACCELERATION: (25.0, 50.0, 75.0, 100.0, 150.0, 200.0, 300.0, 400.0, 600.0, 800.0, 1000.0),
    _VELOCITY: (1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0, 60.0, 80.0, 100.0),
    _BIT_WIDTH: (20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 90, 100),
    _FREQUENCY: (50.0, 100.0, 150.0, 220.0, 300.0, 400.0, 600.0, 800.0, 1200.0, 1600.0),
    _CONSTANTS: (0.0, 1.0, 2.0, 3.0, 4.0, 5.0),
}
#: The accelerations of 002 Figure 7, in m/s².
_ACCELERATIONS = (50.0, 114.8, 400.0)


def acceleration(
    device: Device, values: _Values = None, count: int = COUNT, seed: int = 1, progress: Progress = None
) -> Table:
    """Compute seek and access times, capacity and rate for several accelerations (002-E-3, Figure 6).

    Args:
        device: Any device.
        values (m/s², above 0): Accelerations; the device's own is added. None takes the values in Figure 6 of
            paper 002 that are possible for the device.
        count (from 1): Number of requests of the Random workload at each value.
        seed (from 0): Seed of the random requests.
        progress: Function that is called with the percentage done.

    Returns:
        acceleration_m_per_s2, own (true for the device's own value), mean_seek_s, mean_access_4k_s (of one
        row), capacity_bytes and streaming_bytes_per_s as in `Device.characteristics`, mean_service_s (mean
        service of the Random workload under fcfs, without command overhead, bus and queue).
    """
    return _over(device, _ACCELERATION, values, count, seed, progress)


def access_velocity(
    device: Device,
    accelerations: _Values = None,
    values: _Values = None,
    count: int = COUNT,
    seed: int = 1,
    progress: Progress = None,
) -> Table:
    """Compute seek and access times at several access velocities and accelerations (002-E-4, Figure 7).

    Pairs in which the sled cannot reach the velocity within its travel are impossible and left out; the notes
    of the table name an impossible pair if both of its numbers were given.

    Args:
        device: Any device.
        accelerations (m/s², above 0): Accelerations; the device's own is added. None takes 50, 114.8 and 400,
            as in 002's figure.
        values (mm/s, above 0): Access velocities; the device's own is added. None takes 1 to 100, as in 002's
            figure.
        count (from 1): Number of requests of the Random workload at each value.
        seed (from 0): Seed of the random requests.
        progress: Function that is called with the percentage done.

    Returns:
        access_velocity_mm_per_s, acceleration_m_per_s2, own (true for the device's own value), mean_seek_s,
        mean_access_4k_s (of one row), capacity_bytes and streaming_bytes_per_s as in
        `Device.characteristics`, mean_service_s (mean service of the Random workload under fcfs, without
        command overhead, bus and queue).

    Raises:
        ParameterError: An option is wrong, or no device is possible with a given value.
    """
    keys = _VELOCITY, _ACCELERATION
    given = _given("values", values), _given("accelerations", accelerations)
    velocities = _with_own(device, _VELOCITY, given[0] or _DEFAULTS[_VELOCITY])
    pushes = _with_own(device, _ACCELERATION, given[1] or _ACCELERATIONS)
    pairs = [(velocity, push) for push in pushes for velocity in velocities]
    free = free_travel(device)
    refused = {pair: why for pair in pairs if (why := _refusal(free, dict(zip(keys, pair, strict=True))))}
    left = [pair for pair in pairs if pair not in refused]
    for at, option in enumerate(("values", "accelerations")):
        for number in sorted(given[at] - {pair[at] for pair in left}):
            why = next(why for pair, why in refused.items() if pair[at] == number)
            options.refuse(option, number, f"a number with which a device is possible: {why}")
    notes = [
        f"left out: {why}"
        for (velocity, push), why in refused.items()
        if velocity in given[0] and push in given[1]
    ]
    table = measure(device, [dict(zip(keys, pair, strict=True)) for pair in left], count, seed, progress)
    return with_notes(table, notes)


def _given(option: str, values: _Values) -> set[float]:
    """Return the values of an option as a set, after a check that all are above 0; empty for None."""
    return set() if values is None else set(options.numbers(option, values, above=True))


def bit_width(
    device: Device, values: _Values = None, count: int = COUNT, seed: int = 1, progress: Progress = None
) -> Table:
    """Compute seek and access times, capacity and rate for several bit widths (002-E-5, Figure 8).

    The distance that the sled travels stays the same.

    Args:
        device: Any device.
        values (nm, from 1): Widths of a bit, whole numbers; the device's own is added. None takes the values
            in Figure 8 of paper 002 that are possible for the device.
        count (from 1): Number of requests of the Random workload at each value.
        seed (from 0): Seed of the random requests.
        progress: Function that is called with the percentage done.

    Returns:
        bit_width_nm, own (true for the device's own value), mean_seek_s, mean_access_4k_s (of one row),
        capacity_bytes and streaming_bytes_per_s as in `Device.characteristics`, mean_service_s (mean
        service of the Random workload under fcfs, without command overhead, bus and queue).
    """
    return _over(device, _BIT_WIDTH, values, count, seed, progress)


def resonant_frequency(
    device: Device, values: _Values = None, count: int = COUNT, seed: int = 1, progress: Progress = None
) -> Table:
    """Compute times for several resonant frequencies, which set the settling time (002-E-6, Figure 9).

    Args:
        device: Any device with a settling time above 0.
        values (Hz, above 0): Resonant frequencies; the device's own is added. None takes the values in Figure
            9 of paper 002 that are possible for the device.
        count (from 1): Number of requests of the Random workload at each value.
        seed (from 0): Seed of the random requests.
        progress: Function that is called with the percentage done.

    Returns:
        resonant_frequency_hz, own (true for the device's own value), mean_seek_s, mean_access_4k_s (of one
        row), capacity_bytes and streaming_bytes_per_s as in `Device.characteristics`, mean_service_s (mean
        service of the Random workload under fcfs, without command overhead, bus and queue).
    """
    return _over(_ringing(device), _FREQUENCY, values, count, seed, progress)


def settling_constants(
    device: Device, values: _Values = None, count: int = COUNT, seed: int = 1, progress: Progress = None
) -> Table:
    """Compute times for several numbers of time constants that settling takes (002-E-7, Figure 10).

    Args:
        device: Any device with a settling time above 0.
        values (time constants, from 0): Numbers of time constants that settling takes; the device's own is
            added. None takes the values in Figure 10 of paper 002 that are possible for the device.
        count (from 1): Number of requests of the Random workload at each value.
        seed (from 0): Seed of the random requests.
        progress: Function that is called with the percentage done.

    Returns:
        settle_time_constants, own (true for the device's own value), mean_seek_s, mean_access_4k_s (of one
        row), capacity_bytes and streaming_bytes_per_s as in `Device.characteristics`, mean_service_s (mean
        service of the Random workload under fcfs, without command overhead, bus and queue).
    """
    return _over(_ringing(device), _CONSTANTS, values, count, seed, progress)


def _over(device: Device, key: str, values: _Values, count: int, seed: int, progress: Progress) -> Table:
    """Compute the figures of a device for several values of the parameter `key`.

    `values` None takes the default values that are possible for the device.
    """
    if values is None:
        free = free_travel(device)
        given: Sequence[float] = [value for value in _DEFAULTS[key] if not _refusal(free, {key: value})]
    elif key == _BIT_WIDTH:
        given = options.whole_numbers("values", values, 1)
    else:
        given = options.numbers("values", values, above=key != _CONSTANTS)
    return sensitivity(device, key, _with_own(device, key, given), count, seed, progress)


def _with_own(device: Device, key: str, values: Iterable[float]) -> list[float]:
    """Return the values and the device's own value in ascending order."""
    return sorted({*values, device.parameters[key]})


def _refusal(device: Device, changes: Mapping[str, float]) -> str:
    """Return the reason why a device with these parameters is impossible; empty if it is possible."""
    try:
        device.with_parameters(**changes)
    except ParameterError as error:
        return str(error)
    return ""


def _ringing(device: Device) -> Device:
    """Return the device with its settling time replaced by a resonant frequency and one time constant.

    Raises:
        ParameterError: The device needs no time to settle, so that no resonant frequency gives its settling
            time.
    """
    if _FREQUENCY in device.parameters:
        return device
    settle_s = float(device.characteristics()["settle_s"])
    if settle_s == 0:
        options.refuse("settle_ms", 0, "a settling time above 0, from which a resonant frequency follows")
    frequency_hz = 1 / (2 * math.pi * settle_s)
    return device.with_parameters(resonant_frequency_hz=frequency_hz, settle_time_constants=1.0)


ROWS = tuple(
    Definition(
        f"access time over {over}", table, chart, source=f"002-{source}", own_name=f"sensitivity-{name}"
    )
    for name, over, table, source in (
        ("acceleration", "the acceleration of the sled", acceleration, "E-3, Fig. 6"),
        ("velocity", "the access velocity, at several accelerations", access_velocity, "E-4, Fig. 7"),
        ("bit-width", "the width of a bit", bit_width, "E-5, Fig. 8"),
        ("frequency", "the resonant frequency", resonant_frequency, "E-6, Fig. 9"),
        ("settling", "the time constants of settling", settling_constants, "E-7, Fig. 10"),
    )
)
