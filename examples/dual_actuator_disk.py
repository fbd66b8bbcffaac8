"""Model a disk with two actuators as custom devices on one bus: ``python examples/dual_actuator_disk.py``.

Each actuator serves half of the surfaces of one spindle, and both actuators send their data over one bus to
the host. A device of sledsim serves one request at a time, so each actuator is a device (`ActuatorDisk`), and
the disk is a volume of two devices. Both have the same angle of the spindle at any time. There are two ways
to number the blocks:

- *split*: the first half of the addresses is on one actuator, the second on the other (the volume ``sleds``);
- *interleaved*: stripe units alternate between the actuators (the volume ``stripe``).

Both ways are compared with a disk of the same size with one actuator, and with two separate disks of half the
size. The figures are rounded from those published for Seagate's Exos 2X14 (2021): 14 TB, 7,200 turns/min,
524 MB/s, 12 Gbit/s, 304 random reads/s. Comments mark figures that are not published.
"""

import argparse
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import sledsim
from sledsim import extend
from sledsim.model.own_devices import Served

NAME = "actuator-disk"
BUS_MB_PER_S = 1200.0
#: Number of requests outstanding in measurements of throughput.
OUTSTANDING = 16
#: Numbers of 512-byte sectors in 4 KiB and in 1 MiB.
PAGE, MEBIBYTE = 8, 2048


@dataclass
class ActuatorDisk:
    """An actuator of a disk as a device of its own; it serves some surfaces of the common spindle."""

    surfaces: int = extend.parameter(16, "Number of surfaces that the actuator serves", 1, 64)
    # Not published: values that give 14 TB and 262 MB/s per actuator, the same on all tracks.
    cylinders: int = extend.parameter(370_873, "Number of tracks on a surface", 2, 10**7)
    track_blocks: int = extend.parameter(4608, "Number of blocks of 512 bytes on a track", 8, 10**6)
    rotation_rpm: int = extend.parameter(7200, "Turns of the spindle per minute", 1000, 20_000)
    switch_ms: float = extend.parameter(0.67, "Switch to the next track, or to the next cylinder", 0, 10)
    # Not published: a usual value for disks of this size.
    longest_seek_ms: float = extend.parameter(15.0, "Time of a seek over all cylinders", 0, 100)

    blocks: int = field(default=0, init=False)
    y_places: int = field(default=0, init=False)
    cylinder: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.blocks = self.surfaces * self.cylinders * self.track_blocks
        self.y_places = self.track_blocks
        # Times are whole nanoseconds, so consecutive blocks of a track follow each other without a delay.
        self.turn_ns = round(60e9 / self.rotation_rpm)
        self.switch_ns = round(self.switch_ms * 1e6)

    def place(self, lbn: int) -> tuple[int, int, int]:
        """Return the cylinder of a block, its track, and its position within the track in blocks."""
        track, at = divmod(lbn, self.track_blocks)
        return track // self.surfaces, track, at

    def passed_ns(self, lbn: int) -> int:
        """Return the ns from block 0 to block `lbn` in a sequential read of the disk, with switches."""
        track, at = divmod(lbn, self.track_blocks)
        return track * (self.turn_ns + self.switch_ns) + at * self.turn_ns // self.track_blocks

    def seek_ns(self, cylinder: int) -> int:
        """Return the seek time to a cylinder in ns: one switch time, plus a part that grows as a square root.

        The square root is that of the distance in cylinders.
        """
        distance = abs(cylinder - self.cylinder)
        if not distance:
            return 0
        longer_ms = (self.longest_seek_ms - self.switch_ms) * math.sqrt((distance - 1) / self.cylinders)
        return round((self.switch_ms + longer_ms) * 1e6)

    def positioning_ns(self, now_s: float, request: extend.DeviceRequest) -> tuple[int, int]:
        """Return the seek time to a request and the rotational latency after the seek, both in ns."""
        seek_ns = self.seek_ns(self.place(request.lbn)[0])
        return seek_ns, (self.passed_ns(request.lbn) - round(now_s * 1e9) - seek_ns) % self.turn_ns

    def positioning_s(self, now_s: float, request: extend.DeviceRequest) -> float:
        """Return the time in s until the first block of a request is under its head."""
        return sum(self.positioning_ns(now_s, request)) * 1e-9

    def serve(self, now_s: float, request: extend.DeviceRequest) -> Served:
        """Serve a request: seek, wait for the first block, and read or write track after track."""
        seek_ns, wait_ns = self.positioning_ns(now_s, request)
        last = request.lbn + request.blocks - 1
        switches = last // self.track_blocks - request.lbn // self.track_blocks
        of_last_ns = self.turn_ns // self.track_blocks
        busy_ns = self.passed_ns(last) + of_last_ns - self.passed_ns(request.lbn)
        self.cylinder = self.place(last)[0]
        return {
            "positioning_s": (seek_ns + wait_ns) * 1e-9,
            "rotation_s": wait_ns * 1e-9,
            "switching_s": switches * self.switch_ns * 1e-9,
            "switches": switches,
            "transfer_s": (busy_ns - switches * self.switch_ns) * 1e-9,
        }

    def characteristics(self) -> dict[str, float]:
        """Return the figures for the data sheet."""
        return {"capacity_bytes": self.blocks * 512}


