"""Every point of a space under a workload."""

import hashlib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from ... import _native
from ...common.files import PathLike
from ...model.devices import Device, device
from ...traces.trace import Trace
from ..run import settings_of
from ..workers import Workers
from .file_space import file_share, file_sizes
from .journal import Journal, Result
from .result import FormatSpace
from .space import AXES, DEVICE, PROBES, SECTOR_BYTES, SECTORS, Space, variant

#: Points that a thread takes at once, at most: enough to be worth it.
_AT_ONCE = 8
#: Requests of all of them together, about: few enough that little is lost where an exploration is stopped.
_REQUESTS_AT_ONCE = 40_000

#: Numbers of points, with the parameters that make a device each of them.
_Batch = list[tuple[int, dict[str, Any]]]


def format_space(
    workload: Trace,
    space: Space | None = None,
    scheduler: str = "fcfs",
    scale: float = 1.0,
    past_end: str = "wrap",
    replay: str | None = None,
    *,
    on: Device | str = DEVICE,
    probes: Sequence[int] = PROBES,
    sectors: Sequence[int] = SECTORS,
    sector_bytes: Sequence[int] = SECTOR_BYTES,
    parameters: Mapping[str, Sequence[Any]] | None = None,
    file_bytes: Sequence[int] | None = None,
    journal: PathLike | None = None,
    workers: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> FormatSpace:
    """Simulate every feasible format of a device with a workload: response, energy and capacity (004-F13).

    Args:
        workload: From `read_trace`, `workload`, `bundled_trace`, or columns of your own.
        space: From `read_space`, instead of the axes below.
        scheduler: One of `schedulers`; 004 names none.
        scale: Speed-up of the trace: with 2 requests come twice as fast.
        past_end: One of `past_end_rules`: formats differ in capacity.
        replay: One of `replays`; None as `simulate` has it.
        on: A device that leaves its format open, as ``emsoft08``, or its name.
        probes: Active probes.
        sectors: Sectors side by side.
        sector_bytes: Bytes of a sector.
        parameters: Values of other parameters of the device, by key, each of which is tried with each format.
        file_bytes: Sizes of files that the device is to hold. Each has sectors to itself: what it leaves of
            the last one counts against the capacity of a format (004 5.4).
        journal: A file that keeps what is done; given again, an exploration goes on where it stopped.
        workers: Threads; None takes as many as there are processors.
        progress: Called with the number of points done.

    Raises:
        ParameterError: A name or value is wrong, or the journal is of another exploration.
        TraceError: The trace is empty.
        OSError: The journal cannot be read or written, or another exploration adds to it.
    """
    if space is None:
        base = device(on) if isinstance(on, str) else on
        space = Space(base, probes, sectors, sector_bytes, parameters or {})
    sizes = None if file_bytes is None else file_sizes(file_bytes)
    trace = workload.transfers()
    if not len(trace):
        raise _native.TraceError(f"{trace.source}: expected at least one read or write, found none")
    replay = replay or trace.recorded_replay
    # A wrong name is found before a long run.
    policy = settings_of(space.device, scheduler, scale, past_end, replay).scheduler
    points = list(space.points())
    formats = dict.fromkeys(map(_format, points))
    known = {axes: _native.format_characteristics(space.device._native, *axes) for axes in formats}
    about = {
        "version": _native.__version__,
        "device": space.device.parameters,
        "points": [list(space.parameters.items()), *([*map(list, formats)])],
        "workload": _digest(trace),
        "how": [policy, scale, past_end, replay],
    }
    feasible = {number: point for number, point in enumerate(points) if known[_format(point)]["feasible"]}
    columns, how = trace._native_columns(), (replay, scheduler, scale, past_end)
    with Journal(journal, about) if journal is not None else nullcontext() as kept:

        def explore(batch: _Batch) -> list[tuple[int, Result]]:
            """The results of a batch, written down by the thread that has them: no other is waited for."""
            found = _evaluate(space.device, columns, how, batch)
            if kept:
                kept.add(found)
            return found

        results = dict(kept.done) if kept else {}
        todo = {number: variant(point) for number, point in feasible.items() if number not in results}
        done = len(points) - len(todo)
        with Workers(workers) as pool:
            for batch in pool.each(explore, _batches(todo, len(trace))):
                results.update(batch)
                done += len(batch)
                if progress:
                    progress(done)
    filled = {size: 1.0 if sizes is None else file_share(sizes, size) for size in space.sector_bytes}
    rows = [
        _row(point, known[_format(point)], filled[point[AXES[-1]]], results.get(number))
        for number, point in enumerate(points)
    ]
    return FormatSpace.of(rows, space, trace, policy, scale, tuple(kept.notes) if kept else ())


def _format(point: dict[str, Any]) -> tuple[int, ...]:
    return tuple(point[axis] for axis in AXES)


def _evaluate(
    base: Device, columns: "_native._TraceColumns", how: tuple[Any, ...], batch: _Batch
) -> list[tuple[int, Result]]:
    variants = [variant for _, variant in batch]
    results = _native.evaluate(base._native, variants, columns, *how)
    return [(number, result) for (number, _), result in zip(batch, results, strict=True)]


def _batches(points: Mapping[int, dict[str, Any]], requests: int) -> Iterator[_Batch]:
    """The points in batches, smaller ones where each takes longer."""
    rest = iter(points.items())
    while batch := list(itertools.islice(rest, max(1, min(_AT_ONCE, _REQUESTS_AT_ONCE // requests)))):
        yield batch


def _row(point: dict[str, Any], known: dict[str, Any], share: float, result: Result | None) -> dict[str, Any]:
    figures, energy, why = result or (None, None, None)
    uses = {f"{use}_j": joules for use, joules in (energy or {}).items()}
    # The utilization of a format is that of the medium.
    busy = {
        "device_utilization" if key == "utilization" else key: value for key, value in (figures or {}).items()
    }
    held = {"file_share": share, "usable_bytes": known["capacity_bytes"] * share}
    return {**point, **known, **held, "reason": known["reason"] or why, **busy, **uses}


def _digest(trace: Trace) -> str:
    digest = hashlib.sha256()
    for column in trace._native_columns():
        digest.update(np.ascontiguousarray(column).tobytes())
    return digest.hexdigest()
