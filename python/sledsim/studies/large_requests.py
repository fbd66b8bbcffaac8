"""Service time of a 256 KiB read, over the distance of the seek before it (001-E-6, Fig. 10).

The study shows that a long seek adds little to the time of a large request.
"""

from typing import Any

import numpy as np

from ..charts.grammar import alt, colour, lines, plot, tips, unfolded
from ..common import units
from ..model.devices import Device
from . import sheet_options as options
from .drawing import data, titled
from .sheet import defined
from .tables import Table, from_rows, origin
from .workload import SECTOR_BYTES, in_pairs, service_s

_SECOND = slice(1, None, 2)
_POINTS = 26


def large_requests(
    device: Device,
    size_bytes: int = 262_144,
    distances_cylinders: options.Several[int] | None = None,
    count: int = 8000,
    seed: int = 1,
) -> Table:
    """Simulate the service time of a large read, over the number of cylinders of the seek before it.

    The read begins at a random block of the outermost cylinder. The sled comes from a random block of the
    cylinder at the given distance: from the centre if the distance is half of all cylinders (001 section
    5.2). The same random numbers are used at every distance. Reads are simulated without command overhead and
    bus.

    Args:
        device: Any device.
        size_bytes (from 512): Size of the read, in whole sectors of 512 bytes.
        distances_cylinders (from 0 to all but one): Distances of the seek before the read; None takes about
            26 distances, evenly spread over all cylinders.
        count (from 1): Number of reads at each distance.
        seed (from 0): Seed of the random blocks.

    Returns:
        distance_cylinders (distance of the seek before the read), service_s (mean service: positioning,
        switches and transfer), positioning_s (mean positioning), increase (relative increase of service_s
        over its value at the first distance).

    Raises:
        ParameterError: An option is wrong.
    """
    found = device.characteristics()
    cylinders = int(found["cylinders"])
    cylinder_sectors = int(found["capacity_bytes"]) // device.parameters["sleds"] // cylinders // SECTOR_BYTES
    sectors, part = divmod(options.whole_number("size_bytes", size_bytes, SECTOR_BYTES), SECTOR_BYTES)
    most = cylinder_sectors * (cylinders - 1)
    if part or sectors > most:
        options.refuse(
            "size_bytes", size_bytes, f"whole sectors of 512 bytes, at most {most * SECTOR_BYTES:,} bytes"
        )
    spread = np.unique(np.linspace(0, cylinders - 1, _POINTS).round().astype(int)).tolist()
    given = spread if distances_cylinders is None else distances_cylinders
    distances = options.whole_numbers("distances_cylinders", given, 0, cylinders - 1)
    random = np.random.default_rng(options.whole_number("seed", seed, 0))
    blocks = random.integers(0, cylinder_sectors, (2, options.whole_number("count", count, 1)))
    rows: list[dict[str, Any]] = []
    for distance in distances:
        run = in_pairs(device, (distance * cylinder_sectors + blocks[0], 1), (blocks[1], sectors), False)
        mean_s = float(service_s(run, _SECOND).mean())
        positioning_s = float(run.columns["positioning_ns"][_SECOND].mean()) * 1e-9
        row = {"distance_cylinders": distance, "service_s": mean_s, "positioning_s": positioning_s}
        rows.append({**row, "increase": mean_s / (rows[0]["service_s"] if rows else mean_s) - 1})
    return from_rows(rows)


def chart(table: Table) -> Any:
    """Draw mean service time and positioning over the distance of the seek."""
    parts = {"service_ms": "service", "positioning_ms": "positioning (part of service)"}
    rows = data(table)
    base = plot(
        unfolded(rows, parts, "part", "ms"),
        x=alt.X("distance_cylinders:Q", title="Distance in x (cylinders)").scale(nice=False),
        y=alt.Y("ms:Q", title="Mean time (ms)").scale(zero=True),
        color=colour("part", "Mean time", list(parts.values())),
        tooltip=tips(
            *("distance_cylinders:Q | Cylinders", "part:N | Time", "ms:Q | ms | .4f"),
            "increase:Q | Increase of service | .2%",
        ),
    )
    near, far = (row["distance_cylinders"] for row in (rows[0], rows[-1]))
    longer = f"Service takes {rows[-1]['increase']:.1%} longer after {far:,} cylinders than after {near:,}."
    size = units.size(origin(table)["options"]["size_bytes"])
    drawn = lines(base, width=2, size=45, opacity=1).properties(width=600, height=340)
    return titled(drawn, table, f"Reads of {size} after a seek along x", longer)


ROW = defined(large_requests, chart)
