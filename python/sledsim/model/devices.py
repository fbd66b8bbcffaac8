"""Devices: parameters, derived quantities, and times of sled motions for numbers or NumPy arrays."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _native
from ..common.citations import cited
from ..common.command_files import claim_read_by_core
from ..common.grids import facts
from ..common.output_files import PathLike, write_text
from ..common.shown import Form, Shown, quoted
from .core_tables import table
from .device_file import assignments, tables
from .identity import Identity

#: Pattern of the name of a device class, such as ``file.py:Class``.
_CLASS = re.compile(r".+:[A-Za-z_]\w*")
#: Largest number of times at which a motion is returned.
_POINTS_MAX = 1_000_000
#: Type of a seek model in Python, as `register_seek_model` describes it.
SeekFunction = Callable[
    [NDArray[np.float64], NDArray[np.float64], float, dict[str, float]], NDArray[np.float64]
]
#: Type of a computed time: a float if all arguments are numbers, otherwise an array of their broadcast shape.
Quantity = float | NDArray[np.float64]


class Device(Shown, Identity):
    """A storage device: a sled of medium moving under fixed tips, or a disk drive or flash card.

    Devices are made by `device`. They have no state, so one device can be used in any number of runs. Devices
    with equal parameters are equal; devices can be copied and pickled. A worker process that receives a
    device needs no file, but must register custom seek models (`register_seek_model`). Methods on the motion
    of a sled raise an error for other kinds of devices. Positions are distances of the sled from its centre
    in metres; directions along y are +1 and -1.
    """

    def __init__(self, native: _native.Device) -> None:
        self._native = native

    @classmethod
    def from_parameters(cls, parameters: dict[str, Any]) -> "Device":
        """Make a device from all of its parameters, as the attribute `parameters` returns them.

        Raises:
            ParameterError: A key is unknown or missing, or a value is out of range.
        """
        with _knowing(parameters):
            return cls(_native.Device.from_parameters(parameters))

    def with_parameters(self, **changes: Any) -> "Device":
        """Return a copy of the device with changed parameters, by the keys of a device file.

        The effect is that of a device file that extends this device: a new parameter for settling replaces
        the other parameters for settling, and ``seek_model="first-order"`` removes the springs.

        Raises:
            ParameterError: A key is unknown, or a value is out of range.
        """
        return type(self)(self._native.with_parameters(plain(changes)))

    @property
    def name(self) -> str:
        """Name of the device, which is the name of its device file."""
        return str(self.parameters["name"])

    @property
    def kind(self) -> str:
        """Kind of the device, one of `device_kinds`."""
        return self._native.kind

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters with their values in use, by key; the key ends with the unit (``settle_ms``)."""
        return self._native.parameters()

    @property
    def sources(self) -> dict[str, str]:
        """Source of each parameter's value, by key."""
        return self._native.sources()

    @property
    def paper(self) -> dict[str, tuple[float, str]]:
        """Figures of a paper about the device, by name of the characteristic: value and source."""
        return self._native.paper()

    @property
    def certainty(self) -> dict[str, dict[str, Any]]:
        """Certainty of the value of each parameter in the device file, by key.

        Entries of each dictionary: ``kind`` is ``measured`` (on a device), ``stated`` (by a source without a
        measurement), ``derived`` (from other numbers) or ``assumed``. ``low`` and ``high`` are the ends of
        the range of an uncertain value, in the unit of the key; ``log`` is True if equal ratios in the range
        are equally likely; ``reason`` is a sentence. These four are None for a certain value. A changed value
        has no entry.
        """
        return self._native.certainty()

    def write(self, path: PathLike) -> None:
        """Write a device file (TOML): parameters, sources, how certain each value is, and figures of papers.

        `device` reads the file; a device of a registered kind also needs its class (`register_device`).

        Raises:
            OSError: The file cannot be written; no part of it is left.
        """
        certainty = {
            key: one if one["low"] is not None else one["kind"] for key, one in self.certainty.items()
        }
        paper = {key: {"value": value, "source": source} for key, (value, source) in self.paper.items()}
        lines = assignments({"kind": self.kind, **self.parameters})
        told = tables(source=self.sources, certainty=certainty, paper=paper)
        write_text(path, "\n".join([*lines, *told, ""]))

    @property
    def capacity_bytes(self) -> int:
        """Capacity in bytes."""
        return int(_native.sectors(self._native)) * 512

    def characteristics(self) -> dict[str, float | int]:
        """Return derived quantities by name, with the unit at its end: capacity, geometry, times, rates."""
        return self._native.characteristics()

    def seek_x_s(self, x0_m: ArrayLike, x1_m: ArrayLike) -> Quantity:
        """Return the seconds of a seek along x from `x0_m` to `x1_m`, with settling if they differ."""
        return _broadcast(self._native.seek_x_s, (x0_m, float), (x1_m, float))

    def seek_y_s(self, y0_m: ArrayLike, d0: ArrayLike, y1_m: ArrayLike, d1: ArrayLike) -> Quantity:
        """Return the seconds of a seek along y from `y0_m` in direction `d0` to `y1_m` in direction `d1`."""
        return _broadcast(self._native.seek_y_s, (y0_m, float), (d0, int), (y1_m, float), (d1, int))

    def turnaround_s(self, y_m: ArrayLike, d: ArrayLike) -> Quantity:
        """Return the seconds to turn at `y_m`, from direction `d` to direction `-d` at the same place."""
        return _broadcast(self._native.turnaround_s, (y_m, float), (d, int))

    def seek_profile(
        self, from_m: float, to_m: float, d0: int = 0, d1: int = 0, points: int = 201
    ) -> dict[str, NDArray[np.float64]]:
        """Compute the fastest seek of a sled whose actuators need time to change their force.

        The plant is ``x'' = u - w^2 x`` with ``|u|`` at most the acceleration and ``|u'|`` at most the
        acceleration divided by ``actuator_rise_ms``, for every seek model. At both ends the force holds the
        sled at its speed.

        Args:
            from_m: Start in metres from the centre.
            to_m: End in metres from the centre.
            d0: Direction of motion at the start: +1 or -1 along y, at the access velocity; 0 for a seek along
                x, which starts at rest.
            d1: Direction of motion at the end: +1, -1 or, along x, 0.
            points: Number of equally spaced times at which the motion is returned, including start and end.

        Returns:
            ``time_s``, ``place_m``, ``speed_m_per_s``, and ``force_m_per_s2`` (u: force divided by mass),
            each of shape (points,).

        Raises:
            ParameterError: The device has no ``actuator_rise_ms``, a place is outside the travel of the sled,
                or only one of `d0` and `d1` is 0.
        """
        if (d0, d1) != (0, 0) and not {d0, d1} <= {-1, 1}:
            raise _native.ParameterError(f"d0 = {d0}, d1 = {d1}: expected +1 or -1 for each, or 0 for both")
        if not isinstance(points, int) or not 2 <= points <= _POINTS_MAX:
            raise _native.ParameterError(f"points = {points}: expected 2 to {_POINTS_MAX:,} points")
        along_x = (d0, d1) == (0, 0)
        (self.seek_x_s if along_x else self.turnaround_s)([from_m, to_m], [from_m, to_m] if along_x else 1)
        speed = self.parameters["access_velocity_mm_per_s"] * 1e-3
        ends = (float(from_m), d0 * speed), (float(to_m), d1 * speed)
        return _native.seek_profile(self._native, 0 if along_x else 1, *ends, points)

    def residual_vibration(self, from_m: ArrayLike, to_m: ArrayLike) -> dict[str, NDArray[np.float64]]:
        """Compute the vibration after a seek along x if the actuators cannot follow the ideal force at once.

        The command is ideal: full force ahead, full force back, then the force that holds the sled at its
        destination. The actuators follow the command as fast as ``actuator_rise_ms`` allows.

        Returns:
            The state when the force has reached its last value: ``place_error_m``, ``speed_m_per_s``, and the
            ``amplitude_m`` of the remaining vibration at ``loop_frequency_hz``; of the broadcast shape.

        Raises:
            ParameterError: The device has no ``actuator_rise_ms`` or ``loop_frequency_hz``, or a place is
                outside the travel of the sled.
        """
        self.seek_x_s(from_m, to_m)
        frequency_hz = self.parameters.get("loop_frequency_hz")
        if frequency_hz is None:
            raise _native.ParameterError("loop_frequency_hz is missing: expected a frequency of vibration")
        (starts, ends), shape = _flat((from_m, float), (to_m, float))
        found = _native.residual_vibration(self._native, starts, ends, 2 * np.pi * frequency_hz)
        return {name: column.reshape(shape) for name, column in found.items()}

    def locate(self, lbn: ArrayLike) -> dict[str, NDArray[Any]]:
        """Return the places of logical blocks on the medium.

        Args:
            lbn: Logical block numbers of the device, in any shape. A `Trace` counts sectors of 512 bytes
                instead; both are equal if the device has blocks of 512 bytes.

        Returns:
            Arrays of the shape of `lbn`: ``cylinder``, ``track``, ``row`` (counted along y from the lowest),
            ``slot``, the sled's position ``x_m``, ``y_m``, and ``sled`` if there are several. A disk has
            ``cylinder``, ``head``, ``slot`` (the angle, in sectors) and ``sectors_per_track``; a flash
            card has ``erase_block`` and ``slot``.

        Raises:
            ParameterError: A block number exceeds the device, or the device is a flash card without erase
                blocks.
        """
        shaped = _exact(lbn, int)
        found = self._native.locate(shaped.ravel())
        return {name: column.reshape(shaped.shape) for name, column in found.items()}

    def _made_from(self) -> tuple[Any, ...]:
        return (self.parameters,)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.parameters, self.sources, self.paper, self.certainty)

    def __repr__(self) -> str:
        return f"sledsim.device({quoted(self.name)})"

    def _form(self) -> Form:
        what = cited(str(self.parameters.get("description", self.kind)))
        calls = ("parameters", "characteristics()", "with_parameters(...)", "sledsim.simulate(device, trace)")
        return Form(f"Device {self.name}: {what}", [facts(self.characteristics())], calls=calls)


