"""Simulate a host in SimPy whose processes wait for a device of sledsim: ``python examples/simpy_host.py``.

The example needs SimPy (``pip install simpy``). The clocks of SimPy and of the device count nanoseconds.
"""

from collections.abc import Generator
from typing import Any

import numpy as np
import simpy

import sledsim


class Disk:
    """Device for SimPy processes: `request` returns an event that triggers when the request completes."""

    def __init__(self, environment: simpy.Environment, simulation: sledsim.Simulation) -> None:
        self.environment = environment
        self.simulation = simulation
        self.waiting: dict[int, simpy.Event] = {}
        self.submitted = environment.event()
        environment.process(self._run())

    def request(self, lbn: int, blocks: int, write: bool) -> simpy.Event:
        """Submit a read or a write, and return an event whose value is the completion time in ns."""
        number = self.simulation.submit(self.now_ns(), lbn, blocks, write)
        self.waiting[number] = self.environment.event()
        self.submitted.succeed()
        self.submitted = self.environment.event()
        return self.waiting[number]

    def now_ns(self) -> int:
        """Return the time of the environment in nanoseconds."""
        return int(self.environment.now)

    def _run(self) -> Generator[simpy.Event, Any, None]:
        """Advance the simulation at its events and at new requests, and trigger completion events."""
        while True:
            next_ns = self.simulation.next_event_ns()
            if next_ns is None:
                yield self.submitted
            else:
                yield self.environment.timeout(max(0, next_ns - self.now_ns())) | self.submitted
            for number, completion_ns in zip(*self.simulation.advance(self.now_ns()), strict=True):
                self.waiting.pop(int(number)).succeed(int(completion_ns))


def user(
    environment: simpy.Environment, disk: Disk, seed: int, requests: int
) -> Generator[simpy.Event, Any, None]:
    """Simulate a user: read 4 KiB at a random place, wait 0.2 ms, write it back, and repeat."""
    random = np.random.default_rng(seed)
    for _ in range(requests):
        lbn = 8 * int(random.integers(800_000))
        yield disk.request(lbn, 8, write=False)
        yield environment.timeout(200_000)
        yield disk.request(lbn, 8, write=True)


def run(users: int, requests: int = 100) -> sledsim.Run:
    """Run several users, each with `requests` reads and as many writes, and return the device's run."""
    environment = simpy.Environment()
    disk = Disk(environment, sledsim.Simulation(sledsim.device("osdi00"), "sptf"))
    everybody = [environment.process(user(environment, disk, seed, requests)) for seed in range(users)]
    environment.run(simpy.AllOf(environment, everybody))
    return disk.simulation.finish()


def main() -> None:
    """Print throughput and mean response for 1, 4 and 16 users."""
    print("users  requests/s  mean response (ms)")
    for users in (1, 4, 16):
        summary = run(users).summary()
        rate_per_s = summary["requests"] / summary["span_s"]
        print(f"{users:5}{rate_per_s:12.0f}{1e3 * summary['mean_response_s']:20.3f}")


if __name__ == "__main__":
    main()
