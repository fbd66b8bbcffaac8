"""The figures of a device beside those that its paper prints (001-E-10)."""

from typing import TYPE_CHECKING, Any

from .. import units
from ..models import Device
from .region import Region
from .tables import from_rows

if TYPE_CHECKING:
    import pyarrow


def data_sheet(device: Device) -> "pyarrow.Table":
    """Everything that follows from a device's parameters, and what its paper says of it.

    Args:
        device: Any device.

    Returns:
        quantity (the names of `Device.characteristics`, and seeks and turnarounds at the edges), value,
        unit, paper (the printed figure in the same unit) and source (its citation), which are missing where
        the paper prints none.
    """
    paper = device.paper
    rows = []
    for name, value in {**device.characteristics(), **_motions(device)}.items():
        printed, source = paper.get(name, (None, None))
        about = {"quantity": name, "value": float(value), "unit": units.of(name).stored}
        rows.append({**about, "paper": printed, "source": source})
    return from_rows(rows)


def _motions(device: Device) -> dict[str, float]:
    """Seeks and turnarounds at the ends of the travel; settling is included in x."""
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


def chart(table: "pyarrow.Table") -> Any:
    """The table as a picture: quantity, value, the paper's figure and how far they are apart."""
    from .drawing import alt, titled

    rows = []
    for row in table.to_pylist():
        name, value, printed = row["quantity"], row["value"], row["paper"]
        cells = {"quantity": units.label(name), "value": units.quantity(name, value), "paper": "", "off": ""}
        if printed:
            cells |= {"paper": units.quantity(name, printed), "off": f"{value / printed - 1:+.2%}"}
        rows.append(cells)
    base = alt.Chart(alt.InlineData(values=rows), width=560, height=alt.Step(22)).encode(
        y=alt.Y("quantity:N", title=None, sort=[row["quantity"] for row in rows]).axis(
            labelLimit=300, domain=False, ticks=False
        )
    )
    columns = {"value": ("This device", 200), "paper": ("Paper", 420), "off": ("Difference", 540)}
    texts = [
        base.mark_text(align="right", fontSize=12).encode(text=f"{name}:N", x=alt.value(right))
        for name, (_, right) in columns.items()
    ]
    heads = [
        alt.Chart(alt.InlineData(values=[{}]))
        .mark_text(align="right", fontSize=12, fontWeight="bold", text=head)
        .encode(x=alt.value(right), y=alt.value(-12))
        for head, right in columns.values()
    ]
    return titled(alt.layer(*texts, *heads), table, "Data sheet")
