"""Simulate every point of a space of data formats under a workload."""

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ... import _native
from ...common.declared import settled
from ...common.deprecation import renamed
from ...common.output_files import PathLike
from ...common.progress import Progress, told, watched
from ...common.tabular import joined
from ...ledger import Ledger, point_key
from ...model.devices import Device
from ...model.typed import device as made
from ...runs.run import settings_of
from ...runs.workers import check_workers
from ...traces.digests import digest_of
from ...traces.trace import Trace, check_trace
from ..evaluation import Row
from ..executors.threads import run_points
from .explored_formats import FormatSpace
from .file_space import file_share, file_sizes
from .space import AXES, FormatOptions, Space, variant

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: Largest number of points that a thread simulates per call: enough to make the overhead of a call
#: negligible.
_AT_ONCE = 8
#: Approximate largest number of requests that a thread simulates per call: few enough that a stopped
#: exploration loses little work.
_REQUESTS_AT_ONCE = 40_000

#: Name of the file of a ledger, without ending.
NAME = "designs"

#: A batch of points: the number of each point, and the device parameters that change at this point.
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
    folder: PathLike | None = None,
    workers: int | None = None,
    progress: Progress = None,
    **formats: "Unpack[FormatOptions]",
) -> FormatSpace:
    """Simulate every feasible format of a device with a workload: response, energy and capacity (004-F13).

    Args:
        workload: Trace from `read_trace`, `workload` or `bundled_trace`, or a `Trace` made from columns.
        space: Space from `read_space`, to explore instead of the formats given in `formats`.
        scheduler: Name of a policy, one that `schedulers` lists; paper 004 does not name a policy.
        scale: Speed-up of the trace: at 2, requests arrive twice as fast.
        past_end: Rule, one that `past_end_rules` lists, for requests beyond the capacity of a format.
        replay: Replay rule, one that `replays` lists; None takes the default of `simulate`.
        folder: Folder that keeps finished points; points in this folder are not simulated again.
        workers: Number of threads; None takes the number of processors.
        progress: Function that is called with the number of points done, as for `simulate`.
        formats: Options of `FormatOptions`.

    Raises:
        ParameterError: A name or value is wrong, a file of the folder is not a ledger, or the exploration in
            the folder was begun by another version of sledsim.
        TraceError: The trace is empty.
        OSError: The ledger cannot be read or written, or another process is adding points to it.
    """
    asked_for = settled(formats, FormatOptions, format_space)
    space = space or _space(asked_for)
    file_bytes = asked_for["file_bytes"]
    sizes = None if file_bytes is None else file_sizes(file_bytes)
    check_workers(workers)
    check_trace(workload, "workload")
    trace = workload.replayed()
    if not len(trace.transfers()):
        raise _native.TraceError(f"{trace.source}: expected at least one read or write, found none")
    replay = replay or trace.recorded_replay
    # Find a wrong name before a long run.
    policy = settings_of(space.device, scheduler, scale, past_end, replay).scheduler
    points = list(space.points())
    report = told(progress, len(points))
    there = dict.fromkeys(map(_format, points))
    known = {axes: _native.format_characteristics(space.device._native, *axes) for axes in there}
    requests, policies = digest_of(trace), [policy, scale, past_end, replay]
    asked = {
        "kind": "design",
        "device": space.device.parameters,
        "points": [list(space.parameters.items()), *([*map(list, there)])],
        "requests": requests,
        "how": policies,
    }
    feasible = {number: point for number, point in enumerate(points) if known[_format(point)]["feasible"]}
    columns, how = trace._native_columns(), (replay, scheduler, scale, past_end)
    with Ledger(folder, asked, NAME) as kept:
        results = kept.done()
        todo = {number: variant(point) for number, point in feasible.items() if number not in results}
        done = len(points) - len(todo)
        if todo:
            kept.contents.check_version(kept.study)

        def keep(rows: Sequence[Row]) -> None:
            nonlocal done
            results.update({row["number"]: row for row in rows})
            done += len(rows)
            if report:
                report(done)

        at_once = max(1, min(_AT_ONCE, _REQUESTS_AT_ONCE // len(trace)))
        explore = partial(_explore, kept, space.device, todo, (requests, policies), (columns, how))
        run_points(lambda: explore, [*todo], keep, workers, at_once)
    filled = {size: 1.0 if sizes is None else file_share(sizes, size) for size in space.sector_bytes}
    rows = [
        _row(point, known[_format(point)], filled[point[AXES[-1]]], results.get(number, {}))
        for number, point in enumerate(points)
    ]
    notes = (*kept.notes, *kept.contents.note_of_others(kept.study))
    return FormatSpace.of(rows, space, trace, policy, scale, notes)


def _space(formats: Mapping[str, Any]) -> Space:
    """Build the space to explore from the options of `FormatOptions`."""
    device = formats["device"]
    base = made(device) if isinstance(device, str) else device
    return Space(
        base, formats["probes"], formats["sectors"], formats["sector_bytes"], formats["parameters"] or {}
    )


def _format(point: dict[str, Any]) -> tuple[int, ...]:
    return tuple(point[axis] for axis in AXES)


def _explore(
    kept: Ledger,
    base: Device,
    changes: Mapping[int, dict[str, Any]],
    asked: tuple[str, list[Any]],
    run: tuple["_native._TraceColumns", tuple[Any, ...]],
    numbers: Sequence[int],
) -> list[Row]:
    """Return the rows of the points with these numbers, and keep the rows in the ledger."""

    def key(number: int) -> str:
        return _key(base, changes[number], *asked)

    def rows(left: Sequence[int]) -> list[Row]:
        return _evaluate(base, *run, [(number, changes[number]) for number in left])

    # A row that another space has added to the ledger has a different number.
    return [{**row, "number": number} for number, row in kept.rows(numbers, key, rows).items()]


def _evaluate(
    base: Device, columns: "_native._TraceColumns", how: tuple[Any, ...], batch: _Batch
) -> list[Row]:
    """Simulate a batch of points and return their rows, to which the caller adds the keys for the ledger."""
    begun_s = time.thread_time()
    results = _native.evaluate(base._native, [changes for _, changes in batch], columns, *how)
    cpu_s = round((time.thread_time() - begun_s) / len(batch), 6)
    return [
        {
            "number": number,
            "status": "failed" if figures is None else "ok",
            "figures": figures,
            "uses_j": uses,
            "error": why,
            "cpu_s": cpu_s,
        }
        for (number, _), (figures, uses, why) in zip(batch, results, strict=True)
    ]


def _key(base: Device, changes: dict[str, Any], requests: str, how: list[Any]) -> str:
    """Return the ledger's key of a point; its device, with the changed parameters, may be impossible."""
    try:
        parameters = base.with_parameters(**changes).parameters
    except _native.ParameterError:
        parameters = {"base": base.parameters, "changes": changes}
    return point_key(figures="design", requests=requests, how=how, parameters=parameters)


def _row(point: dict[str, Any], known: dict[str, Any], share: float, row: Mapping[str, Any]) -> Row:
    figures, uses_j = row.get("figures") or {}, row.get("uses_j") or {}
    uses = {f"{use}_j": joules for use, joules in uses_j.items()}
    # The utilization of a format is that of the medium.
    busy = {"device_utilization" if key == "utilization" else key: value for key, value in figures.items()}
    held = {"file_share": share, "usable_bytes": known["capacity_bytes"] * share}
    return joined(point, known | {"reason": known["reason"] or row.get("error")}, held, busy, uses)
