"""Measure a run in time for Perfetto: bytes per request, and requests per second, the run included."""

import tempfile
import time
from pathlib import Path

import sledsim

REQUESTS = 100_000
#: Requests per second: few wait, half of them wait, all wait.
RATES = (200, 800, 2000)


def main() -> None:
    """Print the table."""
    device = sledsim.device("osdi00")
    print(f"{REQUESTS:,} random requests to osdi00 under sptf, written by Run.write_perfetto")
    print(f"{'rate/s':>6}{'bytes/request':>15}{'seconds':>9}{'requests/s':>12}")
    for rate_per_s in RATES:
        trace = sledsim.random_workload(device, rate_per_s=rate_per_s, count=REQUESTS, seed=1)
        run = sledsim.simulate(device, trace, "sptf")
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            path = run.write_perfetto(Path(folder) / "run.pftrace")
            took_s = time.perf_counter() - start
            size = path.stat().st_size
        print(f"{rate_per_s:6}{size / REQUESTS:15.0f}{took_s:9.2f}{REQUESTS / took_s:12,.0f}")


if __name__ == "__main__":
    main()
