"""Simulated rebuilds of arrays that serve requests: time of the rebuild, and response times."""

from dataclasses import dataclass

from .._native import ParameterError
from ..model.devices import Device
from ..model.volumes import Volume, load_volume
from ..traces.trace import random_workload
from .run import Run, simulate

#: Policy of each member of the array.
_SCHEDULER = "sptf"
#: Share of the rebuild to simulate; not all of it, as the rebuild must not end before the last request
#: arrives.
_PART = 0.98
#: Share of the intended number of requests that a run must have to be used.
_NEAR = 0.9
#: Share of the rebuild that a first, short run simulates to measure its speed.
_PILOT = 0.02
#: Least number of requests in a run.
_FEWEST = 50
#: A run is saturated if the time from its last arrival to its last completion exceeds the first number, a
#: share of the run. Runs with fewer requests than the second number are not tested.
_DRAINED, _MANY = 0.05, 1000


@dataclass(frozen=True)
class Array:
    """An array of equal devices, and the random workload that it serves.

    Attributes:
        kind: Kind of the volume: ``stripe``, ``mirror`` or ``raid5``.
        device: Device of which the array has several.
        devices: Number of devices, including devices for parity.
        requests_per_s: Arrival rate of the random workload in requests per second.
        seed: Seed of the random workload.
    """

    kind: str
    device: Device
    devices: int
    requests_per_s: float
    seed: int

    def volume(self, **settings: str) -> Volume:
        """Return the volume; `settings` are parameters of its kind, such as ``failed_device``."""
        parameters = load_volume(self.kind, devices=self.devices).parameters
        member = {**self.device.parameters, "scheduler": _SCHEDULER}
        return Volume.from_parameters({**parameters, "device": [member] * self.devices, **settings})

    def serve(self, count: int, **settings: str) -> Run:
        """Simulate the first `count` requests of the workload; `settings` are options of the volume.

        Raises:
            ParameterError: Requests arrive faster than the array serves them.
        """
        target = self.volume(**settings)
        requests = random_workload(target, rate_per_s=self.requests_per_s, count=count, seed=self.seed)
        run = simulate(target, requests)
        if count >= _MANY and run.drain_s > _DRAINED * run.span_s:
            raise self.refused(f"a rate that a {self.kind} of {self.devices} {self.device.name} sustains")
        return run

    def refused(self, expected: str) -> ParameterError:
        """Return an error which says that `requests_per_s` should be as `expected`."""
        return ParameterError(f"requests_per_s = {self.requests_per_s:g}: expected {expected}")


@dataclass(frozen=True)
class Rebuild:
    """Result of simulating the main part of a rebuild.

    Attributes:
        time_s: Duration of the whole rebuild in seconds: the simulated time divided by `share`.
        share: Share of the failed device that was rebuilt in the simulation.
        response_s: Mean response time in seconds of the requests that arrived during the rebuild.
        requests: Number of requests that arrived during the rebuild.
    """

    time_s: float
    share: float
    response_s: float
    requests: int


def rebuild(array: Array, bytes_per_s: float, most_requests: int) -> Rebuild:
    """Simulate an array that serves requests and rebuilds a failed device, nearly until it is rebuilt.

    The rest of the rebuild is assumed to be equally fast. A run ends with its last request, which must arrive
    before the rebuild ends: a short pilot run gives the number of requests.

    Args:
        array: Array of a kind that can rebuild: ``mirror`` or ``raid5``.
        bytes_per_s: Largest speed of the rebuild, in bytes per second.
        most_requests: Largest number of requests to simulate in a run.

    Raises:
        ParameterError: Requests arrive faster than the array serves them, or fewer than 50 arrive during the
            rebuild.
    """
    filling = {"failed_device": "0", "replaced": "yes", "rebuild_mb_s": repr(bytes_per_s / 1e6)}
    expected_s = array.device.characteristics()["capacity_bytes"] / bytes_per_s
    count = min(max(_FEWEST, int(_PILOT * expected_s * array.requests_per_s)), most_requests)
    while True:
        run = array.serve(count, **filling)
        counts = run.volumes[""]
        if counts["rebuild_left_sectors"] == 0:
            most_requests, count = count - 1, int(count * _NEAR)
            if count < _FEWEST:
                raise array.refused(f"{_FEWEST} requests or more during a rebuild of {run.span_s:.4g} s")
            continue
        share = counts["passed_sectors"] / (counts["passed_sectors"] + counts["rebuild_left_sectors"])
        sought = min(int(_PART * count / max(share, _PILOT)), most_requests)
        if count >= _NEAR * sought:
            return Rebuild(run.span_s / share, share, float(run.response_ns.mean()) * 1e-9, count)
        count = sought


def response_s(array: Array, requests: int, failed: bool = False) -> float:
    """Return the mean response time of an array in seconds, if all devices work or the first one has failed.

    Args:
        array: The array and its workload.
        requests: Number of requests to run.
        failed: True if the first device has failed.

    Raises:
        ParameterError: Requests arrive faster than the array serves them.
    """
    run = array.serve(requests, **({"failed_device": "0"} if failed else {}))
    return float(run.response_ns.mean()) * 1e-9
