"""Devices of a user's own, written in Python: slow, but served, set and swept like the built-in ones."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any, Protocol, TypedDict

from .. import _native
from .._native import DeviceRequest
from ..common import units

#: Under these names a field says of itself what `parameter` was given.
_MEANING, _LOW, _HIGH = "meaning", "low", "high"
#: The classes by the names under which they are registered.
_REGISTERED: "dict[str, type[DeviceModel]]" = {}
#: What every device says of itself.
_CAPACITY = {"capacity_bytes": "Bytes on the device"}
#: Keys beside those of a device under which results say what is put on it.
_PUT_ON = ("faults", "episodes")


class Served(TypedDict, total=False):
    """The phases of a service, which follow each other, in seconds; what is not given is 0.

    Attributes:
        command_s: Command processing while nothing else can be served.
        wait_s: Waiting until the mechanism is ready.
        positioning_s: Until the first block can be accessed.
        hold_s: Waiting for the data of a write.
        switching_s: Between the parts of a request.
        transfer_s: Blocks passing under the heads.
        bus_s: What remains for the bus after the medium was done, while nothing else can be served.
        seek_x_s: Part of positioning; so are the next four.
        settle_s: Part of positioning.
        seek_y_s: Part of positioning.
        turnaround_s: Part of positioning.
        rotation_s: Part of positioning: waiting for the medium to turn there.
        switches: How many switches there were.
        seek_j: Energy in joules, by its use; so are the next five. ``electronics_j`` is for all that has no
            use of its own.
        settle_j: As above.
        actuation_j: As above.
        tips_j: As above.
        electronics_j: As above.
        startup_j: As above.
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
    """What a class of devices must have; docs/how-to/own-devices.md has what it may have besides."""

    @property
    def blocks(self) -> int:
        """Logical blocks on the device."""
        ...

    def positioning_s(self, now_s: float, request: DeviceRequest) -> float:
        """Seconds until the first block of the request could be accessed if its service started now.

        It must change nothing: policies ask it of every request that waits.
        """
        ...

    def serve(self, now_s: float, request: DeviceRequest) -> Served:
        """Serve a request from now on, and leave the device in the state in which that leaves it."""
        ...


def parameter(default: Any, meaning: str, low: float | None = None, high: float | None = None) -> Any:
    """A parameter of a device of one's own, or an option of a policy: the value of a field of a dataclass.

    Args:
        default: Its value where no file says so: a whole number, a number or a text; its type is that of the
            parameter. The unit is the end of the field's name (``length_m``, ``locate_ms``).
        meaning: What it is, in one line, for lists.
        low: The least that it may be, in its unit.
        high: The most.
    """
    return dataclasses.field(default=default, metadata={_MEANING: meaning, _LOW: low, _HIGH: high})


def register_device(name: str, model: type[DeviceModel], description: str = "") -> None:
    """Add a kind of devices of your own: from then on `name` is one of `devices` in this process.

    It is a device with its parameters at their defaults; ``sledsim.device(name, length_m=500.0)`` changes
    them, a device file extends it or names it as its ``kind``, and sweeps go over them.

    Args:
        name: Not that of a built-in device or kind; one that was added under the same name is replaced, for
            devices that are made from then on.
        model: A dataclass (`DeviceModel`). Its fields are the parameters (`parameter`); an instance is made
            for each device of each run, and copied deeply where a simulation needs to look ahead.
        description: One line, for lists; the first of the docstring, if it is not given.

    Raises:
        ParameterError: The name cannot be, or the class is not as it has to be. What its methods raise, and
            what they return that cannot be, is raised where the simulation was asked for.
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
            f"{owner}: parameter `{put_on[0]}`: this name is taken; choose another one"
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
    """The class that is registered under a name; None if there is none."""
    return _REGISTERED.get(name)


def is_parameter(field: "dataclasses.Field[Any]") -> bool:
    """Tell whether the value of a field is a `parameter`."""
    return _MEANING in field.metadata


def parameter_row(
    owner: str, field: "dataclasses.Field[Any]"
) -> tuple[str, str, str, Any, float | None, float | None]:
    """A parameter as the core takes it: name, unit, meaning, default, the least and the most.

    Args:
        owner: What has it, for errors: ``device = belt``.
        field: Of a dataclass, with what `parameter` was given.

    Raises:
        ParameterError: Something of it cannot be.
    """
    default = field.default
    if isinstance(default, bool) or not isinstance(default, int | float | str):
        raise _native.ParameterError(
            f"{owner}: {field.name}: expected a default that is a number or a text, found"
            f" {'none' if default is dataclasses.MISSING else repr(default)}: a parameter is a field such as"
            ' length_m: float = sledsim.extend.parameter(846.0, "length of the tape"), and what is no'
            " parameter a field(init=False)"
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
            f"{owner}: {field.name}: expected a text as {_MEANING}, found {meaning!r}"
        )
    return field.name, units.of(field.name).stored, meaning, default, low, high
