"""The study ``stroke-times``; ``sledsim study stroke-times`` runs it."""

from typing import Any

import numpy as np
import pyarrow

import sledsim
from sledsim.studies import Definition


def stroke_times(device: sledsim.Device, points: int = 11) -> pyarrow.Table:
    """Compute seek times from the centre along x.

    Args:
        device: MEMS device.
        points (from 2): Number of distances.

    Returns:
        distance_m, seek_s.
    """
    most_m = device.parameters["stroke_x_nm"] * 0.5e-9
    distance_m = np.linspace(0, most_m, points)
    return pyarrow.table({"distance_m": distance_m, "seek_s": device.seek_x_s(0.0, distance_m)})


def chart(table: pyarrow.Table) -> Any:
    """Draw the seek times over the distance; this needs Altair, which sledsim[plot] installs."""
    import altair

    axes = {"x": "distance_m:Q", "y": "seek_s:Q"}
    return altair.Chart(altair.Data(values=table.to_pylist())).mark_line().encode(**axes)


STROKE_TIMES = Definition("seek times from the centre along x", stroke_times, chart)
