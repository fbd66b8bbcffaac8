"""Every point of a space under a workload."""

import itertools
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from ... import _native
from ...common.deprecation import renamed
from ...common.files import PathLike
from ...common.progress import Progress, told, watched
from ...common.tabular import joined
from ...ledger import Ledger, key_of
from ...model.devices import Device
from ...model.typed import device as made
from ...traces.digests import digest_of
from ...traces.trace import Trace, check_trace
from ..run import settings_of
from ..workers import Workers
from .file_space import file_share, file_sizes
from .result import FormatSpace
from .space import AXES, DEVICE, PROBES, SECTOR_BYTES, SECTORS, Space, variant

#: Points that a thread takes at once, at most: enough to be worth it.
_AT_ONCE = 8
#: Requests of all of them together, about: few enough that little is lost where an exploration is stopped.
_REQUESTS_AT_ONCE = 40_000

#: The name of the file of a ledger, without ending.
NAME = "designs"

#: Figures of a point, what took its energy, or why there are none.
Result = tuple[dict[str, Any] | None, dict[str, float] | None, str | None]
#: Numbers of points, with the parameters that make a device each of them.
_Batch = list[tuple[int, dict[str, Any]]]


@renamed
@watched
def format_space(
    workload: Trace,
    space: Space | None = None,
    scheduler: str = "fcfs",
    scale: float = 1.0,
    past_end: str = "wrap",
    replay: str | None = None,
    *,
    device: Device | str = DEVICE,
    probes: Sequence[int] = PROBES,
    sectors: Sequence[int] = SECTORS,
    sector_bytes: Sequence[int] = SECTOR_BYTES,
    parameters: Mapping[str, Sequence[Any]] | None = None,
    file_bytes: Sequence[int] | None = None,
    folder: PathLike | None = None,
    workers: int | None = None,
    progress: Progress = None,
) -> FormatSpace:
    """Simulate every feasible format of a device with a workload: response, energy and capacity (004-F13).

    Args:
        workload: From `read_trace`, `workload`, `bundled_trace`, or columns of your own.
        space: From `read_space`, instead of the axes below.
        scheduler: One of `schedulers`; 004 names none.
        scale: Speed-up of the trace: with 2 requests come twice as fast.
        past_end: One of `past_end_rules`: formats differ in capacity.
        replay: One of `replays`; None as `simulate` has it.
        device: A device that leaves its format open, as ``emsoft08``, or its name.
        probes: Active probes.
        sectors: Sectors side by side.
        sector_bytes: Bytes of a sector.
        parameters: Values of other parameters of the device, by key, each of which is tried with each format.
        file_bytes: Sizes of files that the device is to hold. Each has sectors to itself: what it leaves of
            the last one counts against the capacity of a format (004 5.4).
        folder: A folder that keeps what is done: what has a row there is not simulated again.
        workers: Threads; None takes as many as there are processors.
        progress: As for `simulate`, with the number of points done.

    Raises:
        ParameterError: A name or value is wrong, a file of the folder is no ledger, or another version of
            sledsim began this exploration.
        TraceError: The trace is empty.
        OSError: The ledger cannot be read or written, or another exploration adds to it.
    """
    if space is None:
        base = made(device) if isinstance(device, str) else device
        space = Space(base, probes, sectors, sector_bytes, parameters or {})
    sizes = None if file_bytes is None else file_sizes(file_bytes)
    check_trace(workload, "workload")
    trace = workload.transfers()
    if not len(trace):
        raise _native.TraceError(f"{trace.source}: expected at least one read or write, found none")
    replay = replay or trace.recorded_replay
    # A wrong name is found before a long run.
    policy = settings_of(space.device, scheduler, scale, past_end, replay).scheduler
    points = list(space.points())
    report = told(progress, len(points))
    formats = dict.fromkeys(map(_format, points))
    known = {axes: _native.format_characteristics(space.device._native, *axes) for axes in formats}
    requests, policies = digest_of(trace), [policy, scale, past_end, replay]
    asked = {
        "kind": "design",
        "device": space.device.parameters,
        "points": [list(space.parameters.items()), *([*map(list, formats)])],
        "requests": requests,
        "how": policies,
    }
    feasible = {number: point for number, point in enumerate(points) if known[_format(point)]["feasible"]}
    columns, how = trace._native_columns(), (replay, scheduler, scale, past_end)
    with Ledger(folder, asked, NAME) if folder is not None else nullcontext() as kept:
        keys = _Keys(space.device, requests, policies)

        def explore(batch: _Batch) -> list[tuple[int, Result]]:
            """The results of a batch, written down by the thread that has them: no other is waited for."""
            return _explore(kept, keys, batch, lambda left: _evaluate(space.device, columns, how, left))

        results = _kept(kept) if kept else {}
        todo = {number: variant(point) for number, point in feasible.items() if number not in results}
        if kept and todo:
            kept.contents.check_version(kept.study)
        done = len(points) - len(todo)
        with Workers(workers) as pool:
            for batch in pool.each(explore, _batches(todo, len(trace))):
                results.update(batch)
                done += len(batch)
                if report:
                    report(done)
    filled = {size: 1.0 if sizes is None else file_share(sizes, size) for size in space.sector_bytes}
    rows = [
        _row(point, known[_format(point)], filled[point[AXES[-1]]], results.get(number))
        for number, point in enumerate(points)
    ]
    notes = (*kept.notes, *kept.contents.note_of_others(kept.study)) if kept else ()
    return FormatSpace.of(rows, space, trace, policy, scale, notes)


