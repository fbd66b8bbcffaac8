"""Measure what durable writes cost: commits on each device, and runs of captures with and without flushes.

`python bench/commits.py` prints two tables. A commit is a write of 4 KiB and a flush that waits for it; in
the last column it is a write with force unit access (FUA). One host commits, one commit after the other.
"""

from collections.abc import Iterator

import numpy as np

import sledsim

DEVICES = ("osdi00", "emsoft08", "cf-card", "atlas10k", "cheetah4lp", "hp-c2247a")
VOLUMES = ("raid5", "raid5:device=atlas10k", "cache:writes=back,device=atlas10k", "write-buffer")
COMMITS = 2000
#: Number of sectors of a volume on which commits are made.
VOLUME_SECTORS = 2**22
#: Figures of a run that flushes may change.
FIGURES = ("mean_response_s", "p50_response_s", "p99_response_s", "max_response_s", "energy_j", "utilization")
#: Changes that are printed, as a share.
LEAST = 0.01


def targets() -> Iterator[tuple[str, sledsim.Device | sledsim.Volume]]:
    """Yield name and model of each device and volume."""
    for name in DEVICES:
        yield name, sledsim.device(name)
    for name in VOLUMES:
        kind, _, options = name.partition(":")
        yield name, sledsim.volume(kind, **dict(one.split("=") for one in options.split(",") if one))


def commits(target: sledsim.Device | sledsim.Volume, *, forced: bool) -> sledsim.Run:
    """Run commits at random places, one after the other."""
    each = 1 if forced else 2
    capacity = (
        target.characteristics()["capacity_bytes"] // 512 if isinstance(target, sledsim.Device) else 2**22
    )
    lbn = np.random.default_rng(1).integers(0, int(capacity) // 8, COMMITS) * 8
    asked = {
        "arrival_ns": np.zeros(COMMITS * each, np.int64),
        "lbn": np.repeat(lbn, each),
        "blocks": np.full(COMMITS * each, 8),
        "kind": np.full(COMMITS, 2) if forced else np.tile([1, 3], COMMITS),
    }
    trace = sledsim.Trace.from_columns(asked)
    return sledsim.simulate(target, trace, "fcfs", replay="closed:outstanding=1")


def main() -> None:
    print(f"{'':34}{'commits/s':>10}{'write ms':>10}{'flush p50':>11}{'p99 ms':>8}{'FUA ms':>8}")
    for name, target in targets():
        run, forced = commits(target, forced=False), commits(target, forced=True)
        found = run.summary()
        print(
            f"{name:34}{COMMITS / found['span_s']:10.1f}{found['mean_response_s'] * 1e3:10.3f}"
            f"{found['p50_flush_s'] * 1e3:11.3f}{found['p99_flush_s'] * 1e3:8.3f}"
            f"{forced.summary()['mean_response_s'] * 1e3:8.3f}"
        )
    print(f"\nFigures of captures that flushes change by more than {LEAST:.0%}:")
    for capture in sledsim.listings.bundled_traces():
        trace = sledsim.bundled_trace(capture)
        for name, target in targets():
            runs = (sledsim.simulate(target, one, "sptf", fit=True) for one in (trace.transfers(), trace))
            bare, found = (run.summary() for run in runs)
            for figure in FIGURES:
                change = found[figure] / bare[figure] - 1 if bare[figure] else 0.0
                if abs(change) > LEAST:
                    values = f"{bare[figure]:11.5g}{found[figure]:11.5g}"
                    print(f"{capture:9}{name:34}{figure:18}{values} {change:+.1%}")


if __name__ == "__main__":
    main()
