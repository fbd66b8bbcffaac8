"""Where 001 places whole files, and what reading them costs under each of its layouts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sledsim import Device, Trace
from sledsim.estimates import ratio
from sledsim.studies import RATE_PER_S, bare, service_s

from ..shared import columns, device, simulate, workload

_DEVICE = "osdi00"
#: As Figure 11 has them.
LAYOUTS = ("random", "organ-pipe", "columnar", "subregioned")
#: Files up to this size are small: 8 KB in sectors of 512 bytes.
_SMALL_BLOCKS = 16
#: The largest file, where none is asked for: the mean is then that of 001-C14's check.
LARGEST_BYTES = 8 * 2**20
#: Extents of the random layout: as long as that file, so that it lies in two at most.
_EXTENT_BLOCKS = LARGEST_BYTES // 512
#: The part of the blocks in the centremost subregion: a fifth of the cylinders, 5 of 27 rows (001-D12).
_CENTREMOST = 1 / 5 * 5 / 27
#: The mean popularity used where one is needed, the middle of those that 001-D13 finds to fit.
POPULARITY = 0.12

_Blocks = NDArray[np.int64]
#: Where files of so many blocks begin, on a device of so many blocks.
_Places = Callable[[_Blocks, int, np.random.Generator], _Blocks]


@dataclass(frozen=True)
class FileLayout:
    """A layout of the device, and the numbers that its file system gives to files.

    Attributes:
        name: As the figure has it.
        device: The device with that layout.
        places: Where files begin.
    """

    name: str
    device: Device
    places: _Places


def file_layout(name: str, settle_ms: float, popularity: float = POPULARITY, **parameters: Any) -> FileLayout:
    """One of the layouts of Figure 11.

    Args:
        name: One of `LAYOUTS`.
        settle_ms: The settling time of the device.
        popularity: The mean of the exponential distribution of popularity, as a part of all blocks (001-D13).
        **parameters: Others of the device.
    """
    seeded = {"layout_seed": 1, "layout_extent_blocks": _EXTENT_BLOCKS} if name == "random" else {}
    places = {
        "random": _anywhere,
        "organ-pipe": _by_rank(popularity),
        "columnar": _by_size(1 / 25, [1 / 25] * 20),
        "subregioned": _by_size(_CENTREMOST, [1 / 5] * 4),
    }
    model = device(_DEVICE, layout=name, settle_ms=settle_ms, **parameters, **seeded)
    return FileLayout(name, bare(model), places[name])


def file_layouts(
    settle_ms: float, popularity: float = POPULARITY, **parameters: Any
) -> dict[str, FileLayout]:
    """All four of them, by name."""
    return {name: file_layout(name, settle_ms, popularity, **parameters) for name in LAYOUTS}


def mean_access_s(layout: FileLayout, files: int, seed: int, largest_bytes: int = LARGEST_BYTES) -> float:
    """The mean time of positioning and transfer of reads of whole files, one after the other.

    The sizes are those of 001-F20; the same seed has the same sizes under every layout.
    """
    run = simulate(layout.device, _trace(layout, files, seed, largest_bytes), "fcfs")
    return float(service_s(run).mean())


def file_trace(name: str, files: int, seed: int) -> Trace:
    """Reads of whole files, one after the other, where the file system puts them under a layout."""
    return _trace(file_layout(name, 0.22), files, seed, LARGEST_BYTES)


def _trace(layout: FileLayout, files: int, seed: int, largest_bytes: int) -> Trace:
    options = {"rate": RATE_PER_S, "count": files, "seed": seed, "largest_bytes": largest_bytes}
    blocks = workload("files", layout.device, **options).blocks
    total = int(layout.device.characteristics()["blocks"])
    lbn = layout.places(blocks.astype(np.int64), total, np.random.default_rng(seed))
    arrival_ns = np.arange(files, dtype=np.int64) * round(1e9 / RATE_PER_S)
    return Trace(arrival_ns=arrival_ns, lbn=lbn, blocks=blocks)


def mean_accesses_s(
    layout: FileLayout, files: int, seeds: int, largest_bytes: int = LARGEST_BYTES
) -> list[float]:
    """`mean_access_s` with each of some seeds."""
    return [mean_access_s(layout, files, seed, largest_bytes) for seed in range(1, seeds + 1)]


def access_columns(means: list[float], random: list[float]) -> dict[str, float | None]:
    """The mean access under a layout, and that over the one under the random layout, from those of seeds."""
    return {"mean_access_s": sum(means) / len(means), **columns("over_random", ratio(means, random))}


def _anywhere(sizes: _Blocks, total: int, random: np.random.Generator) -> _Blocks:
    return _within(sizes, np.zeros_like(sizes), np.full_like(sizes, total), random)


def _within(sizes: _Blocks, start: _Blocks, end: _Blocks, random: np.random.Generator) -> _Blocks:
    """Random places from start to end, so that the whole file lies there."""
    return start + (random.random(len(sizes)) * (end - start - sizes + 1)).astype(np.int64)


def _by_rank(popularity: float) -> _Places:
    """LBNs are given in the order of popularity, which is exponential and cut off at the last one."""

    def places(sizes: _Blocks, total: int, random: np.random.Generator) -> _Blocks:
        on_device = -np.expm1(-1 / popularity)
        rank = -popularity * np.log1p(-random.random(len(sizes)) * on_device)
        lbn: _Blocks = np.minimum(rank * total, total - sizes).astype(np.int64)
        return lbn

    return places


def _by_size(small: float, large: list[float]) -> _Places:
    """Small files lie anywhere in the first part of the device, large ones in any of the last parts."""

    def places(sizes: _Blocks, total: int, random: np.random.Generator) -> _Blocks:
        ends = np.round(np.cumsum(large[::-1])[::-1] * total).astype(np.int64)
        part = random.integers(0, len(large), len(sizes))
        start, length = total - ends[part], np.round(np.array(large)[part] * total).astype(np.int64)
        is_small = sizes <= _SMALL_BLOCKS
        start[is_small], length[is_small] = 0, round(small * total)
        return _within(sizes, start, start + length, random)

    return places
