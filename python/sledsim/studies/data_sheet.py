"""Figures that follow from the parameters of a device, next to the values that papers print (001-E-10)."""

import math
from decimal import Decimal
from typing import Any

from ..charts.grammar import alt, names, plot
from ..charts.style import COLOURS
from ..common import units
from ..model.devices import Device
from .drawing import titled
from .region import Region
from .sheet import defined
from .tables import Table, from_rows

#: Largest relative difference at which a computed figure agrees with a printed one, as papers print at most
#: four digits.
_SAME = 5e-5
#: Factors by which bytes become GiB, MiB and KiB, in which papers state capacities.
_BINARY = (2.0**-30, 2.0**-20, 2.0**-10)
#: Meanings of the figures whose names are not self-explanatory.
_MEANINGS = {
    "capacity_bytes": "formatted: without servo bursts and margins",
    "capacity_gross_bytes": "all bit cells, including servo bursts and margins",
    "tip_sectors_per_row": "one under each active tip that belongs to a block",
    "spare_bits_y": "bit positions along y that no row takes",
    "tip_bits_per_s": "bits that pass one tip in a second",
    "settle_s": "wait after a seek along x until the vibration permits a read",
    "write_settle_s": "wait after a seek along x until the vibration permits a write",
    "turnaround_s": "time to reverse the direction along y, in the centre",
    "row_s": "time in which a row passes under the tips",
    "track_s": "time in which all rows of a track pass under the tips",
    "streaming_bytes_per_s": "within a track",
    "sustained_bytes_per_s": "over a long access, with switches of tracks and cylinders",
    "max_seek_s": "longest seek: along x with settling, or along y",
    "mean_seek_s": "mean seek between random cylinders and rows",
    "mean_access_4k_s": "random seek, and transfer of the rows of 4 KiB",
    "random_4k_per_s": "random accesses of 4 KiB, one after the other",
    "gamma_per_mib": "random accesses a second for each MiB/s of streaming",
    "full_stroke_x_s": "seek from edge to edge along x, with settling",
    "full_stroke_y_s": "seek from edge to edge along y, without turnaround",
    "one_cylinder_centre_s": "seek to the next cylinder with settling, in the centre",
    "one_cylinder_edge_s": "seek to the next cylinder at the edge, where springs pull most",
    "turnaround_outward_s": "turnaround at the edge, moving outwards: springs help",
    "turnaround_inward_s": "turnaround at the edge, moving inwards: springs hinder",
}


def data_sheet(device: Device) -> Table:
    """Compute all figures that follow from the parameters of a device, next to those that papers print.

    Args:
        device: Any device.

    Returns:
        quantity (the names of `Device.characteristics`, and seeks and turnarounds at the edges), value, unit,
        paper (figure printed in the paper, in the same unit) and source (citation of the printed figure);
        paper and source are missing if the paper prints no figure.
    """
    paper = device.paper
    rows = []
    for name, value in {**device.characteristics(), **_motions(device)}.items():
        printed, source = paper.get(name, (None, None))
        about = {"quantity": name, "value": float(value), "unit": units.of(name).stored}
        rows.append({**about, "paper": printed, "source": source})
    return from_rows(rows)


def _motions(device: Device) -> dict[str, float]:
    """Return the times in seconds of the longest and shortest seeks (in x with settling), and of turnarounds.

    The turnarounds are at the ends of the stroke, one outward and one inward.
    """
    region = Region.of(device)
    x_m, y_m = (float(region.length_m(count / 2)) for count in (region.columns, region.rows))
    times_s = {
        "full_stroke_x_s": device.seek_x_s(-x_m, x_m),
        "full_stroke_y_s": device.seek_y_s(-y_m, 1, y_m, 1),
        "one_cylinder_centre_s": device.seek_x_s(0, region.bit_m),
        "one_cylinder_edge_s": device.seek_x_s(x_m - region.bit_m, x_m),
        "turnaround_outward_s": device.turnaround_s(y_m, 1),
        "turnaround_inward_s": device.turnaround_s(-y_m, 1),
    }
    return {name: float(value) for name, value in times_s.items()}


def chart(table: Table) -> Any:
    """Draw the data sheet as a table: name, value, printed figure, difference and meaning of each figure."""
    rows: list[dict[str, Any]] = []
    for row in table.to_pylist():
        name, value, printed = row["quantity"], row["value"], row["paper"]
        cells = {"quantity": units.label(name), "value": units.quantity(name, value), "paper": "", "off": ""}
        cells["meaning"] = _MEANINGS.get(name, "")
        if printed:
            off = value / printed - 1
            cells["paper"] = units.quantity(name, printed)
            cells["off"] = "same" if abs(off) < _SAME else f"{off:+.2%}"
            cells["differs"] = abs(value - printed) > _half_a_digit(name, printed)
        rows.append(cells)
    y = alt.Y("quantity:N", title=None, sort=names(rows, "quantity"))
    base = plot(rows, y=y.axis(labelLimit=300, domain=False, ticks=False))
    head = plot([{}], y=alt.value(-12))
    # Differences beyond rounding are coloured, others grey.
    differs = alt.when(alt.datum.differs).then(alt.value(COLOURS[3])).otherwise(alt.value("#888888"))
    columns: tuple[tuple[str, str, int, Any, dict[str, Any]], ...] = (
        ("value", "This device", 190, "right", {}),
        ("paper", "Paper", 380, "right", {}),
        ("off", "Difference", 470, "right", {"color": differs}),
        ("meaning", "Meaning", 490, "left", {}),
    )
    layers = [
        base.mark_text(align=align, fontSize=12).encode(text=f"{name}:N", x=alt.value(place), **style)
        for name, _, place, align, style in columns
    ]
    layers += [
        head.mark_text(align=align, fontSize=12, fontWeight="bold", text=text).encode(x=alt.value(place))
        for _, text, place, align, _ in columns
    ]
    about = "Differences in grey are within the rounding of the printed figures."
    whole = alt.layer(*layers).properties(width=890, height=alt.Step(22))
    return titled(whole, table, "Data sheet", about if any(row["off"] for row in rows) else "")


def _half_a_digit(name: str, printed: float) -> float:
    """Return half a unit of the last printed digit of a figure: the largest error of correct rounding.

    Among possible units (bytes, KiB, MiB, GiB), the function takes the one with the fewest digits.
    """
    unit = units.of(name)
    scales = (unit.scale, *(_BINARY if unit.stored.startswith("bytes") else ()))
    figures = {scale: Decimal(f"{printed * scale:.6g}").normalize().as_tuple() for scale in scales}
    scale, figure = min(figures.items(), key=lambda each: len(each[1].digits))
    # Zeros before the decimal point count as printed digits; a value half a digit away rounds to the figure.
    return math.pow(10, min(0, int(figure.exponent))) / float(scale) / 2 * (1 + 1e-9)


ROW = defined(data_sheet, chart)
