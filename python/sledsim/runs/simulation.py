"""A simulation that is taken step by step, for programs that have a clock of their own."""

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

#: The columns of requests that are submitted, with their types.
_TYPES: Mapping[str, type[np.generic]] = {
    "arrival_ns": np.int64,
    "lbn": np.int64,
    "blocks": np.int32,
    "write": np.bool_,
    "metadata": np.bool_,
    "device": np.int32,
}


class Completions(NamedTuple):
    """Requests that are complete, in the order of completion.

    Attributes:
        id: Their numbers, as `Simulation.submit` gave them (int64).
        completion_ns: When the host had each, in nanoseconds (int64).
    """

    id: NDArray[np.int64]
    completion_ns: NDArray[np.int64]

    def __repr__(self) -> str:
        return f"<sledsim.results.Completions of {counted(len(self.id), 'request')}>"


@called_by_users
class Simulation:
    """A run in the hands of its owner, who submits requests and lets time pass.

    However the run is cut into steps, the record is that of `simulate` with the same arrivals: all that
    happens until a request comes, the instant of its arrival included, happens before it. Times are integer
    nanoseconds from an origin of yours, so that none is negative.

    One call at a time: others, from another thread or from a policy or callback that runs within a call, are
    refused. What a policy or a seek model written in Python raises is raised by the call that ran it, and the
    simulation cannot go on. After Ctrl-C it can: time has passed as far as it came.

    Example:
        >>> import sledsim
        >>> simulation = sledsim.Simulation(sledsim.device("osdi00"))
        >>> first = simulation.submit(arrival_ns=0, lbn=1000, blocks=8, write=False)
        >>> id, completion_ns = simulation.advance(1_000_000_000)
        >>> int(id[0]) == first
        True

    Args:
        device: From `device` or `volume`, or the name or file of a device.
        scheduler: As for `simulate`.
        copies: The number of such devices or volumes; each request says which it is for. (`simulate` has as
            many as its trace names.)

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
        """Give the device one request, or many at once: what is no array is that of all.

        Time passes until each arrival; what is complete by then is told by the next `advance`.

        Args:
            arrival_ns: When the host issues it. Arrivals never go back, nor behind a time to which the
                simulation has been advanced.
            lbn: First sector of 512 bytes.
            blocks: Length in sectors.
            write: Whether it writes.
            metadata: Whether it is for metadata of a file system.
            device: Which of the devices it is for.

        Returns:
            Its number, or an array of numbers: requests are counted in the order of arrival, from 0 on.

        Raises:
            TraceError: A request comes too early or does not fit the device: then none is taken in.
        """
        given = zip(_TYPES.items(), (arrival_ns, lbn, blocks, write, metadata, device), strict=True)
        arrays = [_column(name, values, kind) for (name, kind), values in given]
        shapes = {array.shape for array in arrays} - {()}
        if len(shapes) > 1 or any(len(shape) > 1 for shape in shapes):
            found = ", ".join(f"{name} {array.shape}" for name, array in zip(_TYPES, arrays, strict=True))
            raise _native.TraceError(f"expected numbers, or arrays of one length, found shapes {found}")
        (count,) = shapes.pop() if shapes else (1,)
        first = self._native.submit(
            *(np.ascontiguousarray(np.broadcast_to(array, count)) for array in arrays)
        )
        return np.arange(first, first + count) if any(array.ndim for array in arrays) else first

    def advance(self, until_ns: int) -> Completions:
        """Let time pass, and tell which requests have been completed that no call has told of before.

        Raises:
            TraceError: That time has passed.
        """
        if not 0 <= until_ns < 2**64:
            raise _native.TraceError(f"expected a time of 0 ns or later that 64 bits hold, found {until_ns}")
        return Completions(*self._native.advance(until_ns))

    def drain(self, progress: Callable[[int], object] | None = None) -> Completions:
        """Let time pass until every request is complete, and tell of them as `advance` does."""
        return Completions(*self._native.drain(progress))

    def next_event_ns(self) -> int | None:
        """When the next thing happens if no request comes before: never, if it is None.

        Between now and then nothing changes; many events complete no request.
        """
        return self._native.next_event_ns()

    @property
    def now_ns(self) -> int:
        """The time to which the simulation has come."""
        return self._native.now_ns()

    def pending(self) -> int:
        """How many requests are not complete."""
        return self._native.pending()

    def certain(self) -> Completions:
        """Requests that are not complete yet, but whose completion no later request can change.

        The medium is done with them and the bus is booked, or it serves them and no bus can delay them. A
        volume decides when a device is done with a part what comes of that, so that few requests are certain
        under one: hits in a cache, for instance.
        """
        return Completions(*self._native.certain())

    def state(self) -> list[dict[str, Any]]:
        """Where each device is, what it serves, and what waits for it.

        Returns:
            A row a device: its name ``device``; ``free_ns`` from when on it can begin another service;
            ``location`` of its mechanism then (``x_um`` and ``y_um`` of a sled from the centre, the
            ``cylinder`` of a disk); the request that it is ``serving``, or None; the requests that are
            ``waiting``, the one first that the policy would serve next, then the others as it ranks them from
            there; each with ``positioning_s`` and ``access_s``, the costs at ``free_ns`` as the device tells
            them to policies; and ``not_ready``, how many more have not been taken in or have their command
            processed. A request has ``id``, ``lbn``, ``blocks``, ``write`` and ``arrival_ns``; below a volume
            it is a part of some request, and its ``id`` is None.

        A policy written in Python is asked as a copy, see `copy`.
        """
        return self._native.stations()

    def copy(self, scheduler: str | None = None) -> "Simulation":
        """Another simulation in the same state, which goes on independently of this one.

        Args:
            scheduler: The policy of all its devices from now on, for "what if": what waits, it serves. None
                is those that there are. The result of such a run says of its policy what it was when, and
                cannot be run again.

        A policy written in Python is copied by `copy.deepcopy`, which copies what an object remembers, but
        not what a function has in its closure. What that raises is raised here.

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
            What `simulate` gives of the same arrivals.

        Raises:
            TraceError: There was no request.
        """
        if not self._native.arrived():
            raise _native.TraceError("simulation: expected at least one read or write, found none")
        columns, totals = self._native.finish(progress)
        settings = RunSettings.taken_from(totals, "simulation")
        return Run(Columns(columns), {**totals, "remapped": 0, "waited": 0}, settings)


def _column(name: str, given: ArrayLike, kind: type[np.generic]) -> NDArray[Any]:
    """A column of its type, of values that it can hold."""
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