def _restored(
    parameters: dict[str, Any],
    sources: dict[str, str],
    paper: dict[str, tuple[float, str]],
    certainty: dict[str, dict[str, Any]],
) -> Device:
    """Make a device from the parts in which `pickle` stores it."""
    with _knowing(parameters):
        return Device(_native.Device.restore(parameters, sources, paper, certainty))


@contextmanager
def _knowing(parameters: dict[str, Any]) -> Iterator[None]:
    """During the block, complete an error about an unregistered kind of device: state how to register it."""
    try:
        yield
    except _native.ParameterError as error:
        kind = parameters.get("kind")
        if not isinstance(kind, str) or kind in table("kinds"):
            raise
        raise _native.ParameterError(
            f"{error}; first register this kind by sledsim.extend.register_device or"
            " 'sledsim --register FILE.py:CLASS ...'"
        ) from None


#: A device, its name, or the path of a device file.
DeviceOrName = Device | str | os.PathLike[str]


def device_of(given: DeviceOrName, key: str = "device") -> Device:
    """Return `given` if it is a device, or load the device with this name or file; classes are refused.

    Raises:
        ParameterError: The name is that of a volume or a class, or the device does not exist.
        OSError: The file cannot be read.
    """
    if not isinstance(given, str | os.PathLike):
        return given
    text = os.fspath(given)
    found = None
    if text.partition(":")[0] in table("volumes"):
        found = f"a volume, which sledsim.volume({text!r}) makes for calls that take volumes"
    elif is_class(text):
        found = f"a class, which sledsim.device({text!r}) imports"
    if found:
        raise _native.ParameterError(f"{key} = {text}: expected the name or file of a device, found {found}")
    return load_device(given)


