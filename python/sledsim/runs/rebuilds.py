"""How long the rebuild of an array takes beside requests, and what these feel: by simulating its volume."""

from dataclasses import dataclass

from .._native import ParameterError
from ..model.devices import Device
from ..model.volumes import Volume, load_volume
from ..traces.trace import random_workload
from .run import Run, simulate

#: The policy of each device.
_SCHEDULER = "sptf"
#: Of the rebuild that is to be simulated: it must not be over before the last request is.
_PART = 0.98
#: A run that ends with the rebuild so much further than was sought, or less far, is taken.
_NEAR = 0.9
#: Of the rebuild by arithmetic, in a run that finds how fast it goes.
_PILOT = 0.02
#: Requests of the shortest run.
_FEWEST = 50
#: Of the time of a run, that the last request may be complete after it came; and in runs of how many.
_DRAINED, _MANY = 0.05, 1000


@dataclass(frozen=True)
class Array:
    """Devices under a volume.

    Attributes:
        kind: Of the volume: ``stripe``, ``mirror`` or ``raid5``.
        device: What it is made of.
        devices: How many, those for parity among them.
        requests_per_s: Of the Random workload that it serves.
        seed: Of the workload.
    """

    kind: str
    device: Device
    devices: int
    requests_per_s: float
    seed: int

    def volume(self, **settings: str) -> Volume:
        """The volume, with options of its kind."""
        parameters = load_volume(self.kind, devices=self.devices).parameters
        member = {**self.device.parameters, "scheduler": _SCHEDULER}
        return Volume.from_parameters({**parameters, "device": [member] * self.devices, **settings})

    def serve(self, count: int, **settings: str) -> Run:
        """The first so many of its requests: those of a long run begin with those of a short one.

        Raises:
            ParameterError: They come faster than they are served.
        """
        target = self.volume(**settings)
        requests = random_workload(target, rate_per_s=self.requests_per_s, count=count, seed=self.seed)
        run = simulate(target, requests)
        if count >= _MANY and run.drain_s > _DRAINED * run.span_s:
            raise self.refused(f"fewer than a {self.kind} of {self.devices} {self.device.name} serves")
        return run

    def refused(self, expected: str) -> ParameterError:
        """What is wrong with its requests."""
        return ParameterError(f"requests_per_s = {self.requests_per_s:g}: expected {expected}")


@dataclass(frozen=True)
class Rebuild:
    """A rebuild as far as it was simulated.

    Attributes:
        time_s: Of the whole rebuild: what was simulated, over its share.
        share: Of the device that was filled by the time of the last request.
        response_s: Mean response of the requests meanwhile.
        requests: How many they were.
    """

    time_s: float
    share: float
    response_s: float
    requests: int


def rebuild(array: Array, bytes_per_s: float, most_requests: int) -> Rebuild:
    """Fill a device that replaces one that has failed, beside requests, almost to the end.

    What is left is taken to go as fast as what was done. A run ends with its requests, and the rebuild must
    not be over before: a first, short run tells how many requests that takes.

    Args:
        array: Of a kind that has a rebuild: ``mirror`` or ``raid5``.
        bytes_per_s: The most that is rebuilt in a second.
        most_requests: Where more would come, the run ends after these.

    Raises:
        ParameterError: Requests come faster than they are served, or too few of them during a rebuild.
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
                raise array.refused(f"{_FEWEST} or more during a rebuild of {run.span_s:.4g} s")
            continue
        share = counts["passed_sectors"] / (counts["passed_sectors"] + counts["rebuild_left_sectors"])
        sought = min(int(_PART * count / max(share, _PILOT)), most_requests)
        if count >= _NEAR * sought:
            return Rebuild(run.span_s / share, share, float(run.response_ns.mean()) * 1e-9, count)
        count = sought


def response_s(array: Array, requests: int, failed: bool = False) -> float:
    """Mean response of an array that is whole, or whose first device has failed and is not replaced.

    Raises:
        ParameterError: Requests come faster than they are served.
    """
    run = array.serve(requests, **({"failed_device": "0"} if failed else {}))
    return float(run.response_ns.mean()) * 1e-9
