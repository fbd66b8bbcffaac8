"""Seeks from the centre of a zone to its border, and across it (000-C3)."""

from typing import Any

from ..charts.grammar import alt, colour, names, plot, tips, unfolded
from ..model.devices import Device
from . import sheet_options as options
from .drawing import data, titled
from .region import Region
from .sheet import defined
from .tables import Table, from_rows

#: Zones of section 7 of paper 000: width and height in bits, and the time in seconds that section 7.2 states
#: for the zone.
_PAPER_ZONES_S = {(60, 600): 0.3e-3, (120, 1200): 0.4e-3, (240, 2400): None}
#: Columns of the table that the chart draws, each with its name in the chart.
_TIMES = {
    "centre_x_s": "centre to side, x",
    "centre_ahead_s": "centre to end ahead, y",
    "centre_behind_s": "centre to end behind, y",
    "pairwise_x_s": "side to side, x",
    "pairwise_y_s": "end back to end, y",
}


def zone_threshold(device: Device, zones: options.Several[tuple[int, int]] | None = None) -> Table:
    """Compute the times of seeks from the centre of a zone to its border, and across the zone.

    All seeks end in columns of the same direction as the column of the start.

    The zone lies in the middle of the tip region. The threshold that 000 states for a zone is the time from
    its centre to its border (000-D6).

    Args:
        device: Any device.
        zones (bits): Zones, each as its width along x and its height along y. None takes the zones of paper
            000 that fit the tip region.

    Returns:
        zone_x_bits, zone_y_bits (width and height of the zone), centre_x_s (seek from the centre of the zone
        to a side), centre_ahead_s and centre_behind_s (seeks from the centre to the end towards which the
        sled moves, and, with two turnarounds, to the opposite end), pairwise_x_s, pairwise_y_s (longest
        seek along each axis between any two bits of the zone), paper_threshold_s (threshold that 000 states
        for such a zone, or missing).

    Raises:
        ParameterError: A zone is larger than the tip region.
    """
    region = Region.of(device)
    most = region.columns, region.rows
    if zones is None:
        zones = [zone for zone in _PAPER_ZONES_S if zone[0] <= most[0] and zone[1] <= most[1]] or [most]
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
                "paper_threshold_s": _PAPER_ZONES_S.get((width, height)),
            }
        )
    return from_rows(rows)


def chart(table: Table) -> Any:
    """Draw a row of points per kind of seek, a colour per zone; dashed lines are times stated in 000."""
    found = [{**row, "zone": f"{row['zone_x_bits']} x {row['zone_y_bits']} bits"} for row in data(table)]
    kinds = {f"{key[:-1]}ms": text for key, text in _TIMES.items()}
    stated = [
        {"zone": row["zone"], "ms": row["paper_threshold_ms"]} for row in found if row["paper_threshold_s"]
    ]
    zones = names(found, "zone")
    colours = colour("zone", "Zone", zones)
    x = alt.X("ms:Q", title="Seek time (ms)").scale(zero=False, padding=20)
    # The shape has the title, domain and legend of the colour, so that one legend shows both.
    shape = alt.Shape("zone:N", title="Zone", scale=alt.Scale(domain=zones))
    seeks = plot(
        unfolded(found, kinds, "seek", "ms"),
        x=x,
        y=alt.Y("seek:N", title=None, sort=list(kinds.values())).axis(labelLimit=240),
        color=colours,
        shape=shape.legend(labelLimit=400, symbolOpacity=1),
        tooltip=tips("zone:N", "seek:N", "ms:Q | ms | .3f"),
    ).mark_point(size=140, filled=True, opacity=0.9)
    thresholds = plot(stated, x=x, color=colours).mark_rule(strokeWidth=2, strokeDash=[6, 3])
    subtitle = ["The zone is in the middle; all columns have the same direction."]
    if stated:
        subtitle += ["Dashed: the threshold that 000 states for a zone, from its centre to its border."]
    whole = (thresholds + seeks).properties(width=560, height=220)
    return titled(whole, table, "Seeks in a zone", subtitle)


ROW = defined(zone_threshold, chart)
