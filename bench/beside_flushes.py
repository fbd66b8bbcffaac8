"""Measure delays by flushes of metadata: of reads beside them, and of writes to flushed sectors.

`python bench/beside_flushes.py` prints mean and longest response times for metadata volumes whose disk is a
device, and for those whose disk is behind other volumes.
"""

import numpy as np

import sledsim

#: Disks of a metadata volume.
DISKS = {
    "atlas10k": "atlas10k",
    "single over atlas10k": {"volume": "single", "device": "atlas10k"},
    "raid5 over atlas10k": {"volume": "raid5", "device": "atlas10k"},
}
SPAN_S = 120.0
#: Rate of requests that change metadata, per second, and number of sectors that they change.
CHANGES_PER_S, METADATA_SECTORS = 50.0, 400_000
#: Rates of reads per second beside which writes of metadata wait; the disk can just serve the second.
LOADS_PER_S = (150.0, 200.0)
#: Sectors of writes that are larger than the changes, so that only some are already on the MEMS device.
LARGER_SECTORS = 64
LONG_MS = 20


def drawn(
    rate_per_s: float, first: int, sectors: int, write: bool, metadata: bool, seed: int, size: int = 8
) -> sledsim.Trace:
    """Draw requests of a number of sectors at random places and times."""
    random = np.random.default_rng(seed)
    count = int(rate_per_s * SPAN_S)
    return sledsim.Trace(
        arrival_ns=np.sort(random.uniform(0, SPAN_S * 1e9, count)).astype(np.int64),
        lbn=first + 8 * random.integers(0, sectors // 8, count),
        blocks=np.full(count, size, np.int32),
        op=np.full(count, write),
        metadata=np.full(count, metadata),
    )


def together(*traces: sledsim.Trace) -> sledsim.Trace:
    """Merge all requests in the order of time."""
    columns = [trace.columns() for trace in traces]
    joined = {name: np.concatenate([some[name] for some in columns]) for name in columns[0]}
    order = np.argsort(joined["arrival_ns"], kind="stable")
    return sledsim.Trace.from_columns({name: column[order] for name, column in joined.items()})


def report(what: str, response_ns: np.ndarray) -> None:
    mean_ms, most_ms = response_ns.mean() * 1e-6, response_ns.max() * 1e-6
    print(f"  {what:32} {len(response_ns):6} requests, mean {mean_ms:8.2f} ms, longest {most_ms:9.1f} ms")


def main() -> None:
    data = 2_000_000
    changes = drawn(CHANGES_PER_S, 0, METADATA_SECTORS, True, True, 1)
    print("Reads beside flushes, 50/s:")
    for name, disk in DISKS.items():
        for flush_every_s in (0, 30):
            volume = sledsim.volume("mmd", "sptf", disk=disk, flush_every_s=flush_every_s)
            trace = together(changes, drawn(50, data, 10_000_000, False, False, 2))
            run = sledsim.simulate(volume, trace, past_end="wrap")
            flushed = "with flushes" if flush_every_s else "without"
            report(f"{name}, {flushed}", run.response_ns[~run.columns["metadata"]])
    print("Writes of metadata to sectors that are partly being flushed, beside many reads of the disk:")
    for rate_per_s in LOADS_PER_S:
        larger = drawn(20, 0, METADATA_SECTORS, True, True, 3, LARGER_SECTORS)
        volume = sledsim.volume("mmd", "sptf")
        trace = together(changes, larger, drawn(rate_per_s, data, 10_000_000, False, False, 2))
        run = sledsim.simulate(volume, trace)
        response_ns, is_larger = run.response_ns, run.columns["blocks"] == LARGER_SECTORS
        report(f"reads, {rate_per_s:g}/s", response_ns[~run.columns["metadata"]])
        report("writes", response_ns[is_larger])
        # Without a conflicting flush, a write takes a few milliseconds on the MEMS device.
        report(f"writes of more than {LONG_MS} ms", response_ns[is_larger & (response_ns > LONG_MS * 1e6)])


if __name__ == "__main__":
    main()
