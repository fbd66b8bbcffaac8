"""A simulation in steps, for programs that have a clock of their own."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _native
from ..common.deprecation import renamed
from ..common.shown import counted
from ..common.signatures import called_by_users
from ..model.typed import imported_schedulers
from ..model.volumes import TargetOrName, target_of
from .kept_columns import Columns
from .run import Run
from .run_settings import RunSettings

#: Columns of submitted requests, with their types.
_TYPES: Mapping[str, type[np.generic]] = {
    "arrival_ns": np.int64,
    "lbn": np.int64,
    "blocks": np.int32,
    "write": np.bool_,
    "metadata": np.bool_,
    "device": np.int32,
}


class Completions(NamedTuple):
    """Completed requests, in the order of completion.

    Attributes:
        id: Numbers of the requests, as `Simulation.submit` returned them (int64).
        completion_ns: Completion of each request at the host, in nanoseconds (int64).
    """

    id: NDArray[np.int64]
    completion_ns: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"<sledsim.results.Completions of {counted(len(self.id), 'request')}>"


@called_by_users
class Simulation:
    """A run in steps: the program submits requests and lets time pass.

    However the run is cut into steps, the record is that of `simulate` with the same arrivals: events up to
    and including the instant of an arrival happen before it. Times are nonnegative integer nanoseconds from
    an origin of the program's choice.

    Calls are exclusive: other calls, from another thread or from a policy or callback that runs within a
    call, are refused. Errors of a policy or seek model written in Python are raised by the call that ran
    it, and end the simulation. After Ctrl-C the simulation can go on from the time that it reached.

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
        copies: Number of devices or volumes of this kind; each request names its device by number.
            (`simulate` has one for each traced device.)

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
        lbn: int,
        blocks: int,
        write: bool,
        metadata: bool = ...,
        device: int = ...,
    ) -> int: ...

    @overload
    def submit(
        self,
        arrival_ns: ArrayLike,
        lbn: ArrayLike,
        blocks: ArrayLike,
        write: ArrayLike,
        metadata: ArrayLike = ...,
        device: ArrayLike = ...,
    ) -> NDArray[np.int64]: ...

    def submit(
        self,
        arrival_ns: ArrayLike,
        lbn: ArrayLike,
        blocks: ArrayLike,
        write: ArrayLike,
        metadata: ArrayLike = False,
        device: ArrayLike = 0,
    ) -> int | NDArray[np.int64]:
        """Give the device one or several requests; a single value applies to all of them.

        Time passes until each arrival; requests that complete by then are returned by the next `advance`.

        Args:
            arrival_ns: Arrival of the request in nanoseconds. Arrivals never decrease and are never before a
                time to which the simulation was advanced.
            lbn: First sector of 512 bytes.
            blocks: Length in sectors.
            write: True for a write.
            metadata: True for metadata of a file system.
            device: Number of the device.

        Returns:
            The number of the request, or an array of numbers; requests are counted from 0 in the order of
            arrival.

        Raises:
            TraceError: A request comes too early or does not fit the device; all requests of the call are
                refused.
        """
        given = zip(_TYPES.items(), (arrival_ns, lbn, blocks, write, metadata, device), strict=True)
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
        """Let time pass, and return the requests that completed and were not returned before.

        Raises:
            TraceError: The simulation has already passed that time.
        """
        if not 0 <= until_ns < 2**64:
            raise _native.TraceError(f"until_ns: expected a time from 0 to 2^64 - 1 ns, found {until_ns}")
        return Completions(*self._native.advance(until_ns))

    def drain(self, progress: Callable[[int], object] | None = None) -> Completions:
        """Let time pass until every request is complete, and return the requests as `advance` does."""
        return Completions(*self._native.drain(progress))

    def next_event_ns(self) -> int | None:
        """Time of the next event if no request comes before, in nanoseconds; None without any event.

        Between now and then the state does not change; many events complete no request.
        """
        return self._native.next_event_ns()

    @property
    def now_ns(self) -> int:
        """Current time of the simulation in nanoseconds."""
        return self._native.now_ns()

    def pending(self) -> int:
        """Number of requests that are not complete."""
        return self._native.pending()

    def certain(self) -> Completions:
        """Requests in progress whose completion no later request can change.

        The medium is done with such a request and the bus is booked, or the medium serves the request and no
        bus can delay it. A volume decides about further parts only when a device is done with a part, so few
        requests under a volume are certain: hits in a cache, for instance.
        """
        return Completions(*self._native.certain())

    def state(self) -> list[dict[str, Any]]:
        """State of each device: its place, the request in service, and waiting requests.

        Returns:
            A row per device: its name ``device``; ``free_ns``, the time from which it can start another
            service; ``location`` of its mechanism at that time (``x_um`` and ``y_um`` of a sled from the
            centre, ``cylinder`` of a disk); the request that it is ``serving``, or None; the ``waiting``
            requests, first the one that the policy would serve next, then the others as the policy ranks
            them from there, each with ``positioning_s`` and ``access_s``, the costs at ``free_ns`` as the
            device reports them to policies; and ``not_ready``, the number of further requests that have
            not been taken in or have their command processed. A request has ``id``, ``lbn``, ``blocks``,
            ``write`` and ``arrival_ns``; below a volume it is a part of a request, and its ``id`` is
            None.

        A policy written in Python is copied for the ranking, see `copy`.
        """
        return self._native.stations()

    def copy(self, scheduler: str | None = None) -> "Simulation":
        """Copy the simulation in its state; the copy runs independently of the original.

        Args:
            scheduler: Policy of all devices of the copy from now on, for "what if" questions; the policy also
                serves requests that already wait. None keeps the policies. The result of such a run names the
                policy of each period and cannot be run again.

        A policy written in Python is copied by `copy.deepcopy`, which copies the state of an object, but not
        the closure of a function. This method raises the errors of the copying.

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
            The result that `simulate` gives for the same arrivals.

        Raises:
            TraceError: The simulation had no request.
        """
        if not self._native.arrived():
            raise _native.TraceError("simulation: expected at least one read or write, found none")
        columns, totals = self._native.finish(progress)
        settings = RunSettings.taken_from(totals, "simulation")
        return Run(Columns(columns), {**totals, "remapped": 0, "waited": 0}, settings)


def _column(name: str, given: ArrayLike, kind: type[np.generic]) -> NDArray[Any]:
    """The values of a column in its type; values that the type cannot hold are refused."""
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
