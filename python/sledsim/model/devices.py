"""The device model: parameters, characteristics and mechanics, vectorised over NumPy arrays."""

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

#: A class of devices, where it is named instead of a device.
_CLASS = re.compile(r".+:[A-Za-z_]\w*")
#: Times at which a motion may be sampled.
_POINTS_MAX = 1_000_000
#: A seek model written in Python: see `register_seek_model`.
SeekFunction = Callable[
    [NDArray[np.float64], NDArray[np.float64], float, dict[str, float]], NDArray[np.float64]
]
#: A quantity: a Python float where every argument was a scalar, else an array of the broadcast shape.
Quantity = float | NDArray[np.float64]


class Device(Shown, Identity):
    """A storage device: a sled of medium moving under fixed tips, or a disk drive or flash card beside it.

    Made by `device`. It holds no state: the same device can be used in any number of runs. Devices of the
    same parameters are equal, and a device can be copied and pickled: a worker that it is handed to needs no
    file, but has to register a seek model of one's own (`register_seek_model`). What asks for the
    motion of a sled is refused by devices of another `kind`. Positions are offsets of the sled from its
    centre in metres; directions along y are +1 and -1.
    """

    def __init__(self, native: _native.Device) -> None:
        self._native = native

    @classmethod
    def from_parameters(cls, parameters: dict[str, Any]) -> "Device":
        """A device from a whole set of parameters, as `parameters` gives it.

        Raises:
            ParameterError: A key is unknown or missing, or a value is out of range.
        """
        with _knowing(parameters):
            return cls(_native.Device.from_parameters(parameters))

    def with_parameters(self, **changes: Any) -> "Device":
        """A device with the parameters of this one, some of them changed, by the device file's keys.

        It is as if a device file extended this one: settling given in one way replaces the other ways, and
        ``seek_model="first-order"`` takes the springs away for good.

        Raises:
            ParameterError: A key is unknown, or a value is out of range.
        """
        return type(self)(self._native.with_parameters(plain(changes)))

    @property
    def name(self) -> str:
        """The name of the device file that this device was made from."""
        return str(self.parameters["name"])

    @property
    def kind(self) -> str:
        """What it is: one of `device_kinds`."""
        return self._native.kind

    @property
    def parameters(self) -> dict[str, Any]:
        """Every effective parameter by its key; the unit is in the key (``settle_ms``)."""
        return self._native.parameters()

    @property
    def sources(self) -> dict[str, str]:
        """Where each parameter's value comes from, by its key."""
        return self._native.sources()

    @property
    def paper(self) -> dict[str, tuple[float, str]]:
        """Published figures by characteristic: the value in the characteristic's unit, and the citation."""
        return self._native.paper()

    @property
    def certainty(self) -> dict[str, dict[str, Any]]:
        """How certain the values are, by key, for those of which the device file says it.

        Each is a dictionary: ``kind`` is ``measured`` (on a device or a drive), ``stated`` (without a
        measurement), ``derived`` (from other numbers) or ``assumed``. Where the value is not certain, ``low``
        and ``high`` (numbers in the unit of the key, whole where the value is, which is between them),
        ``log`` (whether the range goes over orders of magnitude, each as likely) and ``reason`` (a sentence)
        say in which range it may be; else these four are None. A value that was changed has no certainty any
        more.
        """
        return self._native.certainty()

    def write(self, path: PathLike) -> None:
        """Write a device file (TOML) with every parameter, its source and certainty, and the paper's figures.

        `device` reads it; a device of an added kind needs its class then, too (`register_device`).

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
        """Bytes that it offers."""
        return int(_native.sectors(self._native)) * 512

    def characteristics(self) -> dict[str, float | int]:
        """What follows from the parameters: capacity, geometry, times and rates, unit in the key."""
        return self._native.characteristics()

    def seek_x_s(self, x0_m: ArrayLike, x1_m: ArrayLike) -> Quantity:
        """Seconds to move along x from rest to rest; the settling time is included when x differs."""
        return _broadcast(self._native.seek_x_s, (x0_m, float), (x1_m, float))

    def seek_y_s(self, y0_m: ArrayLike, d0: ArrayLike, y1_m: ArrayLike, d1: ArrayLike) -> Quantity:
        """Seconds along y from one position and direction to another, turnarounds included."""
        return _broadcast(self._native.seek_y_s, (y0_m, float), (d0, int), (y1_m, float), (d1, int))

    def turnaround_s(self, y_m: ArrayLike, d: ArrayLike) -> Quantity:
        """Seconds to reverse the direction `d` at a position along y and be at the same place again."""
        return _broadcast(self._native.turnaround_s, (y_m, float), (d, int))

    def seek_profile(
        self, from_m: float, to_m: float, d0: int = 0, d1: int = 0, points: int = 201
    ) -> dict[str, NDArray[np.float64]]:
        """The quickest motion of actuators whose force cannot jump, over time.

        The plant is ``x'' = u - w^2 x`` with ``|u|`` at most the acceleration and ``|u'|`` at most that over
        ``actuator_rise_ms``, whatever the seek model. At both ends the force holds the sled at its speed.

        Args:
            from_m: Where it starts, in metres from the centre.
            to_m: Where it ends.
            d0: The direction, +1 or -1, in which it passes the start at access speed: a motion along y;
                0 for a seek along x, from rest to rest.
            d1: The same at the end.
            points: How many times are given, evenly spaced, first and last included.

        Returns:
            ``time_s``, ``place_m``, ``speed_m_per_s``, and ``force_m_per_s2`` (u: the force over the mass),
            each of shape (points,).

        Raises:
            ParameterError: The device has no ``actuator_rise_ms``, a place is outside its travel, or only one
                direction is given.
        """
        if (d0, d1) != (0, 0) and not {d0, d1} <= {-1, 1}:
            raise _native.ParameterError(
                f"d0 = {d0}, d1 = {d1}: expected two directions, +1 or -1, or none (0, 0)"
            )
        if not isinstance(points, int) or not 2 <= points <= _POINTS_MAX:
            raise _native.ParameterError(f"points = {points}: expected 2 to {_POINTS_MAX:,} points")
        along_x = (d0, d1) == (0, 0)
        (self.seek_x_s if along_x else self.turnaround_s)([from_m, to_m], [from_m, to_m] if along_x else 1)
        speed = self.parameters["access_velocity_mm_per_s"] * 1e-3
        ends = (float(from_m), d0 * speed), (float(to_m), d1 * speed)
        return _native.seek_profile(self._native, 0 if along_x else 1, *ends, points)

    def residual_vibration(self, from_m: ArrayLike, to_m: ArrayLike) -> dict[str, NDArray[np.float64]]:
        """What the ideal bang-bang seek along x hides: where it leaves a sled whose force cannot jump.

        The ideal command (full force ahead, full force back, then the force that holds the sled at its
        destination) is followed no faster than ``actuator_rise_ms`` allows.

        Returns:
            When the force has got to its last value: ``place_error_m``, ``speed_m_per_s``, and the
            ``amplitude_m`` of the vibration that is left at ``loop_frequency_hz``; of the broadcast shape.

        Raises:
            ParameterError: The device lacks one of both keys, or a place is outside its travel.
        """
        self.seek_x_s(from_m, to_m)
        frequency_hz = self.parameters.get("loop_frequency_hz")
        if frequency_hz is None:
            raise _native.ParameterError("loop_frequency_hz is missing: at which frequency would it vibrate?")
        (starts, ends), shape = _flat((from_m, float), (to_m, float))
        found = _native.residual_vibration(self._native, starts, ends, 2 * np.pi * frequency_hz)
        return {name: column.reshape(shape) for name, column in found.items()}

    def locate(self, lbn: ArrayLike) -> dict[str, NDArray[Any]]:
        """Where logical blocks lie.

        Args:
            lbn: Logical block numbers of the device, of any shape. (Those of a `Trace` count sectors of 512
                bytes, which is the same unless the device has other blocks.)

        Returns:
            Arrays of the shape of `lbn`: ``cylinder``, ``track``, ``row`` (counted along y from the
            lowest), ``slot``, the sled's position ``x_m``, ``y_m``, and ``sled`` where there are several. On
            a disk ``cylinder``, ``head``, ``slot`` (the angle, in sectors) and ``sectors_per_track``; on a
            flash card ``erase_block`` and ``slot``.

        Raises:
            ParameterError: A number is not on the device, or a flash card has no erase blocks.
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
    """A device that was pickled."""
    with _knowing(parameters):
        return Device(_native.Device.restore(parameters, sources, paper, certainty))


