"""Files placed under the layouts of paper 001, and the mean time to read a whole file."""

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
#: Names of the layouts in Figure 11.
LAYOUTS = ("random", "organ-pipe", "columnar", "subregioned")
#: Largest size of a small file in blocks: 8 KB.
_SMALL_BLOCKS = 16
#: Default size of the largest file in bytes. With this size, the mean size of files is the one that the check
#: of claim 001-C14 assumes.
LARGEST_BYTES = 8 * 2**20
#: Length in blocks of the extents of the random layout: that of the largest file.
_EXTENT_BLOCKS = LARGEST_BYTES // 512
#: Share of the blocks in the centremost subregion: 1/5 of the cylinders, and there 5 of 27 rows (001-D12).
_CENTREMOST = 1 / 5 * 5 / 27
#: Default mean of the exponential distribution of popularity, as a share of all blocks: the middle of the
#: values that fit the paper (001-D13).
POPULARITY = 0.12

_Blocks = NDArray[np.int64]
#: Function that takes the sizes of files and the number of blocks of the device, both in blocks, and a random
#: generator; it returns the first block of each file.
_Places = Callable[[_Blocks, int, np.random.Generator], _Blocks]


@dataclass(frozen=True)
class FileLayout:
    """Layout of the device, together with the rule by which a file system places files on it.

    Attributes:
        name: Name of the layout in Figure 11.
        device: Device with the layout.
        places: Function that chooses the first block of each file.
    """

    name: str
    device: Device
    places: _Places


def file_layout(name: str, settle_ms: float, popularity: float = POPULARITY, **parameters: Any) -> FileLayout:
    """Return a layout of Figure 11.

    Args:
        name: Name of the layout, one of `LAYOUTS`.
        settle_ms: Settling time of the device in ms.
        popularity: Mean of the exponential distribution of popularity, as a share of all blocks (001-D13).
        **parameters: Further parameters of the device.
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
    """Return the four layouts of Figure 11 by name; the arguments are those of `file_layout`."""
    return {name: file_layout(name, settle_ms, popularity, **parameters) for name in LAYOUTS}


def mean_access_s(layout: FileLayout, files: int, seed: int, largest_bytes: int = LARGEST_BYTES) -> float:
    """Return the mean time in s to read a whole file: positioning and transfer, with no other request.

    Sizes of files follow 001-F20. A seed draws the same sizes under every layout.
    """
    run = simulate(layout.device, _trace(layout, files, seed, largest_bytes), "fcfs")
    return float(service_s(run).mean())


def file_trace(name: str, files: int, seed: int) -> Trace:
    """Draw reads of whole files, one after the other; the layout `name` of Figure 11 places the files."""
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
    """Return the result of `mean_access_s` for each seed from 1 to `seeds`."""
    return [mean_access_s(layout, files, seed, largest_bytes) for seed in range(1, seeds + 1)]


def access_columns(means: list[float], random: list[float]) -> dict[str, float | None]:
    """Return table columns of a layout: mean access over the seeds, and its ratio to the random layout's."""
    return {"mean_access_s": sum(means) / len(means), **columns("over_random", ratio(means, random))}


def _anywhere(sizes: _Blocks, total: int, random: np.random.Generator) -> _Blocks:
    return _within(sizes, np.zeros_like(sizes), np.full_like(sizes, total), random)


def _within(sizes: _Blocks, start: _Blocks, end: _Blocks, random: np.random.Generator) -> _Blocks:
    """Return random first blocks of files, so that each whole file lies between its `start` and `end`."""
    return start + (random.random(len(sizes)) * (end - start - sizes + 1)).astype(np.int64)


def _by_rank(popularity: float) -> _Places:
    """Return a function that places files by popularity: popular files have low block numbers.

    The LBN over all blocks has an exponential distribution with the mean `popularity`, cut off at the end.
    """

    def places(sizes: _Blocks, total: int, random: np.random.Generator) -> _Blocks:
        on_device = -np.expm1(-1 / popularity)
        rank = -popularity * np.log1p(-random.random(len(sizes)) * on_device)
        lbn: _Blocks = np.minimum(rank * total, total - sizes).astype(np.int64)
        return lbn

    return places


def _by_size(small: float, large: list[float]) -> _Places:
    """Return a function that places small files at the start of the device, and large ones at its end.

    `small` is the share of blocks for small files; `large` has the share of each part for large files.
    """

    def places(sizes: _Blocks, total: int, random: np.random.Generator) -> _Blocks:
        ends = np.round(np.cumsum(large[::-1])[::-1] * total).astype(np.int64)
        part = random.integers(0, len(large), len(sizes))
        start, length = total - ends[part], np.round(np.array(large)[part] * total).astype(np.int64)
        is_small = sizes <= _SMALL_BLOCKS
        start[is_small], length[is_small] = 0, round(small * total)
        return _within(sizes, start, start + length, random)

    return places
