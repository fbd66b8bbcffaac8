"""Figures derived from the parameters, compared with those of the paper (001-E-10)."""

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

#: Relative difference up to which two values count as equal: papers print at most four digits.
_SAME = 5e-5
#: Number of bytes in each unit in which papers print capacities.
_BINARY = (2.0**-30, 2.0**-20, 2.0**-10)
#: Meanings of the quantities whose names do not explain themselves.
_MEANINGS = {
    "capacity_bytes": "formatted: without servo bursts and margins",
    "capacity_gross_bytes": "of every bit cell, servo bursts and margins included",
    "tip_sectors_per_row": "one under each active tip that belongs to a block",
    "spare_bits_y": "bit positions along y that no row takes",
    "tip_bits_per_s": "bits that pass one tip in a second",
    "settle_s": "waiting for the vibration after a seek along x, before a read",
    "write_settle_s": "waiting for the vibration after a seek along x, before a write",
    "turnaround_s": "reversing the direction along y, in the centre",
    "row_s": "a row passes under the tips",
    "track_s": "all rows of a track",
    "streaming_bytes_per_s": "within a track",
    "sustained_bytes_per_s": "over a long access, with switches of tracks and cylinders",
    "max_seek_s": "the longest along x with settling, or along y",
    "mean_seek_s": "between random cylinders and rows",
    "mean_access_4k_s": "a random seek and the rows of 4 KiB",
    "random_4k_per_s": "random accesses of 4 KiB, one after the other",
    "gamma_per_mib": "random accesses a second for each MiB/s of streaming",
    "full_stroke_x_s": "from edge to edge along x, with settling",
    "full_stroke_y_s": "from edge to edge along y, in one direction",
    "one_cylinder_centre_s": "to the next cylinder, with settling, in the centre",
    "one_cylinder_edge_s": "to the next cylinder at the edge, where the springs pull most",
    "turnaround_outward_s": "at the edge of y, moving outwards: the springs help",
    "turnaround_inward_s": "at the edge of y, moving inwards: the springs hinder",
}


def data_sheet(device: Device) -> Table:
    """Derive all figures of a device from its parameters, next to the figures printed in its paper.

    Args:
        device: Any device.

    Returns:
        quantity (the names of `Device.characteristics`, and seeks and turnarounds at the edges), value, unit,
        paper (the figure printed in the paper, in the same unit) and source (citation of that figure); both
        are missing if the paper prints no figure.
    """
    paper = device.paper
    rows = []
    for name, value in {**device.characteristics(), **_motions(device)}.items():
        printed, source = paper.get(name, (None, None))
        about = {"quantity": name, "value": float(value), "unit": units.of(name).stored}
        rows.append({**about, "paper": printed, "source": source})
    return from_rows(rows)


def _motions(device: Device) -> dict[str, float]:
    """Return seeks and turnarounds at the ends of the travel; settling is included in x."""
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
    """Draw the table: quantity, value, the paper's figure, the difference, and the meaning."""
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
    # Differences stand out from equal values.
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
    """Return half a unit of the last digit of a printed figure, in the unit that needs the fewest digits."""
    unit = units.of(name)
    scales = (unit.scale, *(_BINARY if unit.stored.startswith("bytes") else ()))
    figures = {scale: Decimal(f"{printed * scale:.6g}").normalize().as_tuple() for scale in scales}
    scale, figure = min(figures.items(), key=lambda each: len(each[1].digits))
    # Zeros before the decimal point are printed digits, too; a value at the border rounds to the figure.
    return math.pow(10, min(0, int(figure.exponent))) / float(scale) / 2 * (1 + 1e-9)


ROW = defined(data_sheet, chart)
