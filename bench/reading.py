"""Compare the speed of reading trace files with the CSV readers of pandas and polars, on the same files.

The comparison uses pandas and polars if installed (pip install pandas polars). Each reads the same columns;
neither checks or sorts them. `python bench/reading.py 100000000` describes a trace of this number of requests
in one pass, and prints the memory used.
"""

import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow

import sledsim

REQUESTS = 1_000_000
RUNS = 5


def seconds(action: Callable[[], object]) -> float:
    """Return the median time of an action."""
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def others(path: Path, separator: str) -> dict[str, Callable[[], object]]:
    """Return the installed readers of tables."""
    found: dict[str, Callable[[], object]] = {}
    try:
        import pandas

        found["pandas"] = lambda: pandas.read_csv(path, sep=separator, header=None, engine="c")
        found["pandas, pyarrow"] = lambda: pandas.read_csv(path, sep=separator, header=None, engine="pyarrow")
    except ModuleNotFoundError:
        print("pandas is not installed")
    try:
        import polars

        found["polars"] = lambda: polars.read_csv(path, separator=separator, has_header=False)
    except ModuleNotFoundError:
        print("polars is not installed")
    return found


def compare(path: Path, name: str, separator: str) -> None:
    """Print the time of each reader for a file."""
    size_mb = path.stat().st_size / 1e6
    own = seconds(lambda: sledsim.read_trace(path, name))
    print(f"{path.name}: {size_mb:.0f} MB, {REQUESTS / 1e6:g} million requests, medians of {RUNS}")
    print(f"  {'sledsim':16}{own:7.3f} s{REQUESTS / own / 1e6:7.1f} million/s{size_mb / own:7.0f} MB/s")
    for other, read in others(path, separator).items():
        taken = seconds(read)
        rate = f"{REQUESTS / taken / 1e6:7.1f} million/s{size_mb / taken:7.0f} MB/s"
        print(f"  {other:16}{taken:7.3f} s{rate}   sledsim is {taken / own:.2f} times as fast")


def compressed(path: Path, name: str) -> None:
    """Print the time for a compressed trace, beside its decompression alone."""
    packed = path.with_name(path.name + ".zst")
    with pyarrow.OSFile(str(packed), "wb") as file, pyarrow.CompressedOutputStream(file, "zstd") as stream:
        stream.write(path.read_bytes())
    own = seconds(lambda: sledsim.read_trace(packed, name))
    with_decompressor = seconds(lambda: pyarrow.input_stream(str(packed)).read())
    size_mb = path.stat().st_size / 1e6
    print(f"{packed.name}: {packed.stat().st_size / 1e6:.0f} MB, {size_mb:.0f} MB decompressed")
    print(f"  {'sledsim':16}{own:7.3f} s{size_mb / own:23.0f} MB/s")
    print(f"  {'decompressor':16}{with_decompressor:7.3f} s{size_mb / with_decompressor:23.0f} MB/s")


def describe(requests: int, folder: Path) -> None:
    """Print time and memory for describing a trace of this number of requests in one pass."""
    path = folder / "long.vscsi"
    rng = np.random.default_rng(1)
    kind = np.dtype("<u4,<u4,<u4,<u2,<u2,<u8,<u8")
    with path.open("wb") as file:
        for first in range(0, requests, REQUESTS):
            records = np.zeros(min(REQUESTS, requests - first), kind)
            records["f1"] = 4096
            records["f3"] = np.where(rng.random(len(records)) < 0.67, 0x28, 0x2A)
            records["f4"] = 0x100
            records["f5"] = rng.integers(0, 2**24, len(records)) * 8
            records["f6"] = 10**12 + (first + np.arange(len(records))) * 100
            records.tofile(file)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    found = sledsim.trace_statistics(path)
    taken = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert len(found.summary()["overall"]) > 0
    print(f"trace_statistics, {requests / 1e6:g} million requests of a binary trace: {taken:.1f} s", end="")
    print(f" ({taken / requests * 1e9:.0f} ns each); peak {peak / 1e3:.0f} MB, before {before / 1e3:.0f} MB")


def main() -> None:
    """Print the figures."""
    workload = sledsim.random_workload(sledsim.device("osdi00"), rate_per_s=1000, count=REQUESTS, seed=1)
    with tempfile.TemporaryDirectory() as folder:
        if sys.argv[1:]:
            describe(int(sys.argv[1]), Path(folder))
            return
        for name, separator in (("disksim", " "), ("spc", ","), ("msr", ",")):
            path = Path(folder) / f"random.{name}"
            sledsim.write_trace(workload, path, name)
            compare(path, name, separator)
            compressed(path, name)
        describe(2 * REQUESTS, Path(folder))


main()
