"""Compare mean responses of arrays with DiskSim's: the table "Arrays" of docs/background/validation.md.

DiskSim's means come from runs of DiskSim 4.0 on Atlas 10K drives without caches, under FCFS. Requests have
one size, random places and exponential times between arrivals. Ours use requests drawn in the same way.
"""

import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.golden import UNCACHED_ATLAS_10K

import sledsim

SEEDS = range(5)
REQUESTS = 5000


class Case(NamedTuple):
    """A run of DiskSim."""

    volume: str
    unit_sectors: int | None
    sectors: int
    is_write: bool
    rate_per_s: float
    disksim_ms: float


CASES = [
    Case("raid5:devices=5", 64, 8, False, 100, 10.733),
    Case("raid5:devices=5", 64, 8, True, 40, 28.657),
    Case("raid5:devices=5", 16, 8, False, 100, 11.737),
    Case("raid5:devices=5", 16, 8, True, 40, 29.351),
    Case("raid5:devices=5", 16, 64, False, 10, 11.204),
    Case("raid5:devices=5", 16, 256, False, 5, 16.958),
    Case("raid5:devices=5", 16, 256, True, 5, 24.105),
    Case("stripe:devices=4", 16, 64, False, 10, 11.193),
    Case("stripe:devices=4", 16, 256, False, 5, 16.205),
    Case("stripe:devices=4", 16, 256, True, 5, 12.319),
    Case("stripe:devices=4", 128, 64, False, 10, 14.750),
    Case("stripe:devices=4", 128, 256, False, 5, 22.786),
    Case("stripe:devices=4", 128, 256, True, 5, 17.126),
    Case("mirror:devices=2", None, 8, False, 100, 10.676),
    Case("mirror:devices=2", None, 8, True, 40, 13.388),
]


def trace(volume: sledsim.Volume, case: Case, seed: int) -> sledsim.Trace:
    """Draw requests of one size at random places and exponential times."""
    random = np.random.default_rng(seed)
    arrival_ns = np.cumsum(random.exponential(1e9 / case.rate_per_s, REQUESTS)).astype(np.int64)
    return sledsim.Trace(
        arrival_ns=arrival_ns,
        lbn=random.integers(0, volume.capacity_bytes // 512 - case.sectors, REQUESTS),
        blocks=np.full(REQUESTS, case.sectors, np.int32),
        op=np.full(REQUESTS, case.is_write),
    )


def run(volume: sledsim.Volume, case: Case) -> tuple[float, float, float]:
    """Return the mean response in ms, the half width of its 95 % interval, and mean parts per request."""
    runs = [sledsim.simulate(volume, trace(volume, case, seed), scheduler="fcfs") for seed in SEEDS]
    means_ms = [1e3 * run.summary()["mean_response_s"] for run in runs]
    # Student's t for the four degrees of freedom of five seeds.
    half_ms = 2.776 * np.std(means_ms, ddof=1) / len(means_ms) ** 0.5
    parts = np.mean([run.columns["parts"].mean() for run in runs])
    return float(np.mean(means_ms)), float(half_ms), float(parts)


def array(case: Case, device: str, **parameters: object) -> sledsim.Volume:
    """Return the array of a case over devices of one kind."""
    unit = {} if case.unit_sectors is None else {"stripe_unit_kib": case.unit_sectors // 2}
    changed = {f"device.{key}": value for key, value in parameters.items()}
    return sledsim.volume(case.volume, device=device, **unit, **changed)


def main() -> None:
    """Print the tables."""
    print(f"{'':24}{'unit':>8}{'request':>17}{'DiskSim ms':>12}{'sledsim ms':>18}{'':>9}{'parts':>8}")
    for case in CASES:
        mean_ms, half_ms, parts = run(array(case, "atlas10k", **UNCACHED_ATLAS_10K), case)
        unit = "" if case.unit_sectors is None else f"{case.unit_sectors // 2} KiB"
        request = f"{case.sectors} {'write' if case.is_write else 'read'}, {case.rate_per_s:g}/s"
        print(
            f"{case.volume:24}{unit:>8}{request:>17}{case.disksim_ms:12.3f}{mean_ms:11.3f} +-{half_ms:5.3f}"
            f"{mean_ms / case.disksim_ms - 1:+9.1%}{parts:8.2f}"
        )
    print("five osdi00, 256 KiB, 10/s: mean response in ms")
    for unit_kib in (8, 64):
        for is_write in (False, True):
            case = Case("raid5:devices=5", 2 * unit_kib, 512, is_write, 10, 0)
            mean_ms, _, parts = run(array(case, "osdi00"), case)
            kind = "write" if is_write else "read"
            print(f"unit {unit_kib:3} KiB, {kind:5}{mean_ms:8.3f} in {parts:.2f} parts")


main()
