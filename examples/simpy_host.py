"""A host in SimPy whose processes wait for a simulated device: ``python examples/simpy_host.py``.

The example needs SimPy (``pip install simpy``). SimPy's clock counts nanoseconds, as the device's does.
"""

from collections.abc import Generator
from typing import Any

import numpy as np
import simpy

import sledsim


class Disk:
    """A device in a SimPy environment: `request` returns an event that fires at completion."""

    def __init__(self, environment: simpy.Environment, simulation: sledsim.Simulation) -> None:
        self.environment = environment
        self.simulation = simulation
        self.waiting: dict[int, simpy.Event] = {}
        self.submitted = environment.event()
        environment.process(self._run())

    def request(self, lbn: int, blocks: int, write: bool) -> simpy.Event:
        """Read or write; the value of the event is the completion time in nanoseconds."""
        number = self.simulation.submit(self.now_ns(), lbn, blocks, write)
        self.waiting[number] = self.environment.event()
        self.submitted.succeed()
        self.submitted = self.environment.event()
        return self.waiting[number]

    def now_ns(self) -> int:
        """Return the time of the environment."""
        return int(self.environment.now)

    def _run(self) -> Generator[simpy.Event, Any, None]:
        """Let time pass to the next event of the device, or to the next request."""
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
    """Read 4 KiB at a random place, work on it for 0.2 ms, write it back, and repeat."""
    random = np.random.default_rng(seed)
    for _ in range(requests):
        lbn = 8 * int(random.integers(800_000))
        yield disk.request(lbn, 8, write=False)
        yield environment.timeout(200_000)
        yield disk.request(lbn, 8, write=True)


def run(users: int, requests: int = 100) -> sledsim.Run:
    """Run several users with this number of requests each."""
    environment = simpy.Environment()
    disk = Disk(environment, sledsim.Simulation(sledsim.device("osdi00"), "sptf"))
    everybody = [environment.process(user(environment, disk, seed, requests)) for seed in range(users)]
    environment.run(simpy.AllOf(environment, everybody))
    return disk.simulation.finish()


def main() -> None:
    """Print the response time over the number of users."""
    print("users  requests/s  mean response (ms)")
    for users in (1, 4, 16):
        summary = run(users).summary()
        rate_per_s = summary["requests"] / summary["span_s"]
        print(f"{users:5}{rate_per_s:12.0f}{1e3 * summary['mean_response_s']:20.3f}")


if __name__ == "__main__":
    main()
