"""Policies that users write in Python; slower, but used like built-in policies."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Protocol, SupportsIndex, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from .. import _native
from .own_devices import is_parameter, parameter_row


class Waiting(TypedDict):
    """Waiting requests in the order of arrival, as arrays of shape (n,) with n of 1 or more.

    Attributes:
        row: Number of the request in the trace and in the result, from 0.
        lbn: First logical block on the device.
        blocks: Number of blocks.
        write: True for a write.
        kind: 0 for a read, 1 for a write, 2 for a write with force unit access (FUA). A flush does not wait
            here: a device starts it before all waiting requests.
        metadata: True for metadata of a file system.
        wait_s: Time since the arrival, in seconds.
        cylinder: Cylinder of the first block.
        track: Track of the first block, counted over the whole device.
        y_bits: Middle of the first row, in bits from the lower end of the region.
        positioning_s: Seconds from now until the first row could be read or written if the service started
            now, including a hold.
        access_s: Seconds from now until the medium would have finished the request if the service started
            now.
        distance_m: Distance in metres from the present place to the nearer end of the first row, in a
            straight line; a disk counts one micrometre per cylinder.
    """

    row: NDArray[np.int64]
    lbn: NDArray[np.int64]
    blocks: NDArray[np.int64]
    write: NDArray[np.bool_]
    kind: NDArray[np.uint8]
    metadata: NDArray[np.bool_]
    wait_s: NDArray[np.float64]
    cylinder: NDArray[np.int64]
    track: NDArray[np.int64]
    y_bits: NDArray[np.int64]
    positioning_s: NDArray[np.float64]
    access_s: NDArray[np.float64]
    distance_m: NDArray[np.float64]


class Taken(TypedDict):
    """Values of the request that is served next: those of `Waiting` that do not change with time."""

    row: int
    lbn: int
    blocks: int
    write: bool
    kind: int
    metadata: bool
    cylinder: int
    track: int
    y_bits: int


class Scheduler(Protocol):
    """Interface of a policy with a state: a class with a method `choose`, an instance for each device.

    An optional method ``take(self, request: Taken)`` is called for every request whose service starts, also
    if a wrapper chose it; a policy can remember the last request there.
    """

    def choose(self, now_s: float, waiting: Waiting) -> SupportsIndex:
        """Return the index of the request to serve next."""
        ...


#: Type of a policy without a state: a function of the time in seconds and the waiting requests, which returns
#: an index.
ChooseFunction = Callable[[float, Waiting], SupportsIndex]
#: Policies registered in this process, by name.
REGISTERED: dict[str, ChooseFunction | type[Scheduler]] = {}
#: Names of registered policies that worker processes can load, too: those of files and installed packages.
SHARED: set[str] = set()


def register_scheduler(name: str, choose: ChooseFunction | type[Scheduler], description: str = "") -> None:
    """Register a custom policy, which this process can then use by name.

    Args:
        name: Name of the policy, which no built-in policy or wrapper may have; an earlier custom policy with
            this name is replaced. Wrappers can be added: ``mine+deadline:after_ms=50``.
        choose: Function ``choose(now_s, waiting)``, which receives the time since the start of the run in
            seconds and the waiting requests (`Waiting`, a dictionary of arrays), and returns the index of the
            request to serve next; the first of equally good requests arrived earliest. Or a class whose
            instances have such a method (`Scheduler`), with an instance for each device of each run. In a
            dataclass, fields that are a `parameter` are options, which stand in the name: ``mine:depth=3``.
        description: Description in one line, for lists; the default is the first line of the docstring.

    Raises:
        ParameterError: The name is invalid, or `choose` is not callable. An error in `choose`, or a result
            that is no index of a request, is raised by the function that runs the simulation.
    """
    for key, text in (("name", name), ("description", description)):
        if not isinstance(text, str):
            raise _native.ParameterError(f"{key} = {text!r}: expected a text")
    if isinstance(choose, type) and not callable(getattr(choose, "choose", None)):
        raise _native.ParameterError(
            f"scheduler = {name}: expected a method choose, found none in {choose!r}"
        )
    if not callable(choose):
        raise _native.ParameterError(f"scheduler = {name}: expected a function or class, found {choose!r}")

    def make(options: Mapping[str, Any]) -> tuple[ChooseFunction, Callable[[Taken], object] | None]:
        if not isinstance(choose, type):
            return choose, None
        policy = choose(**options)
        return policy.choose, cast("Callable[[Taken], object] | None", getattr(policy, "take", None))

    summary = description or (choose.__doc__ or "").strip().partition("\n")[0]
    _native.register_scheduler(name, summary, _options(name, choose), make)
    REGISTERED[name] = choose
    SHARED.discard(name)


def share_scheduler(name: str, choose: ChooseFunction | type[Scheduler], description: str = "") -> None:
    """Register a policy of a file or package, which worker processes can load, too.

    Raises:
        ParameterError: An argument is invalid, as for `register_scheduler`.
    """
    register_scheduler(name, choose, description)
    SHARED.add(name)


def _options(name: str, choose: object) -> list[tuple[str, str, str, Any, float | None, float | None]]:
    """Return the options of a policy, declared in its dataclass, in the form that the core takes."""
    if not isinstance(choose, type) or not dataclasses.is_dataclass(choose):
        return []
    owner = f"scheduler = {name}"
    missing = dataclasses.MISSING
    for field in dataclasses.fields(choose):
        if field.init and field.default is missing and field.default_factory is missing:
            raise _native.ParameterError(
                f"{owner}: {field.name}: expected a default, found none: an option is a field such as"
                ' depth: int = sledsim.extend.parameter(3, "requests to look at")'
            )
    rows = [parameter_row(owner, field) for field in dataclasses.fields(choose) if is_parameter(field)]
    for option, _, _, default, *_ in rows:
        if isinstance(default, int) and default < 0:
            raise _native.ParameterError(
                f"{owner}: {option}: expected a whole number, 0 or more, as default, found {default}:"
                f" declare a number that may be negative as a float"
            )
    return rows