@contextmanager
def _knowing(parameters: dict[str, Any]) -> Iterator[None]:
    """Say in an error how a kind that is not there comes to be."""
    try:
        yield
    except _native.ParameterError as error:
        kind = parameters.get("kind")
        if not isinstance(kind, str) or kind in table("kinds"):
            raise
        raise _native.ParameterError(
            f"{error}; one of your own is registered first, by sledsim.extend.register_device or"
            " 'sledsim --register FILE.py:CLASS ...'"
        ) from None


#: A device, or one by its name or the path of its file.
DeviceOrName = Device | str | os.PathLike[str]


def device_of(given: DeviceOrName, key: str = "device") -> Device:
    """The device that is given, or that of a name or file; no class is imported for it.

    Raises:
        ParameterError: It is the name of a volume or of a class, or there is no such device.
        OSError: The file cannot be read.
    """
    if not isinstance(given, str | os.PathLike):
        return given
    text = os.fspath(given)
    found = None
    if text.partition(":")[0] in table("volumes"):
        found = f"a volume: sledsim.volume({text!r}) makes it, for what takes volumes"
    elif is_class(text):
        found = f"a class: sledsim.device({text!r}) imports it"
    if found:
        raise _native.ParameterError(f"{key} = {text}: expected the name or file of a device, found {found}")
    return load_device(given)


