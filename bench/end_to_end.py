"""Measure time and memory of a whole run from Python (DiskSim ASCII file, FCFS, all columns, Parquet)."""

import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

import sledsim

REQUESTS = 1_000_000
Result = TypeVar("Result")


def timed(what: str, action: Callable[[], Result]) -> Result:
    """Run an action and print its time."""
    start = time.perf_counter()
    result = action()
    seconds = time.perf_counter() - start
    print(f"{what:34}{seconds:8.3f} s{REQUESTS / seconds / 1e6:8.2f} million requests/s")
    return result


def write_disksim(path: Path, trace: sledsim.Trace) -> None:
    """Write the requests in DiskSim's format."""
    columns = [trace.arrival_ns * 1e-6, trace.lbn, trace.blocks, ~trace.write]
    np.savetxt(path, np.column_stack(columns), fmt=["%.6f 0", "%d", "%d", "%d"])


def peak_mb() -> float:
    """Return the peak memory of the process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def megabytes(columns: Sequence[NDArray[Any]]) -> float:
    """Return the size of columns; shared memory counts once."""
    return sum({one.__array_interface__["data"][0]: one.nbytes for one in columns}.values()) / 1e6


def main() -> None:
    """Print the figures."""
    device = sledsim.device("osdi00")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "random.trace"
        write_disksim(file, sledsim.random_workload(device, rate_per_s=1000, count=REQUESTS, seed=1))
        before_mb = peak_mb()
        trace = timed("read_trace, DiskSim ASCII", lambda: sledsim.read_trace(file))
        run = timed("simulate, fcfs", lambda: sledsim.simulate(device, trace, scheduler="fcfs"))
        simulated_mb = peak_mb()
        timed("summary", run.summary)
        timed("write, Parquet", lambda: run.write(Path(folder) / "run.parquet"))
    columns_mb = megabytes([*trace.columns().values(), *run.columns.values()])
    print(f"memory: {before_mb:.0f} MB at most before the trace was read")
    print(f"{simulated_mb - before_mb:6.0f} MB more after the run")
    print(f"{peak_mb() - before_mb:6.0f} MB more after the summary and the file")
    print(f"{columns_mb:6.0f} MB for the columns of trace and record")


main()
