"""How long a whole run takes from Python (DiskSim ASCII file, FCFS, all columns, Parquet), and its memory."""

import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np

import sledsim

REQUESTS = 1_000_000
Result = TypeVar("Result")


def timed(what: str, action: Callable[[], Result]) -> Result:
    """Do it, and print how long it took."""
    start = time.perf_counter()
    result = action()
    seconds = time.perf_counter() - start
    print(f"{what:34}{seconds:8.3f} s{REQUESTS / seconds / 1e6:8.2f} million requests a second")
    return result


def write_disksim(path: Path, trace: sledsim.Trace) -> None:
    """Write the requests as DiskSim reads them."""
    columns = [trace.arrival_ns * 1e-6, trace.lbn, trace.blocks, ~trace.write]
    np.savetxt(path, np.column_stack(columns), fmt=["%.6f 0", "%d", "%d", "%d"])


def main() -> None:
    """Print the figures."""
    device = sledsim.device("osdi00")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "random.trace"
        write_disksim(file, sledsim.random_workload(device, rate_per_s=1000, count=REQUESTS, seed=1))
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        trace = timed("read_trace, DiskSim ASCII", lambda: sledsim.read_trace(file))
        run = timed("simulate, fcfs", lambda: sledsim.simulate(device, trace, scheduler="fcfs"))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        timed("summary", run.summary)
        timed("write, Parquet", lambda: run.write(Path(folder) / "run.parquet"))
    columns = [*trace.columns().values(), *run.columns.values()]
    distinct = {column.__array_interface__["data"][0]: column.nbytes for column in columns}
    columns_mb = sum(distinct.values()) / 1e6
    print(f"memory: columns {columns_mb:.0f} MB; peak {peak / 1e3:.0f} MB, before {before / 1e3:.0f} MB")


main()
