"""Compare mean responses with DiskSim's, for the same requests and devices: docs/background/validation.md.

The script needs DiskSim's reference results beside the checkout (see tests/golden.py); without them it ends.
"""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests import golden

import sledsim

POLICIES = ["fcfs", "clook_lbn", "sstf_lbn", "sptf"]


def trace(generation: str, rate_per_s: float) -> sledsim.Trace:
    """Return the requests of the reference run; arrival times as in DiskSim's trace, ms with six decimals."""
    columns = golden.read(f"traces/{generation}_random_base.csv.gz")
    arrival_ms = np.round(golden.numbers(columns, "cum_unit_arrival") * 1000 / rate_per_s, 6)
    return sledsim.Trace(
        arrival_ns=np.rint(arrival_ms * 1e6).astype(np.int64),
        lbn=columns["lbn"].astype(np.int64),
        blocks=columns["blocks"].astype(np.int32),
        op=columns["read"] == "0",
    )


def means_ms(device: sledsim.Device, requests: sledsim.Trace, policy: str) -> tuple[float, float]:
    """Return the mean response and the mean time on the sled."""
    summary = sledsim.simulate(device, requests, scheduler=policy).summary()
    return 1e3 * summary["mean_response_s"], 1e3 * summary["mean_service_s"]


def main() -> None:
    """Print the table."""
    if not golden.FOLDER.is_dir():
        print("disksim_comparison: DiskSim's reference results are not beside this checkout: nothing to do")
        return
    print(
        "mean response in ms, and ours over DiskSim's less one: as built in; with DiskSim's seek iteration;"
    )
    print("with that, and settling lengthened until the mean time on the sled is DiskSim's")
    print(f"{'':24}{'DiskSim':>9}{'sledsim':>9}{'':>9}{'piecewise':>11}{'same service':>14}{'by':>11}")
    for generation in ("g1", "g2"):
        summary = golden.read(f"{generation}_random/summary.csv")
        for row, policy in enumerate(summary["policy"]):
            if policy in POLICIES:
                point(generation, {name: summary[name][row] for name in summary})
    for generation in ("g1", "g2"):
        variants(generation)


def point(generation: str, reference: dict[str, str]) -> None:
    """Print one line."""
    rate_per_s, policy = float(reference["rate_per_s"]), reference["policy"]
    disksim_ms, disksim_sled_ms = float(reference["mean_resp_ms"]), float(reference["mean_sled_hold_ms"])
    requests, name = trace(generation, rate_per_s), f"disksim-{generation}"
    ours_ms, _ = means_ms(sledsim.device(name), requests, policy)
    device = sledsim.device(name, seek_model="piecewise")
    iterated_ms, sled_ms = means_ms(device, requests, policy)
    added_ms = disksim_sled_ms - sled_ms
    settle_ms = 1e3 * device.characteristics()["settle_s"] + added_ms
    equal_ms, _ = means_ms(
        sledsim.device(name, seek_model="piecewise", settle_ms=settle_ms), requests, policy
    )
    ours, iterated, equal = (mean_ms / disksim_ms - 1 for mean_ms in (ours_ms, iterated_ms, equal_ms))
    print(
        f"{generation} {rate_per_s:6.0f}/s {policy:12}{disksim_ms:9.3f}{ours_ms:9.3f}{ours:+9.2%}"
        f"{iterated:+11.2%}{equal:+14.2%}{1e3 * added_ms:+8.1f} us"
    )


def variants(generation: str) -> None:
    """Print the effect of each of DiskSim's rules at 100/s under FCFS, and parts of its runs beside ours."""
    requests, name = trace(generation, 100), f"disksim-{generation}"
    as_disksim = sledsim.simulate(sledsim.device(name), requests, scheduler="fcfs")
    mean_ms = 1e3 * as_disksim.summary()["mean_response_s"]
    print(f"{generation} 100/s fcfs: {mean_ms:.4f} ms; with another rule instead of DiskSim's:")
    for rule in ({"write_start": "buffered"}, {"row_order": "sweep"}, {"idle": "hold"}):
        other_ms, _ = means_ms(sledsim.device(name, **rule), requests, "fcfs")
        print(f"    {rule}: {other_ms / mean_ms - 1:+.2%}")
    reference = golden.read(f"{generation}_random/fcfs_r100.csv.gz")
    for ours, column in (("rows", "media_passes"), ("turnaround_ns", "first_turnaround_ms")):
        factor = 1e-6 if ours.endswith("_ns") else 1
        found, expected = as_disksim.columns[ours].mean() * factor, golden.numbers(reference, column).mean()
        print(f"    mean {column}: DiskSim {expected:.4f}, sledsim {found:.4f}")


main()
