"""What actuators that take time cost, and what the ideal seek hides: vibration that is left over."""

from functools import partial
from typing import Any

import numpy as np

from ..model.devices import Device
from . import options
from .drawing import alt, colour, data, logarithmic, marked, tip_region, titled
from .region import Region
from .study import Definition
from .tables import Table, few_of, from_rows


def slew_limit(
    device: Device, rise_ms: options.Several[float] = (0.005, 0.02, 0.05, 0.1), points: int = 40
) -> Table:
    """Seeks along x about the centre, for actuators that take a while from no force to full force.

    Args:
        device: Any device with a ``loop_frequency_hz``, at which it is taken to vibrate.
        rise_ms (above 0): Times from no force to full force.
        points (from 2): How many distances, from one bit to the whole stroke, spread logarithmically.

    Returns:
        actuator_rise_ms, distance_m, seek_s (the quickest seek of such actuators, without settling),
        ideal_s (of actuators that take no time), amplitude_m (of the vibration after the ideal command).

    Raises:
        ParameterError: An option is wrong, or the device says nothing of its ``loop_frequency_hz``.
    """
    region = Region.of(device)
    spread = options.whole_number("points", points, 2)
    half_m = region.length_m(np.geomspace(1, region.columns - 1, spread)) / 2
    ideal_s = device.with_parameters(seek_model="bang-bang", settle_ms=0).seek_x_s(-half_m, half_m)
    rows = []
    for rise in options.numbers("rise_ms", rise_ms, above=True):
        slow = device.with_parameters(actuator_rise_ms=rise, seek_model="slew-limited", settle_ms=0)
        columns = {
            "distance_m": 2 * half_m,
            "seek_s": slow.seek_x_s(-half_m, half_m),
            "ideal_s": ideal_s,
            "amplitude_m": slow.residual_vibration(-half_m, half_m)["amplitude_m"],
        }
        for at in range(spread):
            values = {name: float(np.asarray(column)[at]) for name, column in columns.items()}
            rows.append({"actuator_rise_ms": rise, **values})
    return from_rows(rows)


def chart(table: Table) -> Any:
    """Seek time over distance, and the vibration that the ideal command would leave."""
    rows = data(table)["values"]
    ideal = "ideal"
    for row in rows:
        row["distance_um"], row["amplitude_nm"] = row["distance_m"] * 1e6, row["amplitude_m"] * 1e9
        row["rise"] = f"{row['actuator_rise_ms'] * 1e3:g} µs"
    rises = list(dict.fromkeys(row["rise"] for row in rows))
    first = [row for row in rows if row["rise"] == rises[0]]
    lines = [
        *rows,
        *({**row, "rise": ideal, "seek_ms": row["ideal_ms"], "amplitude_nm": None} for row in first),
    ]
    x = alt.X("distance_um:Q", title="Distance (µm, log scale)")
    base = alt.Chart(alt.InlineData(values=lines)).encode(
        x=logarithmic(x, (row["distance_um"] for row in rows)),
        color=colour("rise", "Time to full force", [ideal, *rises]),
        tooltip=[
            alt.Tooltip("rise:N", title="Time to full force"),
            alt.Tooltip("distance_um:Q", title="Distance (µm)", format=",.3g"),
            alt.Tooltip("seek_ms:Q", title="Seek (ms)", format=".4f"),
            alt.Tooltip("amplitude_nm:Q", title="Vibration left (nm)", format=",.4g"),
        ],
    )
    seek_ms = alt.Y("seek_ms:Q", title="Seek time without settling (ms, log scale)")
    amplitude_nm = alt.Y("amplitude_nm:Q", title="Amplitude (nm, log scale)")
    bit_nm = tip_region(table).bit_m * 1e9
    amplitudes = (row["amplitude_nm"] for row in rows)
    seek = base.mark_line(strokeWidth=2).encode(y=logarithmic(seek_ms, (row["seek_ms"] for row in lines)))
    left = (
        base.transform_filter("isValid(datum.amplitude_nm) && datum.amplitude_nm > 0")
        .mark_line(strokeWidth=2)
        .encode(y=logarithmic(amplitude_nm, (bit_nm / 1.5, *amplitudes)))
    )
    # What is more than a bit off is another bit.
    bit = marked("y", "amplitude_nm", bit_nm, f"a bit: {bit_nm:g} nm")
    size = {"width": 380, "height": 300}
    panels = [
        seek.properties(title="The quickest seek", **size),
        alt.layer(left, *bit).properties(title="What the ideal command leaves", **size),
    ]
    subtitle = (
        "Left: force ramped so that the sled ends at rest."
        " Right: vibration left by a command that assumes force can jump."
    )
    return titled(alt.hconcat(*panels, spacing=32), table, "Seeks of actuators that take time", subtitle)


ROW = Definition(
    "seeks of actuators that take time, and the vibration that the ideal command would leave",
    slew_limit,
    chart,
    partial(few_of, key="distance_m"),
)
