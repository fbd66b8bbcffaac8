"""Hours that resemble 000's traces, replayed as in the paper: at several speeds, all requests counted."""

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

#: Number of requests in the hour of each trace (section 7).
REQUESTS = {"server": 118_760, "user": 75_304}
CONFIDENCE = 0.95
#: Name of the longest response, which shows starvation.
LONGEST = "max_response_s"
#: Cache of figures of replayed hours in this process: several experiments compare policies on the same hours.
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
    """Run policies over scale factors of several drawn hours.

    Means are over all requests: if a policy is saturated, its mean is over the whole hour and its backlog, as
    in the paper.

    Args:
        model: Device of the runs.
        draws: Functions that draw hours at the trace's own speed; intervals follow from the differences
            between hours.
        schedulers: Policies.
        scales: Factors that divide times between arrivals.
        name: Name of the requests.
        seed: Seed of the first draw.
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
    """Divide the times between arrivals of an hour by a scale factor."""
    arrivals: NDArray[np.int64] = np.rint(trace.arrival_ns / scale).astype(np.int64)
    return Trace(arrivals, trace.lbn, trace.blocks, trace.op, source=f"{trace.source} x{scale:g}")


def _key(model: Device, draw: Trace) -> tuple[object, ...]:
    """Return a key of all that determines the figures, except the scale factor and the policy."""
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
    """Draw one hour for each seed, at the trace's own speed."""
    return [draw(model, rate_per_s, seed) for seed in seeds]
