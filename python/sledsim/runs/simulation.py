"""Simulation in steps, for a program that submits requests and advances the time itself."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _native
from ..common.deprecation import renamed
from ..common.shown import counted
from ..common.signatures import called_by_users
from ..model.typed import imported_schedulers
from ..model.volumes import TargetOrName, target_of
from ..traces.trace import KINDS
from .kept_columns import Columns
from .run import Run
from .run_settings import RunSettings

#: Type of each column of submitted requests.
_TYPES: Mapping[str, type[np.generic]] = {
    "arrival_ns": np.int64,
    "lbn": np.int64,
    "blocks": np.int32,
    "kind": np.uint8,
    "metadata": np.bool_,
    "device": np.int32,
}


class Completions(NamedTuple):
    """Completed requests, in the order of completion.

    Attributes:
        id: Numbers of the requests, which `Simulation.submit` has returned (int64).
        completion_ns: Completion of each request at the host, in nanoseconds (int64).
    """

    id: NDArray[np.int64]
    completion_ns: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"<sledsim.results.Completions of {counted(len(self.id), 'request')}>"


@called_by_users
class Simulation:
    """A run in steps: the program submits requests and lets time pass.

    The result does not depend on the steps: it is that of `simulate` with the same arrivals. Events at the
    same time as an arrival happen before the arrival. Times are nonnegative integer nanoseconds from an
    origin of the program's choice.

    Only one call can be active: a call from another thread, or from a policy or callback within a call, is
    refused. An error of a policy or seek model written in Python is raised by the call in which it occurred
    and ends the simulation. After Ctrl-C the simulation can go on from the time that it reached.

    Example:
        >>> import sledsim
        >>> simulation = sledsim.Simulation(sledsim.device("osdi00"))
        >>> first = simulation.submit(arrival_ns=0, lbn=1000, blocks=8, write=False)
        >>> id, completion_ns = simulation.advance(1_000_000_000)
        >>> int(id[0]) == first
        True

    Args:
        device: Device or volume from `device` or `volume`, or the name or file of a device.
        scheduler: Policy, as for `simulate`.
        copies: Number of equal copies of the device or volume; each request names one by its number.
            `simulate` makes a copy for each traced device.

    Raises:
        ParameterError: A name or value is wrong.
    """

    @renamed
    def __init__(self, device: TargetOrName, scheduler: str | None = None, *, copies: int = 1) -> None:
        model = target_of(device)
        self._native = _native.Simulation(model._native, imported_schedulers(scheduler), copies)

    def __repr__(self) -> str:
        try:
            state = f"at {self.now_ns} ns, {self.pending()} of {self._native.arrived()} requests pending"
        except _native.ParameterError as ended:
            state = str(ended)
        return f"<Simulation: {state}>"

    @overload
    def submit(
        self,
        arrival_ns: int,
        lbn: int = ...,
        blocks: int = ...,
        write: bool | None = ...,
        metadata: bool = ...,
        device: int = ...,
        kind: str | None = ...,
    ) -> int: ...

    @overload
    def submit(
        self,
        arrival_ns: ArrayLike,
        lbn: ArrayLike = ...,
        blocks: ArrayLike = ...,
        write: ArrayLike | None = ...,
        metadata: ArrayLike = ...,
        device: ArrayLike = ...,
        kind: Sequence[str] | None = ...,
    ) -> NDArray[np.int64]: ...

    def submit(
        self,
        arrival_ns: ArrayLike,
        lbn: ArrayLike = 0,
        blocks: ArrayLike = 0,
        write: ArrayLike | None = None,
        metadata: ArrayLike = False,
        device: ArrayLike = 0,
        kind: str | Sequence[str] | None = None,
    ) -> int | NDArray[np.int64]:
        """Submit one or several requests; an argument that is a single value applies to all of them.

        Time passes up to the last arrival; the next `advance` returns the requests that complete by then.

        Args:
            arrival_ns: Arrival of each request in nanoseconds. Arrivals must not decrease, nor lie before a
                time to which the simulation has advanced.
            lbn: First sector of 512 bytes; a flush has none.
            blocks: Number of sectors, at least 1; 0 for a flush.
            write: True if the request writes; give either `write` or `kind`.
            metadata: True if the data are metadata of a file system.
            device: Number of the copy of the device or volume, from 0 to `copies` - 1.
            kind: Name in `KINDS`: ``read``, ``write``, ``fua`` (a write that is complete once its data are on
                the medium) or ``flush`` (complete once the data of all earlier complete writes are on the
                medium).

        Returns:
            The number of the request, or an array of numbers; requests are counted from 0 in the order of
            arrival.

        Raises:
            TraceError: A request arrives before the current time, does not fit the device or has an unknown
                kind; then no request of the call is submitted.
        """
        kinds = _kinds(write, kind)
        given = zip(_TYPES.items(), (arrival_ns, lbn, blocks, kinds, metadata, device), strict=True)
        arrays = [_column(name, values, kind) for (name, kind), values in given]
        shapes = {array.shape for array in arrays} - {()}
        if len(shapes) > 1 or any(len(shape) > 1 for shape in shapes):
            found = ", ".join(f"{name} {array.shape}" for name, array in zip(_TYPES, arrays, strict=True))
            raise _native.TraceError(f"expected numbers, or arrays of equal length, found shapes {found}")
        (count,) = shapes.pop() if shapes else (1,)
        first = self._native.submit(
            *(np.ascontiguousarray(np.broadcast_to(array, count)) for array in arrays)
        )
        return np.arange(first, first + count) if any(array.ndim for array in arrays) else first

    def advance(self, until_ns: int) -> Completions:
        """Let time pass until `until_ns`, and return the requests that completed since the last call.

        Raises:
            TraceError: The simulation is already past this time.
        """
        if not 0 <= until_ns < 2**64:
            raise _native.TraceError(f"until_ns: expected a time from 0 to 2^64 - 1 ns, found {until_ns}")
        return Completions(*self._native.advance(until_ns))

    def drain(self, progress: Callable[[int], object] | None = None) -> Completions:
        """Let time pass until every request is complete, and return completions since the last call."""
        return Completions(*self._native.drain(progress))

    def next_event_ns(self) -> int | None:
        """Return the time of the next event in nanoseconds; None if nothing happens without further requests.

        Until then the state does not change, unless a request is submitted. Most events complete no request.
        """
        return self._native.next_event_ns()

    @property
    def now_ns(self) -> int:
        """Current time of the simulation in nanoseconds."""
        return self._native.now_ns()

    def pending(self) -> int:
        """Return the number of submitted requests that are not complete."""
        return self._native.pending()

    def certain(self) -> Completions:
        """Return outstanding requests whose completion is already fixed, whatever requests follow.

        Either the medium is done with such a request and its time on the bus is fixed, or the medium serves
        the request and no bus can delay it. In a volume few requests are certain, such as hits in a cache,
        as the volume sends further parts only after a device is done with a part.
        """
        return Completions(*self._native.certain())

    def state(self) -> list[dict[str, Any]]:
        """Return the state of each device: place of its mechanism, request in service, waiting requests.

        Returns:
            A dictionary per device. ``device``: its name. ``free_ns``: time from which it can start another
            service. ``location``: place of its mechanism at that time (``x_um`` and ``y_um`` of a sled from
            the centre, ``cylinder`` of a disk). ``serving``: request in service, or None. ``waiting``:
            waiting requests, first the one to serve next, then the others as the policy ranks them, each with
            ``positioning_s``
            and ``access_s``, the times at ``free_ns`` that the device reports to policies. ``not_ready``:
            number of further requests, for which the device has no room or whose command is still being
            processed. A request has ``id``, ``lbn``, ``blocks``, ``write``, ``kind`` (its name) and
            ``arrival_ns``; a flush has no ``positioning_s`` and ``access_s``; at a member of
            a volume it is a part of a request, and its ``id`` is None.

        To rank the waiting requests, a policy written in Python is copied, see `copy`.
        """
        return self._native.stations()

    def copy(self, scheduler: str | None = None) -> "Simulation":
        """Copy the simulation with its state; the copy runs independently of the original.

        Args:
            scheduler: Policy of the copy from now on, also for requests that wait already; None keeps the
                policy. If the policy changes, the result names the policy of each period, and cannot be run
                again.

        A policy written in Python is copied by `copy.deepcopy`, which copies the state of an object but not
        the closure of a function. Errors of the copying are passed on.

        Raises:
            ParameterError: The name or an option of the policy is wrong.
        """
        other = object.__new__(type(self))
        other._native = self._native.copy(imported_schedulers(scheduler))
        return other

    def __copy__(self) -> "Simulation":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Simulation":
        return self.copy()

    def finish(self, progress: Callable[[int], object] | None = None) -> Run:
        """Let time pass until every request is complete, and end the simulation.

        Returns:
            The result, equal to that of `simulate` with the same arrivals.

        Raises:
            TraceError: The simulation had no request.
        """
        if not self._native.arrived():
            raise _native.TraceError("simulation: expected at least one read or write, found none")
        columns, totals = self._native.finish(progress)
        settings = RunSettings.taken_from(totals, "simulation")
        return Run(Columns(columns), {**totals, "remapped": 0, "waited": 0}, settings)


def _kinds(write: ArrayLike | None, kind: str | Sequence[str] | None) -> NDArray[Any]:
    """Return the index in `KINDS` of the kind of each request.

    Args:
        write: True for each request that writes, or None if `kind` is given.
        kind: Name of the kind of each request, or None if `write` is given.
    """
    if (write is None) == (kind is None):
        found = "neither" if kind is None else "both"
        raise _native.TraceError(f"write, kind: expected one of these two arguments, found {found}")
    if kind is None:
        return _column("write", write, np.bool_).view(np.uint8)
    names = np.asarray(kind)
    for name in np.unique(names):
        if name not in KINDS:
            raise _native.TraceError(f"kind: expected one of {', '.join(KINDS)}, found {str(name)!r}")
    return np.select([names == name for name in KINDS], range(len(KINDS))).astype(np.uint8)


def _column(name: str, given: ArrayLike | None, kind: type[np.generic]) -> NDArray[Any]:
    """Convert values to the type of their column; values that the type cannot hold are an error."""
    try:
        values = np.asarray(given)
    except ValueError:
        values = np.asarray(None)
    found = values.astype(kind) if values.dtype.kind in "biu" or not values.size else None
    if found is None or not np.array_equal(found, values):
        expected = "True or False" if kind is np.bool_ else f"whole numbers ({np.dtype(kind)})"
        wrong = values.ravel()[0] if found is None else values[found != values].ravel()[0]
        raise _native.TraceError(f"{name}: expected {expected}, found {wrong}")
    return found
