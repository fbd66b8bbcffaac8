"""Pools of threads end running work if an error ends them."""

import threading
from collections.abc import Callable

import pytest

import sledsim
from sledsim.runs.workers import StoppedError, Workers

#: Progress of a simulation, as it reports it.
Report = Callable[[int], object]


@pytest.fixture(scope="module")
def flood(device: sledsim.Device) -> Callable[[Report], sledsim.Run]:
    """A simulation of minutes: a search through a whole queue that grows to 100,000."""
    requests = sledsim.random_workload(device, rate_per_s=50_000, count=100_000)
    return lambda report: sledsim.simulate(device, requests, "sptf:search=linear", progress=report)


class Halt:
    """Hold a simulation in the middle until a pool is to stop."""

    def __init__(self, pool: Workers) -> None:
        self.is_reached = threading.Event()
        self._pool = pool

    def __call__(self, _: int) -> None:
        self.is_reached.set()
        self._pool._stop.wait()


def test_an_error_stops_what_still_runs(flood: Callable[[Report], sledsim.Run]) -> None:
    with pytest.raises(KeyboardInterrupt), Workers(1) as pool:
        halt = Halt(pool)
        simulated = pool._pool.submit(flood, halt)
        halt.is_reached.wait()
        raise KeyboardInterrupt
    assert isinstance(simulated.exception(), StoppedError)


def test_an_error_stops_what_runs_in_pools_of_its_threads(flood: Callable[[Report], sledsim.Run]) -> None:
    ended: list[BaseException] = []

    def within(halt: Halt) -> None:
        with Workers(1) as inner:
            try:
                list(inner.each(flood, [halt]))
            except BaseException as error:
                ended.append(error)
                raise

    with pytest.raises(KeyboardInterrupt), Workers(1) as pool:
        halt = Halt(pool)
        pool.each(within, [halt])
        halt.is_reached.wait()
        raise KeyboardInterrupt
    assert [type(error) for error in ended] == [StoppedError]
