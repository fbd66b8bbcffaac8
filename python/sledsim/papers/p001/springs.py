"""What springs do to short and to long seeks (001-C24)."""

import numpy as np
import pyarrow

from ...model.devices import Device
from ..shared.claims import Claim, stated
from ..shared.findings import Statement

#: So many evenly spaced places stand for all from which a seek of some length can start.
_STARTS = 200


def springs_over_none(model: Device) -> pyarrow.Table:
    """Mean time of seeks in x from anywhere, settling left out, with springs over without."""
    sprung = model.with_parameters(settle_ms=0.0)
    free = sprung.with_parameters(spring_factor=0.0)
    stroke_m = model.parameters["stroke_x_nm"] * 1e-9
    bit_m = model.parameters["bit_width_nm"] * 1e-9
    rows = []
    for distance_m in (bit_m, 1e-6, 5e-6, 10e-6, 20e-6, 30e-6, 50e-6, 75e-6, stroke_m):
        starts = np.linspace(-stroke_m / 2, stroke_m / 2 - distance_m, _STARTS)
        ends = np.minimum(starts + distance_m, stroke_m / 2)
        with_s, without_s = (np.mean(moved.seek_x_s(starts, ends)) for moved in (sprung, free))
        row = {
            "distance_m": distance_m,
            "with_springs_s": float(with_s),
            "without_springs_s": float(without_s),
        }
        rows.append({**row, "ratio": row["with_springs_s"] / row["without_springs_s"]})
    return pyarrow.Table.from_pylist(rows)


def spring_claim(springs: pyarrow.Table) -> Claim:
    """001-C24 from the table of `springs_over_none`."""
    ratios = springs["ratio"].to_pylist()
    return stated(
        "001-C24",
        Statement(
            "one cylinder, with springs over without", "longer", f"{ratios[0]:.2f}", holds=ratios[0] > 1
        ),
        Statement(
            "full stroke, with springs over without", "shorter", f"{ratios[-1]:.2f}", holds=ratios[-1] < 1
        ),
        Statement(
            "between the two",
            "tends from one to the other",
            "falls with every distance" if ratios == sorted(ratios, reverse=True) else "does not always fall",
            holds=ratios == sorted(ratios, reverse=True),
        ),
    )
