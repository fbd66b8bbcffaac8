"""002-E-6, Figure 9: sensitivity to resonant frequency.

Mean access over the resonant frequency, which sets the settling time.
"""

from ..shared import Result
from .sweeps import swept


def run(quick: bool) -> Result:
    """Compute the mean access over the resonant frequency of the sled."""
    return swept(
        "002-E-6",
        quick,
        "sensitivity-frequency",
        "Mean access over resonant frequency",
        "Figure 9: resonant frequency",
        {"values": (50.0, 220.0, 1600.0)},
        says="the higher the frequency, the shorter the access",
    )
