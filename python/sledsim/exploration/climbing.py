"""Response time over load: each policy is run at rising loads, up to the first load that saturates it."""

import math
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from .. import _native
from ..common.arguments import check_whole, scheduler_names
from ..common.declared import settled
from ..common.deprecation import renamed
from ..common.output_files import PathLike
from ..common.progress import Progress, told, watched
from ..ledger import Ledger, point_key
from ..model.volumes import Target, TargetOrName, target_of
from ..runs import intervals
from ..runs.curve_points import CurvePoint, batched_point, replicated_point
from ..runs.curves import NAME, Curves
from ..runs.intervals import BATCHES
from ..runs.run import settings_of, simulate
from ..runs.steady_state import MEASURED_COLUMNS, MIN_MEASURED, WARM_UP, Observation, observe
from ..runs.workers import Workers
from ..traces.trace import Trace, check_trace, random_workload
from .question_options import CurveOptions

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: Type of the device or volume whose curves are measured.
_System = TypeVar("_System", bound=Target)
#: A function that draws the requests of one replication. Its arguments are the device or volume, the arrival
#: rate in 1/s, and the seed.
Workload = Callable[[_System, float, int], Trace]

#: Largest number of replications for reaching a precision, as a multiple of the number that the caller asks
#: for.
MOST_TIMES = 16
#: Keys of `Curves.origin` that are part of the key of a point in the ledger; the load and the requests are
#: also part of the key.
_ASKED = ("replications", "seed", "count", "confidence", "precision", "warm_up", "parameters", "schedulers")
#: Number of distinct seeds.
_SEEDS = 2**64
#: End of the message that refuses a single replication or a single batch.
_ONE = ": a single one has no confidence interval"


@renamed
@watched
def response_curves(
    device: _System | str | os.PathLike[str],
    schedulers: str | Sequence[str],
    rates: Sequence[float],
    *,
    draw: Workload[_System] | None = None,
    folder: PathLike | None = None,
    progress: Progress = None,
    **how: "Unpack[CurveOptions]",
) -> Curves:
    """Measure response time and its variability over the arrival rate, with confidence intervals.

    All policies serve the same requests (common random numbers): at each rate, those of `replications`
    seeds. Rates are taken in ascending order. A policy that is saturated at one rate is not run at higher
    rates. A policy whose first replication is clearly overloaded runs no other replication. `steady_state`
    documents the measurement, the warm-up, and the rules for policies that are saturated or not at rest.

    Args:
        device: Device, volume, or the name or file of a device.
        schedulers: Name of a policy, one that `schedulers` lists, or a list of such names.
        rates: Arrival rates in requests/s.
        draw: Function ``draw(device, rate, seed)`` that returns the requests of one replication, in any
            number; the rate is in requests/s. None draws the requests of `random_workload`.
        folder: Folder that keeps every finished point (one rate and policy); these points are not run again.
            If `draw` is given, the function needs an attribute ``content``, a text that describes its
            requests.
        progress: Function that is called with the number of runs done, as for `simulate`. Runs that turn out
            to be unnecessary count as done, so that the last number is ``len(rates) * len(schedulers) *
            most_replications(replications, precision)``.
        how: Options of `CurveOptions`.

    Raises:
        ParameterError: A name or value is wrong, or a file in the folder is not a ledger.
        TraceError: The requests do not fit the device.
        OSError: The ledger cannot be read or written.
    """
    asked = settled(how, CurveOptions, response_curves)
    count, replications, seed = asked["count"], asked["replications"], asked["seed"]
    confidence, precision = asked["confidence"], asked["precision"]
    model = cast("_System", target_of(device))
    check_whole("replications", replications, 2, why=_ONE)
    most = most_replications(replications, precision)
    # With half as many replications enough, luck matters less than at the first number that is enough.
    stop_at = None if precision is None else precision / math.sqrt(2)
    check_whole("seed", seed, 0, _SEEDS - most, f": {most} replications use {most} seeds in a row")
    names, ascending, origin = _prepare(model, schedulers, "rate", rates, confidence)
    if draw is None:
        check_whole("count", count, 0)
        _check_count(count, f"count = {count}")
    name = "random" if draw is None else getattr(draw, "__name__", type(draw).__name__)
    origin |= {"rates": ascending, "replications": replications, "seed": seed, "warm_up": WARM_UP}
    origin |= {"workload": name, "count": count if draw is None else None, "precision": precision}

    def drawn(rate: float, seed: int) -> Trace:
        if draw is not None:
            trace = draw(model, rate, seed)
            _check_count(len(trace), f"draw: {trace.source} has {len(trace)} requests")
            return trace
        return random_workload(model, rate_per_s=rate, count=count, seed=seed)

    definition = {"kind": "curves", **{key: origin[key] for key in _ASKED}, "loads": ascending}
    definition["requests"] = _content(draw, name, folder)
    report = told(progress, len(ascending) * len(names) * most)
    with Ledger(folder, definition, NAME) as kept, Workers(asked["workers"], report) as pool:

        def seen_at(rate: float, left: Sequence[str], seeds: range) -> dict[str, list[Observation]]:
            return _replicate(pool, model, left, [*pool.each(lambda seed: drawn(rate, seed), seeds)])

        def points_at(rate: float, left: Sequence[str]) -> list[CurvePoint]:
            return _kept_points(kept, definition, names, rate, left, partial(run_at, rate))

        def run_at(rate: float, left: Sequence[str]) -> dict[str, CurvePoint]:
            seen = seen_at(rate, left, range(seed, seed + replications))
            points = {name: replicated_point(name, rate, seen[name], confidence) for name in left}
            known = replications
            # All policies with figures continue together, so that they are compared over the same requests.
            while known < most and not all(point.is_within(stop_at) for point in points.values()):
                going_on = [name for name, point in points.items() if not point.saturated]
                for name, more in seen_at(rate, going_on, range(seed + known, seed + 2 * known)).items():
                    seen[name] += more
                    points[name] = replicated_point(name, rate, seen[name], confidence)
                known *= 2
            return points

        points = _climb(pool, names, ascending, most, points_at)
    return Curves(model.name, origin["workload"], "rate_per_s", points, origin)


