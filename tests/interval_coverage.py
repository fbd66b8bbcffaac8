"""Count how often intervals hold the exact answers of a queue.

``python -m tests.interval_coverage`` prints the table behind docs/how-to/comparing.md; it takes half an hour.

Whole curves, as ``sledsim compare --rates`` draws them, of a device that serves every request in 1 ms.
"""

import math
from collections import Counter
from typing import Any

import sledsim

from .exact_queue import exact

#: Loads, and the settings of the replications.
RUNS: list[tuple[float, dict[str, Any]]] = [
    *((load, {}) for load in (0.5, 0.9, 0.95, 0.98)),
    (0.9, {"precision": 0.1}),
]
REPEATS = 100
NAMES = {"mean_response_s": "mean", "cv2_response": "cv²", "p50_response_s": "p50", "p95_response_s": "p95"}
NAMES |= {"p99_response_s": "p99", "p999_response_s": "p99.9"}


def device() -> sledsim.Device:
    """Return a card with nothing but a latency of 1 ms."""
    card = sledsim.device("cf-card", wake_ms=0, inactive_after_ms=1e9)
    trace = sledsim.Trace(arrival_ns=[0], lbn=[0], blocks=[8])
    (took_ns,) = sledsim.simulate(card, trace).response_ns
    latency_ms = card.parameters["read_latency_ms"] + 1 - took_ns * 1e-6
    return card.with_parameters(read_latency_ms=latency_ms, write_latency_ms=latency_ms)


def drawn(card: sledsim.Device, rate_per_s: float, seed: int) -> sledsim.Trace:
    """Return requests of one size."""
    return sledsim.workload(f"random:rate={rate_per_s},count=20000,sizes=fixed,seed={seed}", card)


def coverage(load: float, options: dict[str, Any], repeats: int) -> dict[str, tuple[int, int]]:
    """Return the number of intervals of each figure, and the number that hold the exact answer."""
    card = device()
    # Figures in seconds are for a service of 1 s.
    answers = {name: answer * (1e-3 if name.endswith("_s") else 1) for name, answer in exact(load).items()}
    given: Counter[str] = Counter()
    held: Counter[str] = Counter()
    for repeat in range(repeats):
        curves = sledsim.response_curves(
            card, "fcfs", [1000 * load], seed=1 + 1000 * repeat, draw=drawn, **options
        )
        (point,) = curves.points
        for name, answer in answers.items():
            found = point.estimates.get(name)
            if found is not None and not math.isnan(found.value):
                given[name] += 1
                held[name] += found.low <= answer <= found.high
    return {name: (given[name], held[name]) for name in NAMES}


def main() -> None:
    """Print a row for each load."""
    print(f"| load | options | {' | '.join(NAMES.values())} |")
    print("|---|---|" + "---|" * len(NAMES))
    for load, options in RUNS:
        words = " ".join(f"`--{key} {value}`" for key, value in options.items())
        found = coverage(load, options, REPEATS)
        cells = [f"{held} of {given}" if given else "too short" for given, held in found.values()]
        print(f"| {load} | {words} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
