"""Table 2 of 002: what is printed beside what is found."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..shared.random_requests import Costs


def table_2(costs: dict[str, Costs]) -> list[dict[str, Any]]:
    """Table 2 as printed, and as found in each reading of `costs`; seconds."""
    printed_ms = {
        "service": (1.96, 0.46, 5.03),
        "seek": (1.81, 0.42, 2.72),
        "transfer": (0.16, 0.21, 3.73),
        "turnarounds": (0.31, None, None),
    }
    found = {name: _times(cost) for name, cost in costs.items()}
    rows = []
    for part, figures in printed_ms.items():
        for name, printed in zip(("mean", "std", "max"), figures, strict=True):
            paper_s = None if printed is None else printed * 1e-3
            ours = {f"{mode}_s": float(getattr(times[part], name)()) for mode, times in found.items()}
            rows.append({"part": part, "figure": name, "paper_s": paper_s, **ours})
    return rows


def _times(cost: Costs) -> dict[str, NDArray[np.float64]]:
    return {
        "service": cost.service_s,
        "seek": cost.positioning_s,
        "transfer": cost.transfer_s,
        "turnarounds": cost.turnaround_s,
    }
