"""002-E-5, Figure 8: sensitivity to bit width.

Mean access and capacity over the width of a bit.
"""

from ..shared import Result
from .sweeps import swept


def run(quick: bool) -> Result:
    """Compute mean access and capacity over the width of a bit."""
    return swept(
        "002-E-5",
        quick,
        "sensitivity-bit-width",
        "Mean access and capacity over bit width",
        "Figure 8: bit width",
        {"values": (30, 50, 100)},
    )
