"""How long seeks inside a zone take (000-C3, 000-D6)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..models import Device
from . import options
from .region import Region
from .tables import from_rows

if TYPE_CHECKING:
    import pyarrow

#: 000 section 7.
_PAPER_ZONES = ((60, 600), (120, 1200), (240, 2400))
#: Column of the table, what it is in words.
_TIMES = {
    "centre_x_s": "centre to side, x",
    "centre_ahead_s": "centre to end ahead, y",
    "centre_behind_s": "centre to end behind, y",
    "pairwise_x_s": "side to side, x",
    "pairwise_y_s": "end back to end, y",
}


def zone_threshold(device: Device, zones: Sequence[tuple[int, int]] | None = None) -> "pyarrow.Table":
    """Seeks from the centre of a zone to its border, and across it, on columns of one direction.

    The zone lies in the middle of the tip region. The threshold that 000 states for a zone is that from its
    centre to its border (000-D6).

    Args:
        device: Any device.
        zones: Widths along x and heights along y, in bits; None is those of 000 that fit the tip region.

    Returns:
        zone_x_bits, zone_y_bits, centre_x_s, centre_ahead_s and centre_behind_s (to the end that the sled
        moves towards, and to the other with two turnarounds), pairwise_x_s, pairwise_y_s (the longest along
        each axis between any two bits of the zone).

    Raises:
        ParameterError: A zone is larger than the tip region.
    """
    region = Region.of(device)
    most = region.columns, region.rows
    if zones is None:
        zones = [zone for zone in _PAPER_ZONES if zone[0] <= most[0] and zone[1] <= most[1]] or [most]
    rows = []
    for width, height in options.pairs("zones", zones, (1, 1), most):
        side_m, end_m = region.length_m(width / 2), region.length_m(height / 2)
        rows.append(
            {
                "zone_x_bits": width,
                "zone_y_bits": height,
                "centre_x_s": device.seek_x_s(0, side_m),
                "centre_ahead_s": device.seek_y_s(0, 1, end_m, 1),
                "centre_behind_s": device.seek_y_s(0, 1, -end_m, 1),
                "pairwise_x_s": device.seek_x_s(-side_m, side_m),
                "pairwise_y_s": device.seek_y_s(end_m, 1, -end_m, 1),
            }
        )
    return from_rows(rows)


def chart(table: "pyarrow.Table") -> Any:
    """One row of points a kind of seek, one colour a zone."""
    from .drawing import alt, colour, titled

    rows = [
        {"zone": f"{row['zone_x_bits']} x {row['zone_y_bits']} bits", "seek": text, "ms": row[name] * 1e3}
        for row in table.to_pylist()
        for name, text in _TIMES.items()
    ]
    zones = list(dict.fromkeys(row["zone"] for row in rows))
    points = alt.Chart(alt.InlineData(values=rows), width=560, height=220).mark_point(
        size=140, filled=True, opacity=0.9
    )
    chart = points.encode(
        x=alt.X("ms:Q", title="Seek time (ms)").scale(zero=False, padding=20),
        y=alt.Y("seek:N", title=None, sort=list(_TIMES.values())).axis(labelLimit=240),
        color=colour("zone", "Zone", zones),
        shape=alt.Shape("zone:N", sort=zones, legend=None),
        tooltip=["zone:N", "seek:N", alt.Tooltip("ms:Q", title="ms", format=".3f")],
    )
    return titled(
        chart, table, "Seeks in a zone", "The zone is in the middle; all columns have the same direction."
    )
