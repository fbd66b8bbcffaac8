"""Simulations that several studies share: the bare device, without command overhead and bus."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..model.devices import Device
from ..runs.run import SERVICE_PHASES as SERVICE_PHASES, Run, simulate
from ..traces.trace import Trace, random_workload
from . import sheet_options as options

#: Name of the disk of 001.
DISK = "atlas10k"
#: Number of bytes in a sector, the unit of the size of requests.
SECTOR_BYTES = 512
_PAPER_BLOCKS = (8, 334)
#: Parameters with which the bus of a disk takes no time.
NO_BUS = {"bus_read_ms_per_block": 0.0, "bus_write_ms_per_block": 0.0}
#: Parameters of a sled, and of a disk, of which only the mechanism takes time: no command overhead, no cache,
#: blocks in ascending order.
_SLED: dict[str, Any] = {"overhead_ms": 0.0, "bus_mb_per_s": 0.0}
_MECHANISM: dict[str, Any] = {
    **{"zero_latency_reads": False, "zero_latency_writes": False},
    **{"cache_segments": 0, "write_back": False},
    **NO_BUS,
    **{f"{op}_miss_after_{last}_ms": 0.0 for op in ("read", "write") for last in ("read", "write")},
}
#: Arrival rate in requests/s, so low that requests never queue: the response is the service time.
RATE_PER_S = 10.0


def bare(device: Device) -> Device:
    """Return the device without command overhead and bus: only the mechanism takes time (001-D6)."""
    return device.with_parameters(**(_MECHANISM if device.kind == "disk" else _SLED))


def sizes_in_a_track(device: Device, blocks: options.Several[int] | None) -> list[int]:
    """Check sizes of requests, and return them in blocks; no request is longer than a track.

    None takes the sizes in Table 2 of paper 001.
    """
    found = device.characteristics()
    block_sectors = int(found["capacity_bytes"]) // int(found["blocks"]) // SECTOR_BYTES
    track = int(found["rows_per_track"]) * int(found["blocks_per_row"]) * block_sectors
    given = sorted({min(size, track) for size in _PAPER_BLOCKS}) if blocks is None else blocks
    return options.whole_numbers("blocks", given, 1, track)


def random_run(device: Device, count: int, seed: int) -> Run:
    """Run the Random workload of 001-F11 on the bare device under fcfs, at a rate without queueing."""
    alone = bare(device)
    return simulate(alone, random_workload(alone, rate_per_s=RATE_PER_S, count=count, seed=seed), "fcfs")


def phases_ns(run: Run, phases: Sequence[str]) -> NDArray[np.int64]:
    """Return, for each request of a run, the total time in ns that it spent in some phases."""
    total: NDArray[np.int64] = np.sum([run.columns[phase] for phase in phases], axis=0)
    return total


def service_s(run: Run, request: slice = slice(None)) -> NDArray[np.float64]:
    """Return the service times of some requests of a run in seconds."""
    return phases_ns(run, SERVICE_PHASES)[request].astype(np.float64) * 1e-9


def in_pairs(
    device: Device, first: tuple[NDArray[np.int64], int], second: tuple[NDArray[np.int64], int], writes: bool
) -> Run:
    """Run pairs of requests on the bare device, a second apart; the second of a pair waits for the first.

    `first` and `second` are the starts and the length, in sectors of 512 bytes, of the first and second
    requests. If `writes` is true, first requests read and second requests write; else the reverse.
    """
    count = len(first[0])
    trace = Trace(
        arrival_ns=np.repeat(np.arange(count, dtype=np.int64) * 10**9, 2),
        lbn=np.column_stack([first[0], second[0]]).ravel(),
        blocks=np.tile([first[1], second[1]], count),
        op=np.tile([not writes, writes], count),
    )
    return simulate(bare(device), trace, "fcfs")
