"""Seek time over distance, with and without settling and turnarounds (002-E-2, Fig. 5a)."""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..charts.grammar import alt, colour, groups, names, plot, tips
from ..common.arrow import pyarrow
from ..model.devices import Device
from . import sheet_options as options
from .drawing import data, titled
from .region import Region
from .sheet import defined
from .tables import Table, at_few_distances, from_rows

_Floats: TypeAlias = NDArray[np.float64]

#: Directions of the sled at the start and at the end of a seek, by the number of turnarounds in the seek; +1
#: is the direction towards the end.
_ENDS: dict[int, tuple[tuple[int, int], ...]] = {0: ((1, 1),), 1: ((-1, 1), (1, -1)), 2: ((-1, -1),)}

#: Number of distances per axis in the short table, which screens show.
_FEW = 6


def seek_distance(device: Device, points: int = 50, starts: int = 51) -> Table:
    """Compute the time of seeks along x and along y over the distance, averaged over starting places.

    Args:
        device: Any device.
        points (from 2): Number of distances, from one bit to the whole stroke; short distances are closer
            together, because the times of short seeks rise steeply.
        starts (from 1): Number of places from which a seek of each distance starts, evenly spread over the
            stroke. Along y, seeks in both directions count.

    Returns:
        axis ("x", "y"), distance_m (distance of the seek), settle (true if settling is included; missing
        along y), turnarounds (number of turnarounds, from 0 to 2; missing along x), mean_s, min_s, max_s
        (mean, least and greatest seek time over the starting places).

    Raises:
        ParameterError: An option is wrong.
    """
    region = Region.of(device)
    shares = np.linspace(0, 1, options.whole_number("starts", starts, 1))
    spread = options.whole_number("points", points, 2)
    # Some seek models include settling themselves: the times with and without settling are then equal.
    devices = {True: device, False: device.with_parameters(settle_ms=0)}
    rows = []
    for bits in _distances(region.columns, spread):
        from_m, to_m = _ends_m(region, region.columns, bits, shares)
        for settle, each in devices.items():
            rows += [_row("x", to_m - from_m, np.asarray(each.seek_x_s(from_m, to_m)), settle=settle)]
    for bits in _distances(region.rows, spread):
        from_m, to_m = _ends_m(region, region.rows, bits, shares)
        for turnarounds, ends in _ENDS.items():
            ways = [device.seek_y_s(from_m, d0, to_m, d1) for d0, d1 in ends]
            ways += [device.seek_y_s(to_m, -d0, from_m, -d1) for d0, d1 in ends]
            rows += [_row("y", to_m - from_m, np.array(ways), turnarounds=turnarounds)]
    return from_rows(rows)


def _distances(count: int, points: int) -> _Floats:
    """Return about `points` distances in bits from 1 to `count` - 1; their square roots have equal steps."""
    return np.unique((1 + np.linspace(0, 1, points) ** 2 * (count - 2)).round())


def _ends_m(region: Region, count: int, bits: float, shares: _Floats) -> tuple[_Floats, _Floats]:
    """Return start and end, in metres, of seeks over `bits` bits along an axis of `count` bits.

    `shares`, from 0 to 1, place the starts from the low to the high end of the axis.
    """
    from_m = region.length_m(shares * (count - bits) - count / 2)
    return from_m, from_m + region.length_m(bits)


def _row(
    axis: str,
    distance_m: _Floats,
    seek_s: _Floats,
    settle: bool | None = None,
    turnarounds: int | None = None,
) -> dict[str, Any]:
    times_s = {"mean_s": seek_s.mean(), "min_s": seek_s.min(), "max_s": seek_s.max()}
    about = {"axis": axis, "distance_m": distance_m[0], "settle": settle, "turnarounds": turnarounds}
    return {**about, **{name: float(value) for name, value in times_s.items()}}


def few_distances(table: Table) -> Table:
    """Return the rows of a few distances per axis, from the shortest to the longest: the short table."""
    axes = table["axis"].to_pylist()
    parts = (table.filter([axis == one for axis in axes]) for one in "xy")
    return pyarrow.concat_tables(at_few_distances(part, _FEW) for part in parts)


def chart(table: Table) -> Any:
    """Draw a panel per axis: the mean seek time as a line, and its range over starting places as a band."""
    rows = data(table)
    for row in rows:
        row["distance_um"] = row["distance_m"] * 1e6
        row["kind"] = (
            f"{row['turnarounds']} turnaround{'' if row['turnarounds'] == 1 else 's'}"
            if row["settle"] is None
            else ("with settling" if row["settle"] else "without settling")
        )
    top_ms = max(row["max_ms"] for row in rows)
    panels = [
        _panel(own, top_ms).properties(title=f"Along {axis}", width=360, height=300)
        for axis, own in groups(rows, "axis").items()
    ]
    whole = alt.hconcat(*panels, spacing=32).resolve_scale(color="independent")
    subtitle = "Lines: mean over the starts of a seek. Bands: range over the starts."
    return titled(whole, table, "Seek time over distance", subtitle)


def _panel(rows: list[dict[str, Any]], top_ms: float) -> Any:
    base = plot(
        rows,
        x=alt.X("distance_um:Q", title="Distance (µm)"),
        color=colour("kind", "Seek", names(rows, "kind")),
    )
    y = alt.Y("min_ms:Q", title="Seek time (ms)").scale(domain=[0, top_ms], nice=True)
    told = tips(
        *("kind:N", "distance_um:Q | Distance (µm) | .1f", "mean_ms:Q | Mean (ms) | .4f"),
        *("min_ms:Q | Least (ms) | .4f", "max_ms:Q | Most (ms) | .4f"),
    )
    band = base.mark_area(opacity=0.2).encode(y=y, y2="max_ms:Q")
    return band + base.mark_line(strokeWidth=2).encode(y=alt.Y("mean_ms:Q"), tooltip=told)


ROW = defined(seek_distance, chart, few_distances)