def _kept_points(
    kept: Ledger,
    asked: Mapping[str, Any],
    names: Sequence[str],
    load: float,
    left: Sequence[str],
    run: Callable[[Sequence[str]], Mapping[str, CurvePoint]],
) -> list[CurvePoint]:
    """Return the points of the policies `left`, which lower loads did not saturate, at one load."""
    in_full = dict(zip(names, asked["schedulers"], strict=True))
    first = asked["loads"].index(load) * len(names)
    numbers = {first + names.index(name): name for name in left}
    # With a precision, the policies continue together, so that the runs of one depend on all of them.
    beside = [] if asked["precision"] is None else sorted(in_full[name] for name in left)
    about = {key: asked[key] for key in (*_ASKED, "requests") if key != "schedulers"}

    def key(number: int) -> str:
        policy = in_full[numbers[number]]
        return point_key(figures="curves", **about, scheduler=policy, load=load, beside=beside)

    def rows(new: Sequence[int]) -> Iterator[dict[str, Any]]:
        found = run(left if beside else [numbers[one] for one in new])
        return ({"number": one, **found[numbers[one]].row()} for one in new)

    every = kept.rows([*numbers], key, rows)
    return [CurvePoint.of_row(name, load, every[number]) for number, name in numbers.items()]


def _content(workload: object, name: str, ledger: PathLike | None) -> str | None:
    """Return the text that identifies the requests of a workload in a ledger.

    Raises:
        ParameterError: A folder is given, but the function that draws the workload has no ``content``.
    """
    content = "random" if workload is None else getattr(workload, "content", None)
    if ledger is not None and not isinstance(content, str):
        raise _native.ParameterError(
            f"folder: expected draw to have an attribute 'content', a text that describes its requests,"
            f" found {name!r} without it"
        )
    return content


def most_replications(replications: int, precision: float | None) -> int:
    """Return the largest number of runs of one policy at one rate that `precision` may cause.

    Raises:
        ParameterError: The precision is not between 0 and 1.
    """
    if precision is None:
        return replications
    if not 0 < precision < 1:
        must = "must be a relative half-width between 0 and 1, such as 0.05"
        raise _native.ParameterError(f"precision = {precision}: {must}")
    return replications * MOST_TIMES


