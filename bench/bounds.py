"""Measure the gap between the bounds on a batch, and the time to compute them, on one core."""

import math
import sys
import time
from collections.abc import Iterator, Sequence

import numpy as np

import sledsim

#: Numbers of scattered requests.
COUNTS = (15, 100, 1000)


def batches(device: sledsim.Device, counts: Sequence[int]) -> Iterator[tuple[str, sledsim.Trace]]:
    """Yield scattered requests, a real trace in clusters, a file from end to end, and one repeated place."""
    for count in counts or COUNTS:
        yield "random", sledsim.random_workload(device, rate_per_s=1000, count=count)
    if counts:
        return
    trace = sledsim.demo_trace().transfers()
    first = {name: column[:1000] for name, column in trace.columns().items()}
    yield "demo", sledsim.Trace.from_columns(first, source=trace.source)
    for kind, stride in (("sequential", 8), ("equal", 0)):
        lbn = 1_000_000 + stride * np.arange(1000)
        at_once = np.zeros(1000, np.int64)
        yield kind, sledsim.Trace(arrival_ns=at_once, lbn=lbn, blocks=np.full(1000, 8))


def above(share: float) -> str:
    """Format a share in per cent, rounded up as in `sledsim study bounds`."""
    return f"{math.ceil(share * 1e4) / 1e4:.2%}"


def main(counts: Sequence[int]) -> None:
    """Print the table; with counts, only for scattered requests."""
    headings = f"{'seconds':>9}{'verified in':>13}{'gap':>9}{'SPTF within':>13}"
    print(f"{'device':10}{'batch':12}{'requests':>9}{headings}   method")
    for name in ("osdi00", "hong03"):
        device = sledsim.device(name)
        for kind, batch in batches(device, counts):
            start = time.perf_counter()
            found = sledsim.schedule_bounds(device, batch)
            end = time.perf_counter()
            found.verify()
            verified_s = time.perf_counter() - end
            shares = f"{above(found.gap):>9}{above(found.within('sptf')):>13}"
            times = f"{end - start:9.2f}{verified_s:13.2f}"
            print(f"{name:10}{kind:12}{len(batch):9,}{times}{shares}   {found.method}")


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]])
