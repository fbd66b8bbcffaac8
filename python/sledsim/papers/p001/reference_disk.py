"""The reference disk of paper 001, a Quantum Atlas 10K: measurements of the simulated drive, and claims."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sledsim import Device, Trace

from ..shared import Claim, device, noted, simulate, stated, workload

_DISK = "atlas10k"
_MS, _MIB = 1e3, 2.0**20
_BLOCK_BYTES = 512
#: Distance in blocks between the places at which the number of sectors per track is read, to find the borders
#: of zones.
_STEP = 1000
#: Numbers of tracks of a short and a long read. The difference of their times does not contain the seek to
#: the first track.
_TRACKS = (60, 180)
#: Parameter of a bus so fast that the medium never waits for it.
_NO_BUS = {"bus_read_ms_per_block": 1e-6}
#: Arrival rate in requests/s, low enough that no request finds another one on the device.
_RATE_PER_S = 1.0
_REQUESTS, _REQUESTS_QUICK = 100_000, 20_000


@dataclass(frozen=True, eq=False)
class ReferenceDisk:
    """Measurements of the simulated reference disk.

    Attributes:
        model: The disk.
        zones: Zones from the outside inwards, each with its sectors per track, number of blocks, and
            streaming rate in bytes/s.
        access_s: Mean time in seconds to read a random sector, with one request at a time.
    """

    model: Device
    zones: Sequence[Mapping[str, Any]]
    access_s: float

    @property
    def streaming(self) -> list[float]:
        """Streaming rate of each zone in bytes per second, from the outside inwards."""
        return [zone["streaming_bytes_per_s"] for zone in self.zones]

    @property
    def gamma(self) -> float:
        """Random sectors served per second over the streaming rate in MiB/s: the factor gamma of 001-F10."""
        blocks = np.array([zone["blocks"] for zone in self.zones])
        whole = blocks.sum() / (blocks / self.streaming).sum()
        return float(1 / self.access_s / (whole / _MIB))


def reference_disk(quick: bool) -> ReferenceDisk:
    """Measure the reference disk: stream in the middle of each zone, and read random single sectors."""
    model = device(_DISK)
    count = _REQUESTS_QUICK if quick else _REQUESTS
    sector: dict[str, str | float] = {"sizes": "fixed", "size_bytes": _BLOCK_BYTES}
    alone = workload("random", model, rate=_RATE_PER_S, reads=1, count=count, **sector)
    access_s = simulate(model, alone, "fcfs").summary()["mean_response_s"]
    return ReferenceDisk(model, _zones(model.with_parameters(**_NO_BUS)), access_s)


def _zones(model: Device) -> list[dict[str, Any]]:
    places = np.arange(0, int(model.characteristics()["blocks"]), _STEP)
    sectors = model.locate(places)["sectors_per_track"]
    # Neighbouring zones with equal numbers of sectors per track count as one zone.
    starts = np.flatnonzero(np.diff(sectors, prepend=0))
    ends = np.append(starts[1:], len(sectors))
    return [
        {
            "sectors_per_track": int(sectors[start]),
            "blocks": int(end - start) * _STEP,
            "streaming_bytes_per_s": _rate(model, int(places[(start + end) // 2]), int(sectors[start])),
        }
        for start, end in zip(starts, ends, strict=True)
    ]


def _rate(model: Device, lbn: int, sectors: int) -> float:
    """Return the streaming rate in bytes/s from block `lbn` on, with head and cylinder switches.

    `sectors` is the number of sectors per track there.
    """
    less, more = (tracks * sectors for tracks in _TRACKS)
    reads = (
        Trace(np.zeros(1, np.int64), np.array([lbn]), np.array([blocks], np.int32)) for blocks in (less, more)
    )
    short_s, long_s = (float(simulate(model, read, "fcfs").response_ns[0]) * 1e-9 for read in reads)
    return (more - less) * _BLOCK_BYTES / (long_s - short_s)


def claims(disk: ReferenceDisk, density: tuple[float, float], streaming: float) -> list[Claim]:
    """Judge the claims of paper 001 on disks.

    Args:
        disk: Measurements of the reference disk.
        density: Lowest and highest areal density of the sled, in Gbit/in².
        streaming: Streaming rate of the sled, in MiB/s.
    """
    found = disk.model.characteristics()
    rates = [rate / _MIB for rate in disk.streaming]
    low, high = density[0] / 15, density[1] / 30
    return [
        stated(
            "001-C7",
            disk.gamma,
            "figures of that drive, which is only cited",
            "figures of that drive, which is only cited",
        ),
        stated(
            "001-C11",
            f"the density of the paper's disks: {min(low, high):.0f} to {max(low, high):.0f} Gbit/in² for"
            f" the {density[0]:.0f} to {density[1]:.0f} of 001-C10",
        ),
        stated(
            "001-C23",
            min(rates),
            max(rates),
            streaming,
            found["sectors_per_track_max"],
            found["sectors_per_track_min"],
            found["mean_seek_s"] * _MS,
            disk.access_s * _MS,
        ),
    ]


def notes(disk: ReferenceDisk) -> list[str]:
    """Return the notes for the reader on the measurements of the reference disk."""
    bus = disk.model.characteristics()["bus_bytes_per_s"] / _MIB
    return noted("001-disk", bus=bus)
