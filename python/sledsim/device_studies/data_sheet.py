"""The figures of a device beside those that its paper prints (001-E-10)."""

from typing import TYPE_CHECKING, Any

from ..models import Device
from .region import Region
from .tables import from_rows

if TYPE_CHECKING:
    import pyarrow

#: The end of a quantity's name, and its unit; the first that fits.
_UNITS = {
    "_bytes_per_s": "bytes/s",
    "_bits_per_s": "bits/s",
    "_bits_per_m2": "bits/m²",
    "_bytes": "bytes",
    "_per_s": "1/s",
    "_s": "s",
}

#: Units that take a prefix, and how they are written with one.
_SYMBOLS = {"bytes": "B", "bytes/s": "B/s", "bits/s": "bit/s", "bits/m²": "bit/m²"}
_PREFIXES = {"T": 1e12, "G": 1e9, "M": 1e6, "k": 1e3}


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
        rows.append(
            {"quantity": name, "value": float(value), "unit": _unit(name), "paper": printed, "source": source}
        )
    return from_rows(rows)


def _motions(device: Device) -> dict[str, float]:
    """Seeks and turnarounds at the ends of the travel; settling is included in x."""
    region = Region.of(device)
    x_m, y_m = -float(region.x_m(0)), -float(region.y_m(0))
    times_s = {
        "full_stroke_x_s": device.seek_x_s(-x_m, x_m),
        "full_stroke_y_s": device.seek_y_s(-y_m, 1, y_m, 1),
        "one_cylinder_centre_s": device.seek_x_s(0, region.bit_m),
        "one_cylinder_edge_s": device.seek_x_s(x_m - region.bit_m, x_m),
        "turnaround_outward_s": device.turnaround_s(y_m, 1),
        "turnaround_inward_s": device.turnaround_s(-y_m, 1),
    }
    return {name: float(value) for name, value in times_s.items()}


def _unit(name: str) -> str:
    return next((unit for end, unit in _UNITS.items() if name.endswith(end)), "")


def chart(table: "pyarrow.Table") -> Any:
    """The table as a picture: quantity, value, the paper's figure and how far they are apart."""
    from .drawing import alt, titled

    rows = []
    for row in table.to_pylist():
        value, printed, unit = row["value"], row["paper"], row["unit"]
        # Sizes keep their unit in the name: there are rows and tracks in bytes and in seconds.
        name = row["quantity"].removesuffix("_bytes_per_s").removesuffix("_s" if unit == "s" else "")
        cells = {"quantity": name.replace("_", " "), "value": shown(value, unit), "paper": "", "off": ""}
        if printed:
            cells |= {"paper": shown(printed, unit), "off": f"{value / printed - 1:+.2%}"}
        rows.append(cells)
    base = alt.Chart(alt.InlineData(values=rows), width=560, height=alt.Step(22)).encode(
        y=alt.Y("quantity:N", title=None, sort=[row["quantity"] for row in rows]).axis(
            labelLimit=300, domain=False, ticks=False
        )
    )
    columns = {"value": ("This device", 180), "paper": ("Paper", 380), "off": ("Difference", 540)}
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


def shown(value: float, unit: str) -> str:
    """A value for people: times in milliseconds, whole numbers as such, large ones with a prefix."""
    if unit == "s":
        return f"{value * 1e3:,.4g} ms"
    if not unit:
        return f"{value:,.0f}" if value.is_integer() else f"{value:,.4g}"
    prefix, factor = next((row for row in _PREFIXES.items() if value >= row[1]), ("", 1.0))
    return f"{value / factor:,.4g} {prefix}{_SYMBOLS[unit]}" if unit in _SYMBOLS else f"{value:,.4g} {unit}"
