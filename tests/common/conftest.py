"""A trace and a run with damaged files."""

import pytest

import sledsim


@pytest.fixture(scope="session")
def trace() -> sledsim.Trace:
    device = sledsim.device("osdi00")
    found = sledsim.random_workload(device, rate_per_s=900, count=40, seed=7)
    about = {"skipped": {"flushes": 3}, "device_names": {0: "sda", 5: "sdb"}, "origin_unix_ns": 10**18}
    return sledsim.Trace.from_columns(found.columns(), **about, notes=("a note",), format="blkparse")


@pytest.fixture(scope="session")
def volume_run(trace: sledsim.Trace) -> sledsim.Run:
    return sledsim.simulate(sledsim.volume("raid5:devices=3"), trace)