@watched
def trace_curves(
    device: TargetOrName,
    trace: Trace,
    schedulers: str | Sequence[str],
    scales: Sequence[float],
    *,
    past_end: str = "error",
    batches: int = BATCHES,
    confidence: float = 0.95,
    workers: int | None = None,
    progress: Progress = None,
) -> Curves:
    """Measure response time over the speed-up of a trace, with confidence intervals from batch means.

    Each point is one run of the whole trace, without a warm-up, as the trace has its own beginning. Means
    have an interval, from `batches` batches of consecutive requests. Percentiles, the largest response time
    and the squared coefficient of variation are figures of the whole run, without an interval. An interval
    covers the variation of load and device within the trace, but not the differences to other traces.

    Args:
        device: Device, volume, or the name or file of a device.
        trace: Trace with the requests.
        schedulers: Name of a policy, one that `schedulers` lists, or a list of such names.
        scales: Speed-ups of the trace, run in ascending order; a policy that is saturated at one speed-up is
            not run at higher speed-ups.
        past_end: Rule, one that `past_end_rules` lists, for requests past the end of the device.
        batches: Number of batches, at least 2; each needs at least 2 requests.
        confidence: Confidence level of the intervals, such as 0.95.
        workers: Number of threads; None takes the number of processors. The results do not depend on it.
        progress: Function that is called with the number of runs done, as for `simulate`. Runs that turn out
            to be unnecessary count as done, so that the last number is ``len(scales) * len(schedulers)``.

    Raises:
        ParameterError: A name or value is wrong.
        TraceError: The trace does not fit the device.
    """
    model = target_of(device)
    check_whole("batches", batches, 2, why=_ONE)
    check_trace(trace)
    trace, count = trace.replayed(), len(trace.transfers())
    if count < 2 * batches:
        found = f"the {count} requests of {trace.source}"
        raise _native.ParameterError(f"batches = {batches}: expected 2 requests each or more, found {found}")
    names, ascending, origin = _prepare(model, schedulers, "scale", scales, confidence, past_end)
    origin |= {"scales": ascending, "past_end": past_end}
    origin |= {"batches": batches, "warm_up": 0.0, "workload": trace.source}

    report = told(progress, len(ascending) * len(names))
    with Workers(workers, report) as pool:

        def points_at(scale: float, left: Sequence[str]) -> list[CurvePoint]:
            def point(name: str) -> CurvePoint:
                run = simulate(model, trace, name, scale, past_end, columns=MEASURED_COLUMNS)
                return batched_point(run, name, batches, confidence)

            return pool.map_work(point, left)

        points = _climb(pool, names, ascending, 1, points_at)
    return Curves(model.name, trace.source, "scale", points, origin)


def _climb(
    pool: Workers,
    names: Sequence[str],
    loads: Sequence[float],
    runs: int,
    points_at: Callable[[float, Sequence[str]], list[CurvePoint]],
) -> list[CurvePoint]:
    """Return the points of each policy from the lowest load to the first load that saturates the policy."""
    points: list[CurvePoint] = []
    left = names
    for done, load in enumerate(loads, 1):
        found = points_at(load, left) if left else []
        points += found
        left = [point.scheduler for point in found if point.unsettled or not point.saturated]
        pool.report(done * len(names) * runs)
    return points


def _replicate(
    pool: Workers, device: Target, names: Sequence[str], traces: Sequence[Trace]
) -> dict[str, list[Observation]]:
    """Run each policy under all `traces`; if the first trace overloads a policy, it runs no other."""

    def one(work: tuple[str, Trace]) -> Observation:
        name, trace = work
        return observe(simulate(device, trace, name, columns=MEASURED_COLUMNS), WARM_UP)

    first = pool.map_work(one, [(name, traces[0]) for name in names])
    seen = {name: [observation] for name, observation in zip(names, first, strict=True)}
    going_on = [name for name in names if not seen[name][0].is_overloaded]
    work = [(name, trace) for name in going_on for trace in traces[1:]]
    for (name, _), observation in zip(work, pool.map_work(one, work), strict=True):
        seen[name].append(observation)
    return seen


def _check_count(count: int, found: str) -> None:
    """Raise an error if a run of `count` requests is too short to estimate a mean or detect saturation.

    `found` begins the message, such as "count = 50".
    """
    measured = count - int(WARM_UP * count)
    if measured < MIN_MEASURED:
        least = f"at least {MIN_MEASURED} requests after the warm-up of {WARM_UP:.0%}"
        raise _native.ParameterError(f"{found}: expected {least}, found {measured}")


def _prepare(
    device: Target,
    schedulers: str | Sequence[str],
    load: str,
    loads: Sequence[float],
    confidence: float,
    past_end: str = "error",
) -> tuple[list[str], list[float], dict[str, Any]]:
    """Check the policies and loads of curves; return both, and a record of all settings.

    The policies get the names that results use, and the loads are in ascending order. The record states
    device, parameters, policies and confidence level, from which the curves can be recomputed.

    Raises:
        ParameterError: A policy or load is wrong or is given twice, or the list of them is empty.
    """
    intervals.check_confidence(confidence)
    policies = [settings_of(device, name, past_end=past_end) for name in scheduler_names(schedulers)]
    names = [policy.scheduler for policy in policies]
    for value in loads:
        number = isinstance(value, (int, float, np.number))
        if not (number and math.isfinite(value) and value > 0):
            found = f"{value:g}" if number else repr(value)
            raise _native.ParameterError(f"{load} = {found}: must be a positive number")
    for key, values in (("scheduler", names), (load, [f"{value:.15g}" for value in loads])):
        if not values:
            raise _native.ParameterError(f"{key}: expected at least one {key}, found none")
        if twice := [value for value in values if values.count(value) > 1]:
            raise _native.ParameterError(f"{key} {twice[0]} is given twice")
    origin = {
        "version": _native.__version__,
        "device": device.name,
        "parameters": device.parameters,
        "schedulers": [policy.scheduler_in_full for policy in policies],
        "confidence": confidence,
    }
    return names, sorted(map(float, loads)), origin
