"""Seeks with actuators that need time to reach full force, and the vibration if a command ignores it.

An ideal command assumes actuators that need no time, so that the sled still vibrates when it ends.
"""

from typing import Any

import numpy as np

from ..charts.grammar import alt, colour, groups, log_axis, logarithmic, marked, plot, tips
from ..model.devices import Device
from . import sheet_options as options
from .drawing import data, tip_region, titled
from .region import Region
from .sheet import defined
from .tables import Table, at_few_distances, from_rows


def slew_limit(
    device: Device, rise_ms: options.Several[float] = (0.005, 0.02, 0.05, 0.1), points: int = 40
) -> Table:
    """Compute seeks along x across the centre, for actuators that reach full force only after some time.

    Args:
        device: Any device with a ``loop_frequency_hz``, which is taken as the frequency of its vibration.
        rise_ms (above 0): Times that the actuators need from no force to full force.
        points (from 2): Number of distances, from one bit to the whole stroke, evenly spread on a logarithmic
            scale.

    Returns:
        actuator_rise_ms (time from no force to full force), distance_m (distance of the seek), seek_s
        (time of the fastest seek of such actuators, without settling), ideal_s (time of the fastest
        seek of actuators that need no time), amplitude_m (amplitude of the vibration after the ideal
        command).

    Raises:
        ParameterError: An option is wrong, or the device has no ``loop_frequency_hz``.
    """
    half_m = Region.of(device).half_distances_m(points)
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
        for at in range(len(half_m)):
            values = {name: float(np.asarray(column)[at]) for name, column in columns.items()}
            rows.append({"actuator_rise_ms": rise, **values})
    return from_rows(rows)


def chart(table: Table) -> Any:
    """Draw seek time over distance, one line per rise time, and the vibration at full force at once."""
    rows = data(table)
    ideal = "ideal"
    for row in rows:
        row["distance_um"], row["amplitude_nm"] = row["distance_m"] * 1e6, row["amplitude_m"] * 1e9
        row["rise"] = f"{row['actuator_rise_ms'] * 1e3:g} µs"
    by_rise = groups(rows, "rise")
    of_ideal = {"rise": ideal, "amplitude_nm": None}
    first = next(iter(by_rise.values()))
    drawn = [*rows, *({**row, **of_ideal, "seek_ms": row["ideal_ms"]} for row in first)]
    base = plot(
        drawn,
        x=log_axis(alt.X, rows, "distance_um", "Distance (µm, log scale)"),
        color=colour("rise", "Time to full force", [ideal, *by_rise]),
        tooltip=tips(
            *("rise:N | Time to full force", "distance_um:Q | Distance (µm) | ,.3g"),
            *("seek_ms:Q | Seek (ms) | .4f", "amplitude_nm:Q | Vibration left (nm) | ,.4g"),
        ),
    )
    line = base.mark_line(strokeWidth=2)
    bit_nm = tip_region(table).bit_m * 1e9
    amplitude_nm = alt.Y("amplitude_nm:Q", title="Amplitude (nm, log scale)")
    amplitude_nm = logarithmic(amplitude_nm, (bit_nm / 1.5, *(row["amplitude_nm"] for row in rows)))
    left = line.transform_filter("isValid(datum.amplitude_nm) && datum.amplitude_nm > 0")
    # A sled that is off by more than a bit reads another bit.
    bit = marked("y", "amplitude_nm", bit_nm, f"a bit: {bit_nm:g} nm")
    seek_ms = log_axis(alt.Y, drawn, "seek_ms", "Seek time without settling (ms, log scale)")
    panels = [
        line.encode(y=seek_ms).properties(title="The fastest seek"),
        alt.layer(left.encode(y=amplitude_nm), *bit).properties(title="Vibration after the ideal command"),
    ]
    both = alt.hconcat(*(panel.properties(width=380, height=300) for panel in panels), spacing=32)
    subtitle = (
        "Left: force ramped so that the sled ends at rest."
        " Right: vibration left by a command that assumes force can jump."
    )
    return titled(both, table, "Seeks of actuators that take time", subtitle)


ROW = defined(slew_limit, chart, at_few_distances)
