"""What springs do to short and to long seeks (001-C24)."""

from collections.abc import Mapping, Sequence

import numpy as np

from ...model.devices import Device
from ..shared.claims import Claim, stated
from ..shared.findings import Statement

#: So many evenly spaced places stand for all from which a seek of some length can start.
_STARTS = 200


def springs_over_none(model: Device) -> list[dict[str, float]]:
    """Mean time of seeks in x from anywhere, settling left out, with springs over without."""
    sprung = model.with_parameters(settle_ms=0.0)
    free = sprung.with_parameters(spring_factor=0.0)
    stroke_m = model.parameters["stroke_x_nm"] * 1e-9
    bit_m = model.parameters["bit_width_nm"] * 1e-9
    rows = []
    for distance_m in (bit_m, 1e-6, 5e-6, 10e-6, 20e-6, 30e-6, 50e-6, 75e-6, stroke_m):
        starts = np.linspace(-stroke_m / 2, stroke_m / 2 - distance_m, _STARTS)
        ends = np.minimum(starts + distance_m, stroke_m / 2)
        with_s, without_s = (float(np.mean(moved.seek_x_s(starts, ends))) for moved in (sprung, free))
        row = {"distance_m": distance_m, "with_springs_s": with_s, "without_springs_s": without_s}
        rows.append({**row, "ratio": with_s / without_s})
    return rows


def spring_claim(springs: Sequence[Mapping[str, float]]) -> Claim:
    """001-C24 from the rows of `springs_over_none`."""
    ratios = [row["ratio"] for row in springs]
    is_falling = ratios == sorted(ratios, reverse=True)
    return stated(
        "001-C24",
        Statement("one cylinder, with springs over without", "longer", f"{ratios[0]:.2f}", ratios[0] > 1),
        Statement("full stroke, with springs over without", "shorter", f"{ratios[-1]:.2f}", ratios[-1] < 1),
        Statement(
            "between the two",
            "tends from one to the other",
            "falls with every distance" if is_falling else "does not always fall",
            is_falling,
        ),
    )