def _format(point: dict[str, Any]) -> tuple[int, ...]:
    return tuple(point[axis] for axis in AXES)


def _evaluate(
    base: Device, columns: "_native._TraceColumns", how: tuple[Any, ...], batch: _Batch
) -> list[tuple[int, Result]]:
    variants = [variant for _, variant in batch]
    results = _native.evaluate(base._native, variants, columns, *how)
    return [(number, result) for (number, _), result in zip(batch, results, strict=True)]


class _Keys:
    """The keys of points: digests of everything that their figures depend on."""

    def __init__(self, base: Device, requests: str, how: list[Any]) -> None:
        self._base = base
        self._about = {"figures": "design", "model": _native.__version__, "requests": requests, "how": how}

    def of(self, changes: dict[str, Any]) -> str:
        """The key of the device with some parameters changed; of one that cannot be, of what it was to be."""
        try:
            parameters = self._base.with_parameters(**changes).parameters
        except _native.ParameterError:
            parameters = {"base": self._base.parameters, "changes": changes}
        return key_of({**self._about, "parameters": parameters})


def _explore(
    ledger: Ledger | None,
    keys: _Keys,
    batch: _Batch,
    evaluate: Callable[[_Batch], list[tuple[int, Result]]],
) -> list[tuple[int, Result]]:
    """The results of a batch, of which a ledger may know some; afterwards it knows all."""
    if ledger is None:
        return evaluate(batch)
    named = {number: keys.of(changes) for number, changes in batch}
    known = {number: row for number, key in named.items() if (row := ledger.row(key))}
    begun_s = time.thread_time()
    found: dict[int, Result] = dict(evaluate([point for point in batch if point[0] not in known]))
    cpu_s = round((time.thread_time() - begun_s) / max(1, len(found)), 6)
    about = {"cpu_s": cpu_s, "host": socket.gethostname(), "version": _native.__version__}
    rows = [
        {"key": named[number], "number": number, **_to_row(result), **about}
        for number, result in found.items()
    ]
    ledger.add(rows + [{"key": named[number], "number": number} for number in known])
    return [*found.items(), *((number, _of_row(row)) for number, row in known.items())]


def _kept(ledger: Ledger) -> dict[int, Result]:
    """The results that a ledger has, by the number of the point."""
    done = ledger.contents.done(ledger.study)
    rows = ledger.contents.rows(done.values())
    return {number: _of_row(row) for number, row in zip(done, rows, strict=True)}


def _to_row(result: Result) -> dict[str, Any]:
    figures, uses, why = result
    return {"status": "failed" if figures is None else "ok", "figures": figures, "uses_j": uses, "error": why}


def _of_row(row: Mapping[str, Any]) -> Result:
    return row["figures"], row["uses_j"], row["error"]


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
    return joined(point, known | {"reason": known["reason"] or why}, held, busy, uses)
