"""A simulation that is taken step by step, for programs that have a clock of their own."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .. import _native
from ..model.systems import Target
from .run import Run, RunSettings

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


class Simulation:
    """A run in the hands of its owner, who submits requests and lets time pass.

    However the run is cut into steps, the record is that of `simulate` with the same arrivals: all that
    happens until a request comes, the instant of its arrival included, happens before it. Times are integer
    nanoseconds from any origin of yours that is not later than the first request.

    Example:
        >>> import sledsim
        >>> simulation = sledsim.Simulation(sledsim.device("osdi00"))
        >>> first = simulation.submit(arrival_ns=0, lbn=1000, blocks=8, write=False)
        >>> id, completion_ns = simulation.advance(1_000_000_000)
        >>> int(id[0]) == first
        True

    Args:
        device: From `device` or `volume`.
        scheduler: As for `simulate`.
        devices: How many such devices or volumes there are; each request says which it is for.

    Raises:
        ParameterError: A name or value is wrong.
    """

    def __init__(self, device: Target, scheduler: str | None = None, *, devices: int = 1) -> None:
        self._native = _native.Simulation(device._native, scheduler, devices)
        self._submitted: list[dict[str, NDArray[Any]]] = []

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
        given = (arrival_ns, lbn, blocks, write, metadata, device)
        arrays = np.broadcast_arrays(*map(np.asarray, given))
        columns = {
            name: _column(name, np.atleast_1d(array), kind)
            for array, (name, kind) in zip(arrays, _TYPES.items(), strict=True)
        }
        first = self._native.submit(*columns.values())
        self._submitted.append(columns)
        return first if arrays[0].ndim == 0 else np.arange(first, first + len(columns["lbn"]))

    def advance(self, until_ns: int) -> Completions:
        """Let time pass, and tell which requests have been completed that no call has told of before.

        Raises:
            TraceError: That time has passed.
        """
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

        The medium is done with them and the bus is booked, or it serves them and no bus can delay them. Under
        a volume these are the ones of which it has decided when they are complete.
        """
        return Completions(*self._native.certain())

    def state(self) -> list[dict[str, Any]]:
        """Where each device is, what it serves, and what waits for it.

        Returns:
            A row a device: its name ``device``; ``free_ns`` from when on it can begin another service;
            ``location`` of its mechanism then (``x_um`` and ``y_um`` of a sled from the centre, the
            ``cylinder`` of a disk); the request that it is ``serving``, or None; the requests that are
            ``waiting``, in the order in which the policy would serve them from there if nothing changed, so
            that the first would be next, each with ``positioning_s`` and ``access_s`` (positioning and
            transfer) if it were served at ``free_ns``; and ``not_ready``, how many more have not been taken
            in or have their command processed. A request has ``id``, ``lbn``, ``blocks``, ``write`` and
            ``arrival_ns``; below a volume it is a part of some request, and its ``id`` is None.

        Raises:
            TypeError: A policy written in Python cannot be copied, as to look ahead with it needs.
        """
        return self._native.stations()

    def copy(self, scheduler: str | None = None) -> "Simulation":
        """Another simulation in the same state, which goes on independently of this one.

        Args:
            scheduler: The policy of all its devices from now on, for "what if": what waits, it serves. None
                is those that there are. A policy written in Python is copied by `copy.deepcopy`; what that
                raises is raised here.

        Raises:
            ParameterError: The name or an option of the policy is wrong.
        """
        other = object.__new__(type(self))
        other._native, other._submitted = self._native.copy(scheduler), list(self._submitted)
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
        if not self._submitted:
            raise _native.TraceError("simulation: expected at least one read or write, found none")
        columns, totals = self._native.finish(progress)
        for name in ("lbn", "blocks", "write", "metadata", "device"):
            columns[name] = np.concatenate([some[name] for some in self._submitted])
        settings = RunSettings(
            **{name: totals.pop(name) for name in ("parameters", "scheduler", "scheduler_in_full")},
            version=_native.__version__,
            scale=1.0,
            past_end="error",
            replay="open",
            trace="simulation",
            seed=None,
            skipped={},
        )
        return Run(columns, {**totals, "remapped": 0, "waited": 0}, settings)


def _column(name: str, values: NDArray[Any], kind: type[np.generic]) -> NDArray[Any]:
    """A column of its type, of values that it can hold."""
    is_whole = values.dtype.kind in "biu"
    found = np.ascontiguousarray(values if is_whole else 0, kind)
    if not is_whole or not np.array_equal(found, values):
        expected = "True or False" if kind is np.bool_ else f"whole numbers ({np.dtype(kind)})"
        wrong = values[0] if not is_whole else values[found != values][0]
        raise _native.TraceError(f"{name}: expected {expected}, found {wrong.item()!r}")
    return found