def load_device(name_or_path: str | os.PathLike[str], /, **overrides: Any) -> Device:
    """Load a device by name or device file; unlike `device`, refuse device classes.

    The function is for names in files; `device` also accepts device classes.

    Args:
        name_or_path: Name from `devices`, or path of a device file (TOML).
        overrides: Parameters to change, by the keys of a device file.

    Raises:
        ParameterError: A name or key is unknown, or a value is out of range.
        OSError: The file cannot be read.
    """
    name = os.fspath(name_or_path)
    if is_class(name):
        raise _native.ParameterError(
            f"device = {name}: expected a name or a device file, found a class, which a file cannot import:"
            " register the class with sledsim --register, and give the name of its kind"
        )
    if not isinstance(name_or_path, str) and os.sep not in name:
        name = f"{os.curdir}{os.sep}{name}"  # Mark the text as a path.
    found = Device(_native.Device.load(name, plain(overrides)))
    claim_read_by_core()
    return found


def is_class(text: str) -> bool:
    """Return True if a text names a device class, ``module:Class`` or ``file.py:Class``."""
    return bool(_CLASS.fullmatch(text)) and not Path(text).exists()


def register_seek_model(name: str, function: SeekFunction, description: str = "") -> None:
    """Register a custom seek model, which devices can use by ``seek_model=name``.

    Args:
        name: Name of the model, which no built-in model may have; an earlier custom model with this name is
            replaced for devices made later.
        function: ``function(from_m, to_m, speed_m_per_s, axis)`` with float64 arrays of shape (n,): starts
            and ends of seeks in metres from the centre, and the speed at both ends in the direction of
            motion: 0 in x, the access velocity in y. ``axis`` has ``acceleration_m_per_s2``,
            ``stiffness_per_s2`` (spring over mass) and ``reach_m`` (half the stroke). The function returns
            float64 seconds, (n,), at most 2, without settling and turnarounds. In a simulation n is 1.
        description: Description in one line, for lists.

    Raises:
        ParameterError: The name is empty or a built-in model's, or the function is not callable. Errors of
            the function, and results of a wrong shape or size, are raised when the time of a seek is needed.
    """
    if not name or not callable(function):
        raise _native.ParameterError(f"expected a name and a function, found {name!r} and {function!r}")
    _native.register_seek_model(name, description or (function.__doc__ or "").partition("\n")[0], function)


