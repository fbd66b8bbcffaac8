"""Layouts under real traces: they are built from the first half of a trace, and serve the second half."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from sledsim import Device, Trace, bundled_trace
from sledsim.estimates import batch_slices, ratio
from sledsim.files import PathLike
from sledsim.listings import bundled_traces
from sledsim.studies import bare, service_s
from sledsim.traces.tools import popular_extents, trace_end

from ..shared import device, ends, simulate
from ..shared.hp_disks import read_disks

_DEVICE = "osdi00"
#: Length of an extent in blocks, a little less than a cylinder of the device (2,700 blocks).
EXTENT_BLOCKS = 2048
#: Layout by which the mean accesses of the other layouts are divided.
_BASE = "streaming"
#: Parameters of the layouts that use no knowledge of the trace, by layout.
_PLAIN: dict[str, dict[str, int]] = {
    "random": {"layout_seed": 1, "layout_extent_blocks": EXTENT_BLOCKS},
    "organ-pipe": {},
    "columnar": {},
    "subregioned": {},
    "zone-grouped": {"layout_zone_cylinders": 120, "layout_zone_y_bits": 1200},
}
_LEARNT, _TOLD = "by-popularity", "by-popularity of the second half itself"


@dataclass(frozen=True)
class _Halves:
    """A trace cut into halves with equal numbers of requests, and the number of sleds that it needs."""

    name: str
    first: Trace
    second: Trace
    sleds: int

    @classmethod
    def of(cls, name: str, trace: Trace) -> "_Halves":
        moves = trace.transfers()
        middle = len(moves) // 2
        one = int(device(_DEVICE).characteristics()["blocks"])
        halves = (moves.rows(slice(0, middle)), moves.rows(slice(middle, None)))
        return cls(name, *halves, sleds=-(-trace_end(moves) // one))

    def still_popular(self) -> float:
        """Share of the requests of the second half that touch extents which were popular in the first half.

        These extents received half of the accesses of the first half.
        """
        found = popular_extents(self.first, EXTENT_BLOCKS)
        accesses = found.accesses * -(-found.blocks // EXTENT_BLOCKS)
        most = int(np.searchsorted(np.cumsum(accesses), accesses.sum() / 2)) + 1
        order = np.argsort(found.first_block[:most])
        starts, blocks = found.first_block[:most][order], found.blocks[:most][order]
        # A request touches either the last extent that starts before the request ends, or no extent.
        before = np.searchsorted(starts, self.second.lbn + self.second.blocks) - 1
        touched = (before >= 0) & (starts[before] + blocks[before] > self.second.lbn)
        return float(touched.mean())


def trace_rows(settle_ms: tuple[float, ...], folder: PathLike | None) -> list[dict[str, Any]]:
    """Return a table row per trace, settling time and layout: mean access, also over that of `streaming`.

    Args:
        settle_ms: Settling times of the device in ms.
        folder: Folder of the real traces of `hp_disks`, used in addition to the bundled captures; None to use
            the captures only.
    """
    disks = [] if folder is None else read_disks(folder)
    traces = {name: bundled_trace(name) for name in bundled_traces()}
    traces |= {disk.name: disk.trace for disk in disks}
    halves = [_Halves.of(name, trace) for name, trace in traces.items()]
    return [row for half in halves for settle in settle_ms for row in _rows(half, settle)]


def _rows(halves: _Halves, settle_ms: float) -> Iterator[dict[str, Any]]:
    """Serve the second half of a trace with each layout, on a device without overhead and bus.

    Yields a table row per layout. The interval of a ratio comes from 20 pairs of batches of requests.
    """
    base, still_popular = None, halves.still_popular()
    for name, model in _devices(halves, settle_ms).items():
        access_s = service_s(simulate(model, halves.second, "fcfs"))
        batches = [float(access_s[batch].mean()) for batch in batch_slices(len(access_s))]
        base = base or batches
        yield {
            "trace": halves.name,
            "settle_s": settle_ms * 1e-3,
            "layout": name,
            "mean_access_s": float(access_s.mean()),
            **ends("over_streaming", ratio(batches, base)),
            "still_popular": still_popular,
        }


def _devices(halves: _Halves, settle_ms: float) -> dict[str, Device]:
    """Return the device without overhead and bus, by the name of its layout; `streaming` comes first."""
    keys: dict[str, dict[str, Any]] = {_BASE: {}, **_PLAIN}
    for name, half in ((_LEARNT, halves.first), (_TOLD, halves.second)):
        keys[name] = {"layout_popularity": popular_extents(half, EXTENT_BLOCKS).rows}
    models = {
        name: device(_DEVICE, layout=name.split(" ")[0], settle_ms=settle_ms, sleds=halves.sleds, **more)
        for name, more in keys.items()
    }
    return {name: bare(model) for name, model in models.items()}
