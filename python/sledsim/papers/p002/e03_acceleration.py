"""002-E-3, Figure 6: sensitivity to acceleration.

Mean access over the acceleration of the sled.
"""

from dataclasses import replace

from ..shared import SHAPE, Result, Statement, stated
from .sweeps import swept

_TABLE = "Mean access over acceleration"


def run(quick: bool) -> Result:
    """Compute the mean access over the acceleration of the sled; `quick` serves fewer requests."""
    found = swept(
        "002-E-3",
        quick,
        "sensitivity-acceleration",
        _TABLE,
        "Figure 6: acceleration",
        {"values": (50.0, 114.8, 400.0), "count": 5_000},
    )

    columns = found.tables[_TABLE].to_pydict()
    slow_s, quick_s = columns["mean_service_s"][0], columns["mean_service_s"][-1]
    shorter = Statement(
        f"access at {columns['acceleration_m_per_s2'][-1]:g} m/s² beside that at"
        f" {columns['acceleration_m_per_s2'][0]:g}",
        f"significantly shorter; read as by more than {100 * SHAPE:g} %",
        f"{1 - quick_s / slow_s:.1%} shorter",
        holds=quick_s < (1 - SHAPE) * slow_s,
    )
    return replace(found, claims=[stated("002-C19", shorter)])
