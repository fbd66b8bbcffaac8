"""Hours of 000's traces as the paper replays them: all requests, faster and faster, and the mean over all."""

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

#: Requests in the hour of each trace (section 7).
REQUESTS = {"server": 118_760, "user": 75_304}
CONFIDENCE = 0.95
#: The longest response tells of starvation.
LONGEST = "max_response_s"
#: Figures of hours that were replayed in this process: experiments compare other policies on the same ones.
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
    """Policies over scale factors of some drawn hours.

    Nothing is left out: where requests come faster than a policy serves them its mean is that of the whole
    hour, backlog and all, as the paper's is.

    Args:
        model: The device.
        draws: The hours at the trace's own speed, of which intervals are made.
        schedulers: The policies.
        scales: By how much times between arrivals are divided.
        name: Of the requests.
        seed: Of the first draw.
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
    """An hour with its times between arrivals divided by a scale factor."""
    arrivals: NDArray[np.int64] = np.rint(trace.arrival_ns / scale).astype(np.int64)
    return Trace(arrivals, trace.lbn, trace.blocks, trace.op, source=f"{trace.source} x{scale:g}")


def _key(model: Device, draw: Trace) -> tuple[object, ...]:
    """All that decides what comes out but the scale factor and the policy."""
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
    """One hour for each seed, at the trace's own speed."""
    return [draw(model, rate_per_s, seed) for seed in seeds]
