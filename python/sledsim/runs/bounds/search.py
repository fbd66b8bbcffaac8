"""Bounds on the best order in which a batch of requests can be served: `schedule_bounds`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ... import _native
from ...common.arguments import scheduler_names
from ...common.deprecation import renamed
from ...common.error_places import add_place
from ...common.progress import Progress, told, watched
from ...model.devices import DeviceOrName, device_of
from ...traces.trace import Trace
from .batch_bounds import Bounds, Schedule
from .proofs import Certificate, RequestSet

#: Value of the progress callback at the end of the search, in per cent.
WHOLE = 100
_MOST = 2**63 - 1
#: Columns that `schedule_bounds` takes in place of a trace; without ``write``, all requests are reads.
_COLUMNS = ("lbn", "blocks", "write")


@renamed
@watched
def schedule_bounds(
    device: DeviceOrName,
    trace: Trace | Mapping[str, ArrayLike],
    schedulers: str | Sequence[str] = ("fcfs", "sptf"),
    *,
    steps: int = 600,
    moves: int = 8_000_000,
    seed: int = 1,
    progress: Progress = None,
) -> Bounds:
    """Bound the total positioning time of a batch of waiting requests, for all orders of service.

    All requests wait at once, on a device that has served no request, and no write waits for its data. A
    schedule chooses the order; the device chooses the directions. For up to 15 requests dynamic programming
    finds the best order. For more, the result has a lower bound (Held and Karp's, on a path with two states
    per request) and a good order (iterated local search from the order of the best policy).

    Args:
        device: Device from `device`, or its name or file. It has a sled, or is a custom device
            (`register_device`) whose positioning time depends only on the last and the next request.
        trace: Requests of one device as a trace, or columns ``lbn``, ``blocks`` and optionally ``write``,
            each of shape (n,) with n from 1 to 4,000; ``lbn`` and ``blocks`` count sectors of 512 bytes.
            Arrival times are ignored, but ties are broken in the order of the rows.
        schedulers: Policies of `schedulers`, one or several, each compared with the bounds.
        steps: Number of steps that improve the lower bound.
        moves: Number of changes of the order to try; a change that moves many requests counts several times.
        seed: Seed of the local search; equal arguments give equal results.
        progress: Callback or bar for the percentage done, as for `simulate`.

    Raises:
        ParameterError: A name or value is wrong; there are no or too many requests; or the device has neither
            a sled nor a suitable custom mechanism.
        TraceError: The trace has no request, or requests to several devices or past the end of the device.
    """
    model = device_of(device)
    for name, value, least in (("steps", steps, 1), ("moves", moves, 0), ("seed", seed, 0)):
        if not isinstance(value, int) or not least <= value <= _MOST:
            raise _native.ParameterError(f"{name} = {value}: expected a whole number of {least} or more")
    if not schedulers:
        raise _native.ParameterError("schedulers: expected at least one name, found none")
    batch = trace.transfers() if isinstance(trace, Trace) else _trace(trace)
    devices = np.unique(batch.device)
    if len(devices) > 1:
        raise _native.TraceError(
            f"{batch.source}: expected requests of one device, found requests of {len(devices)} devices"
        )
    columns, names = (batch.lbn, batch.blocks, batch.write), scheduler_names(schedulers)
    report = told(progress, WHOLE)
    try:
        found = _native.schedule_bounds(model._native, *columns, names, steps, moves, seed, report)
    except _native.TraceError as error:
        add_place(error, batch.source)
        raise
    sets = tuple(RequestSet(tuple(members), price_ns) for members, price_ns in found["sets"])
    return Bounds(
        version=_native.__version__,
        parameters=model.parameters,
        trace=batch.source,
        requests=dict(zip(_COLUMNS, columns, strict=True)),
        schedules={name: Schedule(order, ns) for name, (order, ns) in found["schedules"].items()},
        best=Schedule(found["order"], found["best_ns"]),
        exact=found["exact"],
        certificate=Certificate(
            bound_ns=found["lower_bound_ns"], toll_ns=found["toll_ns"], price_ns=found["price_ns"], sets=sets
        ),
    )


def _trace(columns: Mapping[str, ArrayLike]) -> Trace:
    """Make a trace from the columns `lbn`, `blocks` and perhaps `write`; all requests arrive at time 0.

    Raises:
        ParameterError: A column is missing or unknown.
        TraceError: The column ``write`` has values other than booleans.
    """
    if {*columns, "write"} != {*_COLUMNS}:
        raise _native.ParameterError(
            f"requests: expected the columns {', '.join(_COLUMNS)}, found {', '.join(columns) or 'none'}"
        )
    given: dict[str, Any] = {name: np.asarray(column) for name, column in columns.items()}
    if "write" in given:
        writes = given.pop("write")
        if not np.isin(writes, (0, 1)).all():
            raise _native.TraceError(f"write: expected values of type bool, found {writes.dtype}")
        given["op"] = writes.astype(np.bool_)
    return Trace(arrival_ns=np.zeros(len(given["lbn"]), np.int64), **given)
