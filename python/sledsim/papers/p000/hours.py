"""Hours drawn like the traces of paper 000, replayed as in the paper: at several speeds, without warm-up."""

import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sledsim import Device, Trace, estimates
from sledsim.estimates import CurvePoint, figures, measure
from sledsim.results import Curves

from ..shared.perturbations import in_force, simulate

#: Number of requests that paper 000 prints for the hour of each trace (section 7).
REQUESTS = {"server": 118_760, "user": 75_304}
CONFIDENCE = 0.95
#: Column of the longest response, a measure of starvation.
LONGEST = "max_response_s"
#: Figures of each replayed hour, kept because several experiments of a process replay the same hours.
_REPLAYED: dict[tuple[object, ...], dict[str, float]] = {}


def hour_curves(
    model: Device,
    draws: Sequence[Trace],
    schedulers: Sequence[str],
    scales: Sequence[float],
    *,
    name: str,
    seed: int,
) -> Curves:
    """Replay drawn hours under each policy at several scale factors, and return the response curves.

    Means are over all requests, as in the paper: the mean of a saturated policy includes its whole backlog.

    Args:
        model: Device of the runs.
        draws: Hours drawn at the rate of the trace of the paper. The differences between hours give the
            intervals.
        schedulers: Policies to run.
        scales: Scale factors, by which times between arrivals are divided.
        name: Name that the curves give to the requests.
        seed: Seed of the first hour; the curves keep it.
    """
    points = []
    keys = [_key(model, draw) for draw in draws]
    for scale in scales:
        for scheduler in schedulers:
            found = [
                _figures(model, draw, scale, scheduler, key) for draw, key in zip(draws, keys, strict=True)
            ]
            samples = {key: np.array([one[key] for one in found]) for key in found[0]}
            means = {key: estimates.mean(values, CONFIDENCE) for key, values in samples.items()}
            points.append(CurvePoint(scheduler, scale, False, means, samples))
    origin: dict[str, Any] = {
        "confidence": CONFIDENCE,
        "replications": len(draws),
        "warm_up": 0,
        "seed": seed,
    }
    return Curves(model.name, name, "scale", points, {**origin, "parameters": model.parameters})


def faster(trace: Trace, scale: float) -> Trace:
    """Return the trace with its times between arrivals divided by a scale factor."""
    arrivals: NDArray[np.int64] = np.rint(trace.arrival_ns / scale).astype(np.int64)
    return Trace(arrivals, trace.lbn, trace.blocks, trace.op, source=f"{trace.source} x{scale:g}")


def _key(model: Device, draw: Trace) -> tuple[object, ...]:
    """Return the key of a replayed hour in the cache `_REPLAYED`: perturbation, device and requests."""
    requests = hashlib.blake2b()
    for column in (draw.arrival_ns, draw.lbn, draw.blocks, draw.op):
        requests.update(np.ascontiguousarray(column).tobytes())
    return in_force(), json.dumps(dict(model.parameters), default=str), requests.digest()


def _figures(
    model: Device, draw: Trace, scale: float, scheduler: str, key: tuple[object, ...]
) -> dict[str, float]:
    key = (*key, scale, scheduler)
    if key not in _REPLAYED:
        run = simulate(model, faster(draw, scale), scheduler)
        response_s: NDArray[np.float64] = run.response_ns.astype(np.float64) * 1e-9
        _REPLAYED[key] = {**measure(run, slice(0, len(draw))), **figures(response_s)}
    return _REPLAYED[key]


def drawn_hours(
    draw: Callable[[Device, float, int], Trace], model: Device, rate_per_s: float, seeds: Sequence[int]
) -> list[Trace]:
    """Draw one hour for each seed, at the arrival rate `rate_per_s` of the trace of the paper."""
    return [draw(model, rate_per_s, seed) for seed in seeds]
