"""002-E-3, Figure 6: sensitivity to acceleration.

The mean access over the acceleration of the sled.
"""

from ..shared.experiments import Experiment, Result
from .sweeps import swept


def run(quick: bool) -> Result:
    """Show the study."""
    return swept(
        "002-E-3",
        quick,
        "sensitivity-acceleration",
        "Mean access over acceleration",
        "Figure 6: acceleration",
        {"values": (50.0, 114.8, 400.0), "count": 5_000},
    )


ROW = Experiment.of(run)
