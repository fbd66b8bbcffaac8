"""Pairs of accesses to successive requests: pair by pair, or all first and then all second (001-F26).

Read-modify-write and verify-after-write are compared with a plain stream of single accesses.
"""

from typing import Any

import numpy as np

from ..charts.grammar import alt, groups, plot, side_by_side, tips
from ..model.devices import Device, load_device
from ..runs.run import simulate
from ..traces.trace import Trace
from . import sheet_options as options
from .drawing import data, titled
from .sheet import defined
from .tables import Table, from_rows
from .workload import DISK, NO_BUS, SECTOR_BYTES, bare, sizes_in_a_track

#: Operations, each with two accesses to the same blocks: True stands for a write, False for a read.
_OPERATIONS = {"read-modify-write": (False, True), "verify-after-write": (True, False)}
#: Orders of the accesses, in the words of the chart: each request accessed once, twice in succession, or all
#: requests once and then all again.
_ORDERS = ("plain stream", "each pair before the next", "all first, then all second")
#: Parameters of a disk that verifies what it wrote: reads take the data from the medium, not from the cache.
#: The disk has no bus, because the bus of the measured disk is slower than its medium.
_VERIFYING: dict[str, Any] = {**NO_BUS, "read_hits_on_writes": False}
_REPOSITIONING = ("positioning_ns", "switch_ns")


def read_modify_write_sequence(
    device: Device,
    blocks: options.Several[int] | None = None,
    access_modes: options.Several[str] = ("bidirectional", "serpentine"),
    count: int = 500,
) -> Table:
    """Simulate requests at consecutive addresses that access each block twice, in several orders.

    The bare device serves one access after the other, without other requests, from the middle of its
    addresses on.

    Args:
        device: Any device of the kind mems.
        blocks (blocks, from 1 to a track): Sizes of a request in blocks of 512 bytes, one track at most. None
            takes 8 and 334, the sizes in Table 2 of paper 001; if a track has fewer than 334 blocks, a whole
            track replaces 334.
        access_modes: Access modes with which the device is simulated.
        count (from 2): Number of requests.

    Returns:
        device, drive (access mode of the device; for the disk "with cache" or "without cache"), blocks
        (size of a request), operation ("read-modify-write", "verify-after-write"), order ("plain stream":
        only the first access of each request; "each pair before the next": both accesses of a request before
        the next request; "all first, then all second"), operation_s (mean time of a request with all its
        accesses), reposition_share (positioning and track switches as a share of operation_s; None if a cache
        hides them), factor (ratio of operation_s to operation_s of the plain stream). The disk is simulated
        without a bus, and, without cache, also without command times.

    Raises:
        ParameterError: An option is wrong.
    """
    requests = options.whole_number("count", count, 2)
    modes = [str(mode) for mode in options.several("access_modes", access_modes, "access modes")]
    disk = load_device(DISK)
    drives = [(mode, bare(device.with_parameters(access_mode=mode))) for mode in modes]
    drives.append(("without cache", bare(disk)))
    drives.append(("with cache", disk.with_parameters(**_VERIFYING)))
    rows: list[dict[str, Any]] = []
    for size in sizes_in_a_track(device, blocks):
        for drive, model in drives:
            first = _first_sector(model, requests * size)
            for operation, writes in _OPERATIONS.items():
                about = {"device": model.name, "drive": drive, "blocks": size, "operation": operation}
                rows += [{**about, **row} for row in _orders(model, first, size, requests, writes)]
    return from_rows(rows)


def _first_sector(model: Device, sectors: int) -> int:
    """Return the middle sector of a device, or an earlier one from which `sectors` sectors fit."""
    there = int(model.characteristics()["capacity_bytes"]) // SECTOR_BYTES
    if sectors > there:
        options.refuse("count", sectors, f"requests that fit on {model.name}, which has {there:,} sectors")
    return min(there // 2, there - sectors)


def _orders(
    model: Device, first: int, size: int, count: int, writes: tuple[bool, bool]
) -> list[dict[str, Any]]:
    """Return one row for each order in which consecutive requests are accessed.

    The first request begins at sector `first`; each has `size` sectors.
    """
    places = first + size * np.arange(count, dtype=np.int64)
    accesses = (
        (places, np.full(count, writes[0])),
        (np.repeat(places, 2), np.tile(writes, count)),
        (np.tile(places, 2), np.repeat(writes, count)),
    )
    has_cache = model.kind == "disk" and model.parameters["cache_segments"] > 0
    rows: list[dict[str, Any]] = []
    for order, (lbn, op) in zip(_ORDERS, accesses, strict=True):
        zero = np.zeros(len(lbn), np.int64)
        trace = Trace(arrival_ns=zero, lbn=lbn, blocks=np.full(len(lbn), size), op=op)
        run = simulate(model, trace, "fcfs", replay="closed:outstanding=1")
        moved_s = sum(float(run.columns[phase].sum()) for phase in _REPOSITIONING) * 1e-9
        operation_s = run.span_s / count
        share = None if has_cache else moved_s / run.span_s
        factor = operation_s / (rows[0]["operation_s"] if rows else operation_s)
        times = {"operation_s": operation_s, "reposition_share": share, "factor": factor}
        rows.append({"order": order, **times})
    return rows


def chart(table: Table) -> Any:
    """Draw a panel per request size and device, with a bar for each drive and order of accesses."""
    panels = []
    for (size, device), rows in groups(data(table), "blocks", "device").items():
        bars = plot(
            rows,
            x=alt.X("operation_ms:Q", title="Mean time of a request (ms)"),
            y=alt.Y("drive:N", title=None, sort=None).axis(labelLimit=260, minExtent=110),
            **side_by_side("y", "order", "Order of accesses", _ORDERS),
            tooltip=tips("drive:N", "order:N", "operation_ms:Q | ms | .4f", "factor:Q"),
        ).mark_bar()
        title = f"{size} blocks, {device}"
        column = alt.Column("operation:N", title=title, sort=list(_OPERATIONS))
        panels.append(bars.properties(width=330, height=alt.Step(12)).facet(column=column))
    subtitle = "Ratios compare with a single access per request. Sled and disk have separate scales."
    headline = "Consecutive requests, each accessed twice"
    return titled(alt.vconcat(*panels, spacing=28), table, headline, subtitle, beside=DISK)


ROW = defined(read_modify_write_sequence, chart)