def plain(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return parameters with NumPy numbers and arrays as Python numbers and lists."""
    return {
        key: value.tolist() if isinstance(value, np.generic | np.ndarray) else value
        for key, value in parameters.items()
    }


def _exact(values: ArrayLike, kind: type) -> NDArray[Any]:
    """Convert values to an array of float64 or int64; for int64, a value with a fraction is an error."""
    given = np.asarray(values)
    try:
        with np.errstate(invalid="ignore"):
            array = np.ascontiguousarray(given, dtype=np.float64 if kind is float else np.int64)
    except OverflowError as error:
        raise _native.ParameterError(f"expected numbers that fit into 64 bits, found {given!r}") from error
    if kind is int and not np.array_equal(array.reshape(given.shape), given):
        raise _native.ParameterError(f"expected whole numbers, found {given!r}")
    return array.reshape(given.shape)


def _broadcast(function: Callable[..., NDArray[np.float64]], *arguments: tuple[ArrayLike, type]) -> Quantity:
    """Broadcast the arguments, call a function of one-dimensional arrays, and restore the shape."""
    arrays, shape = _flat(*arguments)
    result = function(*arrays)
    return result.reshape(shape) if shape else float(result[0])


def _flat(*arguments: tuple[ArrayLike, type]) -> tuple[list[NDArray[Any]], tuple[int, ...]]:
    """Broadcast arguments, and return them as one-dimensional arrays, with the shape before that."""
    arrays = np.broadcast_arrays(*(_exact(values, kind) for values, kind in arguments))
    return [np.ascontiguousarray(array).ravel() for array in arrays], arrays[0].shape
