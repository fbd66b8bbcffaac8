"""002-E-3, Figure 6: sensitivity to acceleration.

The mean access over the acceleration of the sled.
"""

from ..shared.experiments import Experiment, Result
from .sweeps import swept


def run(quick: bool) -> Result:
    """Show the study."""
    return swept(
        quick,
        "sensitivity-acceleration",
        "Mean access over acceleration",
        "Figure 6: acceleration",
        {"values": (50.0, 114.8, 400.0), "count": 5_000},
        "The text prints no figure: it says that acceleration shortens seeks and turnarounds. Here the mean"
        " access falls from {most_ms:.2f} to {least_ms:.2f} ms over the range.",
    )


ROW = Experiment.of(run)
