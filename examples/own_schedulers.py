"""Compare two custom schedulers with SPTF: ``python examples/own_schedulers.py``.

The first scheduler is a function. The second keeps state, so it is a class. It serves batches, as proposed by
Jacobson and Wilkes (1991): all waiting requests, nearest first, before it looks at later arrivals.
"""

import numpy as np

import sledsim
from sledsim.model.scheduling import Taken, Waiting


def reads_sooner(now_s: float, waiting: Waiting) -> np.intp:
    """Serve the nearest request, but treat each write as if its positioning took 0.2 ms longer."""
    return np.argmin(waiting["positioning_s"] + 0.2e-3 * waiting["write"])


class Batches:
    """Policy that serves all waiting requests as a batch, nearest first, before later arrivals."""

    def __init__(self) -> None:
        self.batch: set[int] = set()

    def choose(self, now_s: float, waiting: Waiting) -> np.intp:
        """Return the index of the batch's nearest request; if the batch is empty, form a new one first."""
        if not self.batch:
            self.batch = set(waiting["row"].tolist())
        members = [row in self.batch for row in waiting["row"].tolist()]
        return np.argmin(np.where(members, waiting["positioning_s"], np.inf))

    def take(self, request: Taken) -> None:
        """Remove a request from the batch when it goes to the device, also if a wrapper has chosen it."""
        self.batch.discard(request["row"])


def main() -> None:
    """Serve the same requests under each policy, and print a table."""
    sledsim.extend.register_scheduler("reads-sooner", reads_sooner)
    sledsim.extend.register_scheduler("batches", Batches)
    device = sledsim.device("osdi00")
    trace = sledsim.random_workload(device, rate_per_s=1500, count=10_000, seed=1)
    names = ["sptf", "reads-sooner", "reads-sooner+deadline:after_ms=60", "batches"]
    print(f"{'response in ms':33} {'mean':>8} {'of reads':>8} {'99 %':>8} {'longest':>8}")
    for name in names:
        run = sledsim.simulate(device, trace, scheduler=name)
        summary = run.summary()
        seconds = [
            summary["mean_response_s"],
            float(run.response_ns[~trace.write].mean()) * 1e-9,
            summary["p99_response_s"],
            summary["max_response_s"],
        ]
        print(f"{name:33}", *(f"{1e3 * time_s:8.2f}" for time_s in seconds))


if __name__ == "__main__":
    main()
