"""Devices that users write in Python; slower, but used like built-in devices."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, Protocol, TypedDict

from .. import _native
from .._native import DeviceRequest
from ..common import units

#: Keys of a field's metadata under which `parameter` stores its arguments.
_MEANING, _LOW, _HIGH = "meaning", "low", "high"
#: Registered classes, by name.
_REGISTERED: "dict[str, type[DeviceModel]]" = {}
#: Derived quantities that every device has, with their meanings.
_CAPACITY = {"capacity_bytes": "Bytes on the device"}
#: Keys that results use for faults and episodes, so that no parameter can have these names.
_PUT_ON = ("faults", "episodes")


class Served(TypedDict, total=False):
    """Durations of the phases of a service in seconds, and its energy in joules; missing values are 0.

    Attributes:
        command_s: Time to process the command, during which the device serves no other request.
        wait_s: Time until the mechanism is ready to move.
        positioning_s: Time to reach the first block, once the mechanism is ready to move.
        hold_s: Time for which the mechanism waits for the data of a write (hold).
        switching_s: Time to move between the places on the medium that one request has.
        transfer_s: Time in which blocks pass under the heads.
        bus_s: Time in which the bus still transfers data after the medium is done; the device then serves no
            other request.
        seek_x_s: Time of the seek along x, which is a part of positioning.
        settle_s: Time of settling, which is a part of positioning.
        seek_y_s: Time of the seek along y, which is a part of positioning.
        turnaround_s: Time of turnarounds, which is a part of positioning.
        rotation_s: Time of waiting for the medium to rotate, which is a part of positioning.
        switches: Number of moves between places on the medium during the request.
        seek_j: Energy of seeks in joules.
        settle_j: Energy of settling in joules.
        actuation_j: Energy of moving the medium or heads, apart from seeks and settling, in joules.
        tips_j: Energy of tips in joules.
        electronics_j: Energy of electronics in joules, including uses that have no other key.
        startup_j: Energy of starting up in joules.
    """

    command_s: float
    wait_s: float
    positioning_s: float
    hold_s: float
    switching_s: float
    transfer_s: float
    bus_s: float
    seek_x_s: float
    settle_s: float
    seek_y_s: float
    turnaround_s: float
    rotation_s: float
    switches: int
    seek_j: float
    settle_j: float
    actuation_j: float
    tips_j: float
    electronics_j: float
    startup_j: float


class DeviceModel(Protocol):
    """Members that a device class must have; docs/how-to/own-devices.md lists optional members."""

    @property
    def blocks(self) -> int:
        """Number of logical blocks on the device."""
        ...

    def positioning_s(self, now_s: float, request: DeviceRequest) -> float:
        """Return the seconds from `now_s` until the first block of a request could be accessed.

        The method must not change the device: policies call it for every waiting request.
        """
        ...

    def serve(self, now_s: float, request: DeviceRequest) -> Served:
        """Serve a request from `now_s` on: change the device to its state after the service."""
        ...


def parameter(default: Any, meaning: str, low: float | None = None, high: float | None = None) -> Any:
    """Declare a dataclass field as a parameter of a custom device or an option of a custom policy.

    Args:
        default: Default value: a whole number, a number or a text; its type is the type of the parameter. The
            unit is the end of the field's name (``length_m``, ``locate_ms``).
        meaning: Description in one line, for lists.
        low: Smallest allowed value, in the unit of the parameter.
        high: Largest allowed value, in the unit of the parameter.
    """
    return dataclasses.field(default=default, metadata={_MEANING: meaning, _LOW: low, _HIGH: high})


def register_device(name: str, model: type[DeviceModel], description: str = "") -> None:
    """Register a custom kind of devices, which this process can then use by name.

    The name stands for a device with default parameters; ``sledsim.device(name, length_m=500.0)`` changes
    them. A device file can extend the device or name it as its ``kind``, and sweeps can vary its parameters.

    Args:
        name: Name of the kind, which no built-in device or kind may have; an earlier custom kind with this
            name is replaced for devices made later.
        model: A dataclass (`DeviceModel`). Its fields are the parameters (`parameter`); each device of each
            run is an instance, and simulations that look ahead make deep copies.
        description: Description in one line, for lists; the default is the first line of the docstring.

    Raises:
        ParameterError: The name or the class is invalid. Errors of its methods, and impossible values that
            they return, are raised by the call that started the simulation.
    """
    if not isinstance(name, str) or not isinstance(description, str):
        raise _native.ParameterError(f"name = {name!r}, description = {description!r}: expected texts")
    if not isinstance(model, type) or not dataclasses.is_dataclass(model):
        raise _native.ParameterError(
            f"device = {name}: expected a class that is a dataclass, whose fields are the parameters,"
            f" found {model!r}"
        )
    owner = f"device = {name}"
    fields = [field for field in dataclasses.fields(model) if field.init]
    if put_on := [field.name for field in fields if field.name in _PUT_ON]:
        raise _native.ParameterError(
            f"{owner}: parameter `{put_on[0]}`: results need this name: choose another name"
        )
    parameters = [parameter_row(owner, field) for field in fields]
    meanings = getattr(model, "meanings", {})
    if not isinstance(meanings, Mapping) or not all(
        isinstance(text, str) for row in meanings.items() for text in row
    ):
        raise _native.ParameterError(
            f"device = {name}: meanings: expected a dictionary of texts, found {meanings!r}"
        )

    def make(values: Mapping[str, Any]) -> object:
        return model(**values)

    _native.register_device(
        name,
        description or (model.__doc__ or "").strip().partition("\n")[0].rstrip("."),
        parameters,
        sorted({**_CAPACITY, **meanings}.items()),
        make,
    )
    _REGISTERED[name] = model


def registered(name: str) -> type[DeviceModel] | None:
    """Return the device class registered under a name; None if no class is registered."""
    return _REGISTERED.get(name)


def is_parameter(field: "dataclasses.Field[Any]") -> bool:
    """Return True if a field of a dataclass was declared by `parameter`."""
    return _MEANING in field.metadata


def parameter_row(
    owner: str, field: "dataclasses.Field[Any]"
) -> tuple[str, str, str, Any, float | None, float | None]:
    """Return a parameter as the core takes it: name, unit, meaning, default, least and greatest value.

    Args:
        owner: Beginning of error messages, such as ``device = belt``.
        field: Field of a dataclass that was declared by `parameter`.

    Raises:
        ParameterError: An argument is invalid.
    """
    default = field.default
    if isinstance(default, bool) or not isinstance(default, int | float | str):
        raise _native.ParameterError(
            f"{owner}: {field.name}: expected a default that is a number or a text, found"
            f" {'none' if default is dataclasses.MISSING else repr(default)}: a parameter is a field such as"
            ' length_m: float = sledsim.extend.parameter(846.0, "length of the tape"); any other field is a'
            " field(init=False)"
        )
    said = field.metadata
    low, high, meaning = said.get(_LOW), said.get(_HIGH), said.get(_MEANING, "")
    for what, value in (("default", default), (_LOW, low), (_HIGH, high)):
        is_text = what == "default" and isinstance(value, str)
        if not (value is None or is_text or (isinstance(value, int | float) and math.isfinite(value))):
            raise _native.ParameterError(
                f"{owner}: {field.name}: expected a number as {what}, found {value!r}"
            )
    if not isinstance(meaning, str):
        raise _native.ParameterError(
            f"{owner}: {field.name}: expected {_MEANING} to be a text, found {meaning!r}"
        )
    return field.name, units.of(field.name).stored, meaning, default, low, high