def disks(bus_mb_per_s: float = BUS_MB_PER_S, **parameters: float) -> dict[str, sledsim.Volume]:
    """Return the compared disks by name; `parameters` change `ActuatorDisk` in all of them."""
    whole = {"device": NAME, "surfaces": 16, **parameters}
    half = {**whole, "surfaces": whole["surfaces"] // 2}
    bus = {"bus_mb_per_s": bus_mb_per_s}
    alone = {"volume": "sleds", "devices": 1, **bus}
    return {
        "one actuator": sledsim.volume("sleds", devices=1, device=whole, **bus),
        "split": sledsim.volume("sleds", devices=2, device=half, **bus),
        "interleaved": sledsim.volume("stripe", devices=2, device=half, **bus),
        "two disks": sledsim.volume("stripe", devices=2, device={**alone, "device": half}),
    }


def sectors_of(all_disks: Mapping[str, sledsim.Volume]) -> int:
    """Return the number of sectors of the smallest of the disks, so that a trace with it fits all of them."""
    return min(disk.capacity_bytes for disk in all_disks.values()) // 512


def reads(lbn: Iterable[int], blocks: int, rate_per_s: float | None = None) -> sledsim.Trace:
    """Make reads at the sectors `lbn`: all at time 0, or at `rate_per_s` with exponential gaps."""
    places = np.asarray(list(lbn), np.int64)
    between_s = 0 if rate_per_s is None else np.random.default_rng(2).exponential(1 / rate_per_s, len(places))
    arrivals = np.cumsum(np.full(len(places), between_s) * 1e9).astype(np.int64)
    return sledsim.Trace.from_columns(
        {"arrival_ns": arrivals, "lbn": places, "blocks": np.full(len(places), blocks)}
    )


def random_reads(sectors: int, count: int, rate_per_s: float | None = None) -> sledsim.Trace:
    """Make `count` random reads of 4 KiB: all at time 0, or at `rate_per_s` (requests/s)."""
    return reads(np.random.default_rng(1).integers(0, sectors // PAGE, count) * PAGE, PAGE, rate_per_s)


def streams(sectors: int, count: int, of: int) -> sledsim.Trace:
    """Make `count` reads of 1 MiB, in turn from `of` sequential streams in different parts of a disk."""
    starts = [part * (sectors // of) for part in range(of)]
    return reads((starts[at % of] + at // of * MEBIBYTE for at in range(count)), MEBIBYTE)


def most(disk: sledsim.Volume, trace: sledsim.Trace, scheduler: str = "sptf") -> tuple[float, float]:
    """Return the throughput of a disk in requests/s and in MB/s, with `OUTSTANDING` requests in flight."""
    run = sledsim.simulate(disk, trace, scheduler, replay=f"closed:outstanding={OUTSTANDING}")
    columns = run.columns
    lasts_s = (columns["completion_ns"].max() - columns["arrival_ns"].min()) * 1e-9
    return len(trace) / lasts_s, float(columns["blocks"].sum()) * 512e-6 / lasts_s


def by_pattern(all_disks: Mapping[str, sledsim.Volume], count: int) -> dict[str, dict[str, float]]:
    """Return the throughput of each disk by access pattern, in the unit in the name of the pattern."""
    sectors = sectors_of(all_disks)
    patterns = {
        "random 4 KiB, requests/s": (random_reads(sectors, count), "sptf", 0),
        "random 4 KiB, FCFS, requests/s": (random_reads(sectors, count), "fcfs", 0),
        "one stream, MB/s": (streams(sectors, count, 1), "sptf", 1),
        "two streams, MB/s": (streams(sectors, count, 2), "sptf", 1),
        "ext3-4k, requests/s": (sledsim.bundled_trace("ext3-4k"), "sptf", 0),
    }
    return {
        pattern: {name: most(disk, trace, scheduler)[figure] for name, disk in all_disks.items()}
        for pattern, (trace, scheduler, figure) in patterns.items()
    }


def by_bus(rates: Iterable[float], count: int) -> dict[str, dict[str, float]]:
    """Return the throughput in MB/s of each disk for one sequential stream, by the rate of the disk's bus."""
    found = {}
    for rate in rates:
        all_disks = disks(rate)
        trace = streams(sectors_of(all_disks), count, 1)
        found[f"one stream at {rate:,.0f}, MB/s"] = {
            name: most(disk, trace)[1] for name, disk in all_disks.items()
        }
    return found


def by_rate(all_disks: Mapping[str, sledsim.Volume], rates: list[float], count: int) -> Any:
    """Compare the disks under random reads of 4 KiB at several arrival rates in requests/s."""
    sectors = sectors_of(all_disks)
    trace = random_reads(sectors, count, rates[0])
    return sledsim.compare(dict(all_disks), trace, "sptf", scales=[rate / rates[0] for rate in rates])


def show(title: str, rows: Mapping[str, Mapping[str, float]], digits: int = 0) -> None:
    """Print a table with a row for each key of `rows`, such as a pattern, and a column for each disk."""
    names = list(next(iter(rows.values())))
    print("".join([f"{title:32}", *(f"{name:>14}" for name in names)]))
    for row, figures in rows.items():
        print("".join([f"{row:32}", *(f"{figures[name]:14,.{digits}f}" for name in names)]))
    print()


def main() -> None:
    """Print the throughput of the disks by pattern and by bus, and their mean response by arrival rate."""
    parser = argparse.ArgumentParser(description="Compare disks with one and with two actuators.")
    parser.add_argument(
        "--count", type=int, default=2000, help="number of requests per pattern [default: 2000]"
    )
    parser.add_argument("--plot", metavar="FOLDER", help="write the chart of response times to this folder")
    arguments = parser.parse_args()
    extend.register_device(NAME, ActuatorDisk)
    all_disks = disks()
    show(f"throughput, {OUTSTANDING} outstanding", by_pattern(all_disks, arguments.count))
    show("throughput, by MB/s of the bus", by_bus([150, 300, 600], arguments.count))
    rates = [40.0, 80.0, 120.0, 160.0]
    compared = by_rate(all_disks, rates, arguments.count)
    means_ms: dict[str, dict[str, float]] = {}
    for point in compared.points:
        row = means_ms.setdefault(f"random 4 KiB, {point.scale * rates[0]:.0f}/s, ms", {})
        row[point.device] = point.summary["mean_response_s"] * 1e3
    show("mean response", means_ms, 1)
    if arguments.plot:
        compared.write_plots(arguments.plot)


if __name__ == "__main__":
    main()