def load_device(name_or_path: str | os.PathLike[str], /, **overrides: Any) -> Device:
    """Load a built-in or registered device, or a device file; nothing is imported for it.

    It is for names that come out of files. What a user names may be a class of devices, too: `device`.

    Args:
        name_or_path: A name out of `devices`, or the path of a device file (TOML).
        overrides: Parameters to change, by the device file's keys.

    Raises:
        ParameterError: A name or key is unknown, or a value is out of range.
        OSError: The file cannot be read.
    """
    name = os.fspath(name_or_path)
    if is_class(name):
        raise _native.ParameterError(
            f"device = {name}: expected a name or a device file, found a class of devices, which no file may"
            f" import: register it in the command, with --register before its other words, and name its kind"
        )
    if not isinstance(name_or_path, str) and os.sep not in name:
        name = f"{os.curdir}{os.sep}{name}"  # A path, even if it looks like a name.
    found = Device(_native.Device.load(name, plain(overrides)))
    claim_read_by_core()
    return found


def is_class(text: str) -> bool:
    """Tell whether a text names a class of devices, ``module:Class`` or ``file.py:Class``, and no file."""
    return bool(_CLASS.fullmatch(text)) and not Path(text).exists()


def register_seek_model(name: str, function: SeekFunction, description: str = "") -> None:
    """Add a seek model of your own: from then on ``seek_model=name`` is one that devices may have.

    Args:
        name: Not that of a built-in model; a model that was added under the same name is replaced, for
            devices that are made from then on.
        function: ``function(from_m, to_m, speed_m_per_s, axis)`` with float64 arrays of shape (n,): where
            seeks start and end, in metres from the centre. The speed is that at both ends, in the direction
            of motion: 0 in x, the access velocity in y. ``axis`` has ``acceleration_m_per_s2``,
            ``stiffness_per_s2`` (spring over mass) and ``reach_m`` (half the stroke). It returns float64
            seconds, (n,), at most 2, without settling and turnarounds. In a simulation n is 1.
        description: One line, for lists.

    Raises:
        ParameterError: The name is empty or a built-in model's, or there is no function. What the function
            raises, and a result of a wrong shape or size, is raised where the time of a seek is asked for.
    """
    if not name or not callable(function):
        raise _native.ParameterError(f"expected a name and a function, found {name!r} and {function!r}")
    _native.register_seek_model(name, description or (function.__doc__ or "").partition("\n")[0], function)


def plain(parameters: dict[str, Any]) -> dict[str, Any]:
    """Parameters as Python's own numbers and lists, where they are NumPy's."""
    return {
        key: value.tolist() if isinstance(value, np.generic | np.ndarray) else value
        for key, value in parameters.items()
    }


def _exact(values: ArrayLike, kind: type) -> NDArray[Any]:
    """An array of float64 or int64; a number with a fraction is no integer."""
    given = np.asarray(values)
    try:
        with np.errstate(invalid="ignore"):
            array = np.ascontiguousarray(given, dtype=np.float64 if kind is float else np.int64)
    except OverflowError as error:
        raise _native.ParameterError(f"expected numbers of 64 bits, found {given!r}") from error
    if kind is int and not np.array_equal(array.reshape(given.shape), given):
        raise _native.ParameterError(f"expected whole numbers, found {given!r}")
    return array.reshape(given.shape)


def _broadcast(function: Callable[..., NDArray[np.float64]], *arguments: tuple[ArrayLike, type]) -> Quantity:
    """Call a function of flat arrays with arguments of any shapes that go together."""
    arrays, shape = _flat(*arguments)
    result = function(*arrays)
    return result.reshape(shape) if shape else float(result[0])


def _flat(*arguments: tuple[ArrayLike, type]) -> tuple[list[NDArray[Any]], tuple[int, ...]]:
    """Arguments of any shapes that go together as flat arrays, and the shape that they have together."""
    arrays = np.broadcast_arrays(*(_exact(values, kind) for values, kind in arguments))
    return [np.ascontiguousarray(array).ravel() for array in arrays], arrays[0].shape
