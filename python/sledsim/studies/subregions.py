"""Mean positioning time inside each subregion of the tip region (001-E-5, Fig. 9).

Differences between subregions show the effect of the springs on short seeks.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..charts.grammar import alt, grouped, plot
from ..model.devices import Device
from . import sheet_options as options
from .drawing import data, titled
from .region import Region
from .sheet import defined
from .tables import Table, from_rows

#: Number of subregions along each axis in 001 Figure 9.
_GRID = 5
#: Access modes in which a device may access a single row in the faster of both directions.
_CHOOSING = ("bidirectional", "serpentine")
#: Approximate number of columns, and of rows, of a subregion from which seeks start in the computation.
_STARTS = 125


def subregions(
    device: Device,
    grid: int | None = None,
    region_bits: int | None = None,
    settle_ms: options.Several[float] | None = None,
    directions: str = "device",
    sector_bits: int | None = None,
) -> Table:
    """Divide the middle of the tip region into a square grid, and compute the mean positioning time per cell.

    Each time is a mean over random accesses that start and end in the same cell (subregion).

    Each access is to a tip sector that lies wholly in the subregion. The sled enters the sector at the end
    where the access begins, and leaves it at the other end.

    Args:
        device: Any device.
        grid (from 1 to the bits of the region): Number of subregions along each axis; the grid lies in the
            middle of the tip region. None takes 5, or fewer if a fifth of the region is too short for an
            access.
        region_bits (from 1 to the region): Width and height of a subregion in bits. None takes the largest
            size with which the grid fits the region.
        settle_ms (from 0): Settling times in ms. None takes two: the settling time of the device, and 0.
        directions: Directions of the accesses along y: "random", or "best" for the faster one at each access,
            or "device" for those that the access mode of the device permits: best if an access may have
            either direction, always up if the mode is unidirectional, else random.
        sector_bits (from 0): Length of an access along y in bits. None takes a tip sector with its servo
            burst; 0 means accesses to points.

    Returns:
        settle_s (settling time), row, column (place of the subregion, from 0; row 0 is the lowest),
        mean_seek_s (mean positioning between accesses in the subregion).

    Raises:
        ParameterError: An option is wrong, or the grid is larger than the tip region.
    """
    region = Region.of(device)
    own_bits = device.parameters["sector_encoded_bits"] + device.parameters["servo_bits"]
    sector = own_bits if sector_bits is None else options.whole_number("sector_bits", sector_bits, 0)
    side = min(region.columns, region.rows)
    default = max(1, min(_GRID, side // (sector + 1)))
    count = default if grid is None else options.whole_number("grid", grid, 1, side)
    most = side // count
    size = most if region_bits is None else options.whole_number("region_bits", region_bits, 1, most)
    if sector >= size:
        less = f"less than the {size} bits of a subregion (a smaller grid, or sector_bits=0 for points)"
        options.refuse("sector_bits", sector, less)
    mode = _mode(device, options.choice("directions", directions, ("device", "random", "best")))
    wanted = [device, device.with_parameters(settle_ms=0)]
    if settle_ms is not None:
        wanted = [device.with_parameters(settle_ms=ms) for ms in options.numbers("settle_ms", settle_ms)]
    lows = [size * (at - count / 2) for at in range(count)]
    rows = []
    # Equal settling times count once: some seek models decide themselves when a seek ends.
    for settle_s, each in {float(each.characteristics()["settle_s"]): each for each in wanted}.items():
        x_s = [_times_x_s(each, region, low, size) for low in lows]
        y_s = [_times_y_s(each, region, low, size, sector, mode) for low in lows]
        for row, column in np.ndindex(count, count):
            mean_s = _mean_of_longer(x_s[column], y_s[row])
            rows.append({"settle_s": settle_s, "row": row, "column": column, "mean_seek_s": mean_s})
    return from_rows(rows)


def _mode(device: Device, directions: str) -> str:
    """Return the directions of accesses ("random", "best" or "up") for a value of the option `directions`."""
    access_mode = device.parameters["access_mode"]
    if directions != "device":
        return directions
    if access_mode == "unidirectional":
        return "up"
    return "best" if access_mode in _CHOOSING else "random"


def _places(low: float, count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return starts and targets of seeks along one axis of a subregion, in bits.

    The subregion begins at bit `low` and is `count` bits long.

    Targets are all bits, as a row; starts are an evenly spread selection, as a column.
    """
    targets = np.arange(count, dtype=np.float64) + low
    return targets[:: max(1, count // _STARTS), np.newaxis], targets


def _times_x_s(device: Device, region: Region, low: float, size: int) -> NDArray[np.float64]:
    """Return the times in seconds, sorted, of seeks along x between columns of a subregion."""
    start, target = map(region.length_m, _places(low, size))
    return np.sort(np.ravel(device.seek_x_s(start, target)))


def _times_y_s(
    device: Device, region: Region, low: float, size: int, sector: int, mode: str
) -> NDArray[np.float64]:
    """Return the times in seconds, sorted, of seeks along y between accesses of a subregion.

    A seek leads from the end of one access to the beginning of another.
    """
    start, target = _places(low, size - sector)
    ways = (1,) if mode == "up" else (1, -1)
    left = {way: region.length_m(start + sector * (way > 0)) for way in ways}
    entered = {way: region.length_m(target + sector * (way < 0)) for way in ways}
    times_s = np.array([[device.seek_y_s(left[d0], d0, entered[d1], d1) for d1 in ways] for d0 in ways])
    return np.sort((times_s.min(axis=1) if mode == "best" else times_s).ravel())


def _mean_of_longer(x_s: NDArray[np.float64], y_s: NDArray[np.float64]) -> float:
    """Return the mean of the longer of two independent random times, from sorted values of both."""
    shorter = np.searchsorted(y_s, x_s)
    tails_s = np.append(np.cumsum(y_s[::-1])[::-1], 0.0)
    return float((shorter * x_s + tails_s[shorter]).mean() / len(y_s))


def chart(table: Table) -> Any:
    """Draw a panel per settling time: the grid of subregions, each with its mean time in ms (as in 001)."""
    rows = data(table)
    times_ms = [row["mean_seek_ms"] for row in rows]
    shortest, longest = min(times_ms), max(times_ms)
    scale = alt.Scale(domain=[shortest, longest], scheme="blues")
    is_dark = alt.datum.mean_seek_ms > (shortest + longest) / 2

    def panel(own: list[dict[str, Any]]) -> Any:
        base = plot(
            own,
            x=alt.X("column:O", title="Subregion along x").axis(labelAngle=0),
            y=alt.Y("row:O", title="Subregion along y", sort="descending"),
        )
        cells = base.mark_rect(stroke="white").encode(
            color=alt.Color("mean_seek_ms:Q", title="Mean (ms)", scale=scale)
        )
        texts = base.mark_text(fontSize=14).encode(
            text=alt.Text("mean_seek_ms:Q", format=".3f"),
            color=alt.when(is_dark).then(alt.value("white")).otherwise(alt.value("black")),
        )
        return cells + texts

    for row in rows:
        row["settling"] = f"Settling {row['settle_s'] * 1e3:.4g} ms"
    whole = alt.concat(*grouped(rows, "settling", panel, width=320, height=320), columns=2, spacing=32)
    return titled(whole, table, "Mean positioning inside a subregion", "Random accesses within each; in ms.")


ROW = defined(subregions, chart)
