"""Compare random reads and writes of one size on disks with DiskSim 4.0 (docs/background/validation.md)."""

import numpy as np

import sledsim

#: DiskSim's means in ms at 2 requests/s, by drive, cache and operation, then by blocks.
DISKSIM_MS = {
    ("atlas10k", "uncached", "read"): {
        8: 9.431,
        64: 15.146,
        128: 21.703,
        256: 35.158,
        512: 63.514,
        1000: 123.634,
    },
    ("atlas10k", "uncached", "write"): {
        8: 9.722,
        64: 11.487,
        128: 16.479,
        256: 29.901,
        512: 57.827,
        1000: 116.857,
    },
    ("atlas10k", "cached", "write"): {8: 1.065, 64: 6.643, 128: 13.110, 256: 26.421},
    ("cheetah4lp", "uncached", "read"): {8: 12.549, 64: 18.710, 256: 40.430, 1000: 137.229},
    ("cheetah4lp", "uncached", "write"): {8: 11.863, 64: 14.281, 256: 31.732, 1000: 126.587},
    ("cheetah4lp", "cached", "write"): {8: 1.063, 64: 7.066},
}
UNCACHED = {"cache_segments": 0, "write_back": False, "read_ahead": "none", "whole_track_reads": False}
RATE_PER_S = 2.0
COUNT = 20_000


def requests(blocks_of_device: int, blocks: int, is_write: bool) -> sledsim.Trace:
    """Draw requests of one size at random places and exponential times."""
    random = np.random.default_rng(blocks)
    arrival_ns = np.rint(np.cumsum(random.exponential(1e9 / RATE_PER_S, COUNT))).astype(np.int64)
    lbn = random.integers(0, blocks_of_device - blocks + 1, COUNT)
    return sledsim.Trace(arrival_ns, lbn, np.full(COUNT, blocks, np.int32), op=np.full(COUNT, is_write))


def main() -> None:
    """Print the table."""
    print(f"mean response in ms, {RATE_PER_S:g} requests/s, {COUNT} requests, FCFS, with its standard error")
    print(f"{'drive':11}{'cache':9}{'':6}{'blocks':>7}{'DiskSim':>10}{'sledsim':>10}{'error':>8}{'':>9}")
    for (name, cache, operation), means in DISKSIM_MS.items():
        device = sledsim.device(name, **(UNCACHED if cache == "uncached" else {}))
        for blocks, disksim_ms in means.items():
            trace = requests(device.parameters["block_count"], blocks, operation == "write")
            response_ms = sledsim.simulate(device, trace, "fcfs").response_ns * 1e-6
            mean_ms, error_ms = response_ms.mean(), response_ms.std() / np.sqrt(COUNT)
            print(
                f"{name:11}{cache:9}{operation:6}{blocks:7}{disksim_ms:10.3f}{mean_ms:10.3f}{error_ms:8.3f}"
                f"{mean_ms / disksim_ms - 1:+9.2%}"
            )


main()
