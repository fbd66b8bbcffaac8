"""002-E-6: Figure 9, the mean access over the resonant frequency."""

from typing import Any

from ... import studies
from ..shared.experiments import Experiment, Result
from ..shared.perturbations import device


def run(quick: bool) -> Result:
    """Sweep the resonant frequency, which sets the time constant of settling."""
    model = device("sigmetrics00")
    options: dict[str, Any] = {"values": (50.0, 220.0, 1600.0)} if quick else {}
    study = studies.run("sensitivity-frequency", model, **options)
    return Result(
        devices=[model],
        tables={"Mean access over resonant frequency": study.table},
        charts={"Figure 9: resonant frequency": study.plot},
        notes=["002-C13 is about this figure and Figure 10 together: 002-E-7 decides it."],
    )


ROW = Experiment(
    "002-E-6",
    "Figure 9: sensitivity to resonant frequency",
    "The mean access over the resonant frequency, which sets the settling time.",
    (),
    run,
)
