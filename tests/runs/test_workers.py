"""Pools of threads end what still runs where an error ends them."""

import time

import pytest

import sledsim
from sledsim.runs.workers import Workers


def test_an_error_stops_what_still_runs(device: sledsim.Device) -> None:
    # A queue that grows to 100,000 would keep SPTF busy for minutes.
    flood = sledsim.random_workload(device, rate_per_s=50_000, count=100_000)
    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt), Workers(1) as pool:
        pool._pool.submit(sledsim.simulate, device, flood, "sptf")
        time.sleep(0.3)
        raise KeyboardInterrupt
    assert time.perf_counter() - begin < 10


def test_an_error_stops_what_runs_in_pools_of_its_threads(device: sledsim.Device) -> None:
    flood = sledsim.random_workload(device, rate_per_s=50_000, count=100_000)

    def within(_: int) -> list[sledsim.Run]:
        with Workers(1) as pool:
            return list(pool.each(lambda name: sledsim.simulate(device, flood, name), ["sptf"]))

    begin = time.perf_counter()
    with pytest.raises(KeyboardInterrupt), Workers(1) as pool:
        pool.each(within, [0])
        time.sleep(0.3)
        raise KeyboardInterrupt
    assert time.perf_counter() - begin < 10
