"""Schedulers of a user's own, written in Python: slow, but served like the built-in ones."""

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Protocol, SupportsIndex, TypedDict, cast

import numpy as np
from numpy.typing import NDArray

from .. import _native
from .own_devices import is_parameter, parameter_row


class Waiting(TypedDict):
    """The requests that wait, in order of arrival: arrays of shape (n,), n at least 1.

    Attributes:
        row: The request's row in the columns of the trace and of the result.
        lbn: Its first block, in blocks of the device.
        blocks: How many.
        write: Whether it is a write.
        metadata: Whether it is for metadata of a file system.
        wait_s: How long ago it arrived.
        cylinder: Of its first block.
        track: The same, counted over the whole device.
        y_bits: The middle of its first row, in bits from the lower end of the region.
        positioning_s: Until its first row could be accessed, waiting for the data of a write included.
        access_s: Until the medium would be done with it.
        distance_m: How far the medium would have to move in a straight line to the nearer end of its
            first row; on a disk a micrometre a cylinder.
    """

    row: NDArray[np.int64]
    lbn: NDArray[np.int64]
    blocks: NDArray[np.int64]
    write: NDArray[np.bool_]
    metadata: NDArray[np.bool_]
    wait_s: NDArray[np.float64]
    cylinder: NDArray[np.int64]
    track: NDArray[np.int64]
    y_bits: NDArray[np.int64]
    positioning_s: NDArray[np.float64]
    access_s: NDArray[np.float64]
    distance_m: NDArray[np.float64]


class Taken(TypedDict):
    """The request that is served from now on: the columns of `Waiting` that do not depend on the time."""

    row: int
    lbn: int
    blocks: int
    write: bool
    metadata: bool
    cylinder: int
    track: int
    y_bits: int


class Scheduler(Protocol):
    """A policy that remembers something: there is one in front of each device, for one run.

    It may have a method ``take(self, request: Taken)``, too, which is told of every request that is served,
    also of those that a wrapper chose over its head: the place to remember what was served last.
    """

    def choose(self, now_s: float, waiting: Waiting) -> SupportsIndex:
        """The index of the request to serve next."""
        ...


#: A policy that remembers nothing.
ChooseFunction = Callable[[float, Waiting], SupportsIndex]
#: The policies that have been added in this process, by name.
REGISTERED: dict[str, ChooseFunction | type[Scheduler]] = {}
#: The names of those that another process can load, too: from a file, or an installed package.
SHARED: set[str] = set()


def register_scheduler(name: str, choose: ChooseFunction | type[Scheduler], description: str = "") -> None:
    """Add a scheduler of your own: from then on `name` is one of `schedulers` in this process.

    Args:
        name: Not that of a built-in policy or wrapper; a policy that was added under the same name is
            replaced. Wrappers can stand around it: ``mine+deadline:after_ms=50``.
        choose: ``choose(now_s, waiting)``, which gets the time since the start of the run in seconds and the
            requests that wait (`Waiting`, a dictionary of arrays), and returns the index of the one to serve
            next; of several that are as good, the first is the earliest. Or a class whose instances have such
            a method (`Scheduler`): one is made for each device of each run. Of a dataclass the fields that
            are a `parameter` are options, which stand in the name: ``mine:depth=3``.
        description: One line, for lists; the first of the docstring, if it is not given.

    Raises:
        ParameterError: The name cannot be, or there is nothing to choose with. What `choose` raises, and that
            it returns anything but the index of a request, is raised where the simulation was asked for.
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
    """Register a policy that another process can load, too.

    Raises:
        ParameterError: As `register_scheduler`.
    """
    register_scheduler(name, choose, description)
    SHARED.add(name)


def _options(name: str, choose: object) -> list[tuple[str, str, str, Any, float | None, float | None]]:
    """The options of a class, as the core takes them."""
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
                f" a number that may be less is a float"
            )
    return rows
